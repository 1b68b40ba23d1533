import { restoreSeasons } from './seasons.ts';
import type { Series } from './series.ts';
import { thetaForecast } from './theta.ts';

/** A point forecast of `horizon` values of a cleaned series. */
export type Method = (series: Series, horizon: number) => Float64Array;

/** Repeats the last cycle of the longest confirmed period, or the last value. */
export const seasonalNaive: Method = ({ values, seasons }, horizon) => {
  const n = values.length;
  const period = Math.round(seasons.list.at(-1)?.period ?? 1);
  const cycle = period <= n ? period : 1;
  return Float64Array.from({ length: horizon }, (_, i) => values[n - cycle + (i % cycle)]);
};

/** Theta on the logarithm of the seasonally adjusted values, or on the values themselves where they are not positive. */
export const logTheta: Method = ({ values, seasons, positive }, horizon) => {
  const { adjusted, list } = seasons;
  const logarithmic = positive && adjusted.every((value) => value > 0);
  const forecast = logarithmic
    ? thetaForecast(adjusted.map(Math.log), horizon).map((value) => Math.exp(Math.min(value, 230)))
    : thetaForecast(adjusted, horizon);
  return restoreSeasons(forecast, list, values.length);
};
