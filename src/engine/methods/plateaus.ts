import type { Series } from '../prepare/series.ts';
import { median } from '../statistics.ts';

/** From this share of steps without any change on, a series stands still and jumps. */
const leastRepeats = 0.6;
const fewestPoints = 20;
/** A season of this strength goes on. */
const leastSeason = 0.3;
/** Changes are looked at over at most so many of the last points. */
const memory = 1000;
/** From this share of zeros on, a last value may be a burst that is over at once … */
const leastZeros = 0.25;
/** … so that the series goes on at the median of so many. */
const lastPoints = 5;
/** A step so many times as large as all before it is news: a new level, or an error that is over at once. */
const newsFactor = 6;
/** How likely the less likely of the two is, as long as the new value has not come so often as the points above. */
const doubt = 0.15;

/**
 * The forecast of a series that mostly stands still: its last value, or with many zeros the median of the last few, and as
 * quantiles those of how it changed over so many steps before. Zeros that are mostly all there is are intermittent instead.
 * After a step like none before, quantiles reach to both of its sides; a single value farther from the level than zero
 * is rather an error.
 *
 * @returns undefined where the series is of another kind
 */
export function plateauForecast(
  { observedValues, filledIn, nonNegative, intermittent, seasons }: Series,
  horizon: number,
): { point: Float64Array; quantile: (level: number, step: number) => number } | undefined {
  const from = Math.max(0, observedValues.length - memory);
  const values = observedValues.subarray(from);
  const n = values.length;
  if (n < fewestPoints || intermittent || seasons.list.some(({ strength }) => strength > leastSeason)) return undefined;
  let repeats = 0;
  for (let i = 1; i < n; i++) if (values[i] === values[i - 1]) repeats++;
  if (repeats < leastRepeats * (n - 1) || repeats === n - 1) return undefined;

  const zeros = values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  const usual = nonNegative && zeros >= leastZeros * n ? median(values.slice(-lastPoints)) : values[n - 1];
  const news = newsOf(values.filter((_, i) => filledIn?.[from + i] !== 1));
  const isError = news !== undefined && news.times === 1 && Math.abs(news.to - news.from) > Math.abs(news.from);
  const last = isError ? news.from : usual;
  const other = isError ? news.to : (news?.from ?? last);
  const within = (level: number, value: number): number => {
    if (level < doubt) return Math.min(value, other);
    return level > 1 - doubt ? Math.max(value, other) : value;
  };
  const changes: (Float64Array | undefined)[] = [];
  const changesOver = (steps: number): Float64Array =>
    (changes[steps] ??= Float64Array.from({ length: n - steps }, (_, i) => values[i + steps] - values[i]).sort());
  return {
    point: new Float64Array(horizon).fill(last),
    quantile: (level, step) => {
      // What the history is too short for is as far as the square root of time from the farthest that it tells of.
      const steps = Math.min(step + 1, Math.max(1, n >> 2));
      const sorted = changesOver(steps);
      const place = Math.min(sorted.length - 1, Math.max(0, level * (sorted.length + 1) - 1));
      const low = Math.floor(place);
      const high = Math.min(sorted.length - 1, low + 1);
      const change = sorted[low] + (place - low) * (sorted[high] - sorted[low]);
      const centred = level < 0.5 ? Math.min(0, change) : level > 0.5 ? Math.max(0, change) : 0;
      return within(level, last + Math.sqrt((step + 1) / steps) * centred);
    },
  };
}

/**
 * The last step, if it is like none before and has not lasted: from where to where, and how often its value has come.
 *
 * @param values that were observed; what is filled in between would make two smaller steps of one
 */
function newsOf(values: Float64Array): { from: number; to: number; times: number } | undefined {
  const n = values.length;
  const to = values[n - 1];
  let times = 1;
  while (times < n && values[n - 1 - times] === to) times++;
  if (times >= lastPoints || times === n) return undefined;
  const from = values[n - 1 - times];
  let largest = 0;
  for (let i = 1; i < n - times; i++) largest = Math.max(largest, Math.abs(values[i] - values[i - 1]));
  return Math.abs(to - from) > newsFactor * largest ? { from, to, times } : undefined;
}
