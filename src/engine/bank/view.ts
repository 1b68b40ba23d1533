import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Scaled, Series } from '../prepare/series.ts';
import { smoothings, type Smoothings } from './smoothing.ts';

/** How values without season become ordinary ones at each step ahead: factor and offset. */
export interface Restoring {
  readonly factors: Float64Array;
  readonly offsets: Float64Array;
}

/**
 * The last points of a prepared series up to an origin, as the candidates and the features see them: 2,000, since those
 * further back cost time and tell next to nothing, or 3.2 long cycles, so that they can be averaged. The seasonal patterns
 * are those of the whole series, also at earlier origins.
 */
export class View {
  readonly series: Series;
  readonly values: Float64Array;
  /** The values without their seasonal patterns. */
  readonly adjusted: Float64Array;
  /** Index in the series of the first point, and of the first forecast step. */
  readonly from: number;
  readonly start: number;
  /** Steps of the shortest candidate period, 1 for none; and of the longest that is a multiple of it, 0 for none. */
  readonly period: number;
  readonly longPeriod: number;
  #smoothed: Smoothings | undefined;
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

  /** The same view some points earlier. */
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
  get smoothed(): Smoothings {
    return (this.#smoothed ??= smoothings(lastOf(this.adjusted, 500)));
  }

  restoring(horizon: number): Restoring {
    if (this.#restoring && this.#restoring.factors.length >= horizon) return this.#restoring;
    const { list } = this.series.seasons;
    const offsets = restoreSeasons(new Float64Array(horizon), list, this.start);
    const ones = restoreSeasons(new Float64Array(horizon).fill(1), list, this.start);
    return (this.#restoring = { factors: ones.map((one, i) => one - offsets[i]), offsets });
  }

  /** A forecast without season, put back in season. */
  inSeason(forecast: Float64Array | undefined): Float64Array | undefined {
    if (!forecast || this.series.seasons.list.length === 0) return forecast;
    const { factors, offsets } = this.restoring(forecast.length);
    return forecast.map((value, i) => value * factors[i] + offsets[i]);
  }
}

export function lastOf(values: Float64Array, count: number): Float64Array {
  return values.subarray(Math.max(0, values.length - count));
}

/** From the logarithmic scale, where the values are on it; an exponent beyond 230 says no more. */
export function unscaled(forecast: Float64Array | undefined, { logarithmic }: Scaled): Float64Array | undefined {
  return logarithmic ? forecast?.map((value) => Math.exp(Math.min(value, 230))) : forecast;
}

/** The index of the last value in the same phase of the period as a step ahead (1 or more); negative where none is. */
export function samePhase(count: number, period: number, ahead: number): number {
  return count - 1 + ahead - Math.ceil(ahead / period) * period;
}
