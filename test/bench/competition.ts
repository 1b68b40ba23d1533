/** Data and measures as in the M4 competition (github.com/Mcompetitions/M4-methods, "Benchmarks and Evaluation.R"). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { seasonalPeriods, parseDuration } from '../../src/calendar/frequency.ts';
import { present } from './arguments.ts';

/** A series of a file for `bench:rolling`. */
export interface RollingRow {
  readonly id: string;
  readonly group: string;
  readonly freq: string;
  readonly m: number;
  readonly h: number;
  readonly windows: number;
  readonly values: readonly (number | null)[];
}

/** A series of a benchmark file. */
export interface Row {
  readonly id: string;
  readonly freq: string;
  /** The seasonal period that the competition's measures use. */
  readonly m: number;
  readonly h: number;
  readonly train: readonly number[];
  readonly test: readonly number[];
  readonly group: string;
}

/** The content of a JSON file, which may be compressed. */
export function readJson(path: string): unknown {
  const bytes = readFileSync(present(path));
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString('utf8'));
}

export function readRows(path: string): Row[] {
  return readJson(path) as Row[];
}

/** The candidate periods that the calendar gives for a frequency. */
export function calendarPeriods({ freq, m }: Row): readonly number[] {
  const known: Record<string, readonly number[] | undefined> = {
    hourly: [24, 168],
    daily: [7, 365.25],
    weekly: [52.18],
    monthly: [12],
    quarterly: [4],
    yearly: [],
  };
  const iso = parseDuration(freq);
  return known[freq] ?? (iso ? seasonalPeriods(iso) : m > 1 ? [m] : []);
}

/**
 * Last value of the seasonally adjusted series, put back in season: the yardstick of OWA. Without adjustment where a
 * seasonal factor is 0 or undefined, as in series with long runs of zeros.
 */
export function naive2({ train, m, h }: Row): number[] {
  const n = train.length;
  const plain = new Array<number>(h).fill(train[n - 1]);
  if (!isSeasonal(train, m)) return plain;
  const figure = seasonalFigure(train, m);
  if (!figure.every((factor) => factor > 0)) return plain;
  const last = train[n - 1] / figure[(n - 1) % m];
  return Array.from({ length: h }, (_, i) => last * figure[(n + i) % m]);
}

function isSeasonal(values: readonly number[], period: number): boolean {
  const n = values.length;
  if (period <= 1 || n < 3 * period) return false;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const correlation = (lag: number): number => {
    let sum = 0;
    for (let i = lag; i < n; i++) sum += (values[i] - mean) * (values[i - lag] - mean);
    return sum / variance;
  };
  let squares = 1;
  for (let lag = 1; lag < period; lag++) squares += 2 * correlation(lag) ** 2;
  return Math.abs(correlation(period)) > 1.645 * Math.sqrt(squares / n);
}

function seasonalFigure(values: readonly number[], period: number): number[] {
  const half = Math.floor(period / 2);
  const sums = new Array<number>(period).fill(0);
  const counts = new Array<number>(period).fill(0);
  for (let i = half; i < values.length - half; i++) {
    let total = 0;
    for (let j = -half; j <= half; j++) {
      const edge = period % 2 === 0 && Math.abs(j) === half;
      total += (edge ? 0.5 : 1) * values[i + j];
    }
    sums[i % period] += (values[i] * period) / total;
    counts[i % period]++;
  }
  const figure = sums.map((sum, k) => sum / counts[k]);
  const mean = figure.reduce((sum, value) => sum + value, 0) / period;
  return figure.map((value) => value / mean);
}

export function smape(actual: ArrayLike<number>, predicted: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < actual.length; i++) {
    const size = Math.abs(actual[i]) + Math.abs(predicted[i]);
    if (size > 0) sum += (200 * Math.abs(actual[i] - predicted[i])) / size;
  }
  return sum / actual.length;
}

/** The mean absolute seasonal difference of the history, by which MASE and MSIS are scaled. */
export function seasonalScale({ train, m }: Row): number {
  let sum = 0;
  for (let i = m; i < train.length; i++) sum += Math.abs(train[i] - train[i - m]);
  return sum / (train.length - m);
}

export function meanAbsoluteError(actual: ArrayLike<number>, predicted: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < actual.length; i++) sum += Math.abs(actual[i] - predicted[i]);
  return sum / actual.length;
}
