import assert from 'node:assert/strict';
import { axesOf } from '../../../src/chart/axes.ts';
import {
  frameOf,
  indexOf,
  nearest,
  shownIntervals,
  timeFormat,
  tracesOf,
  valueAt,
  valueRange,
  WHOLE_UP_TO,
} from '../../../src/chart/frame.ts';
import { drawScene, extentOf, PRINT, projection, type Spot } from '../../../src/chart/scene.ts';
import type { Points } from '../../../src/chart/chart-view.ts';
import { chartOf, monthly } from './charts.ts';
import { recordingPen } from './recording-pen.ts';

const DAY = 86_400_000;
const daily = (count: number, horizon = 0) =>
  frameOf(
    chartOf({
      frequency: 'P1D',
      history: Array.from({ length: count }, (_, n) => [n * DAY, n] as const),
      ...(horizon > 0 && { forecast: Array.from({ length: horizon }, (_, n) => [(count + n) * DAY, n] as const) }),
    }),
  );

describe('initial range of a chart', () => {
  it('is the whole series if legible, with a margin at both ends', () => {
    const { whole, initial } = daily(WHOLE_UP_TO).bounds;
    assert.deepEqual(initial, whole);
    assert.ok(whole.min < 0 && whole.max > (WHOLE_UP_TO - 1) * DAY);
  });

  it('is the end of a long series, longer for a longer forecast', () => {
    const from = (horizon: number) => daily(5000, horizon).bounds.initial.min / DAY;
    assert.equal(from(14), 4800);
    assert.equal(from(100), 4500);
    assert.equal(from(0), 4800);
    assert.ok(from(4000) <= 0, 'not before the first point');
  });

  it('is defined for one point and for none', () => {
    for (const count of [0, 1]) {
      const { whole, shortest } = daily(count).bounds;
      assert.ok(whole.max > whole.min && shortest > 0, String(count));
    }
  });

  it('can be zoomed to two steps and no further', () => {
    assert.equal(daily(100).bounds.shortest, 2 * DAY);
    assert.equal(daily(2).bounds.shortest, DAY);
  });
});

describe('prepared chart', () => {
  it('does not connect an overlapping forecast to the history', () => {
    const frame = frameOf(chartOf({ history: [[0, 1], [DAY, 2]], forecast: [[DAY, 3], [2 * DAY, 4]] })); // prettier-ignore
    assert.equal(frame.join, undefined);
    assert.equal(frame.divide, DAY);
    assert.equal(frame.times.length, 3);
  });

  it('breaks lines at gaps, but not at the weekends of business days', () => {
    const gap = (frequency: string, times: readonly number[]) =>
      frameOf(chartOf({ frequency, history: times.map((time) => [time * DAY, 1]) })).history.gap / DAY;
    // 1970-01-05 was a Monday
    assert.ok(gap('P1D', [4, 5, 6, 7, 8, 11]) > 3);
    assert.ok(gap('P1D', [4, 5, 6, 7, 8, 9, 10]) < 2);
    assert.ok(gap('B', [4, 5, 6]) > 5);
    assert.ok(gap('PT1H', [0, 1 / 24]) < 0.1);
  });

  it('finds a time, the nearest time, and their values', () => {
    const times = Float64Array.of(10, 20, 20, 40);
    assert.deepEqual([5, 14, 15, 16, 31, 99].map((time) => nearest(times, time)), [0, 0, 0, 1, 3, 3]); // prettier-ignore
    assert.equal(nearest(new Float64Array(), 5), -1);
    assert.deepEqual([indexOf(times, 40), indexOf(times, 30)], [3, -1]);
    const points = { times, values: Float64Array.of(1, 2, 3, 4) };
    assert.deepEqual([5, 10, 20, 40].map((time) => valueAt(points, time)), [NaN, 1, 3, 4], 'the last of two at one moment'); // prettier-ignore
  });

  it('has the extent of visible intervals and lines, without infinities', () => {
    const frame = frameOf(monthly);
    const all = { min: -Infinity, max: Infinity };
    const marks = { times: new Float64Array(), values: new Float64Array() };
    const extent = (range: typeof all, hiddenIntervals: readonly number[] = [], lines: readonly Points[] = []) => {
      const decoration = { lines: lines.map((line) => ({ label: 'Theta', line, color: 0 })), marks };
      return extentOf({ traces: tracesOf({ frame, hiddenIntervals, decoration }), range });
    };
    assert.deepEqual(extent(all), { min: 90, max: 160 });
    assert.deepEqual(extent(all, [95]), { min: 105, max: 140 });
    assert.equal(shownIntervals(frame.forecast, [95]).length, 2);
    const line = { times: frame.times, values: frame.times.map((_, index) => (index === 0 ? Infinity : 500)) };
    assert.equal(extent(all, [], [line])?.max, 500);
    assert.equal(extent({ min: 0, max: 1 }), undefined);
  });
});

describe('value axis', () => {
  it('does not extend below zero for nonnegative values, nor above it for nonpositive ones', () => {
    assert.deepEqual(valueRange({ min: 0, max: 100 }), { min: 0, max: 106 });
    assert.deepEqual(valueRange({ min: -100, max: 0 }), { min: -106, max: 0 });
    assert.ok(valueRange({ min: -1, max: 1 }).min < -1);
  });

  it('has a span for a constant, for no values, and for the largest numbers', () => {
    assert.deepEqual(valueRange(undefined), { min: 0, max: 1 });
    for (const value of [0, 5, -5, 1e300, Number.MAX_VALUE]) {
      const { min, max } = valueRange({ min: value, max: value });
      assert.ok(min < max && Number.isFinite(max - min), String(value));
    }
    const huge = valueRange({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE });
    const { y } = projection({ min: 0, max: 1 }, huge, { left: 0, top: 0, width: 100, height: 100 });
    assert.ok([-Number.MAX_VALUE, 0, Number.MAX_VALUE].every((value) => Number.isFinite(y(value))));
  });

  it('has as many labels as fit', () => {
    const frame = daily(400);
    const labels = (width: number, height: number) => {
      const pen = recordingPen();
      const scene = { traces: [], range: { min: 0, max: 400 * DAY }, axes: axesOf({ below: frame.time }) }; // prettier-ignore
      drawScene(pen, scene, { left: 0, top: 0, width, height }, PRINT);
      const values = pen.drawn.filter(({ lettering }) => lettering?.align === 'end').length;
      return [pen.texts().length - values, values];
    };
    const [wide, high] = labels(1000, 500) as [number, number];
    const [narrow, low] = labels(200, 100) as [number, number];
    assert.ok(narrow < wide && low < high && low >= 2 && narrow >= 1);
  });

  it('counts rows from 1 if a series has no times', () => {
    const frame = frameOf(chartOf({ rows: true, history: Array.from({ length: 50 }, (_, n) => [n * 1000, n] as const) })); // prettier-ignore
    const pen = recordingPen();
    const scene = { traces: [], range: { min: 0, max: 49_000 }, axes: axesOf({ below: frame.time }) }; // prettier-ignore
    const { to } = drawScene(pen, scene, { left: 0, top: 0, width: 600, height: 300 }, PRINT);
    const below = pen.drawn.filter(({ lettering }) => lettering?.align === 'middle');
    assert.ok(below.length > 3);
    for (const { what, at } of below) assert.equal((at as Spot).x, to.x((Number(what) - 1) * 1000));
    assert.equal(timeFormat([0], undefined, 'Europe/Berlin', true).write(9000), 'Row 10');
  });
});
