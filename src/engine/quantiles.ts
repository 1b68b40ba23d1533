import { along, clamp, mapped, normalQuantile, meanAbsolute, dot } from './statistics.ts';
import type { Series } from './prepare/series.ts';
import { rollingOrigins, seasonOf } from './rolling-origins.ts';
import { EngineError } from './types.ts';
import { Random } from './random.ts';

export interface Quantiles {
  readonly levels: readonly number[];
  readonly rows: readonly Float64Array[];
}

export function medianRow({ levels, rows }: Quantiles): Float64Array {
  return rows[levels.indexOf(0.5)];
}

export function mapRows(
  { levels, rows }: Quantiles,
  change: (row: Float64Array, k: number) => Float64Array,
): Quantiles {
  return { levels, rows: rows.map(change) };
}

/** Changes how far the quantiles are from their median, which may be put elsewhere. */
export function around(
  quantiles: Quantiles,
  change: (distance: number, step: number, k: number) => number,
  center = medianRow(quantiles),
): Quantiles {
  const median = medianRow(quantiles);
  return mapRows(quantiles, (row, k) => mapped(row, (value, i) => center[i] + change(value - median[i], i, k)));
}

export interface Place {
  readonly knot: number;
  readonly share: number;
}

export function placeOf(score: number, knots: readonly number[]): Place {
  let knot = 0;
  while (knot < knots.length - 2 && score > knots[knot + 1]) knot++;
  return { knot, share: (score - knots[knot]) / (knots[knot + 1] - knots[knot]) };
}

export function valueAt(rows: readonly Float64Array[], step: number, { knot, share }: Place): number {
  const low = rows[knot][step];
  return low + share * (rows[knot + 1][step] - low);
}

/** The quantiles at other levels: linear in the normal quantile, beyond the outermost ones up to 20 times their distance. */
export function atLevels({ levels, rows }: Quantiles, wanted: readonly number[]): Quantiles {
  const knots = levels.map(normalQuantile);
  return {
    levels: wanted,
    rows: wanted.map((level) => {
      const same = levels.indexOf(level);
      if (same >= 0) return rows[same].slice();
      const { knot, share } = placeOf(normalQuantile(level), knots);
      const place = { knot, share: clamp(share, -20, 20) };
      return along(rows[0].length, (step) => valueAt(rows, step, place));
    }),
  };
}

export const quantileOf = (sorted: Float64Array, level: number): number => between(sorted, level * (sorted.length - 1));

/** The value at a place that may lie between two. */
export function between(values: Float64Array, place: number): number {
  const below = Math.floor(place);
  const above = Math.min(values.length - 1, below + 1);
  return values[below] + (place - below) * (values[above] - values[below]);
}

/** Sums of the same terms may cross by a last digit. */
export function uncrossed(quantiles: Quantiles): Quantiles {
  const { levels } = quantiles;
  const median = medianRow(quantiles);
  let before: Float64Array | undefined;
  return mapRows(quantiles, (row, k) => {
    const below = before;
    before = mapped(row, (value, i) => {
      const sided = levels[k] < 0.5 ? Math.min(value, median[i]) : Math.max(value, median[i]);
      return below ? Math.max(sided, below[i]) : sided;
    });
    return before;
  });
}

export type PointForecast = (series: Series, horizon: number) => Float64Array;

/** Student's t with four degrees of freedom, as errors of forecasts have heavy tails, of the error as it grows. */
export function residualQuantiles(series: Series, horizon: number, levels: readonly number[], forecast: PointForecast) {
  const point = forecast(series, horizon);
  if (levels.every((level) => studentQuantile(level) === 0)) return { levels, rows: levels.map(() => point) };
  // The mean absolute value of the standard normal distribution is √(2/π).
  const { size, growth } = errorsOf(series, horizon, forecast);
  const scale = point.map((_, i) => Math.sqrt(Math.PI / 2) * size * (i + 1) ** growth);
  return { levels, rows: levels.map((level) => point.map((value, i) => value + studentQuantile(level) * scale[i])) };
}

/** As of one step ahead, and the exponent with which it grows. Of few origins, half of the level counts as two errors more. */
function errorsOf(series: Series, horizon: number, forecast: PointForecast): { size: number; growth: number } {
  const { values, candidates, filledIn } = series;
  const n = values.length;
  const period = Math.round(candidates[0] ?? 1);
  const leastHistory = Math.min(period > 1 ? Math.max(2 * period + 2, 6) : 6, Math.max(1, n - 2));
  const stride = Math.max(1, Math.min(horizon, Math.floor((n - leastHistory) / 6)));
  const sums = new Float64Array(horizon);
  const counts = new Float64Array(horizon);
  const ends = rollingOrigins({ length: n, stride, leastHistory, most: 6 });
  for (const end of ends) {
    const steps = Math.min(horizon, n - end);
    forecast(series.slice(0, end), steps).forEach((value, i) => {
      if (filledIn?.[end + i] === 1) return;
      sums[i] += Math.abs(values[end + i] - value);
      counts[i]++;
    });
  }
  const isKnown = ends.length >= 3 && counts.some((count) => count > 0);
  const growth = ends.length < 3 ? 0.4 : ownGrowth(sums, counts);
  const sum = sums.reduce((all, each, i) => all + each / (i + 1) ** growth, 0);
  const count = counts.reduce((all, each) => all + each, 0);
  const level = meanAbsolute(values);
  const prior = (level || 1) / 2;
  if (!isKnown) return { size: (sum + 2 * prior) / (count + 2), growth };
  const mean = sum / count;
  return { size: mean > 1e-9 * level ? mean : (0.2 * prior) / n, growth };
}

function ownGrowth(sums: Float64Array, counts: Float64Array): number {
  const known = Array.from(sums.keys()).filter((i) => sums[i] > 0);
  const sumOf = (of: (i: number) => number): number => known.reduce((sum, i) => sum + (counts[i] / (i + 1)) * of(i), 0);
  const step = (i: number): number => Math.log(i + 1);
  const error = (i: number): number => Math.log(sums[i] / counts[i]);
  const weight = sumOf(() => 1);
  const spread = sumOf((i) => step(i) ** 2) - sumOf(step) ** 2 / weight;
  if (!(spread > 1e-9)) return 0.4;
  const own = (sumOf((i) => step(i) * error(i)) - (sumOf(step) * sumOf(error)) / weight) / spread;
  return clamp((0.4 + own) / 2, 0, 1);
}

/** In closed form (Shaw 2006), with four degrees of freedom. */
export function studentQuantile(level: number): number {
  if (level === 0.5) return 0;
  const product = 4 * level * (1 - level);
  const root = Math.sqrt(product);
  const q = Math.cos(Math.acos(root) / 3) / root;
  return 2 * Math.sign(level - 0.5) * Math.sqrt(Math.max(0, q - 1));
}

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

/** A row a step: quantiles in the order of Gaussian paths (Clark et al. 2004). @param correlation of neighbors */
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

export function sampledQuantiles(quantiles: Quantiles, levels: readonly number[], count: number, correlation: number) {
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
