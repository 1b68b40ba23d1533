import assert from 'node:assert/strict';
import {
  accuracyOf,
  figures,
  nameOf,
  quoted,
  rounder,
  stepsOf,
  summaryOf,
  timeWriter,
} from '../../../src/agents/words.ts';
import type { LocalPrediction } from '../../../src/contract/resources.ts';
import { findZone } from '../../../src/calendar/zone.ts';

const steps = (over: Partial<LocalPrediction>, levels: readonly number[] = [80]) =>
  stepsOf({ id: 'p', status: 'COMPLETED', ...over }, levels);
const at = (value: number, quantiles?: Record<string, number>) => ({
  timestamp: '2024-01-01T00:00:00Z',
  value,
  ...(quantiles ? { metadata: { quantiles } } : {}),
});

describe('the steps of a prediction in words', () => {
  it('are the median where there is one, else the value; a limit that is absent is none', () => {
    const { median, intervals } = steps({ prediction_series: [at(1, { '0.5': 2, '0.1': 0 }), at(3)] });
    assert.deepEqual(median, [2, 3]);
    assert.deepEqual(intervals, [], 'an interval without an upper limit is no interval');
    assert.deepEqual(steps({}).times, []);
  });

  it('have the digits that their width supports: two figures of it', () => {
    const wide = steps({ prediction_series: [at(1234.5678, { '0.1': 1000, '0.5': 1234.5678, '0.9': 1400 })] });
    assert.equal(rounder(wide)(1234.5678), '1235');
    const narrow = steps({ prediction_series: [at(1.23456, { '0.1': 1.23, '0.5': 1.23456, '0.9': 1.24 })] });
    assert.equal(rounder(narrow)(1.23456), '1.235');
    assert.equal(rounder(steps({ prediction_series: [at(0)] }))(0), '0');
  });

  it('are numbers at any scale, and a dash where there is none', () => {
    assert.equal(figures(1e-6)(0.0000012345), '0.0000012');
    assert.equal(figures(1e-30)(1), '1', 'no more digits than a number has');
    assert.equal(figures(0)(1.005), '1');
    assert.equal(figures(1)(123456789012345680000), '123457000000000000000');
    assert.deepEqual([NaN, Infinity, -Infinity].map(figures(1)), ['–', '–', '–']);
    assert.equal(figures(100)(-0.4), '0', 'no zero below zero');
  });

  it('leave steps without a number out of the sum', () => {
    const some = { times: [0, 1, 2], median: [4, NaN, 2], intervals: [] };
    const text = summaryOf(some, (_, step) => `+${step + 1}`, String);
    assert.equal(text, 'Over all 2 steps: mean 3, sum of the medians 6, lowest 2 (+3), highest 4 (+1).');
    assert.equal(summaryOf({ ...some, median: [NaN] }, String, String), '');
  });

  it('stand on the clock of the series, over a change of it too', () => {
    const berlin = findZone('Europe/Berlin');
    const when = timeWriter({ unit: 'hour', count: 1 }, true, berlin);
    assert.equal(when(Date.UTC(2024, 2, 31, 0), 0), '2024-03-31 01:00');
    assert.equal(when(Date.UTC(2024, 2, 31, 1), 1), '2024-03-31 03:00');
    assert.equal(timeWriter({ unit: 'hour', count: 1 }, false, berlin)(0, 4), '+5');
  });
});

describe('names in an answer', () => {
  it('are one line of 160 letters without what is not seen', () => {
    assert.equal(nameOf(' a\r\n\tb\u200bc\u202ed '), 'a b c d');
    assert.equal(nameOf('x'.repeat(161)), `${'x'.repeat(160)}…`);
    assert.equal(nameOf('x'.repeat(160)), 'x'.repeat(160));
  });

  it('are called with again by their codes', () => {
    const name = 'a"b\\c\n\u200b\u2028é';
    assert.equal(quoted(name), '"a\\"b\\\\c\\n\\u200b\\u2028é"');
    assert.equal(JSON.parse(quoted(name)), name);
  });
});

describe('the accuracy in words', () => {
  const tested = { origins: 1, horizon: 12 };
  const monthly = { unit: 'month', count: 1 } as const;

  it('is none where nothing was tested, and no score where none could be', () => {
    assert.match(accuracyOf(undefined, monthly, 12), /not tested on its own history/);
    assert.equal(accuracyOf(tested, monthly, 12), 'Accuracy on its own history (1 origin, 12 months each): no score.');
  });

  it('says against what it was held, and advises what did better', () => {
    const better = accuracyOf({ ...tested, skill: 0.2, mase: 0.8, coverage80: 0.75 }, monthly, 12);
    assert.match(
      better,
      /: 20% better than the seasonal naive baseline \(repeating last year\); the 80% interval covered 75% .*\(MASE 0\.80\)\.$/,
    );
    assert.match(
      accuracyOf({ ...tested, skill: 0.001 }, monthly, 12),
      /: as good as the seasonal naive baseline \(repeating last year\)\.$/,
    );
    const worse = accuracyOf({ ...tested, skill: -0.3 }, monthly, undefined);
    assert.match(
      worse,
      /: 30% worse than the seasonal naive baseline \(repeating the last value\)\. The seasonal naive baseline did better here/,
    );
    assert.doesNotMatch(
      accuracyOf({ ...tested, skill: -0.02 }, monthly, 12),
      /seasonal naive baseline did better here/,
    );
  });
});
