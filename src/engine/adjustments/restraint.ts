import type { Series } from '../prepare/series.ts';
import { median } from '../statistics.ts';

/** How far a forecast may be from the yardstick on average before it is looked at, in mean changes … */
const mostChanges = 5;
/** … and one without a season at all, in how far the series itself was from its last value over as many steps. */
const mostUsual = 1.5;

/** What has lasted for so many steps goes on for this many times as many, and fades from there. */
const stay = 1.5;
/** It fades only where it is this many times as far from the usual level as the last season. */
const extraordinary = 2;
/** A year in weeks and the like: a longer cycle than this is no season to be repeated step by step. */
const longCycle = 24;
/** A rise is held against what the series did at this time of so many cycles, … */
const cyclesAgo = 6;
/** … and against this many times the pace of its last one, two and four horizons. */
const mostPace = 2;
/** A departure is measured by the median of so many points. */
const lastPoints = 3;

/** What a forecast is measured by: the last season repeated, and how much the series changes over a season. */
interface Yardstick {
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
 * Draws a forecast that goes far towards the yardstick: with a season, as far as the departure from it is too new to last;
 * without one, where no history gives reason for it, so that no growth is many times worse than none. The rise of a long
 * cycle is no larger than in any of the last years, unless the series is rising like that already: epidemics differ, and
 * one may fail to come.
 */
export function restrained(point: Float64Array, series: Series): Float64Array {
  const { season, repeated, scale } = yardstickOf(series, point.length);
  const values = series.observedValues;
  const gone = distance(point, repeated);
  if (!(scale > 0) || gone <= mostChanges * scale) return point;
  if (season > 1) {
    if (!isExtraordinary(values, repeated)) return point;
    const lasted = stay * departedFor(values, season);
    return point.map((value, i) => repeated[i] + Math.min(1, lasted / (i + 1)) * (value - repeated[i]));
  }
  if (series.candidates.length > 0) return series.candidates[0] > longCycle ? withinRises(point, series) : point;
  const most = Math.max(mostChanges * scale, mostUsual * usualMove(values, point.length));
  return gone <= most ? point : point.map((value, i) => repeated[i] + (most / gone) * (value - repeated[i]));
}

/** Whether the last points are far from the usual level, and the last season is not. */
function isExtraordinary(values: Float64Array, repeated: Float64Array): boolean {
  const usual = median(values);
  const last = median(values.slice(-lastPoints));
  let seasonal = 0;
  for (const value of repeated) seasonal += Math.abs(value - usual) / repeated.length;
  return Math.abs(last - usual) > extraordinary * seasonal;
}

/**
 * A forecast whose mean rise, as a share of the last value, is no larger than any cycle before gives reason for. What was
 * never less than zero has such shares; and a rise that every cycle had in the units of the series stays whatever it
 * starts from, as that of the water in spring.
 */
function withinRises(point: Float64Array, { candidates, nonNegative, observedValues: values }: Series): Float64Array {
  const n = values.length;
  const horizon = point.length;
  const levelAt = (at: number): number => median(values.slice(Math.max(0, at + 1 - lastPoints), at + 1));
  const riseFrom = (level: number, path: Float64Array): number =>
    path.reduce((sum, value) => sum + (value - level) / path.length, 0);
  const now = levelAt(n - 1);
  if (!nonNegative || !(now > 0)) return point;
  const rise = riseFrom(now, point) / now;
  const rises: number[] = [];
  let usual = Infinity;
  for (let cycle = 1; cycle <= cyclesAgo; cycle++) {
    const origin = n - Math.round(cycle * candidates[0]);
    const level = origin >= lastPoints ? levelAt(origin - 1) : 0;
    if (!(level > 0)) continue;
    const risen = riseFrom(level, values.subarray(origin, Math.min(n, origin + horizon)));
    rises.push(risen / level);
    usual = Math.min(usual, risen);
  }
  const paces = [1, 2, 4].map((times) => {
    const steps = Math.min(n - 1, times * horizon);
    return (values[n - 1] - values[n - 1 - steps]) / steps;
  });
  const goingOn = (mostPace * Math.max(...paces) * (horizon + 1)) / 2 / now;
  const most = Math.max(0, goingOn, Math.min(...rises));
  if (rises.length < 2 || rise <= most || rise * now <= usual) return point;
  return point.map((value) => now + (most / rise) * (value - now));
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
