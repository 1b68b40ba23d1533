import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { isIntermittent } from '../../../src/engine/prepare/series.ts';
import { Random } from '../../bench/training/random.ts';

const levels = [0.1, 0.5, 0.9, 0.975];

/** Orders of 1 to 4 in a share of the months. */
function demand(n: number, share: number, seed = 3): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length: n }, () => (random.chance(share) ? 1 + random.below(4) : 0));
}

describe('intermittent series', () => {
  it('are distinguished from seasons, regimes and ordinary series', () => {
    assert.ok(isIntermittent(demand(60, 0.3), [12]));
    assert.ok(isIntermittent(demand(500, 0.6), [7]));
    assert.ok(!isIntermittent(demand(60, 1), [12]));
    assert.ok(!isIntermittent(new Float64Array(60), [12]));
    const nights = Float64Array.from({ length: 480 }, (_, i) => Math.max(0, Math.sin((2 * Math.PI * i) / 24)));
    assert.ok(!isIntermittent(nights, [24, 168]));
    const newProduct = Float64Array.from({ length: 80 }, (_, i) => (i < 40 ? 0 : 20 + (i % 3)));
    assert.ok(!isIntermittent(newProduct, [12]));
  });

  it('have a median of 0, a positive mean and a total if most months are 0', () => {
    const values = demand(72, 0.3);
    const { point, quantiles, demand: needed } = forecast('hybrid', { values, periods: [12], horizon: 12, levels });
    assert.ok(point.every((value) => value === 0));
    assert.ok(quantiles[2].every((value) => value >= 1 && value <= 4));
    assert.ok(needed);
    const mean = values.reduce((sum, value) => sum + value / values.length, 0);
    assert.ok(Math.abs(needed.mean / mean - 1) < 0.3, `${needed.mean} for ${mean}`);
    const [low, middle, high, highest] = needed.total;
    assert.ok(low <= middle && middle <= high && high <= highest);
    assert.ok(Math.abs(middle / (12 * mean) - 1) < 0.4, `${middle} for ${12 * mean}`);
    assert.ok(low > 0 && highest < 48);
  });

  it('have a median of 0 if nearly half of the months are 0, and no lower quantile above it', () => {
    const values = Float64Array.from({ length: 70 }, (_, i) => ((i * 13) % 20 < 9 ? 0 : 1 + (i % 3)));
    const asked = [0.1, 0.3, 0.46, 0.5, 0.6, 0.9];
    const { quantiles } = forecast('hybrid', { values, periods: [12], horizon: 6, levels: asked });
    assert.deepEqual(
      quantiles.slice(0, 4).map((row) => row[0]),
      [0, 0, 0, 0],
    );
    assert.ok(quantiles[4][0] >= 1 && quantiles[5][0] >= quantiles[4][0]);
  });

  it('follow a product whose demand has just begun', () => {
    const random = new Random(9);
    const values = Float64Array.from({ length: 100 }, (_, i) => {
      if (i < 84) return random.chance(0.15) ? 1 : 0;
      return 16 + random.below(8);
    });
    const { point } = forecast('hybrid', { values, periods: [12], horizon: 12, levels });
    assert.ok(
      point.every((value) => value >= 14 && value <= 26),
      String(point),
    );
  });

  it('do not continue a burst after a long pause', () => {
    const values = new Float64Array(150);
    values.fill(5, 60, 97);
    values[148] = 4;
    values[149] = 5;
    const { point } = forecast('hybrid', { values, periods: [7], horizon: 12, levels });
    assert.ok(
      point.every((value) => value === 0),
      String(point),
    );
  });

  it('have totals inside their intervals at the stated rate', () => {
    let below90 = 0;
    let above10 = 0;
    const count = 300;
    for (let seed = 0; seed < count; seed++) {
      const values = demand(84, 0.35, seed);
      const { demand: needed } = forecast('hybrid', {
        values: values.subarray(0, 72),
        periods: [12],
        horizon: 12,
        levels,
      });
      const total = values.subarray(72).reduce((sum, value) => sum + value, 0);
      if (total <= needed!.total[2]) below90++;
      if (total >= needed!.total[0]) above10++;
    }
    assert.ok(below90 / count > 0.82 && below90 / count < 0.97, `${below90} below the 90% quantile`);
    assert.ok(above10 / count > 0.82 && above10 / count < 0.97, `${above10} above the 10% quantile`);
  });

  it('follow a product whose demand declines', () => {
    const values = Float64Array.from(demand(84, 0.7), (value, i) => (i < 48 ? value : 0));
    values[60] = 1;
    const { point, demand: needed } = forecast('hybrid', { values, periods: [12], horizon: 12, levels });
    assert.ok(point.every((value) => value === 0));
    assert.equal(needed === undefined || needed.mean < 0.9, true);
  });

  it('exclude small counts with a season', () => {
    const random = new Random(5);
    const values = Float64Array.from(
      { length: 96 },
      (_, i) => Math.round(4 + 3 * Math.sin((Math.PI * i) / 6)) + random.below(2),
    );
    const { point, demand: needed } = forecast('hybrid', { values, periods: [12], horizon: 12, levels });
    assert.equal(needed, undefined);
    assert.ok(Math.max(...point) - Math.min(...point) > 3);
  });
});

describe('ended demand', () => {
  const after = (zeros: number) => {
    const values = new Float64Array(80 + zeros);
    values.set(demand(80, 0.3));
    return forecast('hybrid', { values, periods: [12], horizon: 12, levels: [0.5, 0.9, 0.975] });
  };

  it('is recognized after several times its longest interval, not before', () => {
    const usual = after(2);
    assert.ok(usual.demand!.mean > 0.5 && usual.quantiles[1][0] >= 2, `${usual.demand!.mean}`);
    const ended = after(60);
    assert.ok(ended.demand!.mean < 0.05, `${ended.demand!.mean}`);
    assert.ok(ended.quantiles.every((row) => row.every((value) => value === 0)));
    assert.deepEqual(ended.demand!.total, [0, 0, 0]);
  });
});
