import { DAY, HOUR, MINUTE, SECOND, civilOf, daysInMonth, timeOfDay, weekdayOfDays } from './civil.ts';
import { fixedFrequency, fixedStep, monthFrequency, type Frequency } from './frequency.ts';
import { inferOpenTime } from './infer-open-time.ts';
import { isRising } from './order.ts';
import { stepIndex } from './steps.ts';
import { UTC, type Zone } from './zone.ts';

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
  let offClock = 0;
  for (const time of wall) if (Math.abs(timeOfDay(time) - clock) > HOUR) offClock++;
  if (offClock > wall.length * MOST_OFF_GRID) return undefined;
  const daily = withOpenTime({ unit: 'day', count: 1 }, wall);
  return daily.open ? daily : undefined;
}

/** Rising instants without repeats; the same array where there are none. */
export const withoutRepeats = (times: Float64Array): Float64Array =>
  isRising(times, true) ? times : times.filter((time, i) => time !== times[i - 1]);

export function medianOf(numbers: Float64Array): number {
  const sorted = numbers.slice().sort();
  return sorted[sorted.length >> 1] ?? 0;
}

function sampleDiffs(times: Float64Array): Float64Array {
  const stride = Math.max(1, Math.floor((times.length - 1) / SAMPLE));
  const diffs = new Float64Array(Math.floor((times.length - 2) / stride) + 1);
  for (let i = 0; i < diffs.length; i++) diffs[i] = times[i * stride + 1]! - times[i * stride]!;
  return diffs;
}

function countEach(numbers: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

function byCount(counts: Map<number, number>): number[] {
  return [...counts.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([number]) => number);
}

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
  // every four weeks is not monthly, though it resembles it for a while
  if (weekdays.size > 1 || new Set(sampleDiffs(times)).size < 2) return undefined;
  if (days.every((day) => fromEnd(day) < 7)) return 'end';
  return new Set(days.map(({ day }) => Math.ceil(day / 7))).size === 1 ? 'day' : undefined;
}

function inferMonths(times: Float64Array): Frequency | undefined {
  const habit = monthHabit(times);
  if (!habit) return undefined;
  const diffs: number[] = [];
  for (let i = 1; i < times.length; i++) {
    const steps = stepIndex(times[i - 1]!, times[i]!, { unit: 'month', count: 1 });
    if (steps > 0) diffs.push(steps);
  }
  if (diffs.length < (times.length - 1) * (1 - MOST_OFF_GRID)) return undefined;
  const counts = countEach(diffs);
  const divisor = diffs.reduce(greatestCommonDivisor, 0);
  const step = (counts.get(divisor) ?? 0) >= diffs.length * LEAST_STEP_SHARE ? divisor : byCount(counts)[0]!;
  const onStep = diffs.filter((diff) => diff % step === 0).length;
  if (onStep < diffs.length * (1 - MOST_OFF_GRID)) return undefined;
  return monthFrequency(step, habit === 'end' ? 'end' : undefined);
}

/** Years whose day moves a little, such as the last Friday of a month. */
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
  let off = 0;
  for (const time of times) if (offGrid(time, phase, step) > tolerance) off++;
  return off / times.length;
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
  let steps = 0;
  let single = 0;
  let off = 0;
  for (let i = 1; i < times.length; i++) {
    const diff = (times[i]! - times[i - 1]!) / median;
    const whole = Math.round(diff);
    if (whole === 1) single++;
    if (whole === 0 || Math.abs(diff - whole) > 0.25) off++;
    steps += whole;
  }
  const pairs = times.length - 1;
  if (off > pairs * MOST_OFF_GRID || single < pairs / 2) return undefined;
  const measured = (times[pairs]! - times[0]!) / steps;
  const near = ROUND_STEPS.filter((step) => Math.abs(measured / step - 1) < 0.02).slice(0, 1);
  const found = [...near, Math.max(1, Math.round(measured))].find(
    (step) => shareOffGrid(times, times[0]!, step, step * 0.3) <= MOST_OFF_GRID,
  );
  return found === undefined ? undefined : fixedFrequency(found);
}
