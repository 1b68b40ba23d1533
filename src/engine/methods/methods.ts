import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { etsForecast } from './ets.ts';

/** Smoothing models look back no farther than this, which costs no accuracy and bounds the time. */
const smoothingMemory = 500;
const fewestCycles = 10;
/** A longer cycle has too many seasonal states to start from. */
const longestPeriod = 24;
/** A longer cycle that is no multiple of a shorter one, such as the year in days, is a smooth curve. */
const longestRepeated = 100;

/** Repeats the last cycle of the longest confirmed period, but of a smooth one only where there is no other. */
export function repeatedSeason({ observedValues: values, seasons, candidates }: Series, horizon: number): Float64Array {
  const n = values.length;
  const isRepeated = (period: number): boolean =>
    period <= longestRepeated || candidates.some((shorter) => shorter < period && isMultiple(period, shorter));
  const fitting = seasons.list.map(({ period }) => period).filter((period) => period <= n);
  const period = Math.round(fitting.findLast(isRepeated) ?? fitting[0] ?? 1);
  return Float64Array.from({ length: horizon }, (_, i) => values[n - period + (i % period)]);
}

/** ETS with its form chosen by information criterion; long or several seasonal patterns are taken out beforehand. */
export function etsOf({ values, seasons, candidates }: Series, horizon: number): Float64Array {
  const period = Math.round(candidates[0] ?? 1);
  const lastOf = (all: Float64Array): Float64Array =>
    all.subarray(Math.max(0, all.length - Math.max(smoothingMemory, fewestCycles * period)));
  const enough = values.length >= 3 * period;
  const isOnly = seasons.list.every((season) => Math.round(season.period) === period);
  if (isOnly && (seasons.list.length === 0 || (enough && period <= longestPeriod))) {
    return etsForecast(lastOf(values), enough && period <= longestPeriod ? period : 1, horizon);
  }
  const flat = etsForecast(lastOf(seasons.adjusted), 1, horizon);
  return restoreSeasons(flat, seasons.list, values.length);
}
