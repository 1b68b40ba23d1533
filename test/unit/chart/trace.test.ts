import assert from 'node:assert/strict';
import { frameOf } from '../../../src/chart/frame.ts';
import { PRINT } from '../../../src/chart/pen.ts';
import { drawScene } from '../../../src/chart/scene.ts';
import { pathData } from '../../../src/chart/svg-pen.ts';
import { intervalPieces, joined, traceLine, traceOutline } from '../../../src/chart/trace.ts';
import { chartOf, monthly } from './charts.ts';
import { recordingPen } from './recording-pen.ts';

const same = { x: (time: number) => time, y: (value: number) => value, columns: 1000, pixel: 1 };
const everything = { min: -Infinity, max: Infinity };
const line = (values: number[], { range = everything, gap = Infinity, to = same } = {}) => {
  const points = { times: Float64Array.from(values.keys()), values: Float64Array.from(values) };
  return pathData((outline) => traceLine(outline, { ...points, gap }, range, to));
};

describe('a line', () => {
  it('is broken at missing values; a point alone is a dot', () => {
    assert.equal(line([1, 2, NaN, 4, 5]), 'M0 1L1 2M3 4L4 5');
    assert.match(line([1, 2, NaN, 4]), /^M0 1L1 2M2\.25 4a0\.75 0\.75/);
    assert.equal(line([NaN, NaN]), '');
    assert.equal(line([]), '');
  });

  it('is broken where a step is missing', () => {
    const points = { times: Float64Array.of(0, 1, 5, 6), values: Float64Array.of(1, 1, 1, 1) };
    assert.equal(
      pathData((outline) => traceLine(outline, { ...points, gap: 1.6 }, everything, same)),
      'M0 1L1 1M5 1L6 1',
    );
  });

  it('goes one point beyond what is visible', () => {
    assert.equal(line([0, 1, 2, 3, 4, 5], { range: { min: 2, max: 3 } }), 'M1 1L2 2L3 3L4 4');
  });
});

describe('a line with more points than columns', () => {
  const range = (length: number) => ({ min: 0, max: length - 1 });
  /** The bars that a line is drawn as in a picture of some pixels. */
  function bars(values: readonly number[], width: number) {
    const pen = recordingPen();
    const points = { times: Float64Array.from(values.keys()), values: Float64Array.from(values) };
    const traces = [{ kind: 'line', line: points, hue: 'history', width: 0 } as const];
    const scene = { traces, range: range(values.length), values: { min: -1000, max: 1000 } };
    drawScene(pen, scene, { left: 0, top: 0, width, height: 2000 }, PRINT);
    assert.ok(pen.drawn.every(({ what }) => what === ''), 'and nothing else'); // prettier-ignore
    return pen.drawn.flatMap(({ kind, at }) => (kind === 'bar' && at && 'height' in at ? [at] : []));
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

  it('has no more bars than columns however often it breaks, and keeps its extremes', () => {
    for (const missing of [2, 3, 10]) {
      const values = Array.from({ length: 100_000 }, (_, index) =>
        index === 55_555 ? 1000 : index % missing === 0 ? NaN : index % 7,
      );
      const all = bars(values, 100);
      assert.ok(all.length <= 101, `${String(all.length)} bars`);
      assert.deepEqual(all.filter(({ top }) => top === 0).map(({ left }) => left), [56]); // prettier-ignore
    }
  });
});

describe('a forecast', () => {
  it('begins at the last observation', () => {
    const frame = frameOf(monthly);
    assert.deepEqual([...joined(frame.forecast!, frame.join).values], [132, 129.04, 121.5]);
    const [piece] = intervalPieces(frame.join, frame.forecast!, frame.forecast!.intervals[0]!);
    assert.deepEqual(piece!.lower, [132, 110, 90]);
    assert.deepEqual(piece!.upper, [132, 150, 160]);
  });

  it('has intervals that are broken at missing limits', () => {
    const frame = frameOf(
      chartOf({
        history: [],
        forecast: [[1, 5], [2, 5], [3, 5]], // prettier-ignore
        intervals: [{ level: 80, lower: [4, NaN, 3], upper: [6, 7, 7] }],
      }),
    );
    const pieces = intervalPieces(frame.join, frame.forecast!, frame.forecast!.intervals[0]!);
    assert.deepEqual(
      pieces.map(({ times }) => times),
      [[1], [3]],
    );
  });

  it('has no piece where no limit is known', () => {
    const frame = frameOf(
      chartOf({ history: [[0, 5]], forecast: [[1, 5]], intervals: [{ level: 80, lower: [NaN], upper: [NaN] }] }),
    );
    assert.deepEqual(intervalPieces(frame.join, frame.forecast!, frame.forecast!.intervals[0]!), []);
  });

  it('outlines an interval along the upper limits and back', () => {
    const piece = { times: [1, 2], lower: [3, 4], upper: [5, 6] };
    assert.equal(
      pathData((outline) => traceOutline(outline, piece, everything, same)),
      'M1 5L2 6L2 4L1 3',
    );
  });

  it('outlines an interval with the widest limits of each column where it is dense, to its end, and no more than is visible', () => {
    const times = Array.from({ length: 10_000 }, (_, index) => index);
    const upper = times.map((time) => (time === 5555 ? 1000 : 10 + (time % 7)));
    const lower = times.map((time) => (time === 7777 ? -1000 : -(time % 7)));
    const drawn = (range: typeof everything, to: typeof same) =>
      pathData((outline) => traceOutline(outline, { times, lower, upper }, range, to));
    const whole = drawn(everything, { ...same, x: (time) => time / 100, columns: 100 });
    assert.ok(whole.match(/[ML]/g)!.length <= 2 * 102, `${String(whole.length)} letters`);
    assert.match(whole, /L55\.5 1000/);
    assert.match(whole, /L77\.5 -1000/);
    assert.match(whole, /^M0 16.*L99\.99 13L99\.99 -3/);
    assert.equal(drawn({ min: 2, max: 3 }, same), 'M1 11L2 12L3 13L4 14L4 -4L3 -3L2 -2L1 -1');
  });
});
