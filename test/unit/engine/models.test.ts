import assert from 'node:assert/strict';
import { trimmedMean } from '../../../src/engine/bank.ts';
import { etsForecast, fitEts, readForm } from '../../../src/engine/methods/ets.ts';
import { normalQuantile } from '../../../src/engine/statistics.ts';
import { baseModels, checkPoints, repeatedSeason } from '../../../src/engine/models.ts';
import { goldenSection, nelderMead } from '../../../src/engine/methods/minimize.ts';
import { factorize, solveFactored } from '../../../src/engine/statistics.ts';
import { continueLags, fitLagRidge } from '../../../src/engine/methods/ridge.ts';
import { prepareSeries } from '../../../src/engine/prepare/series.ts';
import { dynamicThetaForecast, smoothedLevel, thetaForecast } from '../../../src/engine/methods/theta.ts';
import { series, wave } from './series-helper.ts';

const near = (actual: number, expected: number, tolerance: number): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${String(actual)} instead of ${String(expected)}`);
};

function lagRidge(values: Float64Array, lags: number[], horizon: number, options: Parameters<typeof fitLagRidge>[2]) {
  const fit = fitLagRidge(values, lags, options);
  return fit && continueLags(fit, values, horizon);
}

describe('models', () => {
  it('have one default', () => {
    assert.deepEqual(
      baseModels.filter(({ isDefault }) => isDefault).map(({ id }) => id),
      ['hybrid'],
    );
    assert.deepEqual(baseModels.map(({ id }) => id).sort(), ['ensemble', 'ets', 'hybrid', 'seasonal-naive', 'theta']);
  });

  it('refuse a series with fewer points than they need', () => {
    const model = { ...baseModels[0], name: 'Patient', minPoints: 12 };
    checkPoints(model, 12);
    assert.throws(() => {
      checkPoints(model, 3);
    }, /few_points Patient 12 3$/);
  });

  it('theta continues half the slope of a line', () => {
    const forecast = thetaForecast(
      series(40, (i) => 10 + 2 * i),
      3,
    );
    forecast.forEach((value, i) => {
      near(value, 10 + 2 * 39 + 1 * (i + 1), 1.1);
    });
  });

  it('smoothing finds the level of a constant and the last value of a staircase', () => {
    near(smoothedLevel(series(20, () => 7)), 7, 1e-12);
    near(smoothedLevel(series(40, (i) => Math.floor(i / 10))), 3, 0.01);
    assert.equal(smoothedLevel(Float64Array.of(4)), 4);
  });

  it('dynamic theta follows a line', () => {
    near(
      dynamicThetaForecast(
        series(40, (i) => 10 + 2 * i),
        5,
      )[4],
      10 + 2 * 44,
      5,
    );
  });

  it('ETS continues trend and season', () => {
    const values = series(72, (i) => (50 + 0.5 * i) * (1 + 0.2 * wave(i, 12)));
    etsForecast(values, 12, 12).forEach((value, k) => {
      const i = 72 + k;
      near(value, (50 + 0.5 * i) * (1 + 0.2 * wave(i, 12)), 4);
    });
    assert.equal(etsForecast(Float64Array.of(3), 1, 2).length, 2);
  });

  it('ETS forms are parsed from their names', () => {
    assert.deepEqual(readForm('MAdM'), { error: 'M', trend: true, damped: true, season: 'M' });
    assert.deepEqual(readForm('ANN'), { error: 'A', trend: false, damped: false, season: 'N' });
  });

  it('a damped trend flattens out', () => {
    const forecast = fitEts(
      series(40, (i) => 3 * i),
      1,
      readForm('AAdN'),
    )!.forecast(60);
    assert.ok(forecast[59] - forecast[58] < forecast[1] - forecast[0]);
  });

  it('ridge autoregression continues a wave and needs enough values', () => {
    const values = series(200, (i) => 10 + 3 * wave(i, 24));
    const forecast = lagRidge(values, [1, 2, 24], 48, { penalty: 1e-6 })!;
    forecast.forEach((value, k) => {
      near(value, 10 + 3 * wave(200 + k, 24), 0.2);
    });
    assert.equal(lagRidge(values.slice(0, 7), [1, 2, 3], 2, { penalty: 0.1 }), undefined);
    const line = lagRidge(
      series(50, (i) => 2 * i),
      [1, 2],
      3,
      { penalty: 0.01, difference: 1 },
    )!;
    near(line[2], 2 * 52, 1e-6);
  });

  it('seasonal naive repeats the last cycle exactly', () => {
    const values = series(40, (i) => 10 + (i % 4) + 0.01 * i);
    const prepared = prepareSeries(values, [4]);
    assert.deepEqual(
      [...repeatedSeason(prepared, 6)].map((value) => value * prepared.unit),
      [...values.slice(36), ...values.slice(36, 38)],
    );
  });

  it('seasonal naive is equivariant under shift and scale', () => {
    const values = series(60, (i) => 40 + 5 * wave(i, 12));
    const at = (shift: number): number[] => {
      const prepared = prepareSeries(
        values.map((value) => value + shift),
        [12],
      );
      return [...repeatedSeason(prepared, 12)].map((value) => value * prepared.unit - shift);
    };
    at(1000).forEach((value, i) => {
      near(value, at(0)[i], 1e-9);
    });
  });
});

describe('ensemble', () => {
  it('leaves out the highest and the lowest member', () => {
    const forecasts = [1, 2, 3, 100].map((value) => Float64Array.of(value));
    assert.deepEqual([...trimmedMean(forecasts)], [2.5]);
    assert.deepEqual([...trimmedMean(forecasts.slice(0, 2))], [1.5]);
  });
});

describe('numerics', () => {
  it('finds the minimum of a function of one and of two variables', () => {
    const { at, value } = nelderMead(([x, y]) => (x - 1) ** 2 + 10 * (y + 2) ** 2, [0, 0], [0.5, 0.5], 400, 1e-12);
    near(at[0], 1, 1e-3);
    near(at[1], -2, 1e-3);
    assert.ok(value < 1e-5);
    near(
      goldenSection((x) => (x - 0.3) ** 2, 0, 1, 40),
      0.3,
      1e-6,
    );
  });

  it('solves linear systems', () => {
    const solution = solveFactored(factorize(Float64Array.of(4, 0, 2, 3), 2), Float64Array.of(10, 8));
    near(solution[0], 1.75, 1e-12);
    near(solution[1], 1.5, 1e-12);
  });

  it('has the values of the normal distribution', () => {
    near(normalQuantile(0.975), 1.959963985, 1e-7);
    near(normalQuantile(0.5), 0, 1e-12);
    near(normalQuantile(0.001), -3.090232306, 1e-7);
  });
});
