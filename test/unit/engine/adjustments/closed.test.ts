import assert from 'node:assert/strict';
import { closedSteps } from '../../../../src/engine/adjustments.ts';
import { forecast } from '../../../../src/engine/forecast.ts';
import { noise, series } from '../series-helper.ts';

const levels = [0.1, 0.9];

describe('closed days', () => {
  const random = noise(7);
  const shop = series(200, (i) => (i % 7 === 6 ? 0 : 100 + 20 * random()));

  it('have forecasts and intervals of 0 with every model', () => {
    for (const model of ['hybrid', 'ensemble', 'hybrid', 'theta']) {
      const { point, quantiles } = forecast(model, { values: shop, periods: [7, 365.25], horizon: 14, levels });
      point.forEach((value, step) => {
        const isSunday = (200 + step) % 7 === 6;
        assert.equal(value === 0 && quantiles[1][step] === 0, isSunday, `${model} ${step}`);
      });
    }
  });

  it('are found in days and weeks at once', () => {
    const isOpen = (i: number): boolean => i % 24 >= 8 && i % 24 < 20 && Math.floor(i / 24) % 7 !== 6;
    const hours = series(168 * 7, (i) => (isOpen(i) ? 5 + (i % 3) : 0));
    const steps = closedSteps(hours, [24, 168], 168)!;
    steps.forEach((closed, i) => assert.equal(closed === 0, isOpen(i)));
  });

  it('are not assumed after a recent open one, among scattered zeros, or if all days are zero', () => {
    const once = shop.slice();
    once[188] = 30;
    assert.equal(188 % 7, 6);
    assert.equal(closedSteps(once, [7], 14), undefined);
    const rare = series(210, (i) => (i % 7 === 3 || i % 5 === 0 ? 4 : 0));
    assert.equal(closedSteps(rare, [7], 14), undefined);
    assert.equal(closedSteps(new Float64Array(100), [7], 14), undefined);
    assert.equal(closedSteps(shop.slice(0, 30), [7], 14), undefined);
  });

  it('are found despite missing days', () => {
    const gappy = shop.map((value, i) => (i % 11 === 0 ? Number.NaN : value));
    assert.equal(
      closedSteps(gappy, [7], 7)!.reduce((sum, one) => sum + one, 0),
      1,
    );
  });
});
