import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { baseModels } from '../../../src/engine/models.ts';
import { EngineError } from '../../../src/engine/types.ts';

const levels = [0.025, 0.1, 0.5, 0.9, 0.975];

describe('forecast', () => {
  for (const { id } of baseModels) {
    it(`continues a seasonal series with ${id}`, () => {
      const values = Float64Array.from({ length: 96 }, (_, i) => 100 + 20 * Math.sin((2 * Math.PI * i) / 12));
      const { point, quantiles, periods } = forecast(id, { values, periods: [12], horizon: 12, levels });
      assert.deepEqual(periods, [12]);
      point.forEach((value, i) => {
        assert.ok(Math.abs(value - values[i + 84]) < 2, `step ${i}: ${value}`);
      });
      assert.equal(quantiles.length, levels.length);
    });
  }

  it('finds the season of a young series that has one', () => {
    for (const [period, count] of [
      [4, 6],
      [12, 18],
      [24, 40],
    ]) {
      const season = Array.from({ length: period }, (_, k) => 30 * Math.sin((2 * Math.PI * k) / period) + 7 * (k % 3));
      const at = (i: number) => 200 + season[i % period];
      const values = Float64Array.from({ length: count }, (_, i) => at(i));
      const { point } = forecast('hybrid', { values, periods: [period], horizon: period, levels: [] });
      const error = point.reduce((sum, value, i) => sum + Math.abs(value - at(count + i)) / period, 0);
      const spread = season.reduce((sum, value) => sum + Math.abs(value - 7) / period, 0);
      assert.ok(error < 0.35 * spread, `${count} of ${period}: ${error} of ${spread}`);
    }
  });

  it('continues a short line', () => {
    for (const count of [12, 16, 24]) {
      const values = Float64Array.from({ length: count }, (_, i) => 100 + i);
      const { point } = forecast('hybrid', { values, periods: [12], horizon: 6, levels: [] });
      point.forEach((value, i) => {
        assert.ok(Math.abs(value - (100 + count + i)) < 1.5, `${count}: ${[...point].join(' ')}`);
      });
    }
  });

  it('has finite extreme quantiles', () => {
    const values = Float64Array.from({ length: 30 }, (_, i) => i % 5);
    const ends = [1e-300, 1e-9, 0.5, 1 - 1e-12];
    const { quantiles } = forecast('theta', { values, periods: [], horizon: 2, levels: ends });
    for (const row of quantiles) assert.ok(row.every(Number.isFinite));
    assert.ok(quantiles[3][0] > quantiles[2][0]);
  });

  it('covers a long horizon of a long series', () => {
    const values = Float64Array.from({ length: 20_000 }, (_, i) => 100 + 10 * Math.sin((2 * Math.PI * i) / 24));
    const { point, periods } = forecast('ensemble', { values, periods: [24, 168], horizon: 2000, levels });
    assert.deepEqual(periods, [24]);
    point.forEach((value, i) => {
      assert.ok(Math.abs(value - (100 + 10 * Math.sin((2 * Math.PI * (20_000 + i)) / 24))) < 2);
    });
  });

  it('refuses invalid requests', () => {
    const values = Float64Array.of(1, 2, 3);
    const ask = (horizon: number, wanted: number[]) => () =>
      forecast('theta', { values, periods: [], horizon, levels: wanted });
    for (const horizon of [0, -1, 1.5, Number.NaN]) assert.throws(ask(horizon, []), RangeError);
    for (const wanted of [[0], [1], [0.5, 0.5], [0.9, 0.1], [Number.NaN]]) assert.throws(ask(2, wanted), RangeError);
  });

  it('refuses a series without a value', () => {
    const values = Float64Array.from([Number.NaN, Infinity]);
    assert.throws(() => forecast('theta', { values, periods: [], horizon: 1, levels }), EngineError);
  });

  it('refuses an unknown model', () => {
    const values = Float64Array.of(1, 2, 3);
    assert.throws(() => forecast('oracle', { values, periods: [], horizon: 1, levels }), EngineError);
  });

  it('is equivariant under shift of a series around zero, and under scale', () => {
    for (const [kind, of] of [
      ['a season', (i: number) => 20 * Math.sin((2 * Math.PI * i) / 12) + ((i * 7) % 11)],
      ['a trend', (i: number) => 0.5 * i - 30 + ((i * 5) % 13)],
      ['a spike', (i: number) => (i === 70 ? 400 : ((i * 11) % 17) - 8)],
    ] as const) {
      const values = Float64Array.from({ length: 96 }, (_, i) => of(i) - 10);
      const asked = { periods: [12], horizon: 12, levels: [0.1, 0.5, 0.9] };
      const before = forecast('hybrid', { ...asked, values }).quantiles;
      const spread = before[2].reduce((sum, value, i) => sum + (value - before[0][i]) / 12, 0);
      for (const [factor, shift] of [
        [1, 5],
        [1, -3.7],
        [1000, 0],
      ] as const) {
        // prettier-ignore
        const after = forecast('hybrid', { ...asked, values: values.map((value) => factor * value + shift) }).quantiles;
        before.forEach((row, k) => {
          row.forEach((value, i) => {
            const change = Math.abs((after[k][i] - shift) / factor - value) / spread;
            assert.ok(change < 1e-3, `${kind}, ${factor}, ${shift}: ${change}`);
          });
        });
      }
    }
  });
});
