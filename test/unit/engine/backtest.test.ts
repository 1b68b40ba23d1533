import assert from 'node:assert/strict';
import { backtest, series, noise, wave } from './series-helper.ts';

const levels = [0.1, 0.9];

describe('backtest', () => {
  it('compares a model with the seasonal naive baseline', () => {
    const random = noise(41);
    const values = series(120, (i) => 50 + 0.5 * i + 10 * wave(i, 12) + random());
    const result = backtest('ensemble', { values, periods: [12], horizon: 12, levels })!;
    assert.equal(result.origins, 3);
    assert.equal(result.horizon, 12);
    assert.ok(result.mase < result.maseSeasonalNaive, 'a trend beats the last season');
    assert.ok(result.coverage95 >= result.coverage80 && result.coverage80 > 0.5);
    assert.ok(result.smape < 5);
  });

  it('uses the requested number of origins or all that exist', () => {
    const values = series(60, (i) => i + (i % 3));
    const input = { values, periods: [], horizon: 6, levels };
    assert.equal(backtest('theta', input, { origins: 1 })!.origins, 1);
    assert.equal(backtest('theta', input, { origins: 5 })!.origins, 5);
    assert.equal(backtest('theta', input, { origins: 99 })!.origins, 9);
  });

  it('scores seasonal naive equal to itself', () => {
    const values = series(80, (i) => 10 + 4 * wave(i, 4) + (i % 5));
    const result = backtest('seasonal-naive', { values, periods: [4], horizon: 8, levels })!;
    assert.equal(result.mase, result.maseSeasonalNaive);
  });

  it('shortens the horizon of a short series, and is undefined for a shorter one', () => {
    const ask = (n: number) => backtest('theta', { values: series(n, (i) => i * i), periods: [], horizon: 6, levels });
    assert.equal(ask(3), undefined);
    assert.equal(ask(4), undefined);
    assert.equal(ask(8)!.horizon, 2);
  });

  it('leaves missing values out of the scores', () => {
    const values = series(60, (i) => (i % 9 === 0 ? Number.NaN : 20 + wave(i, 12)));
    const result = backtest('theta', { values, periods: [12], horizon: 6, levels })!;
    assert.ok(Number.isFinite(result.mase) && Number.isFinite(result.smape));
  });

  it('has no scaled errors for a constant series', () => {
    const result = backtest('theta', { values: series(40, () => 3), periods: [], horizon: 4, levels })!;
    assert.ok(Number.isNaN(result.mase));
    assert.equal(result.smape, 0);
    assert.equal(result.coverage80, 1);
  });
});
