import { DAY, HOUR, MINUTE, SECOND, civilOf, daysInMonth, timeOfDay, weekdayOfDays } from './civil.ts';
import {
  fixedFrequency,
  fixedStep,
  monthFrequency,
  type Frequency,
  stepIndex,
  approximateStep,
  isBelowDay,
  addSteps,
  isInOpenTime,
} from './frequency.ts';
import { inferOpenTime, type OpenTime } from './open-time.ts';
import { UTC, type Zone } from './zone.ts';

/** Whether numbers rise, each above the last one (`strictly`) or at least as high; `NaN` is passed over. */
export function isRising(numbers: Float64Array, strictly = false): boolean {
  let last = -Infinity;
  for (const number of numbers) {
    if (number < last || (strictly && number === last)) return false;
    if (number > last) last = number;
  }
  return true;
}

export const hasNaN = (numbers: Float64Array): boolean => numbers.includes(NaN);

/** Least share of neighbours that are exactly one step apart; below it the rest would be a grid made of gaps. */
const LEAST_STEP_SHARE = 0.2;
const LEAST_STEPS = 2;
/** Largest share of instants that may lie off an otherwise regular grid (a typing error among the dates). */
const MOST_OFF_GRID = 0.02;
/** Neighbours looked at to find the step of a long series; the found step is then checked on all of it. */
const SAMPLE = 50_000;

/** Steps of at least this long are steps of the calendar: days are from midnight to midnight of the zone. */
const CALENDAR_STEP = 20 * HOUR;

/**
 * The frequency of rising instants; sees through gaps, months of any length, month ends, daylight saving and small jitter,
 * and finds closed time. `undefined` where there is no regular step.
 * @param closed `false`: no time is closed, and what never has a row is missing
 */
export function inferFrequency(times: Float64Array, zone: Zone = UTC, closed = true): Frequency | undefined {
  const instants = withoutRepeats(times);
  if (instants.length < 2) return undefined;
  const isDated = zone !== UTC && medianOf(sampleDiffs(instants)) >= CALENDAR_STEP;
  const distinct = isDated ? instants.map((time) => zone.toWall(time)) : instants;
  const diffs = sampleDiffs(distinct);
  const median = medianOf(diffs);
  if (median >= 27 * DAY) {
    const calendar = inferMonths(distinct) ?? inferYears(distinct, median);
    if (calendar) return calendar;
  }
  const fixed = inferFixed(distinct, diffs);
  if (!closed) return fixed ?? inferJittered(distinct, median);
  const wall = isDated || zone === UTC ? distinct : instants.map((time) => zone.toWall(time));
  const step = fixed ?? inferWeekdays(wall, median) ?? inferJittered(distinct, median);
  return step && !step.open ? withOpenTime(step, wall) : step;
}

function withOpenTime(frequency: Frequency, wall: Float64Array): Frequency {
  const open = inferOpenTime(wall, fixedStep(frequency) ?? NaN);
  return open ? { ...frequency, open } : frequency;
}

/** Days of the week that are not a regular step apart, such as Wednesdays and Saturdays. */
function inferWeekdays(wall: Float64Array, median: number): Frequency | undefined {
  if (median < CALENDAR_STEP || median > 4 * DAY) return undefined;
  const clock = timeOfDay(wall[0]!);
  const offClock = wall.filter((time) => Math.abs(timeOfDay(time) - clock) > HOUR);
  if (offClock.length > wall.length * MOST_OFF_GRID) return undefined;
  const daily = withOpenTime({ unit: 'day', count: 1 }, wall);
  return daily.open ? daily : undefined;
}

export const withoutRepeats = (times: Float64Array): Float64Array =>
  isRising(times, true) ? times : times.filter((time, i) => time !== times[i - 1]);

export function medianOf(numbers: Float64Array): number {
  const sorted = numbers.slice().sort();
  return sorted[sorted.length >> 1] ?? 0;
}

function sampleDiffs(times: Float64Array): Float64Array {
  const stride = Math.max(1, Math.floor((times.length - 1) / SAMPLE));
  const length = Math.floor((times.length - 2) / stride) + 1;
  return Float64Array.from({ length }, (_, i) => times[i * stride + 1]! - times[i * stride]!);
}

function countEach(numbers: Iterable<number>): ReadonlyMap<number, number> {
  return new Map([...Map.groupBy(numbers, (number) => number)].map(([number, same]) => [number, same.length]));
}

const byCount = (counts: ReadonlyMap<number, number>): number[] =>
  [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([number]) => number);

function isCommon(count: number, pairs: number): boolean {
  return count >= pairs * LEAST_STEP_SHARE && (count >= LEAST_STEPS || pairs <= LEAST_STEPS);
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** Whether days of the month follow one habit: the same day, the last one, one near the start or end, or the nth weekday. */
function monthHabit(times: Float64Array): 'end' | 'day' | undefined {
  const days = Array.from(times, (time) => civilOf(time));
  const latest = days.reduce((max, { day }) => Math.max(max, day), 0);
  const fromEnd = ({ year, month, day }: (typeof days)[number]) => daysInMonth(year, month) - day;
  if (days.every((day) => fromEnd(day) === 0)) return 'end';
  if (days.every(({ year, month, day }) => day === Math.min(latest, daysInMonth(year, month)))) return 'day';
  const most = (keep: (day: (typeof days)[number]) => boolean) =>
    days.filter(keep).length >= days.length * (1 - MOST_OFF_GRID);
  if (most(({ day }) => day === days[0]?.day)) return 'day';
  if (latest <= 5) return 'day';
  if (most((day) => fromEnd(day) <= 4)) return 'end';
  const weekdays = new Set(times.map((time) => weekdayOfDays(Math.floor(time / DAY))));
  if (weekdays.size > 1 || new Set(sampleDiffs(times)).size < 2) return undefined;
  if (days.every((day) => fromEnd(day) < 7)) return 'end';
  return new Set(days.map(({ day }) => Math.ceil(day / 7))).size === 1 ? 'day' : undefined;
}

function inferMonths(times: Float64Array): Frequency | undefined {
  const habit = monthHabit(times);
  if (!habit) return undefined;
  const passed = Array.from(times.subarray(1), (time, i) => stepIndex(times[i]!, time, { unit: 'month', count: 1 }));
  const diffs = passed.filter((steps) => steps > 0);
  if (diffs.length < (times.length - 1) * (1 - MOST_OFF_GRID)) return undefined;
  const counts = countEach(diffs);
  const divisor = diffs.reduce(greatestCommonDivisor, 0);
  const step = (counts.get(divisor) ?? 0) >= diffs.length * LEAST_STEP_SHARE ? divisor : byCount(counts)[0]!;
  const onStep = diffs.filter((diff) => diff % step === 0).length;
  if (onStep < diffs.length * (1 - MOST_OFF_GRID)) return undefined;
  return monthFrequency(step, habit === 'end' ? 'end' : undefined);
}

function inferYears(times: Float64Array, median: number): Frequency | undefined {
  const years = Math.round(median / (365.25 * DAY));
  if (years < 1 || times.length < 3) return undefined;
  const offYear = (time: number) => {
    const passed = (time - times[0]!) / (365.25 * DAY * years);
    return Math.abs(passed - Math.round(passed)) * years * 365.25;
  };
  return times.every((time) => offYear(time) <= 16) ? { unit: 'year', count: years } : undefined;
}

function offGrid(time: number, phase: number, step: number): number {
  const steps = (time - phase) / step;
  const distance = Math.abs(steps - Math.round(steps)) * step;
  const shifted = step >= 3 * HOUR && step % HOUR === 0 && Math.abs(distance - HOUR) < SECOND;
  return shifted ? 0 : distance;
}

function shareOffGrid(times: Float64Array, phase: number, step: number, tolerance: number): number {
  return times.filter((time) => offGrid(time, phase, step) > tolerance).length / times.length;
}

function inferFixed(times: Float64Array, diffs: Float64Array): Frequency | undefined {
  // Below a millisecond epoch times hold no more than a quarter of a microsecond.
  const exact = diffs.every(Number.isInteger);
  const rounded = exact ? diffs : diffs.map((diff) => (diff > 1 ? Math.round(diff * 1000) / 1000 : diff));
  const counts = countEach(rounded);
  const candidates = byCount(counts).slice(0, 5);
  if (exact) candidates.push(diffs.reduce(greatestCommonDivisor, 0));
  for (const step of candidates) {
    if (step <= 0 || !isCommon(counts.get(step) ?? 0, diffs.length)) continue;
    const tolerance = exact ? 0 : step / 100;
    for (const index of [0, times.length >> 1]) {
      if (shareOffGrid(times, times[index]!, step, tolerance) <= MOST_OFF_GRID) return fixedFrequency(step);
    }
  }
  return undefined;
}

const ROUND_STEPS = [SECOND, MINUTE, HOUR, DAY]
  .flatMap((unit) => [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((count) => count * unit))
  .concat(7 * DAY);
/** Clocks that tick a little early or late, such as sensors: neighbours are near whole steps, mostly one. */
function inferJittered(times: Float64Array, median: number): Frequency | undefined {
  if (times.length < 4 || median < 10) return undefined;
  const diffs = times.subarray(1).map((time, i) => (time - times[i]!) / median);
  const wholes = diffs.map(Math.round);
  const steps = wholes.reduce((sum, whole) => sum + whole, 0);
  const single = wholes.filter((whole) => whole === 1).length;
  const off = diffs.filter((diff, i) => wholes[i] === 0 || Math.abs(diff - wholes[i]!) > 0.25).length;
  const pairs = times.length - 1;
  if (off > pairs * MOST_OFF_GRID || single < pairs / 2) return undefined;
  const measured = (times[pairs]! - times[0]!) / steps;
  const near = ROUND_STEPS.filter((step) => Math.abs(measured / step - 1) < 0.02).slice(0, 1);
  // the mean distance of the 1st and the 16th of each month is no step of anything
  const own = measured < CALENDAR_STEP ? [Math.max(1, Math.round(measured))] : [];
  const found = [...near, ...own].find((step) => shareOffGrid(times, times[0]!, step, step * 0.3) <= MOST_OFF_GRID);
  return found === undefined ? undefined : fixedFrequency(found);
}

export interface Grid {
  readonly frequency?: Frequency;
  /** Instant of the first value, epoch milliseconds UTC; `NaN` for an empty series. */
  readonly start: number;
  /** One value per step (per row where irregular); `NaN` where it is missing or the step has no observation. */
  readonly values: Float64Array;
  readonly gaps: number;
  /** Observations merged into another of the same instant or step: their mean counts. */
  readonly duplicates: number;
  /** Observations in closed time, such as those of one special Sunday: they are left out. */
  readonly outside: number;
  /** Instant of a step, also beyond the end (irregular: the last row plus multiples of the median spacing). */
  readonly timeAt: (step: number) => number;
}

interface GridOptions {
  readonly frequency?: Frequency | null;
  readonly zone?: Zone;
  /** When it is open, where the step is inferred but that is known; `null`: always, so that what has no row is missing. */
  readonly open?: OpenTime | null | undefined;
}

/** A grid may have this many cells per observation, and this many in any case; beyond it rows are kept as they are. */
const CELLS_PER_ROW = 50;
const CELLS_AT_LEAST = 10_000;

interface Rows {
  times: Float64Array;
  values: Float64Array;
}

const rowsAt = ({ times, values }: Rows, rows: readonly number[]): Rows => ({
  times: Float64Array.from(rows, (row) => times[row]!),
  values: Float64Array.from(rows, (row) => values[row]!),
});

/** Rows with a real instant in time order; rows of one instant stay in their order. Input is not changed. */
function inOrder(times: Float64Array, values: Float64Array): Rows {
  if (isRising(times) && !hasNaN(times)) return { times, values };
  const order = Array.from(times.keys()).filter((row) => Number.isFinite(times[row]!));
  return rowsAt(
    { times, values },
    order.sort((a, b) => times[a]! - times[b]! || a - b),
  );
}

/** Means per cell; a cell without any number is `NaN`. `cellOf` gives rising cells for rising rows. */
function meanPerCell({ values }: Rows, cells: number, cellOf: (row: number) => number) {
  const sums = new Float64Array(cells);
  const numbers = new Uint32Array(cells);
  const rows = new Uint32Array(cells);
  for (let row = 0; row < values.length; row++) {
    const cell = cellOf(row);
    const value = values[row]!;
    rows[cell]!++;
    if (Number.isNaN(value)) continue;
    sums[cell]! += value;
    numbers[cell]!++;
  }
  const filled = rows.reduce((count, inCell) => count + (inCell > 0 ? 1 : 0), 0);
  return { values: sums.map((sum, cell) => sum / numbers[cell]!), filled, duplicates: values.length - filled };
}

/** Puts observations on the grid of their frequency, as the mean of each step; what is nearly all gap is irregular. */
export function toGrid(times: Float64Array, values: Float64Array, options: GridOptions = {}): Grid {
  const all = inOrder(times, values);
  const { zone = UTC } = options;
  const wanted = options.frequency === undefined ? frequencyOf(all, zone, options.open) : options.frequency;
  if (!wanted || all.times.length === 0) return byRow(all);
  const clock = clockOf(all.times, wanted, zone);
  const rows = inOpenTime(all, wanted, clock);
  if (rows.times.length === 0) return byRow(all);
  const origin = clock.toWall(rows.times[0]!);
  const indexOf = (time: number) => stepIndex(origin, clock.toWall(time), wanted);
  const cells = indexOf(all.times.at(-1)!) + 1;
  if (cells > Math.max(CELLS_AT_LEAST, rows.times.length * CELLS_PER_ROW)) return byRow(all);
  const { values: gridded, filled, duplicates } = meanPerCell(rows, cells, (row) => indexOf(rows.times[row]!));
  return {
    frequency: wanted,
    start: rows.times[0]!,
    values: gridded,
    gaps: cells - filled,
    duplicates,
    outside: all.times.length - rows.times.length,
    timeAt: (step) => clock.fromWall(addSteps(origin, wanted, step)),
  };
}

/** The frequency of all rows, and what is open by those with a value: Sundays that are written without one are closed. */
function frequencyOf({ times, values }: Rows, zone: Zone, open: OpenTime | null | undefined): Frequency | undefined {
  const frequency = inferFrequency(times, zone, open !== null);
  if (open && frequency && (isBelowDay(frequency) || frequency.unit === 'day')) return { ...frequency, open };
  if (open !== undefined || frequency?.open || !hasNaN(values)) return frequency;
  const known = times.filter((_, row) => !Number.isNaN(values[row]!));
  const { open: found, ...step } = inferFrequency(known, zone) ?? {};
  return found && frequency && isSameStep(step, frequency) ? { ...frequency, open: found } : frequency;
}

const isSameStep = (a: Partial<Frequency>, b: Frequency) => a.unit === b.unit && a.count === b.count;

export function inOpenTime(rows: Rows, frequency: Frequency, clock: Zone): Rows {
  if (!frequency.open) return rows;
  const { times } = rows;
  const inside = Array.from(times.keys()).filter((row) => isInOpenTime(clock.toWall(times[row]!), frequency));
  return inside.length === times.length ? rows : rowsAt(rows, inside);
}

const JUDGED = 2000;

/** The clock of steps: the zone's for days and longer and closed hours, and for hours where more are whole on it. */
export function clockOf(times: Float64Array, frequency: Frequency, zone: Zone): Zone {
  if (zone === UTC || frequency.open || !isBelowDay(frequency)) return zone;
  const step = fixedStep(frequency) ?? 0;
  if (zone.fixed || step < 2 * HOUR) return UTC;
  const stride = Math.max(1, Math.floor(times.length / JUDGED));
  const judged = times.filter((_, row) => row % stride === 0);
  const offGrid = (clock: Zone) =>
    judged.filter((time) => (clock.toWall(time) - clock.toWall(times[0]!)) % step !== 0).length;
  return offGrid(zone) < offGrid(UTC) ? zone : UTC;
}

function byRow(rows: Rows): Grid {
  const distinct = withoutRepeats(rows.times);
  let cell = 0;
  const cellOf = (row: number): number => {
    while (distinct[cell]! < rows.times[row]!) cell++;
    return cell;
  };
  const isPlain = distinct.length === rows.times.length;
  const merged = isPlain ? { values: rows.values.slice(), duplicates: 0 } : meanPerCell(rows, distinct.length, cellOf);
  const last = distinct.length - 1;
  let spacing: number | undefined;
  // of thousands of series, few are asked for a time beyond their own
  const beyond = (steps: number): number => {
    const diffs = () => distinct.subarray(1).map((time, i) => time - distinct[i]!);
    spacing ??= last > 0 ? medianOf(diffs()) : approximateStep({ unit: 'day', count: 1 });
    return steps * spacing;
  };
  const timeAt = (step: number): number => {
    if (step < 0) return distinct[0]! + beyond(step);
    return step <= last ? distinct[Math.floor(step)]! : distinct[last]! + beyond(step - last);
  };
  return {
    start: distinct[0] ?? NaN,
    values: merged.values,
    gaps: 0,
    duplicates: merged.duplicates,
    outside: 0,
    timeAt,
  };
}
