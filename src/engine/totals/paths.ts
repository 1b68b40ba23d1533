import { type Place, placeOf as placeAmong, valueAt } from '../quantiles.ts';
import { Random } from '../random.ts';
import { clamp, mean, normalQuantile } from '../statistics.ts';
import type { Structure } from './structure.ts';

/** The quantile levels that a distribution is told by here. */
export const pathLevels: readonly number[] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99];
const knots = pathLevels.map(normalQuantile);

/** The place of a score among those levels; beyond them a distribution goes on for up to three standard deviations. */
export const placeOf = (score: number): Place => placeAmong(clamp(score, -3, 3), knots);

/** The middles of equal parts, to know a distribution by. */
const evenly = Array.from({ length: 40 }, (_, i) => placeOf(normalQuantile((i + 0.5) / 40)));

/** Mean and variance of a distribution that is told by its values at {@link pathLevels}. */
export function momentsOf(rows: readonly Float64Array[], step: number): { mean: number; variance: number } {
  const values = Float64Array.from(evenly, (place) => valueAt(rows, step, place));
  const centre = mean(values);
  return { mean: centre, variance: mean(values.map((value) => (value - centre) ** 2)) };
}

/**
 * Standard normal scores of all series in each of many paths, one row of `paths` for each series.
 *
 * Parts are drawn correlated as their one-step errors were, shrunk (what they have in common as a model of factors, the rest
 * each by itself), and beyond that as much as the interval of their total says: how uncertain a total is tells how far its
 * parts go together over many steps. A total goes as the sum of its parts does. Every second path mirrors the one before.
 *
 * @param errors of one step, as many of each series
 * @param spreads standard deviations of the forecasts
 * @param paths an even number
 */
export function scoresOf(
  { size, bottoms, totals }: Structure,
  errors: readonly Float64Array[],
  shrinkage: number,
  spreads: Float64Array,
  paths: number,
): Float64Array[] {
  const random = new Random(1);
  const rank = errors[0]?.length ?? 0;
  const half = paths / 2;
  const common = Array.from({ length: half }, () => Float64Array.from({ length: rank }, () => random.normal()));
  const scores = Array.from({ length: size }, () => new Float64Array(paths));
  for (const series of bottoms) {
    const row = errors[series];
    const length = Math.sqrt(row.reduce((sum, error) => sum + error * error, 0));
    const weight = length > 0 ? Math.sqrt(1 - shrinkage) / length : 0;
    const rest = Math.sqrt(length > 0 ? shrinkage : 1);
    for (let k = 0; k < half; k++) {
      let sum = 0;
      for (let t = 0; t < rank; t++) sum += row[t] * common[k][t];
      scores[series][2 * k] = weight * sum + rest * random.normal();
      scores[series][2 * k + 1] = -scores[series][2 * k];
    }
    standardize(scores[series]);
  }
  for (const { series, members } of totals) {
    const parts = Array.from(members, (place) => bottoms[place]);
    tieTogether(
      parts.map((part) => scores[part]),
      parts.map((part) => spreads[part]),
      spreads[series],
    );
  }
  for (const { series, members } of totals) {
    const sum = scores[series];
    for (const place of members) {
      const part = bottoms[place];
      for (let k = 0; k < paths; k++) sum[k] += spreads[part] * scores[part][k];
    }
    standardize(sum);
  }
  return scores;
}

/** Ties rows of scores to their own sum until it is spread as widely as is wanted; changes them in place. */
function tieTogether(rows: readonly Float64Array[], spreads: readonly number[], wanted: number): void {
  const paths = rows[0].length;
  const sum = new Float64Array(paths);
  rows.forEach((row, i) => {
    for (let k = 0; k < paths; k++) sum[k] += spreads[i] * row[k];
  });
  if (!(spreadOf(sum) > 0) || spreadOf(sum) >= wanted) return;
  standardize(sum);
  const ties = rows.map((row) => row.reduce((total, score, k) => total + score * sum[k], 0) / paths);
  /** How much of each row is the sum, where so much of it is. */
  const spreadWith = (share: number): number => {
    // along the sum itself every row adds what it has in common with it, and across it nothing is left over
    let along = 0;
    ties.forEach((tie, i) => {
      const own = Math.sqrt(1 - share);
      const both = Math.sqrt(1 + 2 * own * Math.sqrt(share) * tie);
      along += (spreads[i] * (own * tie + Math.sqrt(share))) / both;
    });
    return along;
  };
  let [low, high] = [0, 0.98];
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    if (spreadWith(middle) < wanted) low = middle;
    else high = middle;
  }
  const own = Math.sqrt(1 - low);
  for (const row of rows) {
    for (let k = 0; k < paths; k++) row[k] = own * row[k] + Math.sqrt(low) * sum[k];
    standardize(row);
  }
}

const spreadOf = (row: Float64Array): number =>
  Math.sqrt(row.reduce((sum, score) => sum + score * score, 0) / row.length);

/** Mirrored paths have the mean 0. */
function standardize(row: Float64Array): void {
  const spread = spreadOf(row);
  if (spread > 0) for (let k = 0; k < row.length; k++) row[k] /= spread;
}
