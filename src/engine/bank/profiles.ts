/** What values in the same phase of a period say about the next ones. */
import { allPositive, clamp, median } from '../statistics.ts';
import { samePhase, type View } from './view.ts';

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

/** The median of the last `most` values in the same phase. */
export function medianOfPhases(values: Float64Array, period: number, most: number, horizon: number): Float64Array {
  const near: number[] = [];
  return ofPhases(values, period, horizon, (first) => {
    near.length = 0;
    for (let at = first; at >= 0 && near.length < most; at -= period) near.push(values[at]);
    return median(near);
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

/** How the last period grew over the one before, carried on and damped: by a factor where all values are positive. */
export function yearOnYear({ values, logs, period }: View): (value: number, cycles: number) => number {
  const n = values.length;
  if (n < 2 * period) return (value) => value;
  let now = 0;
  let before = 0;
  for (let i = 1; i <= period; i++) {
    now += values[n - i];
    before += values[n - period - i];
  }
  const dampedCycles = (cycles: number): number => 9 * (1 - 0.9 ** cycles);
  if (before > 0 && now > 0 && (logs.logarithmic || allPositive(values))) {
    const growth = clamp(now / before, 0.5, 2);
    return (value, cycles) => value * growth ** dampedCycles(cycles);
  }
  const growth = (now - before) / period;
  return (value, cycles) => value + growth * dampedCycles(cycles);
}
