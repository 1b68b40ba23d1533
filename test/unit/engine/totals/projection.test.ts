import assert from 'node:assert/strict';
import { type Covariance, projectionOf } from '../../../../src/engine/totals/reconcile.ts';
import { structureOf } from '../../../../src/engine/totals/structure.ts';

const apart = (...diagonal: number[]): Covariance => ({
  diagonal: Float64Array.from(diagonal),
  factors: new Float64Array(0),
  rank: 0,
  shrinkage: 1,
});
const near = (values: ArrayLike<number>, expected: readonly number[], most = 1e-9): void => {
  expected.forEach((value, i) => {
    assert.ok(Math.abs(values[i] - value) < most, `${Array.from(values).join(' ')} is not ${expected.join(' ')}`);
  });
};
/** Two regions of two shops each; the regions at 4 and 5, all of it at 6. */
const nested = structureOf(7, [
  { total: 4, parts: [0, 1] },
  { total: 5, parts: [2, 3] },
  { total: 6, parts: [4, 5] },
]);

describe('projection onto coherent forecasts', () => {
  it('distributes the discrepancy in proportion to variances', () => {
    const structure = structureOf(4, [{ total: 3, parts: [0, 1, 2] }]);
    const values = Float64Array.of(10, 20, 30, 80);
    projectionOf(structure, apart(1, 2, 3, 4))(values);
    near(values, [12, 24, 36, 72]);
  });

  it('does not move a series that is almost certain', () => {
    const structure = structureOf(3, [{ total: 2, parts: [0, 1] }]);
    const [ofTotal, ofPart] = [Float64Array.of(10, 20, 36), Float64Array.of(10, 20, 36)];
    projectionOf(structure, apart(1, 1, 1e-12))(ofTotal);
    near(ofTotal, [13, 23, 36]);
    projectionOf(structure, apart(1e-12, 1, 1))(ofPart);
    near(ofPart, [10, 23, 33]);
  });

  it('moves correlated components more than an independent total', () => {
    const structure = structureOf(3, [{ total: 2, parts: [0, 1] }]);
    const covariance = { ...apart(1, 1, 1), factors: Float64Array.of(1, 1, 0), rank: 1 };
    const values = Float64Array.of(10, 20, 37);
    projectionOf(structure, covariance)(values);
    // W C′ = (−3, −3, 1) and C W C′ = 7, of 7 too much
    near(values, [13, 23, 36]);
  });

  it('is the generalized least squares fit over several levels', () => {
    const variances = [1, 2, 3, 4, 5, 6, 7];
    const values = Float64Array.of(10, 12, 20, 31, 25, 44, 80);
    const before = values.slice();
    projectionOf(nested, apart(...variances))(values);
    near(values, [0, 1, 2, 3, values[0] + values[1], values[2] + values[3], values[4] + values[5]].map((value, i) => (i < 4 ? values[i] : value))); // prettier-ignore
    // S′ W⁻¹ (ŷ − ỹ) = 0: no change of a part would come nearer
    const pull = before.map((value, i) => (value - values[i]) / variances[i]);
    for (const [part, region] of [
      [0, 4],
      [1, 4],
      [2, 5],
      [3, 5],
    ]) {
      // prettier-ignore
      assert.ok(Math.abs(pull[part] + pull[region] + pull[6]) < 1e-9);
    }
    const once = values.slice();
    projectionOf(nested, apart(...variances))(values);
    near(values, [...once]);
  });

  it('is the same by conjugate gradients', () => {
    const covariance = { ...apart(1, 2, 3, 4, 5, 6, 7), factors: Float64Array.of(2, 1, 0, -1, 3, 0, 2), rank: 1 };
    const [direct, stepwise] = [9, 0].map((mostFactored) => {
      const values = Float64Array.of(10, 12, 20, 31, 25, 44, 80);
      projectionOf(nested, covariance, mostFactored)(values);
      return values;
    });
    near(stepwise, [...direct], 1e-7);
  });

  it('averages a total with its only component if both have equal errors', () => {
    const structure = structureOf(2, [{ total: 1, parts: [0] }]);
    const values = Float64Array.of(10, 14);
    projectionOf(structure, apart(1, 1))(values);
    near(values, [12, 12]);
  });

  it('does not move a series outside every sum', () => {
    const structure = structureOf(4, [{ total: 2, parts: [0, 1] }]);
    const values = Float64Array.of(10, 20, 33, 99);
    projectionOf(structure, apart(1, 1, 1, 1))(values);
    near(values, [11, 21, 32, 99]);
  });
});
