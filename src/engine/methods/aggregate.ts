/**
 * Forecasts the means over blocks of `block` steps and spreads them back over the steps, linearly between the middles of
 * the blocks: the idea of temporal aggregation (Kourentzes, Petropoulos and Trapero 2014), which filters noise and shows
 * the trend. Falls back to the method on the values themselves where fewer than `leastBlocks` blocks are full.
 */
export function forecastBlocks(
  values: Float64Array,
  horizon: number,
  block: number,
  leastBlocks: number,
  method: (values: Float64Array, horizon: number) => Float64Array,
): Float64Array {
  const count = Math.floor(values.length / block);
  if (count < leastBlocks) return method(values, horizon);
  const start = values.length - count * block;
  const means = new Float64Array(count);
  for (let i = 0; i < count * block; i++) means[Math.floor(i / block)] += values[start + i] / block;
  const future = method(means, Math.ceil(horizon / block) + 1);
  const at = (index: number): number => (index < 0 ? means[count + index] : future[index]);
  const result = new Float64Array(horizon);
  for (let i = 0; i < horizon; i++) {
    const middle = (i + 0.5) / block - 0.5;
    const before = Math.floor(middle);
    const share = middle - before;
    result[i] = (1 - share) * at(before) + share * at(before + 1);
  }
  return result;
}
