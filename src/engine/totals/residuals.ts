import { clamp } from '../statistics.ts';

/**
 * What a series did that its own past did not let expect, one step ahead each: errors of exponential smoothing of level
 * and season (Winters 1960), with the rate of the level that erred least. Cheap enough for thousands of series; what
 * series have in common is seen in it, and not how large the errors of a forecast will be.
 *
 * @param period in steps; 1 for none
 * @param count how many of the last steps are told
 * @returns `count` errors, 0 where nothing was observed
 */
export function oneStepErrors(values: Float64Array, period: number, count: number): Float64Array {
  const season = Math.round(period);
  const cycle = season >= 2 && values.length >= 3 * season ? season : 1;
  let best = new Float64Array(count);
  let least = Infinity;
  for (const rate of [0.03, 0.1, 0.25, 0.5, 0.8]) {
    const errors = smoothed(values, cycle, rate, count);
    let sum = 0;
    for (const error of errors) sum += error * error;
    if (sum < least) [best, least] = [errors, sum];
  }
  return best;
}

function smoothed(values: Float64Array, cycle: number, rate: number, count: number): Float64Array<ArrayBuffer> {
  const errors = new Float64Array(count);
  const n = values.length;
  const start = startOf(values, cycle);
  const seasons = start.seasons;
  let { level } = start;
  const settled = Math.min(2 * cycle, n >> 1);
  for (let i = 0; i < n; i++) {
    const value = values[i];
    if (!Number.isFinite(value)) continue;
    const place = i % cycle;
    const error = value - level - seasons[place];
    if (i >= settled && i >= n - count) errors[i - (n - count)] = error;
    level += rate * error;
    if (cycle > 1) seasons[place] += 0.1 * (1 - rate) * error;
  }
  return errors;
}

/** The mean of the first cycles, and what each place of the cycle differs from it. */
function startOf(values: Float64Array, cycle: number): { level: number; seasons: Float64Array } {
  const seasons = new Float64Array(cycle);
  const counts = new Float64Array(cycle);
  const first = values.findIndex(Number.isFinite);
  const end = Math.min(values.length, clamp(first, 0, values.length) + Math.max(4, 3 * cycle));
  let level = 0;
  let count = 0;
  for (let i = Math.max(0, first); i < end; i++) {
    if (!Number.isFinite(values[i])) continue;
    level += values[i];
    count++;
    seasons[i % cycle] += values[i];
    counts[i % cycle]++;
  }
  level = count > 0 ? level / count : 0;
  return { level, seasons: seasons.map((sum, i) => (cycle > 1 && counts[i] > 0 ? sum / counts[i] - level : 0)) };
}
