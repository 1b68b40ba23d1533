import assert from 'node:assert/strict';
import { meanError, stackingWeights } from '../../../../src/engine/covariates/stack.ts';

const row = (...values: number[]): Float64Array => Float64Array.from(values);
const weightsOf = (...errors: Float64Array[]): number[] =>
  Array.from(stackingWeights(errors), (weight) => Math.round(1e9 * weight) / 1e9);

describe('weights of forecasts', () => {
  it('go to the one that did not err', () => {
    assert.deepEqual(weightsOf(row(2, -2, 2), row(0, 0, 0)), [0, 1]);
    assert.deepEqual(weightsOf(row(5, 5), row(-4, 4), row(0, 0)), [0, 0, 1]);
  });

  it('are those with which errors of opposite signs make up for each other', () => {
    assert.deepEqual(weightsOf(row(1, -1), row(-1, 1)), [0.5, 0.5]);
    // 0.7 and 0.8 leave 0.2 alike; the nearer to equal ones is taken
    assert.deepEqual(weightsOf(row(1, 1), row(-3, -3)), [0.7, 0.3]);
  });

  it('stay equal where forecasts err alike, or one is better by next to nothing', () => {
    assert.deepEqual(weightsOf(row(1, -2), row(1, -2)), [0.5, 0.5]);
    assert.deepEqual(weightsOf(row(1, -2), row(1, -2 + 1e-6)), [0.5, 0.5]);
  });

  it('leave out steps at which nothing was observed, and are equal where nothing was at all', () => {
    assert.deepEqual(weightsOf(row(1, NaN, 1), row(0, NaN, 0)), [0, 1]);
    assert.deepEqual(weightsOf(row(NaN), row(NaN)), [0.5, 0.5]);
  });

  it('do not depend on the unit', () => {
    const [a, b] = [row(1, 3, -2, 4), row(-2, 1, 1, -1)];
    assert.deepEqual(weightsOf(a, b), weightsOf(a.map((error) => 1e9 * error), b.map((error) => 1e9 * error))); // prettier-ignore
  });

  it('do not look at errors of a forecast with the weight 0, even where it has none', () => {
    assert.equal(meanError([row(1, -3), row(NaN, Infinity)], row(1, 0), [0, 1]), 2);
  });
});
