import assert from 'node:assert/strict';
import { columnsOf, extentOf, findExtremes } from '../../../src/chart/extremes.ts';

const everything = { min: -Infinity, max: Infinity };
const pointsOf = (values: number[], times: number[] = [...values.keys()]) => ({
  times: Float64Array.from(times),
  values: Float64Array.from(values),
});

function whole({ values }: ReturnType<typeof pointsOf>) {
  const work = findExtremes(values);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** What is drawn at one pixel for each so many units of time: the ends of each column, and when joins begin and end. */
function drawn(points: ReturnType<typeof pointsOf>, perPixel: number, range = everything, gap = Infinity) {
  const to = { x: (time: number) => time / perPixel, y: (value: number) => value, columns: 1000, pixel: 1 };
  const fresh = columnsOf({ ...points, gap }, range, to);
  const { columns, joins } = columnsOf({ ...points, gap }, range, to, whole(points));
  assert.deepEqual(fresh.joins, joins, 'the same before they are known');
  assert.ok(Math.abs(fresh.columns.length - columns.length) <= 1);
  return {
    columns: new Map(columns.map(({ at, low, high }) => [at, [low, high] as const])),
    lines: joins.map((ends) => ends.map((index) => to.x(points.times[index]!))),
  };
}

const noise = Array.from({ length: 20_000 }, (_, index) =>
  index === 7777 ? 500 : index === 15_555 ? -500 : ((index * 7919) % 997) / 50,
);

describe('the extremes of a long series', () => {
  it('are those of any part of it', () => {
    const points = pointsOf(noise);
    const extremes = whole(points);
    for (const [min, max] of [
      [0, 19_999],
      [17, 7776],
      [7000, 7777],
      [7778, 15_554.5],
      [-5, 31],
      [31, 33],
      [19_999, 30_000],
    ]) {
      // prettier-ignore
      const part = noise.filter((_, index) => index >= min! && index <= max!);
      const expected = { min: Math.min(...part), max: Math.max(...part) };
      for (const known of [extremes, []])
        assert.deepEqual(extentOf(points, { min: min!, max: max! }, known), expected, `${min} to ${max}`);
    }
    assert.equal(extentOf(points, { min: 0.2, max: 0.8 }, extremes), undefined);
    assert.equal(extentOf(pointsOf([]), everything, whole(pointsOf([]))), undefined);
  });

  it('leave out what is no number', () => {
    const values = noise.map((value, index) => (index < 100 ? NaN : index === 200 ? Infinity : value));
    const points = pointsOf(values);
    const extremes = whole(points);
    assert.deepEqual(extentOf(points, { min: 0, max: 250 }, extremes)!.max < 100, true);
    assert.deepEqual(extentOf(points, { min: 0, max: 250 })!.max < 100, true);
    assert.equal(extentOf(points, { min: 0, max: 99 }, extremes), undefined);
  });

  it('are computed bit by bit', () => {
    const work = findExtremes(Float64Array.from({ length: 600_000 }, (_, index) => index));
    let turns = 1;
    while (!work.next().done) turns++;
    assert.ok(turns >= 3 && turns <= 6, String(turns));
  });
});

describe('a dense line', () => {
  it('keeps the extremes of each column, from far fewer blocks than points', () => {
    const { columns, lines } = drawn(pointsOf(noise), 200);
    assert.equal(columns.size, 101);
    assert.equal(Math.max(...[...columns.values()].map(([, high]) => high)), 500);
    assert.ok(Math.abs([...columns].find(([, [, high]]) => high === 500)![0] - 7777 / 200) <= 1);
    assert.ok(Math.abs([...columns].find(([, [low]]) => low === -500)![0] - 15_555 / 200) <= 1);
    assert.deepEqual(lines, []);
  });

  it('reaches from each column to the next one, so that a step has no hole', () => {
    const { columns } = drawn(pointsOf(noise.map((_, index) => (index < 10_000 ? 0 : 100))), 200);
    assert.ok([...columns.values()].some(([low, high]) => low === 0 && high === 100));
  });

  it('draws what is visible and one point on each side', () => {
    const { columns } = drawn(pointsOf(noise), 200, { min: 10_000, max: 12_000 });
    assert.deepEqual([Math.min(...columns.keys()), Math.max(...columns.keys())], [50, 60]);
  });

  it('joins points that are further apart than a column, and breaks at gaps and missing values', () => {
    // dense, then an hour apart, then a gap, then dense again
    const times = [...Array(3000).keys(), 4000, 5000, ...Array.from({ length: 3000 }, (_, index) => 9000 + index)];
    const values = times.map((time) => (time === 9500 ? NaN : 1));
    const { lines, columns } = drawn(pointsOf(values, times), 100, everything, 1500);
    assert.deepEqual(lines, [[29.99, 40], [40, 50]]); // prettier-ignore
    assert.ok(!columns.has(60) && columns.has(90));
  });
});
