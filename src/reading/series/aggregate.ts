import { DAY, HOUR, WEEK, civilOf, daysFromCivil } from '../../calendar/civil.ts';
import { fixedStep, monthStep, type Frequency } from '../../calendar/frequency.ts';
import { inferOpenTime } from '../../calendar/infer-open-time.ts';
import { withoutRepeats } from '../../calendar/infer.ts';
import { MONDAY } from '../../calendar/open-time.ts';
import { isInOpenTime } from '../../calendar/steps.ts';
import { UTC, type Zone } from '../../calendar/zone.ts';
import type { Resampling } from '../types.ts';

/** Values per period, from the first period with a row to the last one, but for closed ones without rows. */
export interface Aggregated {
  /** The step, with its open time where some is closed: no period without a row is made then. */
  readonly frequency: Frequency;
  /** Start of each period, epoch milliseconds UTC, rising. */
  readonly times: Float64Array;
  /** `NaN` where a period is missing: see {@link AggregateOptions.empty}. */
  readonly values: Float64Array;
  /** Rows per period. */
  readonly rows: Uint32Array;
  /** Rows of a last period that is not over; it is left out. 0 where the last period counts. */
  readonly unfinished: number;
  /** Rows of a first period that the data does not begin with; it is left out. */
  readonly unstarted: number;
}

export interface AggregateOptions {
  /** Whose hours, days and months are counted; UTC by default. */
  readonly zone?: Zone;
  /** The last instant that is known of, where it is later than the last row: the end of the file that has several series. */
  readonly until?: number;
  /** The first instant that is known of, where it is before the first row. */
  readonly since?: number;
  /**
   * What a period without a row is: of events it had none, so sums and counts are 0 (default); of a regular series it is
   * `missing`. Means, last values and extremes of no row are missing in any case.
   */
  readonly empty?: 'zero' | 'missing';
  /** `false`: no time is closed, and a Sunday without a row is an empty day. */
  readonly closed?: boolean;
  /** Whether a partial first and last period are kept; default false. */
  readonly partial?: boolean;
}

/** More periods than this are not made: one wrong date makes centuries of hours. */
const MOST_PERIODS = 5_000_000;

/**
 * Aggregates rows to periods of the calendar of a zone: hours, days from midnight, weeks from Monday, months, quarters,
 * years. Rows may be in any order; those without a finite time are left out, and missing values count as rows but not in
 * sums, means and extremes. A last period that is not over, and a first one that began before the data, are left out,
 * judged by the rows themselves: see {@link usualEnds}. Days and hours that never have a row are closed (as in
 * {@link inferOpenTime}), not empty. Time linear in rows and periods.
 * @param times epoch milliseconds UTC @param values one per row, `NaN` for missing
 * @returns `undefined` where the rows span more than {@link MOST_PERIODS} periods
 */
export function aggregate(
  times: Float64Array,
  values: Float64Array,
  { step, by }: Resampling,
  options: AggregateOptions = {},
): Aggregated | undefined {
  const { zone = UTC, empty = 'zero' } = options;
  const known = times.filter(Number.isFinite).sort();
  const none = { frequency: step, times: new Float64Array(0), values: new Float64Array(0), rows: new Uint32Array(0) };
  if (known.length === 0) return { ...none, unfinished: 0, unstarted: 0 };
  const periods = periodsOf(step, zone, known[0]!);
  const [begin, until] = [known[0]!, Math.max(known.at(-1)!, options.until ?? -Infinity)];
  const first = periods.indexOf(begin);
  const cells = periods.indexOf(until) - first + 1;
  if (cells > MOST_PERIODS) return undefined;
  const cellOf = (time: number) => periods.indexOf(time) - first;
  const starts = Float64Array.from({ length: cells + 1 }, (_, cell) => periods.startOf(first + cell));
  const tally = tallied(times, values, by, { cells, cellOf });
  const { rows } = tally;
  const isZero = empty === 'zero' && (by === 'sum' || by === 'count');
  const result = tally.values.map((value, cell) => (rows[cell] === 0 ? (isZero ? 0 : NaN) : value));
  let [from, to] = [0, cells];
  if (options.partial !== true) {
    const usual = usualEnds(known, starts, tally);
    if (Math.min(begin, options.since ?? Infinity) - starts[0]! > usual.before) from++;
    if (starts[cells]! - until > usual.after) to--;
  }
  const filled = starts.subarray(0, cells).filter((_, cell) => rows[cell]! > 0);
  const open =
    options.closed === false
      ? undefined
      : inferOpenTime(
          filled.map((start) => zone.toWall(start)),
          fixedStep(step) ?? NaN,
        );
  const frequency = open ? { ...step, open } : step;
  const kept = Uint32Array.from({ length: Math.max(0, to - from) }, (_, cell) => from + cell).filter(
    (cell) => rows[cell]! > 0 || isInOpenTime(zone.toWall(starts[cell]!), frequency),
  );
  return {
    frequency,
    times: Float64Array.from(kept, (cell) => starts[cell]!),
    values: Float64Array.from(kept, (cell) => result[cell]!),
    rows: Uint32Array.from(kept, (cell) => rows[cell]!),
    unfinished: to < cells ? rows[cells - 1]! : 0,
    unstarted: from > 0 && cells > 1 ? rows[0]! : 0,
  };
}

/** What the rows of each period come to, and when the first and the last of them are. */
interface Tally {
  readonly rows: Uint32Array;
  readonly values: Float64Array;
  readonly firsts: Float64Array;
  readonly lasts: Float64Array;
}

function tallied(
  times: Float64Array,
  values: Float64Array,
  by: Resampling['by'],
  { cells, cellOf }: { readonly cells: number; readonly cellOf: (time: number) => number },
): Tally {
  const rows = new Uint32Array(cells);
  const [firsts, lasts] = [new Float64Array(cells).fill(Infinity), new Float64Array(cells).fill(-Infinity)];
  const result = new Float64Array(cells).fill(NaN);
  const numbers = new Uint32Array(cells);
  const latest = new Float64Array(by === 'last' ? cells : 0).fill(-Infinity);
  // of rows of one instant the last one counts, which stands first where the newest does
  const isNewestFirst = times.length > 1 && times[0]! > times[times.length - 1]!;
  for (let row = 0; row < times.length; row++) {
    const [time, value] = [times[row]!, values[row]!];
    if (!Number.isFinite(time)) continue;
    const cell = cellOf(time);
    rows[cell]!++;
    if (time < firsts[cell]!) firsts[cell] = time;
    if (time > lasts[cell]!) lasts[cell] = time;
    if (Number.isNaN(value)) continue;
    const before = result[cell]!;
    if (by === 'last') {
      if (isNewestFirst ? time <= latest[cell]! : time < latest[cell]!) continue;
      latest[cell] = time;
      result[cell] = value;
    } else if (Number.isNaN(before)) result[cell] = value;
    else if (by === 'min') result[cell] = Math.min(before, value);
    else if (by === 'max') result[cell] = Math.max(before, value);
    else result[cell] = before + value;
    numbers[cell]!++;
  }
  if (by === 'mean') for (let cell = 0; cell < cells; cell++) result[cell]! /= numbers[cell]!;
  return { rows, firsts, lasts, values: by === 'count' ? Float64Array.from(rows) : result };
}

/** Rows whose distances are looked at. */
const MOST_DISTANCES = 50_000;
/** The share of times without a row that are no longer than what is usual. */
const USUAL = 0.95;

/**
 * How long it usually is at most from the start of a period to its first row, and from its last row to its end: as in the
 * other periods, or as between rows. A period is over, by the data and not by today's date, where no longer time is left.
 */
function usualEnds(known: Float64Array, starts: Float64Array, { firsts, lasts, rows }: Tally) {
  const distinct = withoutRepeats(known);
  const between: number[] = [];
  const stride = Math.ceil(distinct.length / MOST_DISTANCES);
  for (let row = 1; row < distinct.length; row += stride) between.push(distinct[row]! - distinct[row - 1]!);
  const inner = Array.from(rows.keys())
    .slice(1, -1)
    .filter((cell) => rows[cell]! > 0);
  const most = (times: number[]) => times.sort((a, b) => a - b)[Math.ceil(times.length * USUAL) - 1] ?? 0;
  return {
    before: Math.max(most(between), most(inner.map((cell) => firsts[cell]! - starts[cell]!))),
    after: Math.max(most(between), most(inner.map((cell) => starts[cell + 1]! - lasts[cell]!))),
  };
}

/** Periods of the calendar, numbered. */
export interface Periods {
  /** The number of the period that an instant is in. */
  indexOf(time: number): number;
  /** The instant at which a period begins. */
  startOf(index: number): number;
}

/**
 * The periods of a step in a zone. Steps below two hours are counted in hours that pass, so that the hour that clocks show
 * twice stays two; longer ones from midnight, Monday or the first of the month on the wall.
 * @param start an instant of the series
 */
export function periodsOf(step: Frequency, zone: Zone, start: number): Periods {
  const months = monthStep(step);
  if (months !== undefined) return monthPeriods(months, zone);
  const length = fixedStep(step) ?? DAY;
  if (length < 2 * HOUR) {
    const offset = zone.toWall(start) - start;
    return {
      indexOf: (time) => Math.floor((time + offset) / length),
      startOf: (index) => index * length - offset,
    };
  }
  const anchor = length % WEEK === 0 ? MONDAY : 0;
  return {
    indexOf: (time) => Math.floor((zone.toWall(time) - anchor) / length),
    startOf: (index) => zone.fromWall(index * length + anchor),
  };
}

/** Consecutive rows are mostly of one month, so its bounds are kept. */
function monthPeriods(months: number, zone: Zone): Periods {
  const wallOf = (index: number) => {
    const month = index * months;
    const year = Math.floor(month / 12);
    return daysFromCivil(year, month - year * 12 + 1, 1) * DAY;
  };
  let [current, from, to] = [0, 0, 0];
  return {
    indexOf: (time) => {
      const wall = zone.toWall(time);
      if (wall < from || wall >= to) {
        const { year, month } = civilOf(wall);
        current = Math.floor((year * 12 + month - 1) / months);
        [from, to] = [wallOf(current), wallOf(current + 1)];
      }
      return current;
    },
    startOf: (index) => zone.fromWall(wallOf(index)),
  };
}
