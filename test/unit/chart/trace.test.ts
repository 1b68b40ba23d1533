import assert from 'node:assert/strict';
import { frameOf, seriesTraces, type Trace, tracesOf } from '../../../src/chart/frame.ts';
import { drawScene, extentOf, PRINT } from '../../../src/chart/scene.ts';
import { chartOf, monthly } from './charts.ts';
import { recordingPen } from './recording-pen.ts';

const lineOf = (values: readonly number[], times: Iterable<number> = values.keys()) => ({
  times: Float64Array.from(times),
  values: Float64Array.from(values),
});

/** What is drawn of a trace, a pixel wide for each unit of time and, from 1000 at the top, of value. */
function drawn(trace: Trace, max: number, { min = 0, perPixel = 1 } = {}) {
  const pen = recordingPen();
  const place = { left: min / perPixel, top: 0, width: (max - min) / perPixel, height: 2000 };
  drawScene(pen, { traces: [trace], range: { min, max }, values: { min: -1000, max: 1000 } }, place, PRINT);
  const paths = pen.drawn.flatMap(({ kind, what }) => (kind === 'path' ? [what] : []));
  const bars = pen.drawn.flatMap(({ kind, at }) => (kind === 'bar' && at && 'height' in at ? [at] : []));
  return { path: paths[0] ?? '', paths, bars };
}

describe('line', () => {
  const path = (values: number[], max = 5, min = 0) =>
    drawn({ kind: 'line', line: lineOf(values), hue: 'history' }, max, { min }).path;

  it('breaks at missing values, and has a dot for a single point', () => {
    assert.equal(path([1, 2, NaN, 4, 5]), 'M0 999L1 998M3 996L4 995');
    assert.match(path([1, 2, NaN, 4]), /^M0 999L1 998M2\.25 996a0\.75 0\.75/);
    assert.equal(path([NaN, NaN]), '');
    assert.equal(path([]), '');
  });

  it('breaks at a missing step', () => {
    const line = { ...lineOf([1, 1, 1, 1], [0, 1, 5, 6]), gap: 1.6 };
    assert.equal(drawn({ kind: 'line', line, hue: 'history' }, 6).path, 'M0 999L1 999M5 999L6 999');
  });

  it('extends one point beyond the visible range', () => {
    assert.equal(path([0, 1, 2, 3, 4, 5], 3, 2), 'M1 999L2 998L3 997L4 996');
  });
});

describe('line with more points than columns', () => {
  /** The bars that a line is drawn as in a picture of some pixels. */
  function bars(values: readonly number[], width: number) {
    const trace = { kind: 'line', line: lineOf(values), hue: 'history', width: 0 } as const;
    const { path, bars } = drawn(trace, values.length - 1, { perPixel: (values.length - 1) / width });
    assert.equal(path, '', 'and nothing else');
    return bars;
  }

  it('keeps the extremes of each column', () => {
    const values = Array.from({ length: 10_000 }, (_, index) =>
      index === 5555 ? 1000 : index === 7777 ? -1000 : index % 7,
    );
    const all = bars(values, 100);
    assert.ok(all.length <= 101);
    assert.deepEqual(all.filter(({ top }) => top === 0).map(({ left }) => left), [56]); // prettier-ignore
    assert.deepEqual(all.filter(({ top, height }) => top + height === 2000).map(({ left }) => left), [78]); // prettier-ignore
  });

  it('keeps the gaps of its values', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => (index >= 4000 && index < 6000 ? NaN : 1));
    const lefts = new Set(bars(values, 100).map(({ left }) => left));
    assert.deepEqual([39, 45, 55, 61].map((left) => lefts.has(left)), [true, false, false, true]); // prettier-ignore
  });

  it('has at most a bar a column despite many breaks, and keeps its extremes', () => {
    for (const missing of [2, 3, 10]) {
      const values = Array.from({ length: 100_000 }, (_, index) =>
        index === 55_555 ? 1000 : index % missing === 0 ? NaN : index % 7,
      );
      const all = bars(values, 100);
      assert.ok(all.length <= 101, `${String(all.length)} bars`);
      assert.deepEqual(all.filter(({ top }) => top === 0).map(({ left }) => left), [56]); // prettier-ignore
    }
  });

  it('connects adjacent columns, so that a step has no hole', () => {
    const all = bars(Array.from({ length: 10_000 }, (_, index) => (index < 5000 ? 0 : 100)), 100); // prettier-ignore
    assert.ok(all.some(({ top, height }) => top === 900 && height === 100));
  });

  it('connects points more than a column apart, and breaks at gaps', () => {
    // dense, then an hour apart, then a gap, then dense again
    const times = [...Array(3000).keys(), 4000, 5000, ...Array.from({ length: 3000 }, (_, index) => 9000 + index)];
    const line = { ...lineOf(times.map((time) => (time === 9500 ? NaN : 1)), times), gap: 1500 }; // prettier-ignore
    const { path, bars } = drawn({ kind: 'line', line, hue: 'history', width: 1 }, 12_000, { perPixel: 100 });
    assert.equal(path, 'M29.99 999L40 999M40 999L50 999');
    assert.ok(!bars.some(({ left }) => left > 50 && left < 90) && bars.some(({ left }) => left === 90));
  });

  it('has the extent of its visible finite values', () => {
    const values = Array.from({ length: 20_000 }, (_, index) =>
      index === 7777 ? 500 : index === 200 ? Infinity : index < 100 ? NaN : ((index * 7919) % 997) / 50,
    );
    const traces = [{ kind: 'line', line: lineOf(values), hue: 'history' } as const];
    const extent = (min: number, max: number) => extentOf({ traces, range: { min, max } });
    for (const [min, max] of [[7000, 7777], [7778, 15_554.5], [150, 250], [19_999, 30_000]] as const) {
      const part = values.filter((value, index) => index >= min && index <= max && Number.isFinite(value));
      assert.deepEqual(extent(min, max), { min: Math.min(...part), max: Math.max(...part) });
    } // prettier-ignore
    assert.equal(extent(0, 99), undefined);
    assert.equal(extent(150.2, 150.8), undefined);
  });
});

describe('forecast', () => {
  const areaOf = (chart: Parameters<typeof chartOf>[0] | undefined) => {
    const frame = frameOf(chart ? chartOf(chart) : monthly);
    const area = tracesOf({ frame }).find((trace) => trace.kind === 'area');
    return area!;
  };
  const area = (lower: number[], upper: number[]): Trace => ({ kind: 'area', times: lineOf(lower).times, lower: Float64Array.from(lower), upper: Float64Array.from(upper) }); // prettier-ignore

  it('begins at the last observation', () => {
    const frame = frameOf(monthly);
    const lines = seriesTraces(frame).flatMap((trace) => (trace.kind === 'line' ? [[...trace.line.values]] : []));
    assert.deepEqual(lines[1], [132, 129.04, 121.5]);
    const { lower, upper } = areaOf(undefined);
    assert.deepEqual([...lower], [132, 110, 90]);
    assert.deepEqual([...upper], [132, 150, 160]);
  });

  it('has intervals that break at missing limits, and begin later if the first is missing', () => {
    const { paths } = drawn(area([4, 4, NaN, 3, 3], [6, 6, 7, 7, 7]), 5);
    assert.deepEqual(paths, ['M0 994L1 994L1 996L0 996', 'M3 993L4 993L4 997L3 997']);
    const none = areaOf({ history: [[0, 5]], forecast: [[1, 5]], intervals: [{ level: 80, lower: [NaN], upper: [NaN] }] }); // prettier-ignore
    assert.deepEqual(drawn(none, 2).paths, []);
  });

  it('outlines a dense interval by the widest limits of each visible column', () => {
    const times = Array.from({ length: 10_000 }, (_, index) => index);
    const upper = times.map((time) => (time === 5555 ? 1000 : 10 + (time % 7)));
    const lower = times.map((time) => (time === 7777 ? -1000 : -(time % 7)));
    const whole = drawn(area(lower, upper), 9999, { perPixel: 100 }).path;
    assert.ok(whole.match(/[ML]/g)!.length <= 2 * 102, `${String(whole.length)} letters`);
    assert.match(whole, /L55\.5 0L/);
    assert.match(whole, /L77\.5 2000L/);
    assert.match(whole, /^M0 984.*L99\.99 987L99\.99 1003/);
    assert.equal(drawn(area(lower, upper), 3, { min: 2 }).path, 'M1 989L2 988L3 987L4 986L4 1004L3 1003L2 1002L1 1001');
  });
});
