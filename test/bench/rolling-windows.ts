/** What benches over rolling windows have in common, by GIFT-Eval's protocol (Aksu et al. 2024). */
import { seasonalPeriods, parseDuration } from '../../src/calendar/frequency.ts';
import type { RollingRow } from './competition.ts';

/** One forecast to be made and scored. */
export interface RollingWindow {
  readonly history: Float64Array;
  readonly future: Float64Array;
  /** Points before the future, of the row. */
  readonly origin: number;
  /** What errors are divided by. */
  readonly scale: number;
}

export function valuesOf(row: RollingRow): Float64Array {
  return Float64Array.from(row.values, (value) => value ?? Number.NaN);
}

export function periodsOf({ freq, id }: RollingRow): number[] {
  const frequency = parseDuration(freq);
  if (!frequency) throw new Error(`The row "${id}" has the frequency "${freq}", which is not a duration.`);
  return seasonalPeriods(frequency);
}

/** The last windows of a row, oldest first; none whose history has no scale or whose future has no observation. */
export function* windowsOf(row: RollingRow): Iterable<RollingWindow> {
  const values = valuesOf(row);
  for (let window = row.windows; window >= 1; window--) {
    const origin = Math.max(0, values.length - window * row.h);
    const history = values.slice(0, origin);
    const future = values.subarray(origin, values.length - (window - 1) * row.h);
    const scale = seasonalError(history, row.m);
    if (scale > 0 && future.some(Number.isFinite)) yield { history, future, origin, scale };
  }
}

/** The mean absolute difference between values one season apart, or one step where there is less than a season. */
function seasonalError(values: Float64Array, m: number): number {
  const lag = m < values.length ? m : 1;
  let sum = 0;
  let count = 0;
  for (let i = lag; i < values.length; i++) {
    const difference = Math.abs(values[i] - values[i - lag]);
    if (!Number.isFinite(difference)) continue;
    sum += difference;
    count++;
  }
  return sum / count;
}

/** Of ratios to seasonal naive; of a group where seasonal naive never errs there is none. */
export function geometricMeanOf(ratios: readonly number[]): number {
  const known = ratios.filter(Number.isFinite);
  return Math.exp(known.reduce((sum, ratio) => sum + Math.log(ratio), 0) / known.length);
}

/** What is done, with the milliseconds of processor time that it took. */
export function timed<T>(work: () => T): { readonly result: T; readonly milliseconds: number } {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  return { result, milliseconds: (user + system) / 1000 };
}

/** A line of a table: a name, then figures in columns of this width. */
export const tableLine = ([name, ...figures]: readonly string[], width: number): string =>
  [name.padEnd(24), ...figures.map((figure) => figure.padStart(width))].join('');
