import * as l10n from '@vscode/l10n';
import { DAY, HOUR, MINUTE, SECOND } from '../calendar/civil.ts';
import { forecastDecimals, inDigits, inPercent } from '../calendar/digits.ts';
import { formatInstant } from '../calendar/format.ts';
import { type Frequency, approximateStep, isBelowDay } from '../calendar/frequency.ts';
import { type Zone, zoneOf } from '../calendar/zone.ts';
import type { Forecast } from './types.ts';

export interface TimeFormat {
  /** UTC for series of whole days and longer steps, whose dates must not move with a zone. */
  readonly zone: Zone;
  /** The shortest step, in milliseconds, that a time axis may label. */
  readonly finest: number;
  /** Whether a clock is shown, so that the zone matters to a reader. */
  readonly clock: boolean;
  /** Whether a step is a quarter, so that the axis says quarters too. */
  readonly quarters: boolean;
  /** Whether times only count the rows of a series without any time: a second apart from 1970. */
  readonly rows: boolean;
  write(time: number): string;
}

/** The format for these times, or a sample of them, of a series with this step. */
export function timeFormat(
  times: readonly number[],
  frequency: Frequency | undefined,
  timeZone: string,
  rows = false,
): TimeFormat {
  if (rows) {
    const write = (time: number) => l10n.t('Row {0}', Math.round(time / SECOND) + 1);
    return { zone: zoneOf('UTC'), finest: SECOND, clock: false, quarters: false, rows, write };
  }
  const step = frequency && approximateStep(frequency);
  const long = frequency && !isBelowDay(frequency);
  const zone = zoneOf(long && times.every((time) => time % DAY === 0) ? 'UTC' : timeZone);
  const clock = !(step !== undefined && step > 27 * DAY) && times.some((time) => zone.toWall(time) % DAY !== 0);
  const finest = clock ? clockStep(times) : long && step !== undefined && !frequency.open ? step : DAY;
  const quarters = frequency?.unit === 'quarter';
  return { zone, finest, clock, quarters, rows, write: (time) => formatInstant(zone.toWall(time), frequency) };
}

const clockStep = (times: readonly number[]): number =>
  [HOUR, MINUTE, SECOND].find((unit) => times.every((time) => time % unit === 0)) ?? 1;

export interface ValueFormat {
  /** An observation, with the decimals that the data has. */
  observed(value: number): string;
  /** A forecast or a limit of its intervals, in as many digits as these justify. */
  predicted(value: number): string;
}

const SAMPLE = 500;

/** The format for a chart with these observations; the forecast stands in where there is none. */
export function valueFormat(values: Float64Array, forecast?: Forecast): ValueFormat {
  const sample = finiteSample(values);
  const seen = sample.length > 0 ? sample : finiteSample(forecast?.values ?? values);
  const largest = seen.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const magnitude = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  const clamp = (decimals: number) => Math.min(10, Math.max(0, decimals));
  const observed = Math.min(clamp(Math.max(2, 5 - magnitude)), Math.max(0, ...sample.map(decimalsOf)));
  const { intervals = [] } = forecast ?? {};
  const isKnown = sample.length > 0 || intervals.length > 0;
  const predicted = isKnown ? forecastDecimals(values, intervals) : clamp(3 - magnitude);
  const small = largest > 0 && magnitude < -6;
  return { observed: decimalFormat(observed, small), predicted: decimalFormat(predicted, small) };
}

function finiteSample(values: Float64Array): number[] {
  const stride = Math.max(1, Math.floor(values.length / SAMPLE));
  const sample: number[] = [];
  for (let index = 0; index < values.length; index += stride) {
    if (Number.isFinite(values[index])) sample.push(values[index]!);
  }
  return sample;
}

function decimalsOf(value: number): number {
  const [mantissa, exponent = '0'] = String(Number(value.toPrecision(12))).split('e') as [string, string?];
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent));
}

function decimalFormat(decimals: number, small: boolean): (value: number) => string {
  return (value) => {
    if (!Number.isFinite(value)) return '–';
    if (Math.abs(value) >= 1e15 || (small && value !== 0)) return exponential(value, 6);
    return minus(inDigits(value === 0 ? 0 : value, decimals));
  };
}

const minus = (text: string) => text.replace('-', '−');

/** `1.25e300` with at most `digits` digits. */
function exponential(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string];
  const short = String(Number(mantissa));
  return minus(`${short}e${exponent.replace('+', '')}`);
}

const SUFFIXES = [
  { from: 1e12, suffix: 'T' },
  { from: 1e9, suffix: 'B' },
  { from: 1e6, suffix: 'M' },
];

/** Labels of a value axis, all written alike: `0`, `250`, `1.5M`, `2e−9`. */
export function axisLabels(ticks: readonly number[]): string[] {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : largest;
  if (largest >= 1e15 || (largest > 0 && largest < 1e-4)) {
    const digits = Math.min(6, Math.max(1, 2 + Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step))));
    return ticks.map((tick) => (tick === 0 ? '0' : exponential(tick, digits)));
  }
  const { from, suffix } = SUFFIXES.find((candidate) => largest >= candidate.from) ?? { from: 1, suffix: '' };
  const decimals = Math.min(12, decimalsOf(step / from));
  return ticks.map((tick) => (tick === 0 ? '0' : minus(`${inDigits(tick / from, decimals)}${suffix}`)));
}

export const levelName = (level: number): string => inPercent(inDigits(Number(level.toFixed(1))));
