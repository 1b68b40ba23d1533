import assert from 'node:assert/strict';
import { normalQuantile } from '../../../../src/engine/statistics.ts';
import { Random } from '../../../../src/engine/random.ts';
import { momentsOf, pathLevels, pathPlace, pathScores } from '../../../../src/engine/totals/reconcile.ts';
import { valueAt } from '../../../../src/engine/quantiles.ts';
import { structureOf } from '../../../../src/engine/totals/structure.ts';

const paths = 400;
const normal = (mean: number, spread: number): Float64Array[] =>
  pathLevels.map((level) => Float64Array.of(mean + spread * normalQuantile(level)));
const correlation = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, score, k) => sum + score * b[k], 0) / a.length;
const pair = structureOf(3, [{ total: 2, parts: [0, 1] }]);
const noise = (seed: number): Float64Array => {
  const random = new Random(seed);
  return Float64Array.from({ length: 30 }, () => random.normal());
};
const ones = (count: number): Float64Array => new Float64Array(count).fill(1);

describe('distribution from quantiles', () => {
  it('has each level’s value at its score and is linear between them', () => {
    const rows = pathLevels.map((_, k) => Float64Array.of(k ** 2));
    pathLevels.forEach((level, k) => {
      assert.ok(Math.abs(valueAt(rows, 0, pathPlace(normalQuantile(level))) - k ** 2) < 1e-9);
    });
    const half = (normalQuantile(0.5) + normalQuantile(0.75)) / 2;
    assert.ok(Math.abs(valueAt(rows, 0, pathPlace(half)) - (25 + 36) / 2) < 1e-9);
  });

  it('continues its tails with a limit', () => {
    const rows = normal(100, 10);
    assert.ok(Math.abs(valueAt(rows, 0, pathPlace(2.9)) - 129) < 1e-6);
    assert.ok(Math.abs(valueAt(rows, 0, pathPlace(-2.9)) - 71) < 1e-6);
    assert.ok(Math.abs(valueAt(rows, 0, pathPlace(40)) - 130) < 1e-6);
  });

  it('has about the original mean and variance', () => {
    const { mean, variance } = momentsOf(normal(7, 3), 0);
    assert.ok(Math.abs(mean - 7) < 1e-9 && Math.abs(Math.sqrt(variance) / 3 - 1) < 0.03, String(variance));
    const skewed = pathLevels.map((level) => Float64Array.of(-Math.log(1 - level)));
    assert.ok(Math.abs(momentsOf(skewed, 0).mean - 1) < 0.05, 'exponential, of mean 1');
    assert.ok(momentsOf(normal(4, 0), 0).variance < 1e-20);
  });
});

describe('scores of sample paths', () => {
  it('are antithetic with spread 1, for components and totals', () => {
    for (const errors of [
      [noise(1), noise(2), noise(3)],
      [ones(0), ones(0), ones(0)],
      [new Float64Array(5), noise(1).slice(0, 5), ones(5)],
    ]) {
      // prettier-ignore
      for (const row of pathScores(pair, errors, 0.5, Float64Array.of(1, 2, 2.5), paths)) {
        assert.equal(row.length, paths);
        for (let k = 0; k < paths; k += 2) assert.ok(Math.abs(row[k] + row[k + 1]) < 1e-12);
        assert.ok(Math.abs(correlation(row, row) - 1) < 1e-9);
      }
    }
  });

  it('are correlated as the errors were beyond chance', () => {
    const error = noise(1);
    const of = (other: Float64Array, shrinkage: number): number => {
      const [a, b] = pathScores(pair, [error, other, error], shrinkage, Float64Array.of(1, 1, 0), paths);
      return correlation(a, b);
    };
    assert.ok(Math.abs(of(error.map((value) => 3 * value), 0) - 1) < 1e-9); // prettier-ignore
    assert.ok(Math.abs(of(error.map((value) => -value), 0) + 1) < 1e-9); // prettier-ignore
    assert.ok(Math.abs(of(error, 0.4) - 0.6) < 0.15, String(of(error, 0.4)));
    // 200 paths and their mirror images
    assert.ok(Math.abs(of(error, 1)) < 0.2);
  });

  it('are correlated more if the interval of their total is wider than theirs imply', () => {
    const errors = [noise(1), noise(2), noise(3)];
    const spreadWith = (ofTotal: number): number => {
      const [a, b] = pathScores(pair, errors, 1, Float64Array.of(3, 4, ofTotal), paths);
      return Math.sqrt(a.reduce((sum, score, k) => sum + (3 * score + 4 * b[k]) ** 2, 0) / paths);
    };
    assert.ok(Math.abs(spreadWith(1) - 5) < 0.5, 'no narrower than they are apart');
    for (const wanted of [6, 6.6]) assert.ok(Math.abs(spreadWith(wanted) - wanted) < 0.02, String(spreadWith(wanted)));
    assert.ok(spreadWith(99) < 7 && spreadWith(99) > 6.8, 'and no wider than both at once');
  });

  it('of a total are those of the sum of its components', () => {
    const [a, b, total] = pathScores(pair, [noise(1), noise(2), noise(3)], 0.5, Float64Array.of(3, 4, 6), paths);
    const sum = a.map((score, k) => 3 * score + 4 * b[k]);
    const factor = sum[0] / total[0];
    total.forEach((score, k) => assert.ok(Math.abs(factor * score - sum[k]) < 1e-9));
  });

  it('are reproducible', () => {
    const errors = [noise(1), noise(2), noise(3)];
    const run = () => pathScores(pair, errors, 0.5, ones(3), 20);
    assert.deepEqual(run(), run());
  });
});
