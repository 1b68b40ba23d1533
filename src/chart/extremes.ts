import { type Range, indexFrom } from './frame.ts';
import type { Projection } from './pen.ts';

/** A line whose times ascend; both arrays have the same length. */
interface Values {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** The lowest and the highest number of each block of `size` values; +∞ and −∞ where there is none. */
interface Level {
  readonly size: number;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
}

/** Extremes of blocks of a long series, of blocks of these, and so on: any part of it is known from a few thousand of them. */
export type Extremes = readonly Level[];

/** Values in a block of the finest level, and blocks in one of the next level. */
const FINEST = 32;
const WIDER = 4;
/** Values that are looked at in one go. */
const SLICE = 250_000;
/** A block that is no wider than this is drawn as one, in columns. */
const FINE = 0.5;

/** Each value is its own lowest and highest. */
const ofValues = (values: ArrayLike<number>): Level => ({ size: 1, low: values, high: values });

/** Finds the extremes of a series bit by bit. */
export function* findExtremes(values: ArrayLike<number>): Generator<undefined, Extremes> {
  const levels: Level[] = [];
  let seen = 0;
  for (let size = FINEST; size === FINEST || size < values.length * WIDER; size *= WIDER) {
    const below = levels.at(-1) ?? ofValues(values);
    const step = size / below.size;
    const count = Math.ceil(values.length / size);
    const level = { size, low: new Float64Array(count), high: new Float64Array(count) };
    for (let block = 0; block < count; block++) {
      let low = Infinity;
      let high = -Infinity;
      const end = Math.min(below.low.length, (block + 1) * step);
      for (let index = block * step; index < end; index++) {
        if (below.low[index]! < low && below.low[index]! > -Infinity) low = below.low[index]!;
        if (below.high[index]! > high && below.high[index]! < Infinity) high = below.high[index]!;
      }
      level.low[block] = low;
      level.high[block] = high;
      seen += step;
      if (seen < SLICE) continue;
      seen = 0;
      yield;
    }
    levels.push(level);
  }
  return levels;
}

/** Visits a part of a series from the widest blocks that are known down to those that are `fine`, at last to values. */
function walk(
  { values }: Values,
  extremes: Extremes,
  [first, last]: readonly [first: number, last: number],
  {
    fine,
    visit,
  }: {
    readonly fine: (start: number, stop: number) => boolean;
    readonly visit: (start: number, stop: number, low: number, high: number) => void;
  },
): void {
  const levels = [ofValues(values), ...extremes];
  const into = (depth: number, from: number, end: number) => {
    const { size, low, high } = levels[depth]!;
    for (let block = Math.floor(from / size); block * size < end; block++) {
      const start = block * size;
      const stop = Math.min(values.length, start + size);
      const isVisited = depth === 0 || (start >= from && stop <= end && fine(start, stop));
      if (isVisited) visit(start, stop, low[block]!, high[block]!);
      else into(depth - 1, Math.max(from, start), Math.min(end, stop));
    }
  };
  into(extremes.length, first, last);
}

/** Smallest and largest finite number of a part of the time axis. */
export function extentOf(line: Values, { min, max }: Range, extremes: Extremes = []): Range | undefined {
  let low = Infinity;
  let high = -Infinity;
  const end = indexFrom(line.times, max);
  walk(line, extremes, [indexFrom(line.times, min), line.times[end] === max ? end + 1 : end], {
    fine: () => true,
    visit: (_start, _stop, lowest, highest) => {
      if (lowest < low && lowest > -Infinity) low = lowest;
      if (highest > high && highest < Infinity) high = highest;
    },
  });
  return low <= high ? { min: low, max: high } : undefined;
}

/** What is in one column of pixels, with where it begins in time. */
export interface Column {
  readonly time: number;
  /** In columns of pixels from the left. */
  readonly at: number;
  low: number;
  high: number;
}

/**
 * The columns of pixels of a part of a line and one point on each side of it, from left to right, each with what leads
 * over from the one before. Points further apart than a column are joined by lines, but for those further apart than
 * `gap`: no break narrower than a column is to be seen.
 * @returns joins by the indices of their ends
 */
export function columnsOf(
  line: Values & { readonly gap?: number },
  range: Range,
  to: Projection,
  extremes: Extremes = [],
) {
  const { times, values, gap = Infinity } = line;
  const columns: Column[] = [];
  const joins: (readonly [from: number, end: number])[] = [];
  let last = -1;
  const from = Math.max(0, indexFrom(times, range.min) - 1);
  const end = Math.min(times.length, indexFrom(times, range.max) + 2);
  walk(line, extremes, [from, end], {
    fine: (start, stop) => to.x(times[stop - 1]!) - to.x(times[start]!) <= FINE * to.pixel,
    visit: (start, stop, low, high) => {
      const isEmpty = !Number.isFinite(low);
      if (!isEmpty) {
        const [time, before] = [times[start]!, columns.at(-1)];
        const at = Math.round(to.x(time) / to.pixel);
        if (at === before?.at) {
          before.low = Math.min(low, before.low);
          before.high = Math.max(high, before.high);
        } else {
          const isJoined = last >= 0 && Number.isFinite(values[start]) && time - times[last]! <= gap;
          const over = isJoined && before && at - before.at <= 1 ? values[last]! : undefined;
          if (isJoined && over === undefined) joins.push([last, start]);
          columns.push({ time, at, low: Math.min(low, over ?? low), high: Math.max(high, over ?? high) });
        }
      }
      last = !isEmpty && Number.isFinite(values[stop - 1]) ? stop - 1 : -1;
    },
  });
  return { columns, joins };
}
