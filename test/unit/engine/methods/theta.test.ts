import assert from 'node:assert/strict';
import { dynamicThetaForecast, thetaForecast } from '../../../../src/engine/methods/theta.ts';
import { linearTrend } from '../../../../src/engine/statistics.ts';
import { noise, series } from '../series-helper.ts';

const near = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number) => {
  for (let i = 0; i < expected.length; i++) {
    assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `step ${i + 1}: ${actual[i]} is not ${expected[i]}`);
  }
};

interface Parameters {
  readonly weight: number;
  readonly level: number;
  readonly theta: number;
}

/**
 * The equations of the model as Fiorucci et al. (2016) print them, counted from 1, with the line of each step from all
 * values up to it: what is known, and then the forecasts as if they came true.
 */
function publishedPath(
  known: readonly number[],
  length: number,
  { weight, level: start, theta }: Parameters,
): number[] {
  const path = [...known];
  let level = start;
  for (let t = 1; t <= length; t++) {
    if (t > path.length) {
      const line = linearTrend(path);
      const [a, b] = [line.intercept - line.slope, line.slope];
      const trend = (1 - weight) ** (t - 1) * a + ((1 - (1 - weight) ** t) / weight) * b;
      path.push(level + (1 - 1 / theta) * trend);
    }
    level = weight * path[t - 1] + (1 - weight) * level;
  }
  return path;
}

describe('dynamic theta model', () => {
  it('of a few values follows the published equations from the usual start', () => {
    for (const known of [
      [12, 17],
      [12, 17, 15],
      [-4, 0, 9],
    ]) {
      const path = publishedPath(known, known.length + 6, { weight: 0.5, level: known[0] / 2, theta: 2 });
      near(dynamicThetaForecast(Float64Array.from(known), 6), path.slice(known.length), 1e-9);
    }
  });

  it('continues a series that the published model generates without noise', () => {
    for (const parameters of [
      { weight: 0.3, level: 8, theta: 2.5 },
      { weight: 0.6, level: 14, theta: 4 },
    ]) {
      const path = publishedPath([20, 26], 42, parameters);
      near(dynamicThetaForecast(Float64Array.from(path.slice(0, 30)), 12, 4000), path.slice(30), 0.2);
    }
  });

  it('with few evaluations is nearly as good as with very many', () => {
    const random = noise(21);
    let level = 50;
    const values = series(80, () => (level += 0.4 + 0.8 * random()) + random());
    near(dynamicThetaForecast(values, 6), dynamicThetaForecast(values, 6, 5000), 1);
  });

  it('is equivariant under scale and exact on a constant', () => {
    const random = noise(22);
    const values = series(40, (i) => 100 + i + 4 * random());
    const expected = dynamicThetaForecast(values, 5).map((value) => 1000 * value);
    near(
      dynamicThetaForecast(
        values.map((value) => 1000 * value),
        5,
      ),
      expected,
      0.5,
    );
    near(dynamicThetaForecast(new Float64Array(30).fill(7), 5), [7, 7, 7, 7, 7], 0.01);
    near(dynamicThetaForecast(Float64Array.of(7), 3), [7, 7, 7], 1e-9);
    near(dynamicThetaForecast(new Float64Array(30), 3), [0, 0, 0], 1e-9);
  });
});

describe('classic theta method', () => {
  it('is exponential smoothing with half the slope as drift (Hyndman and Billah 2003)', () => {
    const random = noise(23);
    let level = 30;
    const values = series(60, () => (level += 0.5 + random()));
    const ahead = thetaForecast(values, 10);
    const { slope } = linearTrend(values);
    for (let i = 1; i < 10; i++) assert.ok(Math.abs(ahead[i] - ahead[i - 1] - slope / 2) < 1e-9);
    assert.ok(Math.abs(ahead[0] - values[59]) < 3);
  });

  it('is equivariant under shift and scale', () => {
    const random = noise(24);
    const values = series(30, (i) => i + 3 * random());
    const expected = thetaForecast(values, 4).map((value) => 5 - 2 * value);
    near(
      thetaForecast(
        values.map((value) => 5 - 2 * value),
        4,
      ),
      expected,
      1e-6,
    );
  });
});
