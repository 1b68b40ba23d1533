import assert from 'node:assert/strict';
import { bank, View } from '../../../../src/engine/bank.ts';
import { repeatedSeason } from '../../../../src/engine/models.ts';
import { continueLags, fitLagRidge } from '../../../../src/engine/methods/ridge.ts';
import { smoothedLevel } from '../../../../src/engine/methods/theta.ts';
import { prepareSeries, type Series } from '../../../../src/engine/prepare/series.ts';
import { noise, series, wave } from '../series-helper.ts';

const close = (actual: number, expected: number, tolerance = 1e-9) => {
  assert.ok(Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected)), `${actual} is not ${expected}`);
};

/** What a candidate of the bank forecasts. */
const ofCandidate =
  (id: string) =>
  (prepared: Series, horizon: number): Float64Array => {
    const view = new View(prepared);
    return bank.find((candidate) => candidate.id === id)!.fit(view)(view, horizon)!;
  };
const naive = ofCandidate('naive');

describe('methods on known answers', () => {
  it('median drift grows by the median step, unaffected by one jump', () => {
    const values = series(40, (i) => 100 * 1.02 ** i * (i >= 20 ? 3 : 1));
    const prepared = prepareSeries(values, []);
    ofCandidate('median-growth')(prepared, 5).forEach((value, i) => {
      close(value, prepared.values[39] * 1.02 ** (i + 1), 1e-6);
    });
  });

  it('recent drift grows by exponentially weighted recent steps with factor 0.9', () => {
    const random = noise(3);
    const values = series(30, (i) => -50 + 2 * i + 4 * random());
    const prepared = prepareSeries(values, []);
    const used = prepared.seasons.adjusted;
    let [sum, weights] = [0, 0];
    for (let i = 1; i < used.length; i++) {
      const weight = 0.9 ** (used.length - 1 - i);
      sum += weight * (used[i] - used[i - 1]);
      weights += weight;
    }
    ofCandidate('recent-drift')(prepared, 4).forEach((value, i) => {
      close(value, used[29] + (sum / weights) * (i + 1));
    });
  });

  it('simple exponential smoothing finds the best weight and start, like a full search', () => {
    const random = noise(8);
    let level = 20;
    const values = series(60, () => (level += 0.6 * random()) + random());
    const run = (weight: number, start: number): { errors: number; level: number } => {
      let errors = 0;
      let now = start;
      for (const value of values) {
        errors += (value - now) ** 2;
        now += weight * (value - now);
      }
      return { errors, level: now };
    };
    let best = { errors: Infinity, level: 0 };
    for (let weight = 0.005; weight < 1; weight += 0.005) {
      for (let start = 18; start < 22; start += 0.02) {
        const tried = run(weight, start);
        if (tried.errors < best.errors) best = tried;
      }
    }
    close(smoothedLevel(values), best.level, 2e-3);
  });

  it('first-order autoregression is the regression on one lag and reverts to the mean', () => {
    const random = noise(5);
    let value = 0;
    const values = series(400, () => (value = 0.7 * value + random()));
    const fit = fitLagRidge(values, [1], { penalty: 0 })!;
    let [x, y, xx, xy] = [0, 0, 0, 0];
    const n = values.length - 1;
    for (let i = 0; i < n; i++) {
      x += values[i] / n;
      y += values[i + 1] / n;
      xx += values[i] ** 2 / n;
      xy += (values[i] * values[i + 1]) / n;
    }
    const slope = (xy - x * y) / (xx - x * x);
    const intercept = y - slope * x;
    close(fit.weights[0], slope, 1e-6);
    let expected = values[n];
    continueLags(fit, values, 40).forEach((step) => {
      expected = intercept + slope * expected;
      close(step, expected, 1e-6);
    });
    close(expected, intercept / (1 - slope), 1e-3);
  });

  it('autoregression continues from another history without refitting', () => {
    const values = series(60, (i) => (i % 2 === 0 ? 5 : -5));
    const fit = fitLagRidge(values, [1, 2], { penalty: 1e-6 })!;
    const step = continueLags(fit, values.slice(0, 31), 2);
    close(step[0], -5, 1e-3);
    close(step[1], 5, 1e-3);
  });
});

describe('naive forecast', () => {
  const random = noise(13);
  const inUnits = (values: Float64Array, periods: number[], method: typeof naive, horizon: number) => {
    const prepared = prepareSeries(values, periods);
    return method(prepared, horizon).map((value) => value * prepared.unit);
  };

  it('of hourly data repeats the last week', () => {
    const values = series(900, (i) => 100 + 20 * wave(i, 24) + 20 * wave(i, 168) + random());
    inUnits(values, [24, 168], repeatedSeason, 400).forEach((value, i) => {
      assert.equal(value, values[900 - 168 + (i % 168)]);
    });
  });

  it('of daily data repeats the last week, or the last year without a weekly period', () => {
    const values = series(1200, (i) => 50 + 20 * wave(i, 365.25) + 5 * wave(i, 7) + random());
    assert.deepEqual(inUnits(values, [7, 365.25], repeatedSeason, 7), values.slice(1193));
    const year = series(1200, (i) => 50 + 20 * wave(i, 365.25) + random());
    assert.deepEqual(inUnits(year, [365.25], repeatedSeason, 30), year.slice(1200 - 365, 1200 - 335));
  });

  it('without a season repeats the last observation, even a spike', () => {
    const values = series(60, (i) => (i === 59 ? 80 : 20 + random()));
    assert.deepEqual([...inUnits(values, [12], repeatedSeason, 3)], [80, 80, 80]);
    // Methods that go on from it do not trust it so far.
    assert.ok(inUnits(values, [12], ofCandidate('last-value'), 3).every((value) => value < 40));
  });

  it('drawn over a season combines the present level with the seasonal pattern', () => {
    const level = (i: number) => (i < 90 ? 100 : 130);
    const factor = (i: number) => 1 + 0.3 * wave(i, 12);
    const values = series(96, (i) => level(i) * factor(i));
    inUnits(values, [12], naive, 12).forEach((value, i) => {
      close(value, 130 * factor(96 + i), 0.08);
    });
  });
});
