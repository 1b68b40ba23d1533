import type { Series } from '../prepare/series.ts';
import { meanChange } from '../rolling-origins.ts';
import { allPositive, differences, meanAbsolute, median, rangeOf } from '../statistics.ts';

/** How far a forecast may be from the last season on average, in mean changes, before it is looked at. */
const mostChanges = 5;

/** What has lasted for so many steps goes on for this many times as many, and fades from there. */
const stay = 1.5;
/** It fades only where it is this many times as far from the usual level as the last season. */
const extraordinary = 2;
/** A departure is measured by the median of so many points. */
const lastPoints = 3;

/**
 * Draws a forecast that goes farther than the history gives reason for, so that none is many times worse than repeating the
 * last season: with a season, as far as the departure from it is too new to last; where none has been seen twice, towards
 * the last value as far as the series never went so far from it.
 */
export function restrained(point: Float64Array, { candidates, observedValues: values }: Series): Float64Array {
  const n = values.length;
  const shortest = candidates[0] ?? 1;
  const season = Number.isInteger(shortest) && 2 * shortest <= n ? shortest : 1;
  const repeated = point.map((_, i) => values[n - season + (i % season)]);
  const gone = point.reduce((sum, value, i) => sum + Math.abs(value - repeated[i]) / point.length, 0);
  const usual = mostChanges * meanChange(values, season);
  if (!(gone > usual)) return point;
  if (season > 1) {
    if (!isExtraordinary(values, repeated)) return point;
    const lasted = stay * departedFor(values, season);
    return point.map((value, i) => repeated[i] + Math.min(1, lasted / (i + 1)) * (value - repeated[i]));
  }
  const { low, high } = rangeOf(values);
  const isKnown = candidates.some((period) => n >= 2 * period) || point.every((value) => value >= low && value <= high);
  const most = Math.max(usual, usualMove(values, point.length), steadyGrowth(values, point.length));
  if (isKnown || gone <= most) return point;
  return point.map((value, i) => repeated[i] + (most / gone) * (value - repeated[i]));
}

/** Whether the last points are far from the usual level, and the last season is not. */
function isExtraordinary(values: Float64Array, repeated: Float64Array): boolean {
  const usual = median(values);
  const last = median(values.slice(-lastPoints));
  return Math.abs(last - usual) > extraordinary * meanAbsolute(repeated.map((value) => value - usual));
}

/** For how many of the last points a series has been away from its last season, on the side where it is now. */
function departedFor(values: Float64Array, season: number): number {
  const n = values.length;
  const away = (i: number): number => values[i] - values[i - season];
  const now = median(Float64Array.from({ length: Math.min(lastPoints, n - season) }, (_, k) => away(n - 1 - k)));
  let count = 0;
  while (n - 1 - count >= season && away(n - 1 - count) * Math.sign(now) > Math.abs(now) / 2) count++;
  return Math.max(1, count);
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
