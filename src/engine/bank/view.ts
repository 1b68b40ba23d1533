import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Scaled, Series } from '../prepare/series.ts';
import { lastOf, mapped, mean } from '../statistics.ts';

/** How values without season become ordinary ones at each step ahead: factor and offset. */
interface Restoring {
  readonly factors: Float64Array;
  readonly offsets: Float64Array;
}

/** The last points up to an origin: 2,000, or 3.2 long cycles. Seasons are those of the whole series, also at earlier ones. */
export class View {
  readonly series: Series;
  readonly values: Float64Array;
  readonly adjusted: Float64Array;
  /** Index in the series of the first point, and of the first forecast step. */
  readonly from: number;
  readonly start: number;
  /** Steps of the shortest candidate period, 1 for none; and of the longest that is a multiple of it, 0 for none. */
  readonly period: number;
  readonly longPeriod: number;
  #smoothed: ReturnType<typeof smoothings> | undefined;
  #restoring: Restoring | undefined;

  constructor(series: Series, start = series.values.length, from?: number) {
    const { candidates, values, seasons } = series;
    const shortest = candidates[0] ?? 1;
    const longest = candidates.at(-1) ?? 1;
    this.series = series;
    this.period = Math.round(shortest);
    this.longPeriod = longest > shortest && isMultiple(longest, shortest) ? Math.round(longest) : 0;
    this.start = start;
    this.from = from ?? Math.max(0, start - Math.max(2000, Math.ceil(3.2 * this.longPeriod)));
    this.values = values.subarray(this.from, start);
    this.adjusted = seasons.adjusted.subarray(this.from, start);
  }

  earlier(back: number): View {
    return new View(this.series, this.start - back, this.from);
  }

  /** The logarithms of the values, with and without seasons, where all are positive; else these themselves. */
  get logs(): Scaled {
    return this.#cut(this.series.logs.values);
  }

  get adjustedLogs(): Scaled {
    return this.#cut(this.series.logs.adjusted);
  }

  #cut({ values, logarithmic }: Scaled): Scaled {
    return { values: values.subarray(this.from, this.start), logarithmic };
  }

  /** Of the last 500 adjusted values: exponential smoothing has forgotten what is further back. */
  get smoothed(): ReturnType<typeof smoothings> {
    return (this.#smoothed ??= smoothings(lastOf(this.adjusted, 500)));
  }

  restoring(horizon: number): Restoring {
    if (this.#restoring && this.#restoring.factors.length >= horizon) return this.#restoring;
    const { list } = this.series.seasons;
    const offsets = restoreSeasons(new Float64Array(horizon), list, this.start);
    const ones = restoreSeasons(new Float64Array(horizon).fill(1), list, this.start);
    return (this.#restoring = { factors: mapped(ones, (one, i) => one - offsets[i]), offsets });
  }

  inSeason(forecast: Float64Array | undefined): Float64Array | undefined {
    if (!forecast || this.series.seasons.list.length === 0) return forecast;
    const { factors, offsets } = this.restoring(forecast.length);
    return mapped(forecast, (value, i) => value * factors[i] + offsets[i]);
  }
}

/** From the logarithmic scale, where the values are on it; an exponent beyond 230 says no more. */
export function unscaled(forecast: Float64Array | undefined, { logarithmic }: Scaled): Float64Array | undefined {
  return logarithmic && forecast ? mapped(forecast, (value) => Math.exp(Math.min(value, 230))) : forecast;
}

/** The index of the last value in the same phase of the period as a step ahead (1 or more); negative where none is. */
export function samePhase(count: number, period: number, ahead: number): number {
  return count - 1 + ahead - Math.ceil(ahead / period) * period;
}

interface Level {
  readonly level: number;
  readonly weight: number;
  readonly error: number;
}

export function smooth(values: Float64Array, weight: number): Level {
  let level = mean(values.subarray(0, 4));
  let sum = 0;
  for (const value of values) {
    const error = value - level;
    level += weight * error;
    sum += Math.abs(error);
  }
  return { level, weight, error: sum / values.length };
}

export const trendDamping = 0.95;

/** Holt's linear trend, damped (Gardner and McKenzie 1985). */
function holt(values: Float64Array) {
  const [weight, slopeWeight] = [0.5, 0.1];
  const n = values.length;
  const head = Math.min(n, 6);
  let slope = head > 1 ? (values[head - 1] - values[0]) / (head - 1) : 0;
  let level = values[0] - slope;
  let sum = 0;
  for (const value of values) {
    const predicted = level + trendDamping * slope;
    const error = value - predicted;
    level = predicted + weight * error;
    slope = trendDamping * slope + weight * slopeWeight * error;
    sum += Math.abs(error);
  }
  return { level, slope, error: sum / n };
}

/** What the candidates and the features both need to know of the adjusted values: the best of five weights, one, a trend. */
function smoothings(values: Float64Array) {
  const levels = [0.1, 0.3, 0.5, 0.7, 0.95].map((weight) => smooth(values, weight));
  const best = levels.reduce((least, level) => (level.error < least.error ? level : least));
  return { best, slow: levels[0], usual: levels[1], quick: levels[4], trend: holt(values) };
}
