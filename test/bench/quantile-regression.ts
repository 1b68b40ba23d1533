/** How smooth the corner of the loss is, from the first fit to the last, in units of the outcome. */
const corners = [1, 0.3, 0.1, 0.05];
const mostSteps = 40;

/** Numbers that tell, what came of them, and how much each row counts. */
export interface Sample {
  readonly rows: readonly Float64Array[];
  readonly outcomes: readonly number[];
  readonly weights: readonly number[];
}

/**
 * The weights whose sum with the numbers is the quantile of the outcome (Koenker and Bassett 1978), the first being that
 * of a constant; the others are shrunken by their squares. By Newton's method, with a corner that gets sharper.
 */
export function quantileRegression(sample: Sample, probability: number, penalty: number): Float64Array {
  const size = sample.rows[0].length;
  let found: Float64Array = new Float64Array(size);
  for (const corner of corners) {
    for (let step = 0; step < mostSteps; step++) {
      const { loss, slope, curve } = lossOf(sample, probability, penalty, corner, found);
      const way = solved(curve, slope);
      const after = (length: number): Float64Array => found.map((value, i) => value - length * way[i]);
      let length = 1;
      while (length > 1e-4 && lossOf(sample, probability, penalty, corner, after(length)).loss > loss) length /= 2;
      const next = after(length);
      const moved = Math.max(...next.map((value, i) => Math.abs(value - found[i])));
      found = next;
      if (moved < 1e-4) break;
    }
  }
  return found;
}

interface Loss {
  readonly loss: number;
  readonly slope: Float64Array;
  readonly curve: Float64Array[];
}

function lossOf(
  { rows, outcomes, weights }: Sample,
  probability: number,
  penalty: number,
  corner: number,
  at: Float64Array,
): Loss {
  const size = at.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const slope = at.map((value, i) => (i === 0 ? 0 : 2 * penalty * value));
  const curve = Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(size);
    row[i] = i === 0 ? 1e-9 : 2 * penalty;
    return row;
  });
  let loss = at.reduce((sum, value, i) => sum + (i === 0 ? 0 : penalty * value * value), 0);
  rows.forEach((row, r) => {
    let expected = 0;
    for (let i = 0; i < size; i++) expected += row[i] * at[i];
    const z = Math.max(-500, Math.min(500, (outcomes[r] - expected) / corner));
    const weight = weights[r] / total;
    const below = 1 / (1 + Math.exp(z));
    loss += weight * corner * (probability * z + (z > 0 ? Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z)) - z));
    const pull = weight * (probability - below);
    const bend = (weight * below * (1 - below)) / corner;
    for (let i = 0; i < size; i++) {
      slope[i] -= pull * row[i];
      for (let k = 0; k <= i; k++) curve[i][k] += bend * row[i] * row[k];
    }
  });
  return { loss, slope, curve };
}

/** Solves for a symmetric positive matrix, of which the lower half is given, by Cholesky's method. */
function solved(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const lower = matrix.map((row) => row.slice());
  for (let i = 0; i < n; i++) {
    lower[i][i] += 1e-9;
    for (let k = 0; k <= i; k++) {
      let sum = lower[i][k];
      for (let j = 0; j < k; j++) sum -= lower[i][j] * lower[k][j];
      lower[i][k] = i === k ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[k][k];
    }
  }
  const result = right.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) result[i] -= lower[i][k] * result[k];
    result[i] /= lower[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) result[i] -= lower[k][i] * result[k];
    result[i] /= lower[i][i];
  }
  return result;
}
