import assert from 'node:assert/strict';
import {
  frameOf,
  indexFrom,
  indexOf,
  nearest,
  shownIntervals,
  tracesOf,
  valueAt,
  valueRange,
} from '../../../src/chart/frame.ts';
import { extentOf } from '../../../src/chart/scene.ts';
import { chartOf, monthly } from './charts.ts';

const DAY = 86_400_000;
const everything = { min: -Infinity, max: Infinity };

describe('frame', () => {
  it('connects the forecast to the last observation and marks the cutoff', () => {
    const { join, divide } = frameOf(monthly);
    assert.deepEqual(join, { time: Date.parse('2020-12-01'), value: 132 });
    assert.equal(divide, join!.time);
  });

  it('ignores missing values at the end of the history', () => {
    const chart = chartOf({ history: [[1, 5], [2, NaN]], forecast: [[3, 6]] }); // prettier-ignore
    assert.deepEqual(frameOf(chart).join, { time: 1, value: 5 });
  });

  it('does not connect a forecast that overlaps the history', () => {
    const frame = frameOf(chartOf({ history: [[1, 5], [3, 5]], forecast: [[2, 6], [3, 6], [4, 6]] })); // prettier-ignore
    assert.equal(frame.join, undefined);
    assert.equal(frame.divide, 2);
    assert.deepEqual([...frame.times], [1, 2, 3, 4]);
    assert.deepEqual([...frame.times].map((time) => valueAt(frame.history, time)), [5, NaN, 5, NaN]); // prettier-ignore
    assert.deepEqual([...frame.times].map((time) => valueAt(frame.forecast!, time)), [NaN, 6, 6, 6]); // prettier-ignore
  });

  it('draws the widest interval first, below narrower ones', () => {
    const { forecast } = frameOf(monthly);
    assert.deepEqual(
      shownIntervals(forecast, []).map(({ level }) => level),
      [95, 80, 50],
    );
    assert.deepEqual(
      shownIntervals(forecast, [80]).map(({ level }) => level),
      [95, 50],
    );
  });

  it('keeps the last value of a repeated time', () => {
    const frame = frameOf(chartOf({ history: [[1, 5], [1, 7], [2, 8]], forecast: [[3, 9]] })); // prettier-ignore
    assert.deepEqual([...frame.times], [1, 2, 3]);
    assert.deepEqual(
      [...frame.times].map((time) => valueAt(frame.history, time)),
      [7, 8, NaN],
    );
  });

  it('breaks lines at missing days, but not at weekends of a business-day series', () => {
    const days = (keep: (weekday: number) => boolean) =>
      Array.from({ length: 28 }, (_, day) => [day * DAY, 1] as const).filter(([time]) =>
        keep(new Date(time).getUTCDay()),
      );
    const frequency = 'P1D';
    assert.ok(frameOf(chartOf({ frequency, history: days(() => true) })).history.gap < 2 * DAY);
    assert.ok(frameOf(chartOf({ frequency, history: days((day) => day % 6 !== 0) })).history.gap > 3 * DAY);
    assert.equal(frameOf(chartOf({ history: days(() => true) })).history.gap, Infinity);
  });
});

describe('time search', () => {
  const times = Float64Array.of(10, 20, 40);

  it('finds the first time from a given one on', () => {
    assert.deepEqual([5, 10, 11, 40, 41].map((time) => indexFrom(times, time)), [0, 0, 1, 2, 3]); // prettier-ignore
  });

  it('finds the nearest time', () => {
    assert.deepEqual([-5, 14, 16, 31, 99].map((time) => nearest(times, time)), [0, 0, 1, 2, 2]); // prettier-ignore
    assert.equal(nearest(new Float64Array(), 5), -1);
  });

  it('finds an exact time', () => {
    assert.deepEqual([10, 11, 40, 99].map((time) => indexOf(times, time)), [0, -1, 2, -1]); // prettier-ignore
  });
});

describe('value axis of a frame', () => {
  it('covers the visible history, forecast and intervals', () => {
    const frame = frameOf(monthly);
    const extent = (range: typeof everything, hiddenIntervals: readonly number[] = []) =>
      extentOf({ traces: tracesOf({ frame, hiddenIntervals }), range });
    assert.deepEqual(extent(everything), { min: 90, max: 160 });
    assert.deepEqual(extent(everything, [95]), { min: 105, max: 140 });
    assert.deepEqual(extent({ min: 0, max: Date.parse('2020-11-15') }), { min: 112, max: 118 });
    assert.equal(extent({ min: 0, max: 1 }), undefined);
  });

  it('has a margin, but not below zero for nonnegative values', () => {
    assert.deepEqual(valueRange({ min: 0, max: 100 }), { min: 0, max: 106 });
    assert.deepEqual(valueRange({ min: -100, max: 0 }), { min: -106, max: 0 });
    assert.deepEqual(valueRange({ min: -50, max: 50 }), { min: -56, max: 56 });
  });

  it('has a span around a constant', () => {
    assert.deepEqual(valueRange({ min: 50, max: 50 }), { min: 45, max: 55 });
    assert.deepEqual(valueRange({ min: 0, max: 0 }), { min: 0, max: 1 });
    assert.deepEqual(valueRange(undefined), { min: 0, max: 1 });
  });

  it('is finite and nonempty for finite values', () => {
    const values = [0, 1, 1e-320, 5e-324, 1e-9, 42, 1e15, 1e300, Number.MAX_VALUE];
    const signed = [...values, ...values.map((value) => -value)];
    for (const a of signed) {
      for (const b of signed) {
        const { min, max } = valueRange({ min: Math.min(a, b), max: Math.max(a, b) });
        const message = `${String(a)} to ${String(b)}`;
        assert.ok(Number.isFinite(max - min) && max > min, message);
      }
    }
  });
});
