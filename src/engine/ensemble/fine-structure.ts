import type { Series } from '../prepare/series.ts';
import { clamp } from '../statistics.ts';

/** From so many steps of a cycle on, a step is finer than what most things follow … */
const shortestCycle = 96;
/** … where no cycle is shorter than this one: in hours, the week is long, but the day is not. */
const shortestOfAll = 60;
/** What is finer than this share of a cycle is looked at; in minutes, an hour of the day. */
const finest = 24;
/** Below the first correlation from cycle to cycle, fine structure is noise; from the second on it is kept whole. */
const [noise, kept] = [0.08, 0.35];
/** So many of the last cycles tell. */
const cycles = 6;

/** See `fineStructure`. */
export interface FineStructure {
  /** Steps to each side. */
  readonly reach: number;
  /** Share of what is finer, 0 to 1. */
  readonly keep: number;
}

/**
 * How far to each side a forecast may be averaged without losing what repeats, and how much of what is finer is kept: the
 * noise of yesterday's minutes says nothing of tomorrow's, while a job that runs every hour does.
 *
 * @returns undefined where the cycles are short, or what is fine repeats as well
 */
export function fineStructure({ values, candidates }: Series): FineStructure | undefined {
  const n = values.length;
  const known = candidates.filter((period) => Number.isInteger(period) && 2 * period <= n);
  const cycle = known.find((period) => period >= shortestCycle);
  if (cycle === undefined || known[0] < shortestOfAll) return undefined;
  const reach = Math.max(1, Math.round(cycle / finest / 2));
  const recent = values.subarray(Math.max(0, n - cycles * cycle));
  const coarse = averaged(recent, reach);
  const fine = recent.map((value, i) => value - coarse[i]);
  const most = Math.max(...known.map((period) => correlation(fine, period)));
  const keep = clamp((most - noise) / (kept - noise), 0, 1);
  return keep < 1 ? { reach, keep } : undefined;
}

/** A forecast without so much of what is fine as is noise. */
export function smoothed(forecast: Float64Array, { reach, keep }: FineStructure): Float64Array {
  const coarse = averaged(forecast, reach);
  return forecast.map((value, i) => coarse[i] + keep * (value - coarse[i]));
}

/** The mean of up to `reach` neighbours on each side, as many before as after. */
export function averaged(values: Float64Array, reach: number): Float64Array {
  const n = values.length;
  const sums = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) sums[i + 1] = sums[i] + values[i];
  return Float64Array.from({ length: n }, (_, i) => {
    const side = Math.min(reach, i, n - 1 - i);
    return (sums[i + side + 1] - sums[i - side]) / (2 * side + 1);
  });
}

function correlation(values: Float64Array, lag: number): number {
  let cross = 0;
  let squares = 1e-300;
  let others = 1e-300;
  for (let i = lag; i < values.length; i++) {
    cross += values[i] * values[i - lag];
    squares += values[i] ** 2;
    others += values[i - lag] ** 2;
  }
  return cross / Math.sqrt(squares * others);
}
