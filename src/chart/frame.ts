import { DAY } from '../calendar/civil.ts';
import { parseDuration, approximateStep, fixedStep, type Frequency } from '../calendar/frequency.ts';
import { longestClosed } from '../calendar/open-time.ts';
import type { Zone } from '../calendar/zone.ts';
import { spread, timeFormat, valueFormat } from './format.ts';
import type { ChartView, Forecast, Interval, Points } from './types.ts';

export type Range = Readonly<Record<'min' | 'max', number>>;

export interface Line extends Points {
  /** It is broken between two points further apart than this, by default at missing values only. */
  readonly gap?: number;
}

export type Frame = ReturnType<typeof frameOf>;

/** A chart made ready for drawing: everything that does not depend on what part of it is visible. */
export function frameOf({ history, forecast, valueLabel, supportedUntil, ...chart }: ChartView) {
  const frequency = chart.frequency === undefined ? undefined : parseDuration(chart.frequency);
  // a stride may hit only full hours, the first ones do not
  const known = [history.times, forecast?.times ?? new Float64Array()].flatMap((times) => [
    ...spread(times, SAMPLE),
    ...times.subarray(0, SAMPLE),
  ]);
  const time = timeFormat(known, frequency, chart.timeZone, chart.rows);
  const first = forecast?.times[0];
  const last = history.values.findLastIndex(Number.isFinite);
  const observed = { time: history.times[last]!, value: history.values[last]! };
  const join = first !== undefined && observed.time < first ? observed : undefined;
  const times = forecast ? union(history.times, forecast.times) : history.times;
  return {
    valueLabel,
    history: { ...history, gap: gapOf(history.times, frequency, time.zone) },
    forecast,
    /** The moments of history and forecast together, each once; what a cursor steps through. */
    times,
    /** The last observation, where the forecast begins; absent where the two overlap or there is none. */
    join,
    divide: join?.time ?? first,
    supportedUntil,
    bounds: boundsOf(times, history.times, forecast?.times.length ?? 0),
    time,
    value: valueFormat(history.values, forecast),
  };
}

/** Index of the first time that is not before `time`; the length if all are. */
export function indexFrom(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the time nearest to `time`; −1 where there is none. */
export function nearest(times: Float64Array, time: number): number {
  const after = indexFrom(times, time);
  if (after === times.length) return times.length - 1;
  return after > 0 && time - times[after - 1]! <= times[after]! - time ? after - 1 : after;
}

/** Index of exactly this time, the last one of several; −1 where there is none. */
export function indexOf(times: Float64Array, time: number): number {
  let index = indexFrom(times, time);
  if (times[index] !== time) return -1;
  while (times[index + 1] === time) index++;
  return index;
}

export const valueAt = ({ times, values }: Points, time: number): number => values[indexOf(times, time)] ?? NaN;

export function shownIntervals(forecast: Forecast | undefined, hidden: readonly number[]): Interval[] {
  return forecast?.intervals.filter(({ level }) => !hidden.includes(level)) ?? [];
}

const LARGEST = Number.MAX_VALUE / 4;
const clamp = (value: number) => Math.max(-LARGEST, Math.min(LARGEST, value));

/**
 * The value axis for values between two bounds: some room around them, none below zero for values that are never
 * negative, a span around a constant, and finite for any finite values.
 */
export function valueRange(bounds: Range | undefined): Range {
  if (!bounds) return { min: 0, max: 1 };
  const low = clamp(bounds.min);
  const high = clamp(bounds.max);
  // a span this small next to its values is a constant with rounding noise
  const constant = high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high));
  const room = constant ? Math.abs(high) * 0.1 || 1 : (high - low) * 0.06;
  return {
    min: low >= 0 ? Math.max(0, low - room) : low - room,
    max: high <= 0 && low < 0 ? Math.min(0, high + room) : high + room,
  };
}

function union(a: Float64Array, b: Float64Array): Float64Array {
  const all = new Float64Array(a.length + b.length);
  let length = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const time = j >= b.length || a[i]! <= b[j]! ? a[i++]! : b[j++]!;
    if (length === 0 || all[length - 1] !== time) all[length++] = time;
  }
  return all.subarray(0, length);
}

const SAMPLE = 200;

/** Longest distance of neighbors. A series is not broken where it is closed, nor a daily one by two holidays beside that. */
function gapOf(times: Float64Array, frequency: Frequency | undefined, zone: Zone): number {
  if (frequency === undefined) return Infinity;
  const step = fixedStep(frequency) ?? approximateStep(frequency);
  if (frequency.open) return longestClosed(frequency.open) + (step >= DAY ? 2 * DAY : 0) + 1.6 * step;
  if (step !== DAY) return 1.6 * step;
  const weekend = times.subarray(0, SAMPLE).some((time) => [0, 6].includes(new Date(zone.toWall(time)).getUTCDay()));
  return weekend ? 1.6 * DAY : 5.6 * DAY;
}

/** Up to this many observations the whole history is shown at first. */
export const WHOLE_UP_TO = 500;

export type Bounds = ReturnType<typeof boundsOf>;

/**
 * Where a chart begins: with the whole series where that is legible, else with the forecast and the last part of the
 * history, at least 200 points and five horizons.
 */
function boundsOf(times: Float64Array, past: Float64Array, horizon: number) {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const span = last - first;
  const margin = span > 0 ? span * 0.01 : DAY;
  const whole: Range = { min: first - margin, max: last + margin };
  let step = Infinity;
  for (let index = 1; index < times.length; index++) step = Math.min(step, times[index]! - times[index - 1]!);
  const shortest = span > 0 ? Math.min(span, 2 * step) : margin;
  if (past.length <= WHOLE_UP_TO) return { whole, initial: whole, shortest };
  const from = past[Math.max(0, past.length - Math.max(200, 5 * horizon))]!;
  const initial = { min: Math.max(from, whole.min), max: last + Math.min(margin, (last - from) * 0.01) };
  return { whole, initial, shortest };
}
