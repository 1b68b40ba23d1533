import type { Series } from '../prepare/series.ts';
import { median } from '../statistics.ts';

/**
 * The forecast of a series that mostly stands still, at three of five steps: its last value, or with a quarter of zeros,
 * where it may be a burst, the median of the last five, and as quantiles those of how it changed over so many steps before.
 * Zeros that are mostly all there is are intermittent instead. After a step six times as large as any before, which has
 * not stayed five times, the outer 15 % reach to its other side; a single value farther from the level than zero is rather
 * an error.
 *
 * @returns undefined where the series is of another kind
 */
export function plateauForecast(
  { observedValues, filledIn, nonNegative, intermittent, seasons }: Series,
  horizon: number,
): { point: Float64Array; quantile: (level: number, step: number) => number } | undefined {
  const from = Math.max(0, observedValues.length - 1000);
  const values = observedValues.subarray(from);
  const n = values.length;
  if (n < 20 || intermittent || seasons.list.some(({ strength }) => strength > 0.3)) return undefined;
  let repeats = 0;
  for (let i = 1; i < n; i++) if (values[i] === values[i - 1]) repeats++;
  if (repeats < 0.6 * (n - 1) || repeats === n - 1) return undefined;

  const zeros = values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  const usual = nonNegative && zeros >= 0.25 * n ? median(values.slice(-5)) : values[n - 1];
  const news = newsOf(values.filter((_, i) => filledIn?.[from + i] !== 1));
  const isError = news !== undefined && news.times === 1 && Math.abs(news.to - news.from) > Math.abs(news.from);
  const last = isError ? news.from : usual;
  const other = isError ? news.to : (news?.from ?? last);
  const within = (level: number, value: number): number => {
    if (level < 0.15) return Math.min(value, other);
    return level > 0.85 ? Math.max(value, other) : value;
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
  if (times >= 5 || times === n) return undefined;
  const from = values[n - 1 - times];
  let largest = 0;
  for (let i = 1; i < n - times; i++) largest = Math.max(largest, Math.abs(values[i] - values[i - 1]));
  return Math.abs(to - from) > 6 * largest ? { from, to, times } : undefined;
}
