import assert from 'node:assert/strict';
import { decomposition } from '../../../src/engine/decomposition.ts';

const n = 96;
const series = (of: (i: number) => number, length = n) => Float64Array.from({ length }, (_, i) => of(i));
const season = (i: number) => 1 + 0.2 * Math.sin((2 * Math.PI * i) / 12);
const growing = (i: number) => (200 + 2 * i) * season(i);
const ahead = (of: (i: number) => number, steps = 12) => series((i) => of(n + i), steps);

describe('decomposition of a series and its forecast', () => {
  it('adds up to both, and finds trend and season', () => {
    const history = series(growing);
    const forecast = ahead(growing);
    const { trend, seasons, shifts, remainder, from } = decomposition(history, forecast, [12])!;
    assert.deepEqual([from, shifts, seasons.length, trend.length], [0, undefined, 1, n + 12]);
    [...history, ...forecast].forEach((value, i) => {
      assert.ok(Math.abs(trend[i] + seasons[0].values[i] + remainder[i] - value) < 1e-9);
    });
    assert.ok(Math.abs((trend[n + 11] - trend[n - 1]) / 12 - 2) < 0.3);
    for (let i = n; i < n + 12; i++) {
      assert.ok(Math.abs(seasons[0].values[i] / trend[i] - (season(i) - 1)) < 0.03);
    }
  });

  it('adds up with additive seasons, and negative or missing values', () => {
    const of = (i: number) => 5 * Math.sin((2 * Math.PI * i) / 12) - 1;
    const history = series((i) => (i === 20 || i < 3 ? NaN : of(i)));
    const { trend, seasons, remainder, from } = decomposition(history, ahead(of), [12])!;
    assert.equal(from, 3);
    assert.ok(Number.isNaN(remainder[20 - 3]));
    for (let i = from; i < n; i++) {
      if (i !== 20) assert.ok(Math.abs(trend[i - 3] + seasons[0].values[i - 3] + remainder[i - 3] - of(i)) < 1e-9);
    }
  });

  it('separates a level shift from the trend', () => {
    const of = (i: number) => 100 + (i < 50 ? 0 : 80) + ((i * 7) % 5) * 0.3;
    const { trend, shifts, seasons } = decomposition(series(of), ahead(of), [])!;
    assert.deepEqual(seasons, []);
    assert.deepEqual([shifts?.[49], Math.round(shifts![50]), Math.round(shifts!.at(-1)!)], [0, 80, 80]);
    assert.ok(trend.every((value) => Math.abs(value - 100.6) < 2));
  });

  it('is defined for one value and empty for none', () => {
    const { trend, remainder } = decomposition(Float64Array.of(NaN, 7), Float64Array.of(7, 7), [12])!;
    assert.deepEqual([...trend], [7, 7, 7]);
    assert.deepEqual([...remainder], [0, 0, 0]);
    assert.equal(decomposition(Float64Array.of(NaN), Float64Array.of(1), []), undefined);
  });
});
