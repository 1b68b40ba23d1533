import type { Series } from '../prepare/series.ts';

/** Two forecasts are trusted by the inverse square of their distance from the yardstick, with this added. */
const usualDistance = 2;
/** How far from the last value a forecast without a season may be on average, in mean changes … */
const mostChanges = 5;
/** … and in how far the series itself was from its last value over as many steps. */
const mostUsual = 1.5;

/** What a forecast is measured by: the last season repeated, and how much the series changes over a season. */
export interface Yardstick {
  readonly season: number;
  readonly repeated: Float64Array;
  /** The mean absolute change over a season; 0 where nothing ever changed, or no season is over. */
  readonly scale: number;
}

/** By the shortest season of the calendar, or by the last value where it is no whole number of steps, as the year in weeks. */
export function yardstickOf({ candidates, observedValues: values }: Series, horizon: number): Yardstick {
  const shortest = candidates[0] ?? 1;
  const n = values.length;
  const season = Number.isInteger(shortest) ? shortest : 1;
  return {
    season,
    repeated: Float64Array.from(
      { length: horizon },
      (_, i) => values[Math.max(0, n - season) + (i % Math.min(n, season))],
    ),
    scale: n > season ? meanChange(values, season) : 0,
  };
}

/**
 * The share of the second of two forecasts, given its usual one: less for the one that is farther from the yardstick,
 * since what departs far from it alone is seldom right.
 */
export function sharedByDistance(
  share: number,
  first: Float64Array,
  second: Float64Array,
  { repeated, scale }: Yardstick,
): number {
  if (!(scale > 0)) return share;
  const trust = (forecast: Float64Array): number => (usualDistance + distance(forecast, repeated) / scale) ** -2;
  const [one, other] = [(1 - share) * trust(first), share * trust(second)];
  return one + other > 0 ? other / (one + other) : share;
}

/**
 * Draws a forecast without a season towards the last value where it goes farther than the history gives reason for, so
 * that no growth is many times worse than none.
 */
export function restrained(point: Float64Array, series: Series, { season, repeated, scale }: Yardstick): Float64Array {
  if (season > 1 || series.candidates.length > 0 || !(scale > 0)) return point;
  const gone = distance(point, repeated);
  if (gone <= mostChanges * scale) return point;
  const most = Math.max(mostChanges * scale, mostUsual * usualMove(series.observedValues, point.length));
  return gone <= most ? point : point.map((value, i) => repeated[i] + (most / gone) * (value - repeated[i]));
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum / a.length;
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

function meanChange(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += Math.abs(values[i] - values[i - lag]);
  return sum / (values.length - lag);
}
