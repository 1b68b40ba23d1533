import assert from 'node:assert/strict';
import { shrunkCovariance } from '../../../../src/engine/totals/reconcile.ts';
import { structureOf } from '../../../../src/engine/totals/structure.ts';

const near = (values: ArrayLike<number>, expected: readonly number[]): void => {
  expected.forEach((value, i) => {
    assert.ok(Math.abs(values[i] - value) < 1e-9, `${Array.from(values).join(' ')} is not ${expected.join(' ')}`);
  });
};

describe('covariance of errors', () => {
  it('relates a total’s error to those of its components by the square root of their number', () => {
    const structure = structureOf(5, [{ total: 4, parts: [0, 1, 2, 3] }]);
    // of two steps no shrinkage can be told: the target it is
    const errors = [1, 2, 3, 4, 50].map((error) => Float64Array.of(error, -error));
    const { diagonal, factors, shrinkage } = shrunkCovariance(structure, errors);
    assert.equal(shrinkage, 1);
    near(diagonal, [1, 4, 9, 16, 30 / 2]);
    assert.ok(factors.every((factor) => factor === 0));
  });

  it('has positive variances, also without errors', () => {
    for (const errors of [
      [Float64Array.of(0, 0, 0), Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3)],
      [0, 1, 2].map(() => new Float64Array(3)),
    ]) {
      // prettier-ignore
      const { diagonal } = shrunkCovariance(structureOf(3, [{ total: 2, parts: [0, 1] }]), errors);
      assert.ok(diagonal.every((variance) => variance > 0));
    }
  });

  it('keeps the variances of components and their common share', () => {
    const errors = Array.from({ length: 4 }, (_, k) => Float64Array.from({ length: 30 }, (_, t) => Math.sin(t) + 0.5 * Math.cos(t * (k + 2)))); // prettier-ignore
    const { diagonal, factors, rank, shrinkage } = shrunkCovariance(structureOf(4, []), errors);
    assert.ok(shrinkage > 0.02 && shrinkage < 0.9);
    errors.forEach((row, i) => {
      const variance = row.reduce((sum, error) => sum + error ** 2, 0) / 30;
      const own = factors.subarray(i * rank, (i + 1) * rank).reduce((sum, factor) => sum + factor ** 2, 0);
      assert.ok(Math.abs(diagonal[i] + own - variance) < 1e-9);
      assert.ok(Math.abs(diagonal[i] - shrinkage * variance) < 1e-9);
    });
  });
});
