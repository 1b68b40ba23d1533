/** Minimum trace reconciliation (MinT): the covariance of forecast errors, and the projection that makes forecasts add up. */
import { factorize, solveFactored } from '../linear.ts';
import { dot } from '../statistics.ts';
import { addUp, type Structure, sumOf } from './structure.ts';

/** Diag + factors · factors′, of a row of `rank` for each series. */
export interface Covariance {
  readonly diagonal: Float64Array;
  readonly factors: Float64Array;
  readonly rank: number;
  /** λ, 0 to 1: how much of the covariance is the target, the diagonal. */
  readonly shrinkage: number;
}

/**
 * The covariance of one-step errors, shrunk towards a diagonal as by Schäfer and Strimmer (2005). The target has for a
 * total the variances of its parts added up, over the root of their number, after structural scaling (Athanasopoulos et
 * al. 2017): its own variance would hold what hits all parts at once, which moves no forecast. λ is at least .02 and a
 * variance 1e-10 of the mean one, so that the equations can be solved.
 *
 * @param errors for each series one for each of the same steps
 */
export function shrunkCovariance({ bottoms, totals }: Structure, errors: readonly Float64Array[]): Covariance {
  const n = errors.length;
  const rank = errors[0]?.length ?? 0;
  const factors = new Float64Array(n * rank);
  const standard = new Float64Array(n * rank);
  const diagonal = new Float64Array(n);
  errors.forEach((row, i) => {
    let sum = 0;
    for (const error of row) sum += error * error;
    diagonal[i] = rank > 0 ? sum / rank : 0;
    factors.set(row, i * rank);
    const unit = diagonal[i] > 0 ? 1 / Math.sqrt(diagonal[i]) : 0;
    for (let t = 0; t < rank; t++) standard[i * rank + t] = row[t] * unit;
  });
  const shrinkage = Math.max(0.02, shrinkageOf(standard, n, rank));
  let mean = 0;
  for (const series of bottoms) mean += diagonal[series] / bottoms.length;
  const least = 1e-10 * mean || 1;
  for (const series of bottoms) diagonal[series] = Math.max(least, diagonal[series]);
  for (const { series, members } of totals) diagonal[series] = sumOf(members, diagonal) / Math.sqrt(members.length);
  const scale = Math.sqrt((1 - shrinkage) / Math.max(1, rank));
  return {
    diagonal: diagonal.map((variance) => shrinkage * variance),
    factors: factors.map((error) => scale * error),
    rank,
    shrinkage,
  };
}

/**
 * λ = Σ Var(r_ij) / Σ r_ij² over all i ≠ j. With standardized errors z, Σ r_ij² is the sum of squares of Z Z′ / T,
 * which is that of Z′ Z / T with one row for each step; and Σ (z_ti z_tj)² is Σ_t (Σ_i z_ti²)².
 */
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
      let sum = -diagonal[series] * moves[series];
      for (let t = 0, at = series * rank; t < rank; t++) sum += factors[at + t] * common[t];
      moves[series] = sum;
    }
  };
  const apply = (z: Float64Array, result: Float64Array): void => {
    spread(z);
    totals.forEach(({ series, members }, a) => {
      let sum = diagonal[series] * z[a];
      for (let t = 0; t < rank; t++) sum += factors[series * rank + t] * common[t];
      for (const member of members) sum -= moves[member];
      result[a] = sum;
    });
  };
  const solve =
    count <= mostFactored ? factored(structure, diagonal, inconsistent, rank) : iterative(apply, structure, diagonal);
  const off = new Float64Array(count);
  return (values: Float64Array): void => {
    totals.forEach(({ series, members }, a) => {
      let sum = values[series];
      for (const member of members) sum -= values[member];
      off[a] = sum;
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
    for (const member of members) above[member].push(a);
  });
  above.forEach((those, series) => {
    for (const a of those) for (const b of those) if (b <= a) matrix[a * n + b] += diagonal[series];
  });
  totals.forEach(({ series }, a) => {
    matrix[a * n + a] += diagonal[series];
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let t = 0; t < rank; t++) sum += inconsistent[a * rank + t] * inconsistent[b * rank + t];
      matrix[a * n + b] += sum;
    }
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
      const before = size;
      size = 0;
      for (let i = 0; i < n; i++) size += (rest[i] * rest[i]) / scale[i];
      for (let i = 0; i < n; i++) direction[i] = rest[i] / scale[i] + (size / before) * direction[i];
    }
    return z;
  };
}
