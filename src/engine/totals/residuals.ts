import { dot, mean } from '../statistics.ts';

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
  return [0.03, 0.1, 0.25, 0.5, 0.8]
    .map((rate) => smoothed(values, cycle, rate, count))
    .reduce((best, errors) => (dot(errors, errors) < dot(best, best) ? errors : best));
}

/** Starts from the mean of the first three cycles, and what each place of the cycle differs from it. */
function smoothed(values: Float64Array, cycle: number, rate: number, count: number): Float64Array {
  const errors = new Float64Array(count);
  const n = values.length;
  const first = Math.max(0, values.findIndex(Number.isFinite));
  const start = values.slice(first, first + Math.max(4, 3 * cycle));
  const meanAt = (isThere: (i: number) => boolean): number =>
    mean(start.filter((value, i) => Number.isFinite(value) && isThere(first + i)));
  let level = meanAt(() => true) || 0;
  const seasons = Float64Array.from({ length: cycle }, (_, place) =>
    cycle > 1 ? meanAt((i) => i % cycle === place) - level || 0 : 0,
  );
  const settled = Math.min(2 * cycle, n >> 1);
  for (let i = 0; i < n; i++) {
    const place = i % cycle;
    const error = values[i] - level - seasons[place];
    if (!Number.isFinite(error)) continue;
    if (i >= settled && i >= n - count) errors[i - (n - count)] = error;
    level += rate * error;
    if (cycle > 1) seasons[place] += 0.1 * (1 - rate) * error;
  }
  return errors;
}
