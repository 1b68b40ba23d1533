import { solvePositive } from '../linear.ts';

/** A ridge regression of which the penalty is chosen on two halves of the rows, each foretold from the other. */
export interface RidgeEffects {
  /** What all columns say of the history, those that are given too. */
  readonly fitted: Float64Array;
  /** What each half says of the other in the history, and both of the future. */
  readonly effect: Float64Array;
  /** The same for other columns, from a row on. */
  readonly of: (columns: readonly Float64Array[], from: number) => Float64Array;
}

const penalties = [3e-4, 3e-3, 0.03, 0.15, 0.6, 3];

/** Columns of which the sums are taken once, for several targets. */
export type Ridge = (target: Float64Array) => RidgeEffects;

/**
 * Effects of columns on a target by ridge regression (Hoerl and Kennard 1970), without an intercept.
 *
 * @param columns centred where the target is; as long as history and future
 * @param given the first columns, which are of no interest: they are fitted, but are no part of the effect
 * @param isKnown which rows of the history have a target
 * @param halfOf 0 or 1 for each row
 */
export function ridgeOf(
  columns: readonly Float64Array[],
  given: number,
  isKnown: readonly boolean[],
  halfOf: Uint8Array,
): Ridge {
  const size = columns.length;
  const length = columns[0].length;
  const rows: [number[], number[]] = [[], []];
  isKnown.forEach((known, i) => {
    if (known) rows[halfOf[i]].push(i);
  });
  const spreads = columns.map((column) => spreadOf(column, rows));
  const standard = columns.map((column, k) => column.map((value) => value * spreads[k]));
  const matrices = rows.map((each) => squaresOf(standard, each));
  const both = sum(matrices[0], matrices[1]);
  const count = rows[0].length + rows[1].length;

  return (target) => {
    const halves = rows.map((each, k) => ({ matrix: matrices[k], right: productsOf(standard, target, each) }));
    const whole = { matrix: both, right: sum(halves[0].right, halves[1].right) };
    let best: { error: number; penalty: number; weights: Float64Array[] } = {
      error: Infinity,
      penalty: penalties[penalties.length - 1],
      weights: [new Float64Array(size), new Float64Array(size)],
    };
    for (const penalty of penalties) {
      const weights = halves.map((half, k) =>
        solve(half.matrix, half.right, penalty * Math.max(1, rows[k].length), given),
      );
      const error = squaredError(halves[1], weights[0]) + squaredError(halves[0], weights[1]);
      if (error < best.error) best = { error, penalty, weights };
    }
    const full = solve(whole.matrix, whole.right, best.penalty * Math.max(1, count), given);
    const of = (others: readonly Float64Array[], from: number): Float64Array => {
      const effect = new Float64Array(length);
      for (let k = given; k < size; k++) {
        const column = others[k];
        for (let i = from; i < length; i++) {
          const weight = i < target.length ? best.weights[1 - halfOf[i]][k] : full[k];
          effect[i] += weight * spreads[k] * column[i];
        }
      }
      return effect;
    };
    const fitted = Float64Array.from(target, (_, i) =>
      standard.reduce((total, column, k) => total + full[k] * column[i], 0),
    );
    return { fitted, effect: of(columns, 0), of };
  };
}

/** The factor that gives a column the spread 1 over the rows; 0 for one that does not move. */
function spreadOf(column: Float64Array, rows: readonly [number[], number[]]): number {
  let squares = 0;
  for (const half of rows) for (const row of half) squares += column[row] * column[row];
  const spread = Math.sqrt(squares / (rows[0].length + rows[1].length));
  return spread > 1e-12 ? 1 / spread : 0;
}

interface Equations {
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

function productsOf(columns: readonly Float64Array[], target: Float64Array, rows: readonly number[]): Float64Array {
  const wanted = Float64Array.from(rows, (row) => target[row]);
  return Float64Array.from(columns, (column) =>
    dot(
      Float64Array.from(rows, (row) => column[row]),
      wanted,
    ),
  );
}

function squaresOf(columns: readonly Float64Array[], rows: readonly number[]): Float64Array {
  const size = columns.length;
  const picked = columns.map((column) => Float64Array.from(rows, (row) => column[row]));
  const matrix = new Float64Array(size * size);
  for (let k = 0; k < size; k++) {
    for (let l = 0; l <= k; l++) matrix[k * size + l] = matrix[l * size + k] = dot(picked[k], picked[l]);
  }
  return matrix;
}

function dot(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  let [s, t, u, v] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < n; i += 4) {
    s += a[i] * b[i];
    t += a[i + 1] * b[i + 1];
    u += a[i + 2] * b[i + 2];
    v += a[i + 3] * b[i + 3];
  }
  for (; i < n; i++) s += a[i] * b[i];
  return s + t + u + v;
}

const sum = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => value + b[i]);

/** The squared error of weights, but for the target's own square. */
function squaredError({ matrix, right }: Equations, weights: Float64Array): number {
  const size = weights.length;
  let error = 0;
  for (let k = 0; k < size; k++) {
    error += weights[k] * (dot(matrix.subarray(k * size, (k + 1) * size), weights) - 2 * right[k]);
  }
  return error;
}

/** The given columns are hardly penalised. */
function solve(matrix: Float64Array, right: Float64Array, penalty: number, given: number): Float64Array {
  const size = right.length;
  const penalised = matrix.slice();
  for (let i = 0; i < size; i++) penalised[i * size + i] += (i < given ? 0.01 : 1) * penalty + 1e-9;
  return solvePositive(penalised, right);
}
