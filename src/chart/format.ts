import * as l10n from '@vscode/l10n';
import { DAY, HOUR, MINUTE, SECOND } from '../calendar/civil.ts';
import { forecastDecimals, inDigits, inPercent } from '../calendar/digits.ts';
import { formatInstant } from '../calendar/format.ts';
import { type Frequency, approximateStep, isBelowDay } from '../calendar/frequency.ts';
import { UTC, zoneOf } from '../calendar/zone.ts';
import type { Forecast } from './types.ts';

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
    /** The shortest step, in milliseconds, that a time axis may label. */
    finest: clock ? clockStep : long && step !== undefined && !frequency.open ? step : DAY,
    clock,
    quarters: frequency?.unit === 'quarter',
    rows,
    write: (time: number) => formatInstant(zone.toWall(time), frequency),
  };
}

/** The format for a chart with these observations; the forecast stands in where there is none. */
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
    /** Writes an observation, with the decimals that the data has. */
    observed: decimalFormat(observed, small),
    /** Writes a forecast or a limit of its intervals, in as many digits as these justify. */
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

/** `1.25e300` with at most `digits` digits. */
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
