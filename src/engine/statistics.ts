/** Small statistics over plain arrays; none of these functions changes its input. */

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

export function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? Number.NaN : sum / values.length;
}

/** The mean of the absolute values. */
export function meanAbsolute(values: Iterable<number> & ArrayLike<number>): number {
  let sum = 0;
  for (const value of values) sum += Math.abs(value);
  return values.length === 0 ? Number.NaN : sum / values.length;
}

/** The middle value, or the mean of the middle two; `NaN` for an empty array. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : 0.5 * sorted[middle - 1] + 0.5 * sorted[middle];
}

/** Differences at a lag: `values[i] - values[i - lag]`, shorter than the input by the lag. */
export function differences(values: Float64Array, lag: number): Float64Array {
  const result = new Float64Array(Math.max(0, values.length - lag));
  for (let i = 0; i < result.length; i++) result[i] = values[i + lag] - values[i];
  return result;
}

/** Autocorrelations at the lags 0 … `maxLag`; all `NaN` but the first for a constant series. */
export function autocorrelations(values: Float64Array, maxLag: number): Float64Array {
  const n = values.length;
  const average = mean(values);
  const centred = values.map((value) => value - average);
  let variance = 0;
  for (let i = 0; i < n; i++) variance += centred[i] * centred[i];
  const result = new Float64Array(maxLag + 1);
  result[0] = 1;
  for (let lag = 1; lag <= maxLag; lag++) {
    let sum = 0;
    for (let i = lag; i < n; i++) sum += centred[i] * centred[i - lag];
    result[lag] = variance > 0 ? sum / variance : Number.NaN;
  }
  return result;
}

/** Ordinary least squares of the values on 0, 1, 2 …; the slope of a single value is 0. */
export function linearTrend(values: ArrayLike<number>, length = values.length): { intercept: number; slope: number } {
  const centre = (length - 1) / 2;
  let sum = 0;
  let cross = 0;
  for (let i = 0; i < length; i++) {
    sum += values[i];
    cross += (i - centre) * values[i];
  }
  const spread = (length * (length * length - 1)) / 12;
  const slope = length > 1 ? cross / spread : 0;
  return { intercept: sum / length - slope * centre, slope };
}

/** Whether every value is above 0. */
export function allPositive(values: Float64Array): boolean {
  for (const value of values) if (!(value > 0)) return false;
  return true;
}

export function allFinite(values: Float64Array): boolean {
  for (const value of values) if (!Number.isFinite(value)) return false;
  return true;
}
