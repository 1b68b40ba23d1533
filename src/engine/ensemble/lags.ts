import { shortestPeriod } from '../methods/methods.ts';
import type { Series } from '../prepare/series.ts';

/** The lags 1 to `count`. */
const nearest = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

const rising = (lags: readonly number[]): number[] => [...new Set(lags)].filter((lag) => lag > 0).sort((a, b) => a - b);

export const shortLags = (series: Series): number[] => {
  const period = shortestPeriod(series);
  return period > 1 ? rising([1, 2, 3, period, period + 1]) : nearest(3);
};

export const seasonalLags = (series: Series): number[] => {
  const period = shortestPeriod(series);
  return rising([1, 2, 3, 4, period, period + 1, 2 * period]);
};

/** A few steps, and around each period, that lags may reach. */
export const longLags = (series: Series): number[] =>
  rising([...nearest(4), ...reachable(series).flatMap((p) => [p - 1, p, p + 1, 2 * p])]);

/** The steps of one day, then around whole days and the week. */
export const dailyLags = (series: Series): number[] => {
  const [day, week] = dayAndWeek(series);
  const first = day <= 48 ? nearest(day + 2) : [...nearest(24), day - 1, day, day + 1];
  return rising([...first, ...multiples(day, 6), 2 * day - 1, 2 * day + 1, ...[-2, -1, 0, 1, 2].map((d) => week + d)]);
};

/** Around the first days and around the week. */
export const weeklyLags = (series: Series): number[] => {
  const [day, week] = dayAndWeek(series);
  const around = [-2, -1, 0, 1, 2];
  return rising([
    ...nearest(6),
    ...around.flatMap((d) => [day + d, 2 * day + d]),
    ...multiples(day, 6),
    ...[-3, ...around, 3].map((d) => week + d),
    week + day,
    2 * week - 1,
    2 * week,
    2 * week + 1,
  ]);
};

export const sparseDailyLags = (series: Series): number[] => {
  const [day, week] = dayAndWeek(series);
  return rising([1, 2, 3, day - 1, day, day + 1, ...multiples(day, 6), week - 1, week, week + 1]);
};

export const adjustedLags = (series: Series): number[] => rising([...nearest(6), shortestPeriod(series)]);

const multiples = (period: number, last: number): number[] =>
  nearest(last)
    .slice(1)
    .map((k) => k * period);

function dayAndWeek({ candidates }: Series): [number, number] {
  return [Math.round(candidates[0]), Math.round(candidates[candidates.length - 1])];
}

function reachable({ candidates }: Series): number[] {
  return candidates.filter((period) => period <= 100).map(Math.round);
}
