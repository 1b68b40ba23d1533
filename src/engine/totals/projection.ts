import { factorize, solveFactored } from '../linear.ts';
import { dot } from '../statistics.ts';
import type { Covariance } from './covariance.ts';
import { addUp, type Structure } from './structure.ts';

/** Moves forecasts of all series, in place, as little as it takes for the parts to add up. */
export type Projection = (values: Float64Array) => void;

/**
 * The projection of least total variance (MinT; Wickramasuriya, Athanasopoulos and Hyndman 2019): with C y = 0 for every
 * total less its parts, ŷ − W C′ (C W C′)⁻¹ C ŷ. The equations have a row for each total, not for each series, and W is
 * never written out: it is a diagonal and a part of low rank. They are solved by Cholesky's factor, those of very many
 * totals by conjugate gradients. The totals are then added up anew, so that they are exact.
 *
 * @param mostFactored with more totals than this the factor would take longer
 */
export function projectionOf(structure: Structure, covariance: Covariance, mostFactored = 1_500): Projection {
  const { bottoms, totals } = structure;
  const { diagonal, factors, rank } = covariance;
  const count = totals.length;
  const inconsistent = new Float64Array(count * rank);
  totals.forEach(({ series, members }, a) => {
    const row = inconsistent.subarray(a * rank, (a + 1) * rank);
    for (let t = 0; t < rank; t++) row[t] = factors[series * rank + t];
    for (const place of members) {
      const from = bottoms[place] * rank;
      for (let t = 0; t < rank; t++) row[t] -= factors[from + t];
    }
  });
  const common = new Float64Array(rank);
  const moves = new Float64Array(bottoms.length);
  /** What each bottom is moved by, for what each total is off: W C′ z. */
  const spread = (z: Float64Array): void => {
    common.fill(0);
    moves.fill(0);
    for (let a = 0; a < count; a++) {
      const weight = z[a];
      for (const place of totals[a].members) moves[place] += weight;
      for (let t = 0; t < rank; t++) common[t] += weight * inconsistent[a * rank + t];
    }
    for (let place = 0; place < bottoms.length; place++) {
      const series = bottoms[place];
      let sum = -diagonal[series] * moves[place];
      for (let t = 0, at = series * rank; t < rank; t++) sum += factors[at + t] * common[t];
      moves[place] = sum;
    }
  };
  /** C W C′ z. */
  const apply = (z: Float64Array, result: Float64Array): void => {
    spread(z);
    totals.forEach(({ series, members }, a) => {
      let sum = diagonal[series] * z[a];
      for (let t = 0; t < rank; t++) sum += factors[series * rank + t] * common[t];
      for (const place of members) sum -= moves[place];
      result[a] = sum;
    });
  };
  const solve =
    count <= mostFactored ? factored(structure, diagonal, inconsistent, rank) : iterative(apply, structure, diagonal);
  const off = new Float64Array(count);
  return (values) => {
    totals.forEach(({ series, members }, a) => {
      let sum = values[series];
      for (const place of members) sum -= values[bottoms[place]];
      off[a] = sum;
    });
    spread(solve(off));
    for (let place = 0; place < bottoms.length; place++) values[bottoms[place]] -= moves[place];
    addUp(structure, values);
  };
}

type Solve = (right: Float64Array) => Float64Array;

/** The equations written out, and Cholesky's factor of them. */
function factored(
  { bottoms, totals }: Structure,
  diagonal: Float64Array,
  inconsistent: Float64Array,
  rank: number,
): Solve {
  const n = totals.length;
  const matrix = new Float64Array(n * n);
  const above: number[][] = Array.from({ length: bottoms.length }, () => []);
  totals.forEach(({ members }, a) => {
    for (const place of members) above[place].push(a);
  });
  above.forEach((those, place) => {
    const variance = diagonal[bottoms[place]];
    for (const a of those) for (const b of those) if (b <= a) matrix[a * n + b] += variance;
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
  { bottoms, totals }: Structure,
  diagonal: Float64Array,
): Solve {
  const n = totals.length;
  const scale = Float64Array.from(totals, ({ series, members }) =>
    members.reduce((sum, place) => sum + diagonal[bottoms[place]], diagonal[series]),
  );
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
