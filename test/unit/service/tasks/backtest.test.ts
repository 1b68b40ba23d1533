import assert from 'node:assert/strict';
import { resultOf } from './result.ts';
import { runBacktest } from '../../../../src/service/tasks/analyses.ts';

const day = (i: number): string => new Date(Date.UTC(2024, 0, 1 + i)).toISOString();
const levels = [0.1, 0.9];

describe('backtest of a forecast', () => {
  it('is the one that is shown, within the same bounds', () => {
    // Seats of which mostly all are sold: without the capacity, the interval reaches far beyond it.
    const series = Array.from({ length: 120 }, (_, i) => ({
      timestamp: day(i),
      value: Math.min(100, 96 + ((i * i * 7) % 11)),
    }));
    const task = {
      points: JSON.stringify(series),
      model: 'theta',
      horizon: 14,
      levels,
      bounds: { floor: 0, capacity: 100 },
    };
    const { backtest } = resultOf({ ...task, kind: 'forecast' }).details;
    const { folds } = runBacktest({ ...task, id: 'prediction_1' });
    let inside = 0;
    let scored = 0;
    for (const { points } of folds) {
      for (const { actual, quantiles = {} } of points) {
        assert.ok(quantiles['0.9'] <= 100, `${quantiles['0.9']}`);
        scored++;
        if (actual! >= quantiles['0.1'] && actual! <= quantiles['0.9']) inside++;
      }
    }
    assert.equal(backtest?.coverage80, inside / scored);
  });

  it('claims no percentage from fewer than eight points or one fold', () => {
    const claimsOf = (count: number, origins?: number) => {
      const points = Array.from({ length: count }, (_, i) => ({ timestamp: day(i), value: 10 + ((i * 7) % 5) }));
      const task = { points: JSON.stringify(points), model: 'hybrid', horizon: 1, levels, origins };
      const { backtest } = resultOf({ ...task, kind: 'forecast' }).details;
      return [backtest?.skill !== undefined, backtest?.coverage80 !== undefined];
    };
    assert.deepEqual(claimsOf(7), [false, false]);
    assert.deepEqual(claimsOf(40, 1), [false, false]);
    assert.deepEqual(claimsOf(40), [true, true]);
  });
});
