import { along, clamp, differences, dot, factorize, mapped, scratch, solveFactored } from '../statistics.ts';

export interface RidgeOptions {
  /** Ridge penalty as a share of the number of rows. */
  readonly penalty: number;
  readonly difference?: number;
}

/** After Hoerl and Kennard (1970); undefined for too few values. */
export function fitLagRidge(
  values: Float64Array,
  wantedLags: readonly number[],
  { penalty, difference = 0 }: RidgeOptions,
) {
  const used = difference > 0 ? differences(values, difference) : values;
  const n = used.length;
  const lags = wantedLags.filter((lag) => lag < n / 2.2).sort((a, b) => a - b);
  const longest = Math.max(...lags, 1);
  const size = lags.length;
  if (size === 0 || n - longest < size + 4) return undefined;
  let center = 0;
  for (let i = 0; i < n; i++) center += used[i] / n;
  let variance = 0;
  for (let i = 0; i < n; i++) variance += (used[i] - center) ** 2 / n;
  const spread = Math.sqrt(variance) || 1;
  const standard = mapped(used, (value) => (value - center) / spread);
  return { lags, weights: ridgeWeights(standard, lags, longest, penalty), center, spread, difference };
}

type LagFit = NonNullable<ReturnType<typeof fitLagRidge>>;

export function continueLags(fit: LagFit, values: Float64Array, horizon: number): Float64Array {
  const { lags, weights, center, spread, difference } = fit;
  const size = lags.length;
  const n = lags[size - 1];
  const m = values.length;
  const path = scratch(n + horizon);
  for (let i = 0; i < n; i++) {
    const at = m - n + i;
    const value = difference > 0 ? values[at] - values[at - difference] : values[at];
    path[i] = (value - center) / spread;
  }
  const result = scratch(horizon);
  for (let i = 0; i < horizon; i++) {
    let value = weights[size];
    for (let k = 0; k < size; k++) value += weights[k] * path[n + i - lags[k]];
    path[n + i] = clamp(value, -8, 8);
    result[i] = path[n + i] * spread + center;
  }
  if (difference > 0) {
    for (let i = 0; i < horizon; i++) result[i] += i < difference ? values[m - difference + i] : result[i - difference];
  }
  return result;
}

/** The weights of the lags, then the intercept, which is not penalized. */
function ridgeWeights(values: Float64Array, lags: readonly number[], longest: number, penalty: number): Float64Array {
  const count = lags.length;
  const size = count + 1;
  const rows = values.length - longest;
  const columns = [0, ...lags];
  const { products, sums } = lagProducts(values, columns, longest);
  const matrix = scratch(size * size);
  const right = scratch(size);
  for (let i = 0; i < count; i++) {
    right[i] = products[i + 1];
    for (let j = 0; j <= i; j++) matrix[i * size + j] = products[(j + 1) * columns.length + i + 1];
    matrix[i * size + i] += penalty * rows;
    matrix[count * size + i] = sums[i + 1];
  }
  right[count] = sums[0];
  matrix[count * size + count] = rows;
  return solveFactored(factorize(matrix, size), right);
}

/** For rising lags, Σ `values[t - lag] · values[t - other]` and Σ `values[t - lag]` from `longest` on; equal distances share products. */
function lagProducts(values: Float64Array, lags: readonly number[], longest: number) {
  const n = values.length;
  const size = lags.length;
  const products = scratch(size * size);
  // Where the pair of lags before stands that is as far apart; 0, which is the first of all, for none.
  const latest = new Int32Array(lags[size - 1] + 1);
  const across = (from: number, to: number, distance: number): number =>
    dot(values, values, to - from, from, from - distance);
  for (let i = 0; i < size; i++) {
    const lag = lags[i];
    for (let j = i; j < size; j++) {
      const distance = lags[j] - lag;
      const place = i * size + j;
      const other = latest[distance];
      const before = lags[Math.floor(other / size)];
      products[place] =
        i === 0 || (other === 0 && distance > 0)
          ? across(longest - lag, n - lag, distance)
          : products[other] +
            (across(longest - lag, longest - before, distance) - across(n - lag, n - before, distance));
      latest[distance] = place;
    }
  }
  const sums = along(size, (k) => {
    const lag = lags[k];
    let sum = 0;
    for (let i = longest - lag; i < n - lag; i++) sum += values[i];
    return sum;
  });
  return { products, sums };
}
