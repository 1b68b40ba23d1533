import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allPositive } from '../statistics.ts';
import { smoothings, type Smoothings } from './smoothing.ts';

/** The last points of a prepared series, as the candidate forecasts and the features see them. */
export interface View {
  readonly values: Float64Array;
  /** The values without their seasonal patterns. */
  readonly adjusted: Float64Array;
  /** The logarithms of both where all are positive, or else the values themselves. */
  readonly logs: Scaled;
  readonly adjustedLogs: Scaled;
  /** Of the adjusted values. */
  readonly smoothed: Smoothings;
  readonly series: Series;
  /** Index in the series of the first forecast step. */
  readonly start: number;
  /** Steps of the shortest candidate period, 1 for none; and of the longest that is a multiple of it, 0 for none. */
  readonly period: number;
  readonly longPeriod: number;
}

/** Values on the scale that suits them. */
interface Scaled {
  readonly values: Float64Array;
  readonly logarithmic: boolean;
}

/** Points further back tell next to nothing, but cost time; of long periods it takes some, so that they can be averaged. */
const mostPoints = 2000;
const mostCycles = 3.2;
/** Exponential smoothing has forgotten what is further back. */
const mostSmoothed = 500;

export function viewOf(series: Series, end = series.values.length): View {
  const { candidates } = series;
  const shortest = candidates.length > 0 ? candidates[0] : 1;
  const longest = candidates.length > 0 ? candidates[candidates.length - 1] : 1;
  const longPeriod = longest > shortest && isMultiple(longest, shortest) ? Math.round(longest) : 0;
  const from = Math.max(0, end - Math.max(mostPoints, Math.ceil(mostCycles * longPeriod)));
  const values = series.values.subarray(from, end);
  const adjusted = series.seasons.adjusted.subarray(from, end);
  return {
    values,
    adjusted,
    logs: scaledOf(values),
    adjustedLogs: scaledOf(adjusted),
    smoothed: smoothings(lastOf(adjusted, mostSmoothed)),
    series,
    start: end,
    period: Math.round(shortest),
    longPeriod,
  };
}

/** The same view some points earlier. */
export function earlierView(view: View, back: number): View {
  const count = view.values.length - back;
  const cut = ({ values, logarithmic }: Scaled): Scaled => ({ values: values.subarray(0, count), logarithmic });
  const adjusted = view.adjusted.subarray(0, count);
  return {
    ...view,
    values: view.values.subarray(0, count),
    adjusted,
    logs: cut(view.logs),
    adjustedLogs: cut(view.adjustedLogs),
    smoothed: smoothings(lastOf(adjusted, mostSmoothed)),
    start: view.start - back,
  };
}

export function lastOf(values: Float64Array, count: number): Float64Array {
  return values.subarray(Math.max(0, values.length - count));
}

function scaledOf(values: Float64Array): Scaled {
  const logarithmic = allPositive(values);
  return { values: logarithmic ? values.map(Math.log) : values, logarithmic };
}

/** From the logarithmic scale, where the values are on it. */
export function unscaled(forecast: Float64Array | undefined, { logarithmic }: Scaled): Float64Array | undefined {
  return logarithmic ? forecast?.map((value) => Math.exp(Math.min(value, 230))) : forecast;
}

/** How values without season become ordinary ones at each step ahead: factor and offset. */
export interface Restoring {
  readonly factors: Float64Array;
  readonly offsets: Float64Array;
  /** Whether there is any season to restore. */
  readonly seasonal: boolean;
}

export function restoringOf({ series, start }: View, horizon: number): Restoring {
  const { list } = series.seasons;
  const offsets = restoreSeasons(new Float64Array(horizon), list, start);
  const ones = restoreSeasons(new Float64Array(horizon).fill(1), list, start);
  return { factors: ones.map((one, i) => one - offsets[i]), offsets, seasonal: list.length > 0 };
}

/** The index of the last value in the same phase of the period as a step ahead (1 or more); negative where none is. */
export function samePhase(count: number, period: number, ahead: number): number {
  return count - 1 + ahead - Math.ceil(ahead / period) * period;
}
