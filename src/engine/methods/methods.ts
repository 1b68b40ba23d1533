import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { etsForecast } from './ets.ts';

/** Repeats the last cycle of the longest confirmed period, but of a smooth one, such as a year of days, only where there is no other. */
export function repeatedSeason({ observedValues: values, seasons, candidates }: Series, horizon: number): Float64Array {
  const n = values.length;
  const isRepeated = (period: number): boolean =>
    period <= 100 || candidates.some((shorter) => shorter < period && isMultiple(period, shorter));
  const fitting = seasons.list.map(({ period }) => period).filter((period) => period <= n);
  const period = Math.round(fitting.findLast(isRepeated) ?? fitting[0] ?? 1);
  return Float64Array.from({ length: horizon }, (_, i) => values[n - period + (i % period)]);
}

/**
 * ETS with its form chosen by information criterion, of the last 500 points, or ten cycles. Several seasonal patterns, and
 * one of more than 24 steps, which has too many states to start from, are taken out beforehand.
 */
export function etsOf({ values, seasons, candidates }: Series, horizon: number): Float64Array {
  const period = Math.round(candidates[0] ?? 1);
  const lastOf = (all: Float64Array): Float64Array =>
    all.subarray(Math.max(0, all.length - Math.max(500, 10 * period)));
  const enough = values.length >= 3 * period;
  const isOnly = seasons.list.every((season) => Math.round(season.period) === period);
  if (isOnly && (seasons.list.length === 0 || (enough && period <= 24))) {
    return etsForecast(lastOf(values), enough && period <= 24 ? period : 1, horizon);
  }
  const flat = etsForecast(lastOf(seasons.adjusted), 1, horizon);
  return restoreSeasons(flat, seasons.list, values.length);
}
