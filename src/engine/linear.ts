/** Cholesky's factor by rows, in place, of the lower triangle. Rows that say the same thing can be solved. */
export function factorize(matrix: Float64Array, size: number): Float64Array {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    for (let j = 0; j <= i; j++) {
      const other = j * size;
      let sum = matrix[row + j];
      for (let k = 0; k < j; k++) sum -= matrix[row + k] * matrix[other + k];
      matrix[row + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12 * matrix[row + i], 1e-14)) : sum / matrix[other + j];
    }
  }
  return matrix;
}

/** Solves the equations of a matrix whose factor is given; the result is written into `right`. */
export function solveFactored(factor: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  for (let i = 0; i < size; i++) {
    const row = i * size;
    let sum = right[i];
    for (let k = 0; k < i; k++) sum -= factor[row + k] * right[k];
    right[i] = sum / factor[row + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    const row = i * size;
    right[i] /= factor[row + i];
    for (let k = 0; k < i; k++) right[k] -= factor[row + k] * right[i];
  }
  return right;
}
