import assert from 'node:assert/strict';
import { onOdds, squashAt, withWide } from '../../../../src/engine/bounds/bounds.ts';
import { foldsWithin } from '../../../../src/engine/bounds/folds.ts';
import type { EngineInput } from '../../../../src/engine/types.ts';
import { around, constant, question } from './within.ts';

describe('forecasts on the scale of odds', () => {
  it('are asked there and brought back, step by step within their own bounds', () => {
    const bounds = constant(12, 0, 10);
    bounds.capacity.fill(20, 9);
    const asked: EngineInput[] = [];
    const input = { ...question(new Float64Array(8).fill(5)), levels: [0.1, 0.5, 0.9] };
    const made = onOdds(input, bounds, around(1, asked));
    assert.ok(asked[0].values.every((value) => Math.abs(value) < 1e-9));
    // as far through the room of each step
    [5, 10, 10, 10].forEach((value, i) => assert.ok(Math.abs(made.point[i] - value) < 1e-9));
    assert.ok(Math.abs(made.quantiles[0][0] + made.quantiles[2][0] - 10) < 1e-9);
    assert.deepEqual(input.values, new Float64Array(8).fill(5), 'what was asked stays');
  });
});

describe('folds within bounds', () => {
  const levels = [0.05, 0.95];
  const all = withWide(levels);
  const fold = (end: number) => {
    const { point, quantiles } = around(3)({ ...question(new Float64Array(end).fill(9), 2), levels: all });
    return { end, point, quantiles, naive: Float64Array.of(1, 2), halfScale: 1 };
  };

  it('know the levels that they are bent by, rising and each once', () => {
    assert.deepEqual(all, [0.05, 0.1, 0.5, 0.9, 0.95]);
    assert.deepEqual(withWide([0.5, 0.9]), [0.1, 0.5, 0.9]);
    const { middle, spread } = squashAt(fold(4), all, 1, { floor: 0, capacity: 10 }, 2);
    assert.ok(Math.abs(middle - 9) < 1e-9 && Math.abs(spread - 3 * 1.2816) < 1e-3);
  });

  it('keep to the bounds of their own time, and to the levels that were asked', () => {
    const bounds = constant(10, 0, 10);
    bounds.capacity[7] = 8;
    const { horizon, folds } = foldsWithin({ horizon: 2, folds: [fold(6), fold(4)] }, levels, bounds);
    assert.equal(horizon, 2);
    for (const { end, point, quantiles, naive } of folds) {
      assert.equal(quantiles.length, 2);
      [0, 1].forEach((step) => {
        const most = bounds.capacity[end + step];
        assert.ok(quantiles[0][step] < point[step] && point[step] < quantiles[1][step] && quantiles[1][step] < most);
      });
      assert.deepEqual(naive, Float64Array.of(1, 2), 'what it is held against stays');
    }
    const plain = foldsWithin({ horizon: 2, folds: [fold(6)] }, levels, constant(10, -Infinity, Infinity));
    assert.deepEqual(plain.folds[0].point, fold(6).point);
    const whole = foldsWithin({ horizon: 2, folds: [fold(6)] }, levels, { ...bounds, whole: true });
    for (const row of [whole.folds[0].point, ...whole.folds[0].quantiles]) assert.ok(row.every(Number.isInteger));
  });
});
