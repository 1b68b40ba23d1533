import assert from 'node:assert/strict';
import { bestOf, commonOrigins, scoresOf } from '../../../../../src/editor/views/chart/comparison.ts';
import type { Backtest } from '../../../../../src/contract/resources.ts';

const fold = (cutoff: string, pairs: [actual: number | undefined, value: number][], scale?: number) => ({
  cutoff,
  ...(scale === undefined ? {} : { scale }),
  points: pairs.map(([actual, value]) => ({
    timestamp: cutoff,
    ...(actual === undefined ? {} : { actual }),
    value,
    seasonal_naive: value + 1,
    quantiles: { '0.1': value - 1, '0.9': value + 1 },
  })),
});
const test = (...folds: Backtest['folds']): Backtest => ({ prediction_id: 'p', horizon: 2, folds });

describe('scores of backtests', () => {
  it('follow the formulas, and skip missing observations', () => {
    const { mase, smape, coverage80 } = scoresOf(test(fold('a', [[10, 12], [undefined, 5], [10, 10]], 4))); // prettier-ignore
    assert.equal(mase, (2 / 4 + 0) / 2);
    assert.equal(smape, (200 * 2) / 22 / 2);
    assert.equal(coverage80, 0.5);
    assert.equal(scoresOf(test(fold('a', [[10, 12]], 4)), undefined, 'seasonal_naive').mase, 3 / 4);
    assert.deepEqual(Object.values(scoresOf(test(fold('a', [[undefined, 1]])))), [undefined, undefined, undefined]);
  });

  it('compare only the cutoffs that all have in common', () => {
    const first = test(fold('b', [[1, 1]], 1), fold('a', [[1, 3]], 1)); // prettier-ignore
    const second = test(fold('b', [[1, 2]], 1), fold('a', [[1, 1], [2, 2]], 1)); // prettier-ignore
    const origins = commonOrigins([first, second]);
    assert.deepEqual([...origins], ['b 1']);
    assert.equal(scoresOf(first, origins).mase, 0);
    assert.equal(scoresOf(second, origins).mase, 1);
  });

  it('find the best of two or more', () => {
    assert.equal(bestOf([{ mase: 2 }, { mase: 1 }, undefined]), 1);
    assert.equal(bestOf([{ smape: 2 }, { smape: 3 }]), 0);
    assert.equal(bestOf([{ mase: 2 }, undefined]), -1);
  });
});
