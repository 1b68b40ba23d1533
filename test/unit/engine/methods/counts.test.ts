import assert from 'node:assert/strict';
import { countForecast } from '../../../../src/engine/methods/observed.ts';
import { Random } from '../../../../src/engine/random.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series, wave } from '../series-helper.ts';

const of = (values: Float64Array, periods: number[] = [], horizon = 6) => {
  const prepared = prepareSeries(values, periods);
  return { counts: countForecast(prepared, horizon), unit: prepared.unit };
};

/** Whole numbers of a Poisson distribution (Knuth's product of uniform numbers). */
function poisson(n: number, rate: number, seed: number): Float64Array {
  const random = new Random(seed);
  return series(n, () => {
    let count = -1;
    for (let product = 1; product > Math.exp(-rate); product *= random.uniform()) count++;
    return count;
  });
}

describe('forecast of counts', () => {
  it('of steady demand has the mean and quantiles of the whole past, with one more value at the extremes', () => {
    const values = poisson(59, 1, 4);
    values[20] = 9;
    const { counts, unit } = of(values);
    const sorted = values.slice().sort();
    assert.ok(Math.abs(counts!.mean * unit - values.reduce((sum, value) => sum + value, 0) / 59) < 1e-9);
    for (const level of [0.6, 0.75, 0.9, 0.97, 0.98, 0.99]) {
      const rank = Math.min(59, Math.ceil(59 * level + level - 0.5));
      assert.equal(counts!.quantile(level, 0) * unit, sorted[rank - 1], `${level}`);
      assert.equal(counts!.quantile(level, 5), counts!.quantile(level, 0));
    }
  });

  it('has totals distributed like the process that made the counts', () => {
    // The sum of twelve months with a mean of 0.8 is Poisson with 9.6: 10% lie below 6 and 10% above 14.
    let [low, high] = [0, 0];
    for (let seed = 0; seed < 20; seed++) {
      const { counts, unit } = of(poisson(120, 0.8, seed));
      low += (counts!.total(0.1, 12) * unit) / 20;
      high += (counts!.total(0.9, 12) * unit) / 20;
    }
    assert.ok(Math.abs(low - 6) < 1, `${low}`);
    assert.ok(Math.abs(high - 14) < 1, `${high}`);
  });

  it('follows the last months after a change of demand, and hardly a single month', () => {
    const before = poisson(60, 0.4, 7);
    const grown = of(Float64Array.of(...before, ...poisson(12, 6, 8)));
    assert.ok(grown.counts!.mean * grown.unit > 4, `${grown.counts!.mean * grown.unit}`);
    const once = of(Float64Array.of(...before, 6));
    assert.ok(once.counts!.mean * once.unit < 1, `${once.counts!.mean * once.unit}`);
  });

  it('scales from pieces to packs of six', () => {
    const pieces = poisson(60, 2, 9);
    const [one, six] = [of(pieces), of(pieces.map((value) => 6 * value))];
    for (const level of [0.1, 0.5, 0.9]) {
      const piece = one.counts!.quantile(level, 0) * one.unit;
      assert.ok(Math.abs(six.counts!.quantile(level, 0) * six.unit - 6 * piece) < 1e-9);
    }
  });

  it('ignores filled values', () => {
    const values = poisson(60, 0.5, 11);
    const holed = series(119, (i) => (i % 2 === 0 ? values[i / 2] : Number.NaN));
    const [whole, half] = [of(values), of(holed)];
    assert.ok(Math.abs(half.counts!.mean * half.unit - whole.counts!.mean * whole.unit) < 1e-9);
  });

  it('has a median of 0 from 44% of months without demand on', () => {
    const demand = (zeros: number) => series(100, (i) => ((i * 37) % 100 < zeros ? 0 : 1 + (i % 3)));
    const [many, few] = [of(demand(46)), of(demand(40))];
    assert.equal(many.counts!.point[0], 0);
    assert.ok(few.counts!.point[0] > 0);
    // A forecast of nothing has nothing below it.
    assert.equal(many.counts!.quantile(0.49, 0), 0);
    assert.ok(many.counts!.quantile(0.55, 0) > 0);
  });

  it('is left to other methods for non-counts and seasonal series', () => {
    const random = noise(3);
    const others: Record<string, [Float64Array, number[]]> = {
      few: [Float64Array.of(0, 1, 0, 2, 0, 1, 0), []],
      negative: [poisson(60, 1, 2).map((value) => value - 1), []],
      states: [series(60, (i) => ((i * 7) % 10 < 5 ? 1 : 2)), []],
      large: [poisson(60, 30, 2), []],
      broken: [series(60, () => 5 + random()), []],
      seasonal: [series(96, (i) => Math.round(5 + 4 * wave(i, 12))), [12]],
      changed: [series(80, (i) => (i < 40 ? 2 : 9) + (i % 3)), []],
    };
    for (const [name, [values, periods]] of Object.entries(others)) {
      assert.equal(of(values, periods).counts, undefined, name);
    }
  });
});
