import assert from 'node:assert/strict';
import { parseDuration } from '../../../src/calendar/duration.ts';
import { adviceOf, figuresOf } from '../../../src/chart/figures.ts';

const about = (skill: number | undefined, coverage80: number | undefined, horizon = 12) => ({
  tested: { origins: 3, horizon, skill, coverage80, mase: 1.48, mase_seasonal_naive: 1.2 },
  frequency: parseDuration('P1D'),
  period: 7,
});
const briefly = (tested: ReturnType<typeof about>) => figuresOf(tested).map(({ text, isPoor }) => [text, isPoor]);

describe('figures of a forecast', () => {
  it('mark a score that is bad, in words too', () => {
    assert.deepEqual(briefly(about(0.31, 0.82)), [
      ['31% better than the seasonal naive baseline, on its own history', false],
      ['80% interval covered 82%', false],
    ]);
    assert.deepEqual(briefly(about(-0.23, 0.33)), [
      ['23% worse than the seasonal naive baseline, on its own history', true],
      ['80% interval covered only 33%', true],
    ]);
    assert.deepEqual(briefly(about(-0.004, undefined)), [
      ['as good as the seasonal naive baseline, on its own history', false],
    ]);
  });

  it('do not call an interval bad for what chance explains', () => {
    assert.deepEqual(briefly(about(undefined, 2 / 3, 1)), [['80% interval covered 67%', false]]);
    assert.deepEqual(briefly(about(undefined, 0.62, 30)), [['80% interval covered only 62%', true]]);
  });

  it('explain how they were measured', () => {
    const [skill, interval] = figuresOf(about(-0.23, 0.33)).map((figure) => figure.about);
    assert.match(skill, /repeated from 3 points in the past, each before 12 days of this series/);
    assert.match(
      skill,
      /MASE, lower is better\): 1\.48; of the seasonal naive baseline, which repeats last week: 1\.20/,
    );
    assert.match(interval, /interval covered 33% of the values that followed; a good one covers about 80%/);
  });

  it('come with what to do', () => {
    assert.deepEqual(adviceOf(about(-0.23, 0.8), 'seasonal-naive'), {
      sentence: 'The seasonal naive baseline did better on this series.',
      actions: [{ id: 'use-model:seasonal-naive', label: 'Use It' }],
    });
    assert.deepEqual(adviceOf(about(-0.23, 0.8), undefined)?.actions, []);
    assert.match(adviceOf(about(0.1, 0.33), 'seasonal-naive')?.sentence ?? '', /intervals were too narrow/);
    assert.equal(adviceOf(about(0.1, 0.8), 'seasonal-naive'), undefined);
  });
});
