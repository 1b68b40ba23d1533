import assert from 'node:assert/strict';
import { complete } from '../../../../src/engine/covariates/effect.ts';

const [history, horizon] = [40, 4];
const length = history + horizon;
const missing = (of: (i: number) => number) =>
  complete({ name: 'c', values: Float64Array.from({ length }, (_, i) => of(i)) }, []);

describe('missing covariate values', () => {
  it('take the value before them, and at the start the first one', () => {
    const { covariate: made, forecast, low, high } = missing((i) => (i < 2 ? NaN : i % 10 === 5 ? NaN : i));
    assert.equal(forecast, 0);
    assert.deepEqual([...made.values.subarray(0, 7)], [2, 2, 2, 3, 4, 4, 6]);
    assert.deepEqual([low, high], [made.values, made.values]);
  });

  it('at the end are forecast within the possible range', () => {
    const { covariate: made, forecast, low, high } = missing((i) => (i < history ? 50 + ((i * 37) % 11) : NaN));
    assert.equal(forecast, horizon);
    for (let i = history; i < length; i++) {
      assert.ok(low[i] < made.values[i] && made.values[i] < high[i], `${low[i]} ${made.values[i]} ${high[i]}`);
    }
    assert.deepEqual(low.subarray(0, history), made.values.subarray(0, history));
  });

  it('at the end stay within the observed range', () => {
    const climbing = missing((i) => (i < history ? i : NaN));
    assert.ok(climbing.covariate.values.every((value) => value <= history - 1));
    const { low, high } = missing((i) => (i < history ? Number(i % 3 === 0) : NaN));
    assert.ok([...low, ...high].every((value) => value >= 0 && value <= 1));
  });

  it('cannot be filled if none is known', () => {
    const { covariate: made, forecast } = missing(() => NaN);
    assert.equal(forecast, 0);
    assert.ok(made.values.every((value) => value === 0));
  });
});
