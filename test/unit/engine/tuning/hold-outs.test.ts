import assert from 'node:assert/strict';
import { Random } from '../../../../src/engine/random.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { countWindows, drawWindows, holdOuts } from '../../../../src/engine/tuning/hold-outs.ts';

const [count, steps, horizon] = [200, 4, 12];
const random = new Random(2);
const values = Array.from({ length: 3 }, () => Float64Array.from({ length: 80 }, (_, i) => i + 10 * random.normal()));
const seriesWithout = (last: number) => values.map((row) => prepareSeries(row.slice(0, row.length - last), []));

/** Windows drawn with the same random numbers each time, and how many of them were described. */
function drawn(dataset: ReturnType<typeof seriesWithout>, earlier?: Parameters<typeof drawWindows>[4]) {
  let described = 0;
  const asked = { count, steps, horizon, contextLength: Infinity };
  const windows = drawWindows(dataset, asked, new Random(1), () => described++, earlier);
  return { windows, described };
}

describe('windows of a dataset', () => {
  it('are reused if they end before unseen values, and described anew otherwise', () => {
    const early = drawn(seriesWithout(horizon));
    assert.equal(early.described, count);
    const whole = drawn(seriesWithout(0), { drawn: early.windows, withoutLast: horizon });
    assert.equal(whole.windows.length, count);
    assert.ok(whole.described > 0.1 * count && whole.described < 0.6 * count, String(whole.described));
    const taken = whole.windows.filter((window) => early.windows.includes(window));
    assert.deepEqual(taken, early.windows.slice(0, count - whole.described));
  });

  it('are as many as there are cuts with enough points before them', () => {
    const series = prepareSeries(values[0], []);
    assert.equal(countWindows([series]), 80 - 8);
    assert.equal(countWindows([series, series]), 2 * (80 - 8));
    assert.equal(countWindows([prepareSeries(values[0], [12])]), 80 - 26);
  });

  it('cover two of the longest cycle that half of the series has, or two of the shortest', () => {
    const hours = Float64Array.from({ length: 700 }, (_, i) => (i % 24) + (i % 168 < 120 ? 10 : 0) + random.normal());
    const windowsOf = (row: Float64Array) => countWindows([prepareSeries(row, [24, 168])]);
    assert.equal(windowsOf(hours), 700 - 338);
    assert.equal(windowsOf(hours.slice(0, 676)), 676 - 338);
    assert.equal(windowsOf(hours.slice(0, 675)), 675 - 50);
  });
});

describe('holdouts', () => {
  it('have the last values as future, the mean seasonal change as scale, and the rest as history', () => {
    const row = Float64Array.from({ length: 48 }, (_, i) => 100 + (i % 12) + 3 * Math.floor(i / 12));
    const [holdOut] = holdOuts([{ values: row, periods: [12] }], horizon);
    assert.equal(holdOut.series.values.length, 36);
    assert.ok(Math.abs(holdOut.scale * holdOut.series.unit - 3) < 1e-9);
    holdOut.future.forEach((value, i) => assert.ok(Math.abs(value * holdOut.series.unit - row[36 + i]) < 1e-9));
  });

  it('show as many points as the context, but are scaled by all', () => {
    const row = Float64Array.from({ length: 60 }, (_, i) => i + 5 * Math.cos(i));
    const [holdOut] = holdOuts([{ values: row, periods: [] }], horizon, 10);
    const [whole] = holdOuts([{ values: row, periods: [] }], horizon);
    assert.equal(holdOut.series.values.length, 10);
    assert.equal(holdOut.whole.values.length, 48);
    assert.ok(
      Math.abs(holdOut.scale * Math.abs(holdOut.series.unit) - whole.scale * Math.abs(whole.series.unit)) < 1e-9,
    );
  });

  it('forecast values that are missing before the cut', () => {
    const row = Float64Array.from({ length: 40 }, (_, i) => (i === 26 || i === 27 ? Number.NaN : 50 + i));
    const [holdOut] = holdOuts([{ values: row, periods: [] }], horizon);
    assert.equal(holdOut.series.missingAtEnd, 2);
    assert.equal(holdOut.future.length, horizon + 2);
    assert.ok(holdOut.future.subarray(0, 2).every(Number.isNaN));
    const long = new Float64Array(200_000).fill(Number.NaN);
    long.set(row);
    long[199_999] = 90;
    assert.equal(holdOuts([{ values: long, periods: [] }], horizon)[0].future.length, 200_000 - 40);
  });

  it('are scaled by single steps with less than two seasons of history', () => {
    const row = Float64Array.from({ length: 60 }, (_, i) => (i < 38 ? 0 : 100 + 3 * (i % 2)));
    const [holdOut] = holdOuts([{ values: row, periods: [12] }], horizon);
    assert.equal(holdOut.whole.values.length, 10);
    assert.ok(Math.abs(holdOut.scale * holdOut.series.unit - 3) < 1e-9);
  });

  it('leave out series that are short, constant or unobserved after the cut', () => {
    const short = values[0].slice(0, horizon + 5);
    const constant = new Float64Array(40).fill(7);
    const ended = values[0].map((value, i) => (i < 68 ? value : Number.NaN));
    const dataset = [short, constant, ended, values[1]].map((row) => ({ values: row, periods: [] }));
    assert.deepEqual(
      holdOuts(dataset, horizon).map(({ index }) => index),
      [3],
    );
  });
});
