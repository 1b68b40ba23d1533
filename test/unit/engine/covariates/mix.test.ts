import assert from 'node:assert/strict';
import { mix } from '../../../../src/engine/covariates/mix.ts';

const levels = [0.1, 0.5, 0.9];
/** A forecast of one step. */
const one = (point: number, ...quantiles: number[]) => ({
  point: Float64Array.of(point),
  quantiles: quantiles.map((value) => Float64Array.of(value)),
});
const [low, high] = [one(10, 8, 10, 13), one(20, 16, 20, 24)];
const mixed = (weights: number[], change: Partial<Parameters<typeof mix>[2]> = {}, forecasts = [low, high]) => {
  const made = mix(forecasts, Float64Array.from(weights), { width: 1, levels, floor: -Infinity, ...change });
  return [made.point[0], ...made.quantiles.map((row) => row[0])];
};
const near = (values: readonly number[], expected: readonly number[]): void => {
  values.forEach((value, i) => {
    assert.ok(Math.abs(value - expected[i]) < 1e-3, `${values.join(' ')} is not ${expected.join(' ')}`);
  });
};

describe('a mix of forecasts', () => {
  it('is the weighted mean, level by level', () => {
    near(mixed([0.25, 0.75]), [17.5, 14, 17.5, 21.25]);
    near(mixed([1, 0]), [10, 8, 10, 13]);
  });

  it('has a band that is wider by a factor, around the same point', () => {
    near(mixed([0.25, 0.75], { width: 2 }), [17.5, 10.5, 17.5, 25]);
  });

  it('has a band that is open further where a covariate had to be forecast', () => {
    // of 3.5 and 3 below, of 3.75 and 3 above, as of errors that are independent
    near(mixed([0.25, 0.75], { open: Float64Array.of(3) }), [17.5, 17.5 - Math.hypot(3.5, 3), 17.5, 17.5 + Math.hypot(3.75, 3)]); // prettier-ignore
  });

  it('is nowhere below the floor', () => {
    near(mixed([1, 0], { floor: 9 }), [10, 9, 10, 13]);
    near(mixed([1, 0], { floor: 12 }), [12, 12, 12, 13]);
  });

  it('does not look at a forecast with the weight 0', () => {
    near(mixed([1, 0], {}, [low, one(NaN, -Infinity, NaN, Infinity)]), [10, 8, 10, 13]);
  });

  it('has quantiles that rise, also where those of a forecast do not', () => {
    const [, ...quantiles] = mixed([1], {}, [one(10, 12, 10, 9)]);
    quantiles.forEach((value, l) => {
      if (l > 0) assert.ok(value >= quantiles[l - 1], quantiles.join(' '));
    });
  });
});
