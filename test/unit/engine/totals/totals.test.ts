import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  projectionOf,
  shrunkCovariance,
  type Base,
  forecastTotals,
  oneStepErrors,
  pathLevels,
} from '../../../../src/engine/totals/reconcile.ts';
import { type Structure, structureOf, type Sum } from '../../../../src/engine/totals/structure.ts';
import { normalQuantile } from '../../../../src/engine/statistics.ts';
import { noise, series, wave } from '../series-helper.ts';

const HORIZON = 3;
const LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95];

/** Groups of parts, their totals, the whole, and a second way to sum the parts up. */
function grouped(groups: readonly number[], hasSecond: boolean): { size: number; sums: Sum[] } {
  const count = groups.reduce((sum, size) => sum + size, 0);
  const sums: Sum[] = [];
  let from = 0;
  groups.forEach((size, i) => {
    sums.push({ total: count + i, parts: Array.from({ length: size }, (_, k) => from + k) });
    from += size;
  });
  const whole = count + groups.length;
  sums.push({ total: whole, parts: groups.map((_, i) => count + i) });
  if (!hasSecond) return { size: whole + 1, sums };
  const odd = Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === 1);
  const even = Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === 0);
  sums.push({ total: whole + 1, parts: odd }, { total: whole + 2, parts: even });
  sums.push({ total: whole, parts: [whole + 1, whole + 2] });
  return { size: whole + 3, sums };
}

/** Forecasts with nothing in common with each other. */
function anyBases({ size }: Structure, seed: number, isPositive: boolean): Base[] {
  const random = noise(seed);
  return Array.from({ length: size }, (_, i) => {
    const level = isPositive ? Math.max(0, 3 + 5 * random()) : 20 * random();
    const spread = Math.abs(random()) * 4;
    const rows = pathLevels.map((probability) =>
      new Float64Array(HORIZON).fill(
        Math.max(isPositive ? 0 : -Infinity, level + spread * normalQuantile(probability)),
      ),
    );
    return {
      point: new Float64Array(HORIZON).fill(level),
      rows,
      mean: isPositive && i % 3 === 0 ? level + 0.3 : undefined,
      errors: series(12, random),
    };
  });
}

const structures = fc
  .record({ groups: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 2, maxLength: 5 }), hasSecond: fc.boolean() })
  .map(({ groups, hasSecond }) => grouped(groups, hasSecond));

describe('reconciled forecasts', () => {
  it('add up to rounding at every step for any structure', () => {
    fc.assert(
      fc.property(structures, fc.integer(), fc.boolean(), ({ size, sums }, seed, isPositive) => {
        const structure = structureOf(size, sums);
        const bases = anyBases(structure, seed, isPositive);
        const made = forecastTotals({ structure, bases, levels: LEVELS, nonNegative: isPositive, paths: 32 });
        for (let step = 0; step < HORIZON; step++) {
          for (const { total, parts } of sums) {
            const sum = parts.reduce((known, part) => known + made[part].point[step], 0);
            const scale = parts.reduce((known, part) => known + Math.abs(made[part].point[step]), 1);
            assert.ok(Math.abs(made[total].point[step] - sum) <= 1e-9 * scale);
          }
          for (const { point, quantiles } of made) {
            const row = quantiles.map((values) => values[step]);
            assert.ok([point[step], ...row].every(Number.isFinite));
            row.forEach((value, l) => l > 0 && assert.ok(value >= row[l - 1]));
            if (isPositive) assert.ok(point[step] >= 0 && row[0] >= 0);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('stay unchanged if they add up already', () => {
    const { size, sums } = grouped([3, 2], false);
    const structure = structureOf(size, sums);
    const bases = anyBases(structure, 3, false);
    const points = bases.map(({ point }) => point[0]);
    for (const { total, parts } of sums) points[total] = parts.reduce((sum, part) => sum + points[part], 0);
    const coherent = bases.map((base, i) => ({ ...base, point: new Float64Array(HORIZON).fill(points[i]) }));
    const made = forecastTotals({ structure, bases: coherent, levels: [], nonNegative: false });
    made.forEach(({ point }, i) => assert.ok(Math.abs(point[0] - points[i]) < 1e-9));
  });

  it('keep certain zeros, and use a total for the other components', () => {
    const structure = structureOf(3, [{ total: 2, parts: [0, 1] }]);
    const flat = (value: number): Base => ({
      point: Float64Array.of(value),
      rows: pathLevels.map(() => Float64Array.of(value)),
      errors: Float64Array.of(1, -1, 1, 1, -1),
    });
    const [closed, open, total] = forecastTotals({
      structure,
      bases: [flat(0), flat(10), flat(14)],
      levels: [],
      nonNegative: true,
    });
    assert.equal(closed.point[0], 0);
    assert.ok(open.point[0] > 10 && open.point[0] === total.point[0]);
  });

  it('give a total an interval at least as wide as its own forecast', () => {
    const count = 30;
    const structure = structureOf(count + 1, [{ total: count, parts: Array.from({ length: count }, (_, i) => i) }]);
    const random = noise(11);
    const base = (level: number, spread: number): Base => ({
      point: Float64Array.of(level),
      rows: pathLevels.map((probability) => Float64Array.of(level + spread * normalQuantile(probability))),
      errors: series(40, random),
    });
    const bases = [...Array.from({ length: count }, () => base(100, 10)), base(100 * count, 200)];
    const made = forecastTotals({ structure, bases, levels: [0.1, 0.9], nonNegative: true });
    const [low, high] = made[count].quantiles.map((row) => row[0]);
    const [lowPart, highPart] = made[0].quantiles.map((row) => row[0]);
    // of parts by themselves it would be a fourth of that
    assert.ok(Math.abs((high - low) / (2 * 1.2816 * 200) - 1) < 0.2, `${high - low}`);
    assert.ok(Math.abs((highPart - lowPart) / (2 * 1.2816 * 10) - 1) < 0.25, `${highPart - lowPart}`);
  });
});

describe('projection of variances', () => {
  /** ŷ − W C′ (C W C′)⁻¹ C ŷ for one total of two parts, by hand. */
  it('has the least variance', () => {
    const structure = structureOf(3, [{ total: 2, parts: [0, 1] }]);
    const covariance = { diagonal: Float64Array.of(4, 1, 3), factors: new Float64Array(3), rank: 1, shrinkage: 1 };
    const values = Float64Array.of(10, 20, 38);
    projectionOf(structure, covariance)(values);
    // 8 too much, spread 4 : 1 : 3
    assert.deepEqual([...values].map((value) => Math.round(value * 1e9) / 1e9), [14, 21, 35]); // prettier-ignore
  });

  it('is the same by conjugate gradients as by factorization', () => {
    const { size, sums } = grouped([4, 3, 5], true);
    const structure = structureOf(size, sums);
    const errors = anyBases(structure, 5, false).map((base) => base.errors);
    const covariance = shrunkCovariance(structure, errors);
    const [direct, stepwise] = [Infinity, 0].map((mostFactored) => {
      const values = Float64Array.from({ length: size }, (_, i) => 10 + i);
      projectionOf(structure, covariance, mostFactored)(values);
      return values;
    });
    direct.forEach((value, i) => assert.ok(Math.abs(value - stepwise[i]) < 1e-6 * Math.abs(value) + 1e-6));
  });
});

describe('shrinkage', () => {
  const random = noise(2);
  const structure = structureOf(6, []);

  it('is that of Schäfer and Strimmer for each pair', () => {
    const common = series(25, random);
    const errors = Array.from({ length: 6 }, () => common.map((value) => value + random()));
    const rank = 25;
    const z = errors.map((row) => {
      const scale = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0) / rank);
      return row.map((value) => value / scale);
    });
    let [variance, squares] = [0, 0];
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) {
        if (i === j) continue;
        const products = z[i].map((value, t) => value * z[j][t]);
        const mean = products.reduce((sum, value) => sum + value, 0) / rank;
        variance += (products.reduce((sum, value) => sum + (value - mean) ** 2, 0) * rank) / (rank - 1) ** 3;
        squares += mean ** 2;
      }
    }
    assert.ok(Math.abs(shrunkCovariance(structure, errors).shrinkage - variance / squares) < 1e-9);
  });

  it('is full without correlation and small with perfect correlation', () => {
    const apart = Array.from({ length: 6 }, () => series(8, random));
    assert.ok(shrunkCovariance(structure, apart).shrinkage > 0.5);
    const one = series(200, random);
    assert.ok(
      shrunkCovariance(
        structure,
        Array.from({ length: 6 }, () => one),
      ).shrinkage < 0.05,
    );
  });
});

describe('one-step errors', () => {
  it('are seasonally adjusted, and 0 at unobserved steps', () => {
    const values = series(140, (i) => (i === 130 ? NaN : 100 + 30 * wave(i, 7)));
    const errors = oneStepErrors(values, 7, 40);
    assert.equal(errors.length, 40);
    assert.equal(errors[30], 0);
    errors.forEach((error) => assert.ok(Math.abs(error) < 2));
    assert.ok(oneStepErrors(values, 1, 40).some((error) => Math.abs(error) > 10));
  });

  it('are 0 before the start of a shorter series', () => {
    const errors = oneStepErrors(
      series(10, (i) => i % 3),
      1,
      20,
    );
    assert.deepEqual([...errors.subarray(0, 10)], new Array(10).fill(0));
  });
});
