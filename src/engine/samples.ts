import { EngineError } from './errors.ts';
import { atLevels, quantileOf, type Quantiles } from './quantiles.ts';
import { Random } from './random.ts';
import { rollingOrigins, seasonOf } from './rolling-origins.ts';
import { clamp, dot } from './statistics.ts';

/** Sample paths times steps, so that no request takes more than a few seconds or 100 MB. */
export const mostSampledSteps = 5_000_000;
export function checkPaths(samples: number, horizon: number): void {
  if (!(Number.isInteger(samples) && samples >= 1)) {
    throw new RangeError('The number of sample paths must be a whole number of 1 or more.');
  }
  if (samples * horizon <= mostSampledSteps) return;
  throw new EngineError('too_many_samples', samples, horizon, mostSampledSteps);
}

export function denseLevels(levels: readonly number[]): readonly number[] {
  const inner = Array.from({ length: 39 }, (_, i) => (i + 1) / 40);
  const outer = [0.0005, 0.001, 0.0025, 0.005, 0.01].flatMap((level) => [level, 1 - level]);
  return [...new Set([...inner, ...outer, ...levels])].sort((a, b) => a - b);
}

/**
 * One row for each step: quantiles at even levels, in the order of Gaussian paths (the shuffle of Clark et al. 2004).
 * @param correlation of neighboring steps
 */
export function samplePaths(quantiles: Quantiles, count: number, correlation: number): Float64Array[] {
  const random = new Random(1);
  const spaced = Array.from({ length: count }, (_, i) => (i + 0.5) / count);
  const ranked = atLevels(quantiles, spaced).rows;
  const states = Float64Array.from({ length: count }, () => random.normal());
  const fresh = Math.sqrt(1 - correlation * correlation);
  return Array.from(quantiles.rows[0], (_, step) => {
    if (step > 0) for (let i = 0; i < count; i++) states[i] = correlation * states[i] + fresh * random.normal();
    const order = Uint32Array.from(states.keys()).sort((a, b) => states[a] - states[b]);
    const values = new Float64Array(count);
    order.forEach((path, rank) => (values[path] = ranked[rank][step]));
    return values;
  });
}

export function sampledQuantiles(
  quantiles: Quantiles,
  levels: readonly number[],
  count: number,
  correlation: number,
): Float64Array[] {
  const paths = samplePaths(quantiles, count, correlation).map((row) => row.sort());
  return levels.map((level) => Float64Array.from(paths, (row) => quantileOf(row, level)));
}

/** Of neighboring steps, where the last season is repeated at past origins; .8 where these are too few to tell. */
export function correlationOf(history: Float64Array, periods: readonly number[], horizon: number): number {
  const values = history.filter(Number.isFinite);
  const season = seasonOf(periods, values.length);
  const stride = Math.max(2, Math.min(horizon, season > 1 ? season : 6));
  const ends = rollingOrigins({ length: values.length, stride, leastHistory: season, most: 20 });
  const errors = ends.map((end) =>
    Float64Array.from({ length: stride }, (_, step) => values[end + step] - values[end - season + (step % season)]),
  );
  const sumOf = (a: number, b: number): number =>
    errors.reduce((sum, row) => sum + dot(row.subarray(a, stride - 1 + a), row.subarray(b, stride - 1 + b)), 0);
  const size = Math.sqrt(sumOf(0, 0) * sumOf(1, 1));
  return ends.length * (stride - 1) >= 8 && size > 0 ? clamp(sumOf(0, 1) / size, 0, 0.99) : 0.8;
}
