import assert from 'node:assert/strict';
import type { LocalPrediction } from '../../../../../src/contract/resources.ts';
import { coverageText, outcomeOf } from '../../../../../src/editor/views/chart/comparison.ts';

const week = (index: number) => Date.UTC(2024, 0, 1 + 7 * index);
const point = (index: number, value: number, metadata?: Record<string, unknown>) => ({
  timestamp: new Date(week(index)).toISOString(),
  value,
  metadata,
});
const prediction = {
  id: 'p',
  status: 'COMPLETED',
  input_series: [0, 1, 2, 3].map((index) => point(index, 10 + (index % 2))),
  prediction_series: [4, 5, 6, 7, 8].map((index) =>
    point(index, 10, { quantiles: { '0.1': 8, '0.5': 10, '0.9': 12 } }),
  ),
  details: { frequency: 'P1W', seasonal_periods: [2] },
} as unknown as LocalPrediction;
const observed = (...values: number[]) => ({
  times: Float64Array.from(values, (_, index) => week(index)),
  values: Float64Array.from(values),
});
const before = [10, 11, 10, 11];

describe('outcome of a forecast', () => {
  it('is undefined without new observations', () => {
    assert.equal(outcomeOf(prediction, observed(...before)), undefined);
    assert.equal(outcomeOf(prediction, observed(...before, NaN)), undefined);
  });

  it('gives the coverage of the interval, and the error beside the baseline', () => {
    const { line, coverage: covered, sentence } = outcomeOf(prediction, observed(...before, 11, 13, 9))!;
    assert.deepEqual(
      [[...line.times], [...line.values]],
      [
        [week(4), week(5), week(6)],
        [11, 13, 9],
      ],
    );
    assert.deepEqual([covered.inside, covered.of, covered.level], [2, 3, 80]);
    assert.equal(coverageText(covered), 'covered 2 of 3');
    // |11 − 10|, |13 − 10|, |9 − 10|; |11 − 10|, |13 − 11|, |9 − 10|
    assert.match(
      sentence,
      /2 of 3 lie inside the 80% interval\. Mean absolute error: 1\.67; of the seasonal naive baseline: 1\.33\./,
    );
  });

  it('reports a miss if the last observations lie on one side of the interval', () => {
    const words = (...values: number[]) =>
      coverageText(outcomeOf(prediction, observed(...before, ...values))!.coverage);
    assert.equal(words(11, 13, 13, 14), 'above the 80% interval for 3 weeks');
    assert.equal(words(1, 1, 1, 1), 'below the 80% interval for 4 weeks');
    assert.equal(words(13, 13, 13, 11), 'covered 1 of 4');
    assert.equal(words(13, 13), 'covered 0 of 2');
  });
});
