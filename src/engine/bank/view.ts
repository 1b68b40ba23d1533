import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allPositive } from '../statistics.ts';
import { smoothings, type Smoothings } from './smoothing.ts';

/** Values on the scale that suits them. */
export interface Scaled {
  readonly values: Float64Array;
  readonly logarithmic: boolean;
}

/** How values without season become ordinary ones at each step ahead: factor and offset. */
export interface Restoring {
  readonly factors: Float64Array;
  readonly offsets: Float64Array;
  /** Whether there is any season to restore. */
  readonly seasonal: boolean;
}

/** Points further back tell next to nothing, but cost time; of long periods it takes some, so that they can be averaged. */
const mostPoints = 2000;
const mostCycles = 3.2;
/** Exponential smoothing has forgotten what is further back. */
const mostSmoothed = 500;
/** The largest exponent that a forecast on the log scale may have. */
const largestExponent = 230;

/** The last points of a prepared series up to an origin, as the candidates and the features see them. */
export class View {
  readonly series: Series;
  readonly values: Float64Array;
  /** The values without their seasonal patterns. */
  readonly adjusted: Float64Array;
  /** The logarithms of both where all are positive, or else the values themselves. */
  readonly logs: Scaled;
  readonly adjustedLogs: Scaled;
  /** Index in the series of the first forecast step. */
  readonly start: number;
  /** Steps of the shortest candidate period, 1 for none; and of the longest that is a multiple of it, 0 for none. */
  readonly period: number;
  readonly longPeriod: number;
  #smoothed: Smoothings | undefined;
  #restoring: Restoring | undefined;

  private constructor(
    from: Pick<View, 'series' | 'values' | 'adjusted' | 'logs' | 'adjustedLogs' | 'start' | 'period' | 'longPeriod'>,
  ) {
    this.series = from.series;
    this.values = from.values;
    this.adjusted = from.adjusted;
    this.logs = from.logs;
    this.adjustedLogs = from.adjustedLogs;
    this.start = from.start;
    this.period = from.period;
    this.longPeriod = from.longPeriod;
  }

  static of(series: Series, end = series.values.length): View {
    const { candidates } = series;
    const shortest = candidates[0] ?? 1;
    const longest = candidates.at(-1) ?? 1;
    const longPeriod = longest > shortest && isMultiple(longest, shortest) ? Math.round(longest) : 0;
    const from = Math.max(0, end - Math.max(mostPoints, Math.ceil(mostCycles * longPeriod)));
    const values = series.values.subarray(from, end);
    const adjusted = series.seasons.adjusted.subarray(from, end);
    return new View({
      series,
      values,
      adjusted,
      logs: scaledOf(values, series.positive),
      adjustedLogs: scaledOf(adjusted, series.positive),
      start: end,
      period: Math.round(shortest),
      longPeriod,
    });
  }

  /** The same view some points earlier; the seasonal patterns stay those of the whole series. */
  earlier(back: number): View {
    const count = this.values.length - back;
    const cut = ({ values, logarithmic }: Scaled): Scaled => ({ values: values.subarray(0, count), logarithmic });
    return new View({
      series: this.series,
      values: this.values.subarray(0, count),
      adjusted: this.adjusted.subarray(0, count),
      logs: cut(this.logs),
      adjustedLogs: cut(this.adjustedLogs),
      start: this.start - back,
      period: this.period,
      longPeriod: this.longPeriod,
    });
  }

  /** Of the adjusted values. */
  get smoothed(): Smoothings {
    return (this.#smoothed ??= smoothings(lastOf(this.adjusted, mostSmoothed)));
  }

  restoring(horizon: number): Restoring {
    if (this.#restoring && this.#restoring.factors.length >= horizon) return this.#restoring;
    const { list } = this.series.seasons;
    const offsets = restoreSeasons(new Float64Array(horizon), list, this.start);
    const ones = restoreSeasons(new Float64Array(horizon).fill(1), list, this.start);
    this.#restoring = { factors: ones.map((one, i) => one - offsets[i]), offsets, seasonal: list.length > 0 };
    return this.#restoring;
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

function scaledOf(values: Float64Array, positive: boolean): Scaled {
  const logarithmic = positive && allPositive(values);
  return { values: logarithmic ? values.map(Math.log) : values, logarithmic };
}

/** From the logarithmic scale, where the values are on it. */
export function unscaled(forecast: Float64Array | undefined, { logarithmic }: Scaled): Float64Array | undefined {
  return logarithmic ? forecast?.map((value) => Math.exp(Math.min(value, largestExponent))) : forecast;
}

/** The index of the last value in the same phase of the period as a step ahead (1 or more); negative where none is. */
export function samePhase(count: number, period: number, ahead: number): number {
  return count - 1 + ahead - Math.ceil(ahead / period) * period;
}
