import { dot, clamp, factorize, mean, normalQuantile, solveFactored } from '../statistics.ts';
import { addUp, type Structure, sumOf } from './structure.ts';
import { placeOf, quantileOf, valueAt, type Place } from '../quantiles.ts';
import { Random } from '../random.ts';

/** Minimum trace reconciliation (MinT): the covariance of forecast errors, and the projection that makes forecasts add up. */

/**
 * The covariance of one-step errors, shrunk towards a diagonal as by Schäfer and Strimmer (2005). The target has for a
 * total the variances of its parts added up, over the root of their number, after structural scaling (Athanasopoulos et
 * al. 2017): its own variance would hold what hits all parts at once, which moves no forecast. λ is at least .02 and a
 * variance 1e-10 of the mean one, so that the equations can be solved.
 * @param errors for each series one for each of the same steps
 */
export function shrunkCovariance({ bottoms, totals }: Structure, errors: readonly Float64Array[]) {
  const n = errors.length;
  const rank = errors[0]?.length ?? 0;
  const factors = new Float64Array(n * rank);
  const standard = new Float64Array(n * rank);
  const diagonal = new Float64Array(n);
  errors.forEach((row, i) => {
    diagonal[i] = rank > 0 ? dot(row, row) / rank : 0;
    factors.set(row, i * rank);
    const unit = diagonal[i] > 0 ? 1 / Math.sqrt(diagonal[i]) : 0;
    for (let t = 0; t < rank; t++) standard[i * rank + t] = row[t] * unit;
  });
  const shrinkage = Math.max(0.02, shrinkageOf(standard, n, rank));
  const least = (1e-10 * sumOf(bottoms, diagonal)) / bottoms.length || 1;
  for (const series of bottoms) diagonal[series] = Math.max(least, diagonal[series]);
  for (const { series, members } of totals) diagonal[series] = sumOf(members, diagonal) / Math.sqrt(members.length);
  const scale = Math.sqrt((1 - shrinkage) / Math.max(1, rank));
  return {
    diagonal: diagonal.map((variance) => shrinkage * variance),
    /** Beside the diagonal: factors · factors′, of a row of `rank` for each series. */
    factors: factors.map((error) => scale * error),
    rank,
    shrinkage,
  };
}

/** λ = Σ Var(r_ij) / Σ r_ij² over i ≠ j; of standardized z, Σ r_ij² is also that of Z′ Z / T, and Σ (z_ti z_tj)² = Σ_t (Σ_i z_ti²)². */
function shrinkageOf(z: Float64Array, n: number, rank: number): number {
  if (rank < 3 || n < 2) return 1;
  const gram = new Float64Array(rank * rank);
  let ownSquares = 0;
  let ownFourth = 0;
  for (let i = 0; i < n; i++) {
    let own = 0;
    for (let s = 0; s < rank; s++) {
      const a = z[i * rank + s];
      own += a * a;
      ownFourth += a ** 4;
      if (a !== 0) for (let t = 0; t <= s; t++) gram[s * rank + t] += a * z[i * rank + t];
    }
    ownSquares += (own / rank) ** 2;
  }
  let squares = 0;
  let products = 0;
  for (let s = 0; s < rank; s++) {
    products += gram[s * rank + s] ** 2;
    for (let t = 0; t <= s; t++) squares += (t < s ? 2 : 1) * gram[s * rank + t] ** 2;
  }
  const pairs = squares / (rank * rank) - ownSquares;
  const variance = ((products - ownFourth - rank * pairs) * rank) / (rank - 1) ** 3;
  return pairs > 0 ? Math.min(1, Math.max(0, variance / pairs)) : 1;
}

export type Covariance = ReturnType<typeof shrunkCovariance>;

/**
 * The projection of least total variance (Wickramasuriya, Athanasopoulos and Hyndman 2019): with C y = 0 for every
 * total less its parts, ŷ − W C′ (C W C′)⁻¹ C ŷ, where W is never written out. Solved by Cholesky's factor, for more
 * than `mostFactored` totals by conjugate gradients. The totals are then added up anew, so that they are exact.
 */
export function projectionOf(structure: Structure, covariance: Covariance, mostFactored = 1_500) {
  const { bottoms, totals } = structure;
  const { diagonal, factors, rank } = covariance;
  const count = totals.length;
  const inconsistent = new Float64Array(count * rank);
  totals.forEach(({ series, members }, a) => {
    const row = inconsistent.subarray(a * rank, (a + 1) * rank);
    for (let t = 0; t < rank; t++) row[t] = factors[series * rank + t];
    for (const member of members) for (let t = 0; t < rank; t++) row[t] -= factors[member * rank + t];
  });
  const common = new Float64Array(rank);
  const moves = new Float64Array(structure.size);
  /** What each bottom is moved by, for what each total is off: W C′ z. */
  const spread = (z: Float64Array): void => {
    common.fill(0);
    moves.fill(0);
    for (let a = 0; a < count; a++) {
      const weight = z[a];
      for (const member of totals[a].members) moves[member] += weight;
      for (let t = 0; t < rank; t++) common[t] += weight * inconsistent[a * rank + t];
    }
    for (const series of bottoms) {
      moves[series] = dot(factors, common, rank, series * rank) - diagonal[series] * moves[series];
    }
  };
  const apply = (z: Float64Array, result: Float64Array): void => {
    spread(z);
    totals.forEach(({ series, members }, a) => {
      result[a] = diagonal[series] * z[a] + dot(factors, common, rank, series * rank) - sumOf(members, moves);
    });
  };
  const solve =
    count <= mostFactored ? factored(structure, diagonal, inconsistent, rank) : iterative(apply, structure, diagonal);
  const off = new Float64Array(count);
  return (values: Float64Array): void => {
    totals.forEach(({ series, members }, a) => {
      off[a] = values[series] - sumOf(members, values);
    });
    spread(solve(off));
    for (const series of bottoms) values[series] -= moves[series];
    addUp(structure, values);
  };
}

type Solve = (right: Float64Array) => Float64Array;

function factored(
  { size, totals }: Structure,
  diagonal: Float64Array,
  inconsistent: Float64Array,
  rank: number,
): Solve {
  const n = totals.length;
  const matrix = new Float64Array(n * n);
  const above: number[][] = Array.from({ length: size }, () => []);
  totals.forEach(({ members }, a) => {
    for (const member of members) {
      above[member].push(a);
      for (const b of above[member]) matrix[a * n + b] += diagonal[member];
    }
  });
  totals.forEach(({ series }, a) => {
    matrix[a * n + a] += diagonal[series];
    for (let b = 0; b <= a; b++) matrix[a * n + b] += dot(inconsistent, inconsistent, rank, a * rank, b * rank);
  });
  // A total with a single part that errs as it does leaves nothing to tell them apart.
  const factor = factorize(matrix, n);
  return (right) => solveFactored(factor, right.slice());
}

/** Conjugate gradients with the diagonal as preconditioner (Hestenes and Stiefel 1952). */
function iterative(
  apply: (z: Float64Array, result: Float64Array) => void,
  { totals }: Structure,
  diagonal: Float64Array,
): Solve {
  const n = totals.length;
  const scale = Float64Array.from(totals, ({ series, members }) => diagonal[series] + sumOf(members, diagonal));
  const z = new Float64Array(n);
  const applied = new Float64Array(n);
  return (right) => {
    z.fill(0);
    const rest = right.slice();
    const direction = rest.map((value, i) => value / scale[i]);
    let size = dot(rest, direction);
    const enough = size * 1e-20;
    for (let round = 0; round < 200 && size > enough; round++) {
      apply(direction, applied);
      const step = size / dot(direction, applied);
      for (let i = 0; i < n; i++) {
        z[i] += step * direction[i];
        rest[i] -= step * applied[i];
      }
      const scaled = rest.map((value, i) => value / scale[i]);
      const before = size;
      size = dot(rest, scaled);
      for (let i = 0; i < n; i++) direction[i] = scaled[i] + (size / before) * direction[i];
    }
    return z;
  };
}

export interface Base {
  readonly point: Float64Array;
  readonly rows: readonly Float64Array[];
  /** Of counts, whose median says little: the expected value of each step, which is what adds up. */
  readonly mean?: number | undefined;
  readonly errors: Float64Array;
}

export interface Coherent {
  readonly point: Float64Array;
  readonly quantiles: readonly Float64Array[];
}

interface TotalsQuestion {
  readonly structure: Structure;
  readonly bases: readonly Base[];
  readonly levels: readonly number[];
  readonly nonNegative: boolean;
  readonly paths?: number;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Forecasts that add up. Point forecasts are moved by the projection of least variance ({@link projectionOf}).
 * Quantiles are those of sample paths that are projected alike (Panagiotelis, Gamakumara, Athanasopoulos and Hyndman
 * 2023): each draws a value of every series from its own forecast ({@link pathScores}). Where no series is below 0,
 * what would be is set to 0 and the others are scaled to their totals.
 */
export function forecastTotals(question: TotalsQuestion): Coherent[] {
  const { structure, bases, levels } = question;
  const horizon = bases[0]?.point.length ?? 0;
  const errors = bases.map((base) => base.errors);
  const covariance = shrunkCovariance(structure, errors);
  const project = projectionOf(structure, covariance);
  const keep = question.nonNegative ? keepingAboveZero(structure, bases) : undefined;
  const settle = (values: Float64Array, step: number): void => {
    project(values);
    keep?.(values, step);
  };
  const points = bases.map(({ point, mean }) => (mean === undefined ? point.slice() : point.map(() => mean)));
  for (let step = 0; step < horizon; step++) {
    const values = Float64Array.from(points, (point) => point[step]);
    settle(values, step);
    points.forEach((point, i) => (point[step] = values[i]));
  }
  const quantiles = bases.map(() => levels.map(() => new Float64Array(horizon)));
  if (levels.length > 0) fillQuantiles(question, covariance.shrinkage, settle, points, quantiles);
  return points.map((point, i) => ({ point, quantiles: quantiles[i] }));
}

function keepingAboveZero(structure: Structure, bases: readonly Base[]): (values: Float64Array, step: number) => void {
  const { bottoms, totals } = structure;
  const isClosed = (series: number, step: number): boolean => {
    const { rows, point } = bases[series];
    return point[step] === 0 && rows[0][step] === 0 && rows[rows.length - 1][step] === 0;
  };
  const targets = new Float64Array(totals.length);
  return (values, step) => {
    let isWhole = true;
    for (const series of bottoms) {
      if (values[series] === 0 || (values[series] > 0 && !isClosed(series, step))) continue;
      if (isWhole) totals.forEach((total, a) => (targets[a] = Math.max(0, values[total.series])));
      isWhole = false;
      values[series] = 0;
    }
    if (isWhole) return;
    // Where totals overlap, what scales to one moves another: three rounds.
    for (let round = 0; round < 3; round++) {
      totals.forEach(({ members }, a) => {
        const sum = sumOf(members, values);
        if (sum > 0) for (const member of members) values[member] *= targets[a] / sum;
      });
    }
    addUp(structure, values);
  };
}

function fillQuantiles(
  { structure, bases, levels, paths = 256, onProgress }: TotalsQuestion,
  shrinkage: number,
  settle: (values: Float64Array, step: number) => void,
  points: readonly Float64Array[],
  quantiles: readonly (readonly Float64Array[])[],
): void {
  const n = bases.length;
  const horizon = points[0]?.length ?? 0;
  const spreads = Float64Array.from(bases, ({ rows, point }) =>
    Math.sqrt(mean(point.map((_, step) => momentsOf(rows, step).variance))),
  );
  const errors = bases.map((base) => base.errors);
  const places = pathScores(structure, errors, shrinkage, spreads, paths).map((row): Place[] =>
    Array.from(row, pathPlace),
  );
  const drawn = Array.from({ length: paths }, () => new Float64Array(n));
  for (let step = 0; step < horizon; step++) {
    bases.forEach(({ rows, mean }, i) => {
      // interpolated between whole numbers a distribution has another mean
      const factor = mean === undefined ? 1 : mean / (momentsOf(rows, step).mean || mean || 1);
      for (let k = 0; k < paths; k++) drawn[k][i] = factor * valueAt(rows, step, places[i][k]);
    });
    for (const values of drawn) settle(values, step);
    bases.forEach(({ mean, rows }, i) => {
      const one = Float64Array.from(drawn, (values) => values[i]).sort();
      const isCount = mean !== undefined;
      // quantiles of whole numbers are whole: 0.1 sold is none, most of the time
      const written =
        isCount && rows.every((row) => Number.isInteger(row[step])) ? Math.round : (value: number) => value;
      const point = points[i][step];
      // what the paths are off the point forecast, by chance and by their skew
      const shift = isCount ? 0 : point - quantileOf(one, 0.5);
      const floor = one[0] >= 0 && point >= 0 ? 0 : -Infinity;
      levels.forEach((level, l) => {
        quantiles[i][l][step] =
          level === 0.5 && !isCount ? point : written(Math.max(floor, quantileOf(one, level) + shift));
      });
    });
    onProgress?.((step + 1) / horizon);
  }
}

export const pathLevels: readonly number[] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99];
const knots = pathLevels.map(normalQuantile);

export const pathPlace = (score: number): Place => placeOf(clamp(score, -3, 3), knots);

const evenly = Array.from({ length: 40 }, (_, i) => pathPlace(normalQuantile((i + 0.5) / 40)));

export function momentsOf(rows: readonly Float64Array[], step: number): { mean: number; variance: number } {
  const values = Float64Array.from(evenly, (place) => valueAt(rows, step, place));
  const center = mean(values);
  return { mean: center, variance: mean(values.map((value) => (value - center) ** 2)) };
}

/**
 * Standard normal scores of all series in each of an even number of paths, by series. Parts are correlated as their
 * one-step errors were, shrunk, and beyond that as much as the interval of their total says. A total goes as the sum of
 * its parts does. Every second path mirrors the one before.
 * @param errors of one step, as many of each series
 * @param spreads standard deviations of the forecasts
 */
export function pathScores(
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
  const scores: Float64Array[] = Array.from({ length: size }, () => new Float64Array(paths));
  for (const series of bottoms) {
    const row = errors[series];
    const length = Math.sqrt(dot(row, row));
    const weight = length > 0 ? Math.sqrt(1 - shrinkage) / length : 0;
    const rest = Math.sqrt(length > 0 ? shrinkage : 1);
    for (let k = 0; k < half; k++) {
      scores[series][2 * k] = weight * dot(row, common[k]) + rest * random.normal();
      scores[series][2 * k + 1] = -scores[series][2 * k];
    }
    standardize(scores[series]);
  }
  const partsOf = (members: Int32Array) =>
    [Array.from(members, (part) => scores[part]), Array.from(members, (part) => spreads[part])] as const;
  for (const { series, members } of totals) tieTogether(...partsOf(members), spreads[series]);
  for (const { series, members } of totals) {
    scores[series] = weightedSum(...partsOf(members));
    standardize(scores[series]);
  }
  return scores;
}

/** Ties rows of scores to their own sum until it is spread as widely as is wanted; changes them in place. */
function tieTogether(rows: readonly Float64Array[], spreads: readonly number[], wanted: number): void {
  const paths = rows[0].length;
  const sum = weightedSum(rows, spreads);
  if (!(spreadOf(sum) > 0) || spreadOf(sum) >= wanted) return;
  standardize(sum);
  const ties = rows.map((row) => dot(row, sum) / paths);
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

const weightedSum = (rows: readonly Float64Array[], weights: readonly number[]): Float64Array =>
  rows[0].map((_, k) => rows.reduce((sum, row, i) => sum + weights[i] * row[k], 0));

const spreadOf = (row: Float64Array): number => Math.sqrt(dot(row, row) / row.length);

function standardize(row: Float64Array): void {
  const spread = spreadOf(row);
  if (spread > 0) for (let k = 0; k < row.length; k++) row[k] /= spread;
}

/** The last errors one step ahead of Winters' smoothing (1960) with the best rate: what series have in common. */
export function oneStepErrors(values: Float64Array, period: number, count: number): Float64Array {
  const season = Math.round(period);
  const cycle = season >= 2 && values.length >= 3 * season ? season : 1;
  return [0.03, 0.1, 0.25, 0.5, 0.8]
    .map((rate) => smoothed(values, cycle, rate, count))
    .reduce((best, errors) => (dot(errors, errors) < dot(best, best) ? errors : best));
}

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
