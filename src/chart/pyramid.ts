import { type Range, indexFrom } from './frame.ts';
import type { Projection } from './pen.ts';
import type { Points } from './types.ts';

/** The lowest and the highest number of each block of `size` values; +∞ and −∞ where there is none. */
interface Level {
  readonly size: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Values in a block of the finest level, and blocks in one of the next level. */
const FINEST = 32;
const WIDER = 4;
/** Values that are looked at in one go. */
const SLICE = 250_000;
/** A block that is no wider than this is drawn as one, in columns. */
const FINE = 0.5;

/**
 * Extremes of blocks of a long series, of blocks of these, and so on: each part of it is drawn from a few thousand of them.
 * They are computed once, bit by bit.
 */
export class Pyramid {
  readonly #points: Points;
  readonly #levels: Level[] = [];
  readonly #work: Iterator<void>;
  #isWhole = false;

  constructor(points: Points) {
    this.#points = points;
    this.#work = this.#build();
  }

  /** Before this it can only be grown. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Computes some more of it. */
  grow(): void {
    this.#isWhole ||= this.#work.next().done === true;
  }

  *#build(): Generator<void> {
    const { values } = this.#points;
    let seen = 0;
    for (let size = FINEST; size === FINEST || size < values.length * WIDER; size *= WIDER) {
      const below = this.#levels.at(-1);
      const [lows, highs, step] = below ? [below.low, below.high, WIDER] : [values, values, FINEST];
      const count = Math.ceil(values.length / size);
      const level = { size, low: new Float64Array(count), high: new Float64Array(count) };
      for (let block = 0; block < count; block++) {
        let low = Infinity;
        let high = -Infinity;
        const end = Math.min(lows.length, (block + 1) * step);
        for (let index = block * step; index < end; index++) {
          if (lows[index]! < low && lows[index]! > -Infinity) low = lows[index]!;
          if (highs[index]! > high && highs[index]! < Infinity) high = highs[index]!;
        }
        level.low[block] = low;
        level.high[block] = high;
        seen += step;
        if (seen < SLICE) continue;
        seen = 0;
        yield;
      }
      this.#levels.push(level);
    }
  }

  /** Smallest and largest finite number of a part of the time axis. */
  extent({ min, max }: Range): Range | undefined {
    const { times } = this.#points;
    let low = Infinity;
    let high = -Infinity;
    const end = indexFrom(times, max);
    this.#walk(
      indexFrom(times, min),
      times[end] === max ? end + 1 : end,
      () => true,
      (_start, _stop, lowest, highest) => {
        low = Math.min(low, lowest);
        high = Math.max(high, highest);
      },
    );
    return low <= high ? { min: low, max: high } : undefined;
  }

  /**
   * Draws the line through a part of the series as the extremes of each pixel column, broken as `traceLine` breaks it.
   * Points further apart than a column are joined by lines.
   */
  trace(range: Range, gap: number, { x, y, pixel }: Projection, draw: ColumnPen): void {
    const { times, values } = this.#points;
    let column = NaN;
    let low = 0;
    let high = 0;
    let last = -1;
    const flush = () => {
      if (!Number.isNaN(column)) draw.column(column * pixel, y(low), y(high));
    };
    this.#walk(
      Math.max(0, indexFrom(times, range.min) - 1),
      Math.min(times.length, indexFrom(times, range.max) + 2),
      (start, stop) => x(times[stop - 1]!) - x(times[start]!) <= FINE * pixel,
      (start, stop, lowest, highest) => {
        const isEmpty = lowest > highest;
        if (!isEmpty) {
          const at = Math.round(x(times[start]!) / pixel);
          const joins = last >= 0 && Number.isFinite(values[start]) && times[start]! - times[last]! <= gap;
          if (at === column) {
            low = Math.min(low, lowest);
            high = Math.max(high, highest);
          } else {
            const isNext = joins && at - column <= 1;
            if (joins && !isNext) draw.line(x(times[last]!), y(values[last]!), x(times[start]!), y(values[start]!));
            flush();
            column = at;
            low = isNext ? Math.min(lowest, values[last]!) : lowest;
            high = isNext ? Math.max(highest, values[last]!) : highest;
          }
        }
        last = !isEmpty && Number.isFinite(values[stop - 1]) ? stop - 1 : -1;
      },
    );
    flush();
  }

  /** Visits a part of the series from the widest blocks down to those that are `fine`, at last to single values. */
  #walk(
    from: number,
    end: number,
    fine: (start: number, stop: number) => boolean,
    visit: (start: number, stop: number, low: number, high: number) => void,
  ): void {
    const { values } = this.#points;
    const into = (depth: number, block: number) => {
      const { size, low, high } = this.#levels[depth]!;
      const start = block * size;
      const stop = Math.min(values.length, start + size);
      if (stop <= from || start >= end) return;
      if (start >= from && stop <= end && fine(start, stop)) {
        visit(start, stop, low[block]!, high[block]!);
      } else if (depth > 0) {
        const last = Math.min(this.#levels[depth - 1]!.low.length, (block + 1) * WIDER);
        for (let child = block * WIDER; child < last; child++) into(depth - 1, child);
      } else {
        for (let index = Math.max(from, start); index < Math.min(end, stop); index++) {
          const value = values[index]!;
          if (Number.isFinite(value)) visit(index, index + 1, value, value);
          else visit(index, index + 1, Infinity, -Infinity);
        }
      }
    };
    const top = this.#levels.length - 1;
    this.#levels[top]?.low.forEach((_, block) => {
      into(top, block);
    });
  }
}

/** What dense parts of a line are drawn with, in pixels of the picture. */
export interface ColumnPen {
  /** From the lowest to the highest value, so from a large `low` to a small `high`. */
  column(x: number, low: number, high: number): void;
  line(fromX: number, fromY: number, toX: number, toY: number): void;
}
