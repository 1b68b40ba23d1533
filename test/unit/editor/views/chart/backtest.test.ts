import assert from 'node:assert/strict';
import { parseDuration } from '../../../../../src/calendar/frequency.ts';
import type { Backtest } from '../../../../../src/contract/resources.ts';
import { backtestView } from '../../../../../src/editor/views/chart/analyses.ts';
import { useWindow } from '../panels.ts';

const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString();

/** Folds of two steps, whose forecasts err by so much and those of the last season by 4. */
const backtestOf = (errors: readonly number[], more: object = {}): Backtest => ({
  prediction_id: 'p',
  horizon: 2,
  folds: errors.map((error, fold) => ({
    cutoff: day(10 * fold),
    scale: 2,
    points: [1, 2].map((step) => ({
      timestamp: day(10 * fold + step),
      actual: 100,
      value: 100 + error,
      seasonal_naive: 104,
      quantiles: { '0.1': 100 + error - 3, '0.25': 100 + error - 1, '0.5': 100 + error, '0.75': 100 + error + 1, '0.9': 100 + error + 3 },
      ...more,
    })),
  })),
}); // prettier-ignore
const DAILY = parseDuration('P1D');

describe('view of a backtest', () => {
  useWindow();
  const view = (backtest: Backtest) => backtestView(backtest, DAILY);

  it('describes the backtest and compares it with the baseline', () => {
    const { sentences } = view(backtestOf([1, 1, 1]));
    assert.equal(
      sentences[0],
      'The forecast was repeated from earlier points (3), each 2 days ahead, without seeing the values that followed.',
    );
    assert.match(
      view(backtestOf([1])).sentences[0],
      /^The forecast was repeated from earlier points \(1\), each 2 days ahead, /,
    );
    assert.match(sentences[1], /^MASE 0\.50 against 2\.00: 75% better than the seasonal naive baseline\.$/);
    assert.match(
      view(backtestOf([8])).sentences[1],
      /^MASE 4\.00 against 2\.00: 100% worse than the seasonal naive baseline\.$/,
    );
    assert.match(
      view(backtestOf([4])).sentences[1],
      /^MASE 2\.00 against 2\.00: as good as the seasonal naive baseline\.$/,
    );
  });

  it('omits the comparison if a score is unknown', () => {
    assert.equal(view(backtestOf([1], { actual: undefined })).sentences.length, 1);
    assert.equal(view(backtestOf([1], { seasonal_naive: 100 })).sentences.length, 1, 'nobody is better than no error');
  });

  it('names the scores of the model and the baseline', () => {
    const { scores } = view(backtestOf([1]));
    assert.deepEqual(scores.map(({ label, mase }) => [label, mase]), [['Forecast', 0.5], ['Seasonal naive', 2]]); // prettier-ignore
    assert.equal(scores[0].coverage80, 1);
    assert.equal(scores[1].coverage80, undefined, 'the last season has no interval');
  });

  it('draws the 80% interval, or else the widest', () => {
    const { level, folds } = view(backtestOf([1]));
    assert.deepEqual([level, [...folds[0].lower], [...folds[0].upper]], [80, [98, 98], [104, 104]]);
    const other = view(backtestOf([1], { quantiles: { '0.25': 99, '0.5': 101, '0.75': 103 } }));
    assert.deepEqual([other.level, [...other.folds[0].lower]], [50, [99, 99]]);
    const none = view(backtestOf([1], { quantiles: undefined }));
    assert.deepEqual([none.level, none.coverage, [...none.folds[0].upper]], [undefined, [], [NaN, NaN]]);
  });

  it('gives the coverage of each interval, narrowest first', () => {
    assert.deepEqual(view(backtestOf([0, 2, 5])).coverage.map(({ level, covered: deferred }) => [level, Math.round(deferred)]), [[50, 33], [80, 67]]); // prettier-ignore
  });

  it('gives the mean error of each step, and NaN for a step without observations', () => {
    const backtest = backtestOf([1, 3]);
    for (const fold of backtest.folds) fold.points[1] = { ...fold.points[1], actual: undefined };
    const { errors } = view(backtest);
    assert.deepEqual([[...errors.model], [...errors.naive]], [[2, NaN], [4, NaN]]); // prettier-ignore
  });

  it('gives the cutoff and the times of each fold', () => {
    const { folds } = view(backtestOf([1, 1]));
    assert.deepEqual(folds.map(({ origin }) => origin), [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 11)]); // prettier-ignore
    assert.deepEqual([...folds[0].forecast.times], [Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 3)]);
  });

  it('accepts a backtest without folds', () => {
    const { sentences, folds, coverage } = view(backtestOf([]));
    assert.deepEqual([sentences.length, folds, coverage], [1, [], []]);
  });
});
