import assert from 'node:assert/strict';
import { forecastAround, learn, type Way, waysOf } from '../../../../src/engine/covariates/ways.ts';

const [history, horizon] = [40, 4];
const length = history + horizon;
const promo = Float64Array.from({ length }, (_, i) => (i % 5 === 0 ? 1 : 0));
const none = { study: () => assert.fail('nothing is learned here') };
const [{ scale: plain }, , { scale: root }] = waysOf(Float64Array.of(1));
const near = (value: number, expected: number): void => {
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);
};

describe('a way to take covariates into account', () => {
  it('by roots is for series that are never below 0', () => {
    assert.equal(waysOf(Float64Array.of(0, 4, NaN)).length, 3);
    assert.equal(waysOf(Float64Array.of(0, 4, -1)).length, 2);
    near(root.from(root.to(7)), 7);
    assert.deepEqual([root.to(-3), root.from(-3)], [0, 0]);
  });

  it('forecasts what is left of a series, and puts the effect of the future back', () => {
    const effect = promo.map((value) => 20 * value);
    const values = effect.slice(0, history).map((value) => 100 + value);
    const input = { values, periods: [], horizon, levels: [0.5] };
    const model = { id: 'theta', tuned: undefined };
    const { point, quantiles } = forecastAround({ ...none, scale: plain }, effect, input, history, model);
    assert.deepEqual(point.map(Math.round), Float64Array.of(120, 100, 100, 100));
    assert.deepEqual(quantiles[0].map(Math.round), Float64Array.of(120, 100, 100, 100));
    // from an origin before: the promotion at 35 comes two steps later
    const past = forecastAround({ ...none, scale: plain }, effect, { ...input, horizon: 3 }, 33, model);
    assert.deepEqual(past.point.map(Math.round), Float64Array.of(100, 100, 120));
  });

  it('learns on its own scale', () => {
    const seen: number[] = [];
    const study: Way['study'] = ({ values }) => {
      seen.push(...values);
      return { values, of: () => values };
    };
    learn({ scale: root, study }, { values: Float64Array.of(9, NaN, 16), covariates: [], periods: [], length: 3 });
    assert.deepEqual(seen, [3, NaN, 4]);
  });
});
