/** What values in the same phase of a period say about the next ones. */
import { samePhase } from './view.ts';

/** The last period again and again; the last value where there is no whole period. */
export function repeated(values: Float64Array, period: number, horizon: number): Float64Array {
  return meanOfPhases(values, period, 1, horizon);
}

/** The mean of the last `most` values in the same phase. */
export function meanOfPhases(values: Float64Array, period: number, most: number, horizon: number): Float64Array {
  return ofPhases(values, period, horizon, (first) => {
    let sum = 0;
    let count = 0;
    for (let at = first; at >= 0 && count < most; at -= period) {
      sum += values[at];
      count++;
    }
    return sum / count;
  });
}

/** @param of gives the forecast from the index of the last value in the same phase */
function ofPhases(values: Float64Array, period: number, horizon: number, of: (first: number) => number): Float64Array {
  const n = values.length;
  const result = new Float64Array(horizon);
  for (let i = 0; i < horizon; i++) {
    if (i >= period) result[i] = result[i - period];
    else {
      const first = samePhase(n, period, i + 1);
      result[i] = first >= 0 ? of(first) : values[n - 1];
    }
  }
  return result;
}
