export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

export function mean(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return values.length === 0 ? Number.NaN : sum / values.length;
}

export function rangeOf(values: Float64Array): { readonly low: number; readonly high: number } {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  return { low, high };
}

export function meanAbsolute(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Math.abs(values[i]);
  return values.length === 0 ? Number.NaN : sum / values.length;
}

/** The middle value, or the mean of the middle two; `NaN` for an empty array. */
export function median(values: ArrayLike<number>): number {
  const sorted = scratch(values.length);
  sorted.set(values);
  sorted.sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * sorted[middle - 1] + 0.5 * sorted[middle];
}

export function sortFew(values: Float64Array): void {
  for (let k = 1; k < values.length; k++) {
    const value = values[k];
    let place = k;
    for (; place > 0 && values[place - 1] > value; place--) values[place] = values[place - 1];
    values[place] = value;
  }
}

/** The sum of products of so many numbers from two places on; four partial sums keep the processor busy. */
export function dot(a: Float64Array, b: Float64Array, count = a.length, aAt = 0, bAt = 0): number {
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  let i = 0;
  for (; i + 3 < count; i += 4) {
    s += a[aAt + i] * b[bAt + i];
    t += a[aAt + i + 1] * b[bAt + i + 1];
    u += a[aAt + i + 2] * b[bAt + i + 2];
    v += a[aAt + i + 3] * b[bAt + i + 3];
  }
  for (; i < count; i++) s += a[aAt + i] * b[bAt + i];
  return s + t + u + v;
}

let block = new ArrayBuffer(0);
let taken = 0;

/** Zeros that nobody keeps for long, from shared blocks: memory of their own made forecasts take 30 to 70 % longer. */
export function scratch(length: number): Float64Array {
  if (length > 1000) return new Float64Array(length);
  if (taken + 8 * length > block.byteLength) {
    block = new ArrayBuffer(32_768);
    taken = 0;
  }
  const result = new Float64Array(block, taken, length);
  taken += 8 * length;
  return result;
}

/** A number for each place, not for long: several times as fast as `Float64Array.from`. */
export function along(length: number, numberAt: (place: number) => number): Float64Array {
  const result = scratch(length);
  for (let i = 0; i < length; i++) result[i] = numberAt(i);
  return result;
}

export function mapped(values: Float64Array, change: (value: number, place: number) => number): Float64Array {
  const result = scratch(values.length);
  for (let i = 0; i < result.length; i++) result[i] = change(values[i], i);
  return result;
}

export function lastOf(values: Float64Array, count: number): Float64Array {
  return values.subarray(Math.max(0, values.length - count));
}

export function differences(values: Float64Array, lag: number): Float64Array {
  return along(Math.max(0, values.length - lag), (i) => values[i + lag] - values[i]);
}

export function centered(values: Float64Array): Float64Array {
  const average = mean(values);
  return mapped(values, (value) => value - average);
}

/** Autocorrelations at the lags 0 … `maxLag`; all `NaN` but the first for a constant series. */
export function autocorrelations(values: Float64Array, maxLag: number): Float64Array {
  const around = centered(values);
  const variance = dot(around, around);
  return along(maxLag + 1, (lag) => {
    if (lag === 0) return 1;
    return variance > 0 ? dot(around, around, around.length - lag, lag) / variance : Number.NaN;
  });
}

/** Ordinary least squares of the values on 0, 1, 2 …; the slope of a single value is 0. */
export function linearTrend(values: ArrayLike<number>, length = values.length): { intercept: number; slope: number } {
  const center = (length - 1) / 2;
  let sum = 0;
  let cross = 0;
  for (let i = 0; i < length; i++) {
    sum += values[i];
    cross += (i - center) * values[i];
  }
  const spread = (length * (length * length - 1)) / 12;
  const slope = length > 1 ? cross / spread : 0;
  return { intercept: sum / length - slope * center, slope };
}

export function allPositive(values: Float64Array): boolean {
  return values.every((value) => value > 0);
}

export function allFinite(values: Float64Array): boolean {
  return values.every(Number.isFinite);
}

// prettier-ignore
const normalCoefficients = {
  tail: [-7.784894002430293e-3, -0.3223964580411365, -2.400758277161838,
    -2.549732539343734, 4.374664141464968, 2.938163982698783],
  tailBelow: [7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
  middle: [-39.69683028665376, 220.9460984245205, -275.9285104469687,
    138.357751867269, -30.66479806614716, 2.506628277459239],
  middleBelow: [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
};

/** The standard normal quantile (Acklam's rational approximation, relative error below 1.2e-9). */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const { tail, tailBelow, middle, middleBelow } = normalCoefficients;
  if (probability < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return polynomial(q, tail) / polynomial(q, tailBelow);
  }
  const q = probability - 0.5;
  return (q * polynomial(q * q, middle)) / polynomial(q * q, middleBelow);
}

function polynomial(x: number, coefficients: readonly number[]): number {
  return coefficients.reduce((value, coefficient) => value * x + coefficient, 0);
}

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
