import { DAY, HOUR, MINUTE, SECOND } from '../calendar/civil.ts';
import { approximateStep, fixedStep, type Frequency, isBelowDay, parseDuration } from '../calendar/frequency.ts';
import { longestClosed } from '../calendar/open-time.ts';
import { UTC, type Zone, zoneOf } from '../calendar/zone.ts';
import type { ChartView, Forecast, Interval, Points } from './chart-view.ts';
import * as l10n from '@vscode/l10n';
import { forecastDecimals, inDigits, inPercent } from '../calendar/digits.ts';
import { formatInstant } from '../calendar/format.ts';

export type Range = Readonly<Record<'min' | 'max', number>>;

export interface Line extends Points {
  readonly gap?: number;
}

export type Frame = ReturnType<typeof frameOf>;

export function frameOf({ history, forecast, valueLabel, supportedUntil, ...chart }: ChartView) {
  const frequency = chart.frequency === undefined ? undefined : parseDuration(chart.frequency);
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
    times,
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

/** The value axis of values between two bounds: with room, finite, none below zero for values that never are. */
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

export const WHOLE_UP_TO = 500; // up to this many observations the whole history is shown at first

export type Bounds = ReturnType<typeof boundsOf>;

/** Where a chart begins: the whole series if legible, else the forecast and at least 200 points and five horizons. */
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

export type TimeFormat = ReturnType<typeof timeFormat>;

export function timeFormat(times: readonly number[], frequency: Frequency | undefined, timeZone: string, rows = false) {
  if (rows) {
    const write = (time: number) => l10n.t('Row {0}', Math.round(time / SECOND) + 1);
    return { zone: UTC, finest: SECOND, clock: false, quarters: false, rows, write };
  }
  const step = frequency && approximateStep(frequency);
  const long = frequency && !isBelowDay(frequency);
  const zone = long && times.every((time) => time % DAY === 0) ? UTC : zoneOf(timeZone);
  const clock = !(step !== undefined && step > 27 * DAY) && times.some((time) => zone.toWall(time) % DAY !== 0);
  const clockStep = [HOUR, MINUTE, SECOND].find((unit) => times.every((time) => time % unit === 0)) ?? 1;
  return {
    /** UTC for series of whole days and longer steps, whose dates must not move with a zone. */
    zone,
    finest: clock ? clockStep : long && step !== undefined && !frequency.open ? step : DAY,
    clock,
    quarters: frequency?.unit === 'quarter',
    rows,
    write: (time: number) => formatInstant(zone.toWall(time), frequency),
  };
}

export function valueFormat(values: Float64Array, forecast?: Forecast) {
  const finite = (all: Float64Array) => spread(all, 500).filter(Number.isFinite);
  const sample = finite(values);
  const seen = sample.length > 0 ? sample : finite(forecast?.values ?? values);
  const largest = seen.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const magnitude = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  const clamp = (decimals: number) => Math.min(10, Math.max(0, decimals));
  const observed = Math.min(clamp(Math.max(2, 5 - magnitude)), Math.max(0, ...sample.map(decimalsOf)));
  const { intervals = [] } = forecast ?? {};
  const isKnown = sample.length > 0 || intervals.length > 0;
  const predicted = isKnown ? forecastDecimals(values, intervals) : clamp(3 - magnitude);
  const small = largest > 0 && magnitude < -6;
  return {
    observed: decimalFormat(observed, small),
    predicted: decimalFormat(predicted, small),
  };
}

export function spread(values: Float64Array, most: number): number[] {
  const stride = Math.max(1, Math.floor(values.length / most));
  return Array.from({ length: Math.ceil(values.length / stride) }, (_, index) => values[index * stride]!);
}

function decimalsOf(value: number): number {
  const [mantissa, exponent = '0'] = String(Number(value.toPrecision(12))).split('e') as [string, string?];
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

const decimalFormat = (decimals: number, small: boolean) => (value: number) => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1e15 || (small && value !== 0)) return exponential(value, 6);
  return minus(inDigits(value === 0 ? 0 : value, decimals));
};

const minus = (text: string) => text.replace('-', '−');

function exponential(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string];
  return minus(`${Number(mantissa)}e${exponent.replace('+', '')}`);
}

/** Labels of a value axis, all written alike: `0`, `250`, `1.5M`, `2e−9`. */
export function axisLabels(ticks: readonly number[]): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : largest;
  if (largest >= 1e15 || (largest > 0 && largest < 1e-4)) {
    const digits = Math.min(6, Math.max(1, 2 + Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step))));
    return ticks.map((tick) => (tick === 0 ? '0' : exponential(tick, digits)));
  }
  const [from, suffix] = (
    [
      [1e12, 'T'],
      [1e9, 'B'],
      [1e6, 'M'],
    ] as const
  ).find(([least]) => largest >= least) ?? [1, ''];
  const decimals = Math.min(12, decimalsOf(step / from));
  return ticks.map((tick) => (tick === 0 ? '0' : minus(`${inDigits(tick / from, decimals)}${suffix}`)));
}

export const levelName = (level: number): string => inPercent(inDigits(Number(level.toFixed(1))));

export type Hue = 'history' | 'forecast' | 'anomaly' | number;

type Limits = Omit<Interval, 'level'>;

interface Labeled {
  readonly label?: string | undefined;
}

export type Trace =
  | ({ readonly kind: 'line'; readonly line: Line; readonly hue: Hue; readonly width?: number } & Labeled)
  | ({ readonly kind: 'area'; readonly times: Float64Array; readonly alpha?: number } & Limits & Labeled)
  | {
      readonly kind: 'dots';
      readonly points: Points;
      readonly hue: Hue;
      readonly radius: number;
      readonly isRing?: true;
    }
  | { readonly kind: 'rule'; readonly at: number }
  | { readonly kind: 'span'; readonly min: number; readonly max: number }
  | { readonly kind: 'fade'; readonly from: number };

interface SeriesPlot extends Partial<Pick<Frame, 'join'>> {
  readonly history: Line;
  readonly forecast?: Points | undefined;
  readonly intervals?: readonly (Limits & Labeled)[];
  readonly alpha?: number;
  readonly rules?: readonly (number | undefined)[];
  readonly widths?: readonly [history: number, forecast: number];
  readonly labels?: readonly [history: string, forecast: string];
}

/** Intervals below upright lines, these below the history, and the forecast on top, which begins at the last observation. */
export function seriesTraces(plot: SeriesPlot): Trace[] {
  const { history, forecast, join, intervals = [], alpha, rules = [], widths = [], labels = [] } = plot;
  const after = (first: number | undefined, rest: Float64Array) =>
    first === undefined ? rest : Float64Array.from([first, ...rest]);
  const areas = (forecast ? intervals : []).map(({ lower, upper, label }): Trace => {
    const start = Number.isFinite(lower[0]) && Number.isFinite(upper[0]) ? join : undefined;
    const limits = { lower: after(start?.value, lower), upper: after(start?.value, upper) };
    return { kind: 'area', times: after(start?.time, forecast!.times), ...limits, alpha, label };
  });
  const ahead = forecast && { times: after(join?.time, forecast.times), values: after(join?.value, forecast.values) };
  return [
    ...areas,
    ...rules.flatMap((at): Trace[] => (at === undefined ? [] : [{ kind: 'rule', at }])),
    { kind: 'line', line: history, hue: 'history', width: widths[0], label: labels[0] },
    ...(ahead ? [{ kind: 'line', line: ahead, hue: 'forecast', width: widths[1], label: labels[1] } as const] : []),
  ];
}

type Values = readonly (number | null)[];
type Drawn = Readonly<Partial<Record<'past' | 'ahead' | 'lower' | 'upper', Values | undefined>>>;

export function sparklineScene({ past = [], ahead = [], lower, upper }: Drawn) {
  const valuesOf = (values: Values) => Float64Array.from(values, (value) => value ?? NaN);
  const points = (values: Values, start: number) => ({
    times: Float64Array.from(values, (_, index) => start + index),
    values: valuesOf(values),
  });
  const last = past.at(-1);
  const traces = seriesTraces({
    history: points(past, 0),
    forecast: ahead.length > 0 ? points(ahead, past.length) : undefined,
    join: last == null ? undefined : { time: past.length - 1, value: last },
    intervals: lower && upper ? [{ lower: valuesOf(lower), upper: valuesOf(upper) }] : [],
    alpha: 0.28,
    widths: [1.2, 1.6],
  });
  return { traces, range: { min: 0, max: Math.max(1, past.length + ahead.length - 1) } };
}

export interface OverlayLine {
  readonly label: string;
  readonly line: Points;
  readonly color?: number;
}

export interface Decoration {
  readonly lines: readonly OverlayLine[];
  readonly marks: Points;
}

export const PLAIN: Decoration = { lines: [], marks: { times: new Float64Array(), values: new Float64Array() } };

export interface Shown {
  readonly frame: Frame;
  readonly hiddenIntervals?: readonly number[];
  readonly decoration?: Decoration;
}

export function tracesOf({ frame, hiddenIntervals = [], decoration = PLAIN }: Shown): Trace[] {
  const { forecast, divide, supportedUntil, valueLabel } = frame;
  const intervals = shownIntervals(forecast, hiddenIntervals).map((one) => ({ ...one, label: levelName(one.level) }));
  const labels = [valueLabel, l10n.t('Forecast')] as const;
  const lines = decoration.lines.flatMap(({ line, color, label }): Trace[] =>
    color === undefined
      ? [
          { kind: 'line', line, hue: 'history', label, width: 2 },
          { kind: 'dots', points: line, hue: 'history', radius: 3 },
        ]
      : [{ kind: 'line', line, hue: color, label }],
  );
  return [
    ...seriesTraces({ ...frame, intervals, rules: [divide], labels }),
    ...(supportedUntil === undefined ? [] : [{ kind: 'fade', from: supportedUntil } as const]),
    ...lines,
    { kind: 'dots', points: decoration.marks, hue: 'anomaly', radius: 5, isRing: true },
  ];
}
