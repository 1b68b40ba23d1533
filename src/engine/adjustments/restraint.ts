import type { Series } from '../prepare/series.ts';
import { meanChange } from '../rolling-origins.ts';
import { allPositive, clamp, differences, meanAbsolute, median, rangeOf } from '../statistics.ts';

/**
 * Draws a forecast that goes farther than the history gives reason for, on average more than five mean changes from the
 * last season, so that none is many times worse than repeating it: with a season, as such departures from it faded before;
 * where none has been seen twice, towards the last value as far as the series never went so far from it.
 */
export function restrained(
  point: Float64Array,
  { candidates, observedValues: values }: Pick<Series, 'candidates' | 'observedValues'>,
): Float64Array {
  const n = values.length;
  const shortest = candidates[0] ?? 1;
  const season = Number.isInteger(shortest) && 2 * shortest <= n ? shortest : 1;
  const repeated = point.map((_, i) => values[n - season + (i % season)]);
  const gone = point.reduce((sum, value, i) => sum + Math.abs(value - repeated[i]) / point.length, 0);
  const usual = 5 * meanChange(values, season);
  if (!(gone > usual)) return point;
  if (season > 1) {
    if (!isExtraordinary(values, repeated)) return point;
    const stays = staying(values, season, point.length);
    return point.map((value, i) => repeated[i] + stays[i] * (value - repeated[i]));
  }
  const { low, high } = rangeOf(values);
  const isKnown = candidates.some((period) => n >= 2 * period) || point.every((value) => value >= low && value <= high);
  const most = Math.max(usual, usualMove(values, point.length), steadyGrowth(values, point.length));
  if (isKnown || gone <= most) return point;
  return point.map((value, i) => repeated[i] + (most / gone) * (value - repeated[i]));
}

/** Whether the last three points are twice as far from the usual level as the last season. */
function isExtraordinary(values: Float64Array, repeated: Float64Array): boolean {
  const usual = median(values);
  const last = median(values.slice(-3));
  return Math.abs(last - usual) > 2 * meanAbsolute(repeated.map((value) => value - usual));
}

/**
 * The share of a departure from the last season that is left at each step ahead. What has lasted for so many steps goes on
 * for half as many again, and fades from there; that counts as much as three points of the past, of those at which a
 * departure at least half as large to the same side had lasted about as long.
 */
function staying(values: Float64Array, season: number, horizon: number): Float64Array {
  const n = values.length;
  const away = Float64Array.from({ length: n - season }, (_, i) => values[i + season] - values[i]);
  const now = median(away.slice(-3));
  const runs = new Uint32Array(away.length);
  away.forEach((value, i) => (runs[i] = value * Math.sign(now) > Math.abs(now) / 2 ? (runs[i - 1] ?? 0) + 1 : 0));
  const lasted = Math.max(1, runs[runs.length - 1]);
  const past = Array.from(runs.keys()).filter(
    (i) => i < runs.length - lasted && runs[i] >= lasted / 2 && runs[i] <= 2 * lasted,
  );
  return Float64Array.from({ length: horizon }, (_, i) => {
    let sum = 3 * Math.min(1, (1.5 * lasted) / (i + 1));
    let count = 3;
    for (const at of past) {
      if (at + i + 1 >= away.length) break;
      sum += clamp(away[at + i + 1] / away[at], 0, 1);
      count++;
    }
    return sum / count;
  });
}

/** The mean distance from the last value over so many steps: in the last third of the history, or in all where it is more. */
function usualMove(values: Float64Array, horizon: number): number {
  const n = values.length;
  const steps = Math.max(1, Math.min(horizon, n >> 1));
  const stride = Math.max(1, Math.floor(n / 60));
  const from = (first: number): number => {
    let sum = 0;
    let count = 0;
    for (let origin = n - steps; origin >= first; origin -= stride) {
      for (let i = 0; i < steps; i++) sum += Math.abs(values[origin + i] - values[origin - 1]) / steps;
      count++;
    }
    return count > 0 ? sum / count : 0;
  };
  return (Math.max(from(1), from(Math.max(1, Math.floor((2 * (n - steps)) / 3)))) * horizon) / steps;
}

/** The mean distance from the last value where growth goes on by a factor that three of four steps had at least. */
function steadyGrowth(values: Float64Array, horizon: number): number {
  if (!allPositive(values)) return 0;
  const rates = differences(values.map(Math.log), 1).sort();
  const rate = Math.max(0, rates[rates.length >> 2]);
  const last = values[values.length - 1];
  return meanAbsolute(Float64Array.from({ length: horizon }, (_, i) => last * Math.expm1(rate * (i + 1))));
}
