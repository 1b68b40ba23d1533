import assert from 'node:assert/strict';
import { forecast } from '../../../../src/engine/forecast.ts';
import { forecastsFrom, mixOf, stackingWeights } from '../../../../src/engine/covariates/forecast.ts';

const row = (...values: number[]): Float64Array => Float64Array.from(values);
const weightsOf = (...errors: Float64Array[]): number[] =>
  Array.from(stackingWeights(errors), (weight) => Math.round(1e9 * weight) / 1e9);

describe('combination weights', () => {
  it('select the forecast without errors', () => {
    assert.deepEqual(weightsOf(row(2, -2, 2), row(0, 0, 0)), [0, 1]);
    assert.deepEqual(weightsOf(row(5, 5), row(-4, 4), row(0, 0)), [0, 0, 1]);
  });

  it('combine forecasts with errors of opposite sign', () => {
    assert.deepEqual(weightsOf(row(1, -1), row(-1, 1)), [0.5, 0.5]);
    // 0.7 and 0.8 leave 0.2 alike; the nearer to equal ones is taken
    assert.deepEqual(weightsOf(row(1, 1), row(-3, -3)), [0.7, 0.3]);
  });

  it('stay equal if errors are alike or differ by next to nothing', () => {
    assert.deepEqual(weightsOf(row(1, -2), row(1, -2)), [0.5, 0.5]);
    assert.deepEqual(weightsOf(row(1, -2), row(1, -2 + 1e-6)), [0.5, 0.5]);
  });

  it('skip unobserved steps, and are equal without observations', () => {
    assert.deepEqual(weightsOf(row(1, NaN, 1), row(0, NaN, 0)), [0, 1]);
    assert.deepEqual(weightsOf(row(NaN), row(NaN)), [0.5, 0.5]);
  });
});

describe('combined forecast', () => {
  const levels = [0.1, 0.5, 0.9];
  const one = (...values: number[]) => ({ levels, rows: values.map((value) => row(value)) });
  const [low, high] = [one(8, 10, 13), one(16, 20, 24)];
  const mixed = (weights: number[], width = 1, open?: Float64Array, forecasts = [low, high]) =>
    mixOf(forecasts, Float64Array.from(weights), width, open).rows.map(([value]) => value);
  const near = (values: readonly number[], expected: readonly number[]): void => {
    values.forEach((value, i) => {
      assert.ok(Math.abs(value - expected[i]) < 1e-3, `${values.join(' ')} is not ${expected.join(' ')}`);
    });
  };

  it('is the weighted mean at each level', () => {
    near(mixed([0.25, 0.75]), [14, 17.5, 21.25]);
    near(mixed([1, 0]), [8, 10, 13]);
  });

  it('has intervals wider by a factor around the same median', () => {
    near(mixed([0.25, 0.75], 2), [10.5, 17.5, 25]);
  });

  it('has wider intervals if a covariate had to be forecast', () => {
    // of 3.5 and 3 below, of 3.75 and 3 above, as of errors that are independent
    near(mixed([0.25, 0.75], 1, row(3)), [17.5 - Math.hypot(3.5, 3), 17.5, 17.5 + Math.hypot(3.75, 3)]);
  });

  it('ignores a forecast with weight 0', () => {
    near(mixed([1, 0], 1, undefined, [low, one(-Infinity, NaN, Infinity)]), [8, 10, 13]);
  });
});

describe('forecast around an effect', () => {
  it('is that of the series without the effect, plus the future effect', () => {
    const values = Float64Array.from({ length: 124 }, (_, i) => (i % 9 === 4 || i % 7 === 1 ? 1 : 0));
    const covariate = { name: 'promo', values };
    const input = {
      values: values.slice(0, 120).map((value) => 100 + 20 * value),
      periods: [],
      horizon: 4,
      levels: [],
    };
    const completed = [{ covariate, forecast: 0, low: values, high: values }];
    const { forecasts } = forecastsFrom(input, { ends: [120], horizon: 4, levels: [0.5] }, completed, (question) => forecast('theta', question)); // prettier-ignore
    const [, plain] = forecasts[0];
    plain.rows[0].forEach((value, i) => {
      assert.ok(Math.abs(value - (100 + 20 * values[120 + i])) < 4, `${i}: ${value}`);
    });
  });
});
