import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { badness, far, few, long, roughKinds, roughSeries, type Lengths } from './rough-series.ts';

const levels = [0.025, 0.1, 0.5, 0.9, 0.975];

describe('forecast of a rough series', function () {
  // Thousands of forecasts, on a machine that may be busy.
  this.timeout(60_000);

  for (const kind of roughKinds) {
    it(`hybrid is never wild on ${kind}`, () => holds('hybrid', kind, 100));
    if (kind !== 'lateGrowth') it(`ensemble is never wild on ${kind}`, () => holds('ensemble', kind, 100));
  }

  for (const kind of roughKinds) {
    it(`is never wild on a few points of ${kind}`, () => holds('hybrid', kind, 40, few));
    it(`is never wild a thousand steps after ${kind}`, () => holds('hybrid', kind, 3, far));
  }

  for (const kind of ['rivers', 'floods', 'bursts', 'shifts']) {
    it(`is never wild on decades of ${kind}`, () => holds('hybrid', kind, 2, long));
  }
});

function holds(model: string, kind: string, seeds: number, lengths?: Lengths): void {
  for (let seed = 0; seed < seeds; seed++) {
    const series = roughSeries(kind, seed, lengths);
    const { history, periods, future } = series;
    const { point, quantiles } = forecast(model, { values: history, periods, horizon: future.length, levels });
    const worst = badness(series, point);
    assert.ok(worst <= 6, `seed ${seed}: ${worst.toFixed(1)} times as bad as seasonal naive`);
    const low = history.reduce((least, value) => Math.min(least, value));
    const high = history.reduce((most, value) => Math.max(most, value));
    // Where there were only zeros, nothing tells of a unit.
    if (high === 0) continue;
    const width = Math.max(high - low, 0.1 * Math.abs(high));
    const beyond = (row: Float64Array, sign: number, record: number): number =>
      row.reduce((most, value) => Math.max(most, sign * (value - record)), 0);
    const farthest = Math.max(beyond(quantiles[4], 1, high), beyond(quantiles[0], -1, low));
    const widest = 40 * Math.max(1, Math.sqrt(future.length / history.length));
    assert.ok(farthest <= widest * width, `seed ${seed}: a quantile ${(farthest / width).toFixed(0)} widths away`);
  }
}

describe('uncertainty of growth', () => {
  it('is in the interval of growth that cannot last', () => {
    const values = Float64Array.from({ length: 56 }, (_, i) => 100 * 1.03 ** i * (1 + 0.05 * Math.sin(i)));
    const { point, quantiles } = forecast('hybrid', { values, periods: [4], horizon: 1000, levels });
    const last = values[55];
    assert.ok(point[999] < 25 * last, `${(point[999] / last).toFixed(1)} times the last value`);
    const widths = quantiles[3].map((value, i) => value - quantiles[1][i]);
    assert.ok(widths[999] > 3 * widths[20], `${widths[20]} to ${widths[999]}`);
    for (let i = 8; i < 1000; i++) assert.ok(widths[i] >= 0.8 * widths[i - 4], `narrower at step ${i + 1}`);
  });

  it('is larger with fewer points', () => {
    const width = (...values: number[]): number => {
      const asked = { values: Float64Array.from(values), periods: [12], horizon: 3, levels };
      const { quantiles } = forecast('hybrid', asked);
      return quantiles[4][0] - quantiles[0][0];
    };
    assert.ok(width(100) >= width(100, 103));
    assert.ok(width(100, 103) >= width(100, 103, 101));
    assert.ok(width(20, 24) >= width(20, 24, 22));
  });
});

describe('series with initial zeros', () => {
  for (const [name, zeros, periods] of [
    ['months', 34, [12]],
    ['days', 560, [7, 365.25]],
    ['years', 30, []],
  ] as const) {
    it(`is forecast from its later values with ${name}`, () => {
      const values = Float64Array.from({ length: zeros + 14 }, (_, i) => (i < zeros ? 0 : 100 + 20 * Math.sin(i)));
      const { quantiles, demand } = forecast('hybrid', { values, periods, horizon: 12, levels });
      const [, low, median, high] = quantiles;
      assert.equal(demand, undefined);
      assert.ok(
        median.every((value) => value > 60 && value < 150),
        `${median}`,
      );
      assert.ok(
        low.every((value, i) => value > 10 && value < median[i] - 1),
        `${low}`,
      );
      assert.ok(
        high.every((value, i) => value < 300 && value > median[i] + 1),
        `${high}`,
      );
    });
  }
});

describe('first step of a flat series', () => {
  const after = (...last: number[]): readonly Float64Array[] => {
    const values = Float64Array.from([...new Array<number>(600).fill(5), ...last]);
    return forecast('hybrid', { values, periods: [7, 365.25], horizon: 9, levels }).quantiles;
  };
  const holds = (found: readonly Float64Array[], ...expected: number[]): void =>
    found.forEach((row, k) =>
      assert.ok(
        row.every((value) => value === expected[k]),
        `${levels[k]}: ${row}`,
      ),
    );

  it('is more likely an error the larger it is, but may last', () => {
    holds(after(10_000), 5, 5, 5, 10_000, 10_000);
    holds(after(-3000), -3000, -3000, 5, 5, 5);
  });

  it('is followed if it is as large as the level or recurs, with some doubt', () => {
    holds(after(6), 5, 5, 6, 6, 6);
    holds(after(0), 0, 0, 0, 5, 5);
    holds(after(10_000, 10_000), 5, 5, 10_000, 10_000, 10_000);
  });

  it('is certain once it has lasted', () => {
    holds(after(6, 6, 6, 6, 6), 6, 6, 6, 6, 6);
  });

  it('is recognized beside a missing value', () => {
    for (const missing of [[Number.NaN], [Number.NaN, Number.NaN, Number.NaN]]) {
      const [lowest, low, median, high, highest] = after(...missing, 10_000);
      for (const row of [lowest, low, median]) assert.deepEqual(new Set(row), new Set([5]));
      for (const row of [high, highest]) assert.ok(row.every((value) => value >= 10_000));
      const twice = after(10_000, ...missing, 10_000);
      assert.deepEqual(new Set(twice[2]), new Set([10_000]));
      assert.ok(twice[1].every((value) => value === 5));
    }
  });
});

describe('quantiles', () => {
  it('do not cross in the last digit', () => {
    const close = [0.025, 0.05, 0.1, 0.5, 0.9, 0.95, 0.975];
    const values = Float64Array.from({ length: 61 }, (_, i) => (i % 2 ? 1e300 : 1e-300));
    const { quantiles } = forecast('hybrid', { values, periods: [52.18], horizon: 1000, levels: close });
    for (let k = 1; k < quantiles.length; k++) {
      quantiles[k].forEach((value, i) => assert.ok(value >= quantiles[k - 1][i], `step ${i}: ${value}`));
    }
  });
});
