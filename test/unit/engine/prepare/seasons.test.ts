import assert from 'node:assert/strict';
import {
  confirmSeasons,
  decompose,
  detectPeriods,
  isSeasonal,
  restoreHistory,
  restoreSeasons,
} from '../../../../src/engine/prepare/seasons.ts';
import { noise, series, wave } from '../series-helper.ts';

describe('seasonal decomposition', () => {
  it('finds a multiplicative pattern on a trend', () => {
    const values = series(60, (i) => (100 + i) * (1 + 0.3 * wave(i, 12)));
    const { figure, history, strength } = decompose(values, 12, true);
    figure.forEach((factor, k) => assert.ok(Math.abs(factor - (1 + 0.3 * wave(k, 12))) < 0.02));
    assert.equal(history.length, 60);
    assert.ok(strength > 0.95);
  });

  it('finds an additive pattern with sum 0', () => {
    const values = series(61, (i) => 5 * wave(i, 4) + 0.1 * i);
    const { figure } = decompose(values, 4, false);
    assert.ok(Math.abs(figure.reduce((sum, value) => sum + value, 0)) < 1e-9);
    assert.ok(Math.abs(figure[1] - 5) < 0.2);
  });

  it('follows a pattern that changes from cycle to cycle', () => {
    const values = series(144, (i) => 100 + (5 + 0.25 * i) * wave(i, 12));
    const { figure } = decompose(values, 12, false);
    const last = 5 + 0.25 * 143;
    assert.ok(figure[3] > 0.75 * last, `${String(figure[3])} of ${String(last)}`);
  });

  it('shrinks a pattern that is only noise', () => {
    const random = noise(3);
    const { figure, strength } = decompose(
      series(120, () => 10 + random()),
      12,
      false,
    );
    assert.ok(Math.max(...figure.map(Math.abs)) < 0.2);
    assert.ok(strength < 0.1);
  });

  it('is additive if a factor would be close to zero', () => {
    const values = series(60, (i) => (i % 12 === 0 ? 1e-6 : 100));
    assert.equal(decompose(values, 12, true).multiplicative, false);
  });

  it('smooths the pattern of a long cycle', () => {
    const random = noise(5);
    const values = series(1200, (i) => 20 + 10 * wave(i, 365.25) + 4 * random());
    const { figure } = decompose(values, 365.25, false, true);
    figure.forEach((value, k) => assert.ok(Math.abs(value - 10 * wave(k, 365.25)) < 1.5));
  });
});

describe('season confirmation', () => {
  it('accepts the true period and no other', () => {
    const random = noise(7);
    const values = series(200, (i) => 50 + 5 * wave(i, 7) + random());
    assert.equal(isSeasonal(values, 7), true);
    const flat = series(200, () => 50 + random());
    assert.equal(isSeasonal(flat, 30), false);
  });

  it('requires enough cycles', () => {
    assert.equal(
      isSeasonal(
        series(23, (i) => wave(i, 12)),
        12,
      ),
      false,
    );
    assert.equal(
      isSeasonal(
        series(50, (i) => wave(i, 1)),
        1,
      ),
      false,
    );
  });

  it('accepts the year in daily data from two years on', () => {
    const random = noise(11);
    const values = series(3 * 365, (i) => 20 + 8 * wave(i, 365.25) + 2 * wave(i, 7) + random());
    const { list } = confirmSeasons(values, [7, 365.25]);
    assert.deepEqual(
      list.map(({ period }) => period),
      [7, 365.25],
    );
  });

  it('finds the weekly pattern of a store in a few noisy days', () => {
    const week = [0.85, 0.85, 0.9, 0.95, 1.05, 1.3, 1.1];
    for (const [days, spread, most] of [
      [42, 0.5, 2],
      [75, 0.85, 12],
      [180, 0.85, 2],
    ] as const) {
      const missed = Array.from({ length: 40 }, (_, seed) => {
        const random = noise(100 + seed);
        const sold = series(days, (i) => 100 * week[i % 7] * (1 + spread * random()));
        return confirmSeasons(sold, [7, 365.25]).list.length === 0;
      }).filter(Boolean).length;
      assert.ok(missed <= most, `missed in ${missed} of 40 shops of ${days} days`);
    }
  });

  it('does not mistake a trend for the year', () => {
    const random = noise(13);
    let level = 100;
    const walk = series(3 * 365, () => (level += random()));
    assert.deepEqual(confirmSeasons(walk, [365.25]).list, []);
  });

  it('splits into components that add up to the series', () => {
    const random = noise(17);
    const values = series(24 * 30, (i) => 100 + 20 * wave(i, 24) + 10 * wave(i, 168) + random());
    const { list, adjusted } = confirmSeasons(values, [24, 168]);
    assert.equal(list.length, 2);
    restoreHistory(adjusted, list).forEach((value, i) => assert.ok(Math.abs(value - values[i]) < 1e-9));
    const ahead = restoreSeasons(new Float64Array(48).fill(100), list, values.length);
    ahead.forEach((value, k) => {
      const i = values.length + k;
      assert.ok(Math.abs(value - (100 + 20 * wave(i, 24) + 10 * wave(i, 168))) < 4);
    });
  });
});

describe('period detection', () => {
  it('finds integer and fractional periods', () => {
    const random = noise(19);
    assert.deepEqual(detectPeriods(series(120, (i) => 3 * wave(i, 12) + 0.5 * random())), [12]);
    const [period] = detectPeriods(series(400, (i) => 3 * wave(i, 11.3) + 0.3 * random()));
    assert.ok(Math.abs(period - 11.3) < 0.15, String(period));
  });

  it('finds none in noise, a line, a constant or a few points', () => {
    const random = noise(23);
    assert.deepEqual(detectPeriods(series(100, () => random())), []);
    assert.deepEqual(detectPeriods(series(100, (i) => 0.1 * i)), []);
    assert.deepEqual(detectPeriods(series(100, () => 4)), []);
    assert.deepEqual(detectPeriods(Float64Array.of(1, 2, 1, 2, 1)), []);
  });
});
