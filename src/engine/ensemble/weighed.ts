import type { Fitted, Method } from '../methods/methods.ts';
import { phaseOf } from '../prepare/decompose.ts';
import { removeSeason } from '../prepare/seasons.ts';
import { truncate, type Series } from '../prepare/series.ts';
import { allFinite, allPositive, clamp } from '../statistics.ts';
import type { Limits } from './plausible.ts';

/** The experts are judged at so many origins in the series' own past. */
const origins = 4;
/** The weight of an expert is its past error, and this share of the mean error, to the power of minus the second number. */
const prior = 0.5;
const sharpness = 5;
/** What lies between these shares of the weight is averaged: near the weighted median, but smooth. */
const [lowShare, highShare] = [0.3, 0.7];

/** A method that takes part where its own past errors are small. */
export interface Expert {
  readonly name: string;
  readonly fit: Fitted;
}

/** A method without parameters that are worth keeping. */
export const unfitted =
  (method: Method): Fitted =>
  () =>
    method;

export interface Weighed {
  readonly point: Float64Array;
  readonly forecasts: readonly { readonly name: string; readonly forecast: Float64Array }[];
  /**
   * Errors of the same combination in the past, one row for each origin, the latest first; its weights there come from
   * the other origins. `NaN` where nothing was observed.
   */
  readonly errors: readonly Float64Array[];
}

/**
 * A combination of experts, each weighed by how it did at the last few origins of this very series; a robust mean of
 * them, so that one that errs now is outvoted. Parameters for the past are estimated once, before the first of the
 * origins.
 *
 * @param leastHistory points that must be left before the first origin
 * @returns undefined where the series is too short
 */
export function weighedForecast(
  experts: readonly Expert[],
  series: Series,
  horizon: number,
  limits: Limits,
  leastHistory: number,
): Weighed | undefined {
  const { values, filledIn } = series;
  const n = values.length;
  const stride = Math.min(horizon, Math.floor((n - leastHistory) / origins));
  if (stride < Math.min(horizon, 4)) return undefined;
  const ends = Array.from({ length: origins }, (_, i) => n - (i + 1) * stride);
  const cuts = cutsOf(series, ends);
  const past = experts.map(({ fit }) => {
    const method = fit(cuts[origins - 1]);
    return cuts.map((cut) => method(cut, stride));
  });
  const now = experts.map(({ fit }) => fit(series)(series, horizon));
  const able = experts.flatMap(({ name }, k) => {
    const forecast = now[k];
    if (!forecast || !allFinite(forecast)) return [];
    const before = past[k].map((one) => (one && allFinite(one) ? within(one, limits) : undefined));
    return [{ name, forecast: within(forecast, limits), before, errors: before.map(errorAt) }];
  });
  if (able.length === 0) return undefined;

  /** The mean error at an origin. */
  function errorAt(forecast: Float64Array | undefined, origin: number): number {
    if (!forecast) return Number.NaN;
    let sum = 0;
    let count = 0;
    for (let i = 0; i < stride; i++) {
      const at = ends[origin] + i;
      if (filledIn?.[at]) continue;
      sum += Math.abs(values[at] - forecast[i]);
      count++;
    }
    return count > 0 ? sum / count : Number.NaN;
  }

  const weightsWithout = (left: number): Float64Array =>
    weightsOf(able.map(({ errors }) => meanOf(errors.filter((_, origin) => origin !== left))));
  const errors = ends.map((end, origin) => {
    const weights = weightsWithout(origin);
    const judged = able.map(({ before }) => before[origin]);
    const point = combine(judged, weights);
    return Float64Array.from({ length: stride }, (_, i) =>
      point && !filledIn?.[end + i] ? values[end + i] - point[i] : Number.NaN,
    );
  });
  const point = combine(
    able.map(({ forecast }) => forecast),
    weightsWithout(-1),
  );
  return point && { point, forecasts: able.map(({ name, forecast }) => ({ name, forecast })), errors };
}

const within = (forecast: Float64Array, { low, high }: Limits): Float64Array =>
  forecast.map((value, i) => clamp(value, low[i], high[i]));

function meanOf(errors: readonly number[]): number {
  const known = errors.filter(Number.isFinite);
  return known.length > 0 ? known.reduce((sum, error) => sum + error, 0) / known.length : Number.NaN;
}

/** An expert that could not be judged counts like the worst. */
function weightsOf(errors: readonly number[]): Float64Array {
  const known = errors.filter(Number.isFinite);
  const least = Math.min(...known);
  const largest = Math.max(...known);
  if (!(largest > 0)) return new Float64Array(errors.length).fill(1);
  const shrink = prior * meanOf(known);
  return Float64Array.from(errors, (error) => {
    const judged = Number.isFinite(error) ? error : largest;
    return ((least + shrink) / (judged + shrink)) ** sharpness;
  });
}

/** The mean of the middle of the weight at each step; undefined where no expert has a forecast. */
function combine(forecasts: readonly (Float64Array | undefined)[], weights: Float64Array): Float64Array | undefined {
  const able = forecasts.flatMap((forecast, k) => (forecast ? [{ forecast, weight: weights[k] }] : []));
  if (able.length === 0) return undefined;
  const count = able.length;
  const total = able.reduce((sum, { weight }) => sum + weight, 0);
  const sorted = new Float64Array(count);
  const heavy = new Float64Array(count);
  return able[0].forecast.map((_, i) => {
    for (let k = 0; k < count; k++) {
      const value = able[k].forecast[i];
      let place = k;
      for (; place > 0 && sorted[place - 1] > value; place--) {
        sorted[place] = sorted[place - 1];
        heavy[place] = heavy[place - 1];
      }
      sorted[place] = value;
      heavy[place] = able[k].weight / total;
    }
    let share = 0;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const part = Math.min(highShare, share + heavy[k]) - Math.max(lowShare, share);
      if (part > 0) sum += part * sorted[k];
      share += heavy[k];
    }
    return sum / (highShare - lowShare);
  });
}

/** The series as it was before each index, the last one being the earliest: its seasons are known from then, and go on. */
function cutsOf(series: Series, ends: readonly number[]): readonly Series[] {
  const { values } = series;
  const first = ends[ends.length - 1];
  const early = truncate(series, first);
  let adjusted = values;
  const list = early.seasons.list.map((season) => {
    const { figure, period } = season;
    const history = new Float64Array(values.length);
    history.set(season.history);
    for (let i = first; i < history.length; i++) history[i] = figure[phaseOf(i, period, figure.length)];
    adjusted = removeSeason(adjusted, { ...season, history });
    return { ...season, history };
  });
  return ends.map((end) => ({
    ...early,
    values: values.subarray(0, end),
    observedValues: series.observedValues.subarray(0, end),
    positive: series.positive || (early.positive && allPositive(values.subarray(first, end))),
    seasons: { list, adjusted: adjusted.subarray(0, end) },
  }));
}
