import { forecast } from '../forecast.ts';
import type { EngineInput } from '../types.ts';
import type { Covariate } from './covariate.ts';

/** A covariate of which something was missing: as it is taken to be, and how it may be as well. */
export interface Completed {
  readonly covariate: Covariate;
  /** Steps at its end that had to be forecast. */
  readonly forecast: number;
  /** Of those steps, the 10 % and 90 % quantiles; elsewhere the values. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** What is missing in between is as it was before; what is missing at the end is forecast. */
export function complete({ name, values }: Covariate, periods: readonly number[]): Completed {
  const first = values.find(Number.isFinite) ?? 0;
  let end = values.length;
  while (end > 0 && !Number.isFinite(values[end - 1])) end--;
  let last = first;
  const known = values.map((value) => (last = Number.isFinite(value) ? value : last));
  const missing = values.length - end;
  if (missing === 0 || end === 0) return { covariate: { name, values: known }, forecast: 0, low: known, high: known };
  const { point, low, high } = continued(known.subarray(0, end), periods, missing);
  const put = (row: Float64Array): Float64Array => {
    const result = known.slice();
    result.set(row, end);
    return result;
  };
  return { covariate: { name, values: put(point) }, forecast: missing, low: put(low), high: put(high) };
}

/** A switch is taken to stay between its two values. */
function continued(
  values: Float64Array,
  periods: readonly number[],
  horizon: number,
): { point: Float64Array; low: Float64Array; high: Float64Array } {
  const input: EngineInput = { values, periods, horizon, levels: [0.1, 0.9] };
  const { point, quantiles } = forecast('ensemble', input);
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const inside = (row: Float64Array): Float64Array => row.map((value) => Math.max(least, Math.min(most, value)));
  return { point: inside(point), low: inside(quantiles[0]), high: inside(quantiles[1]) };
}
