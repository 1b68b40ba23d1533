import { median, rangeOf } from '../statistics.ts';

/** What the history of a series makes plausible at each step ahead, in its units. */
export interface Limits {
  /** The least and the largest point forecast. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** How far from the point forecast a quantile may lie. */
  readonly reach: Float64Array;
  /** The least and the largest quantile. */
  readonly outer: readonly [low: number, high: number];
}

/**
 * How far a forecast may go: to the extremes of the history and beyond them three times as far as the extremes moved
 * over so many steps in the second half of the history. Growth goes on over as many steps as there is history, and with
 * the square root of the steps after that, as nothing speaks for more. A quantile lies up to four times as far from the
 * point forecast as the series ever moved over so many steps, and farther where few points tell of few movements, as if
 * 20 more were needed; of fewer than six they say nothing. Where the history was moved to a level to which it came
 * before as well, the usual level of as many points as are asked for stays plausible. Fewer than ten points tell of no
 * trend: what comes stays within their range and one range beyond it.
 *
 * @param values the history that the forecast starts from
 * @param observed the same history with its spikes, which quantiles may reach
 */
export function limitsOf(values: Float64Array, observed: Float64Array, horizon: number): Limits {
  const n = values.length;
  const { low: lowest, high: highest } = rangeOf(values);
  const before = rangeOf(observed.subarray(0, n - Math.min(horizon, n >> 1)));
  const isBack = observed[n - 1] >= before.low && observed[n - 1] <= before.high;
  const usual = isBack ? median(observed.slice(-horizon)) : lowest;
  const [least, largest] = [Math.min(lowest, usual), Math.max(highest, usual)];
  const range = largest - least;
  if (n < 10 && range > 0) {
    const row = (value: number): Float64Array => new Float64Array(horizon).fill(value);
    const outer = [least - range, largest + range] as const;
    return { low: row(outer[0]), high: row(outer[1]), reach: row(Infinity), outer };
  }
  const longest = Math.min(Math.max(1, n >> 1), horizon);
  const lags: number[] = [];
  for (let lag = 1; lag < longest; lag *= 2) lags.push(lag);
  lags.push(longest);
  const along = (of: (lag: number) => number): Float64Array => {
    const knots = lags.map(of);
    return Float64Array.from({ length: horizon }, (_, i) => between(lags, knots, i + 1, n));
  };
  // Where nothing ever moved, or next to nothing is known, no movement tells of the largest possible.
  const reach = along((lag) => largestChange(observed, lag)).map((change) => 4 * (1 + 20 / n) * change);
  return {
    low: along((lag) => recordGrowth(values, lag, -1)).map((growth) => least - 3 * growth),
    high: along((lag) => recordGrowth(values, lag, 1)).map((growth) => largest + 3 * growth),
    reach: reach.map((change) => (n < 6 || change === 0 ? Infinity : change)),
    outer: [-Infinity, Infinity],
  };
}

/** How much the record rose at most over `lag` steps in the second half; with sign −1, how much the low record fell. */
function recordGrowth(values: Float64Array, lag: number, sign: number): number {
  const n = values.length;
  const half = Math.max(0, Math.min(n >> 1, n - 1 - lag));
  const records = new Float64Array(n);
  let record = -Infinity;
  let growth = 0;
  for (let i = 0; i < n; i++) {
    record = Math.max(record, sign * values[i]);
    records[i] = record;
    if (i - lag >= half) growth = Math.max(growth, record - records[i - lag]);
  }
  return growth;
}

function largestChange(values: Float64Array, lag: number): number {
  let change = 0;
  for (let i = lag; i < values.length; i++) change = Math.max(change, Math.abs(values[i] - values[i - lag]));
  return change;
}

/** Between the knots, and beyond the last one, where growth goes on. */
function between(lags: readonly number[], knots: readonly number[], step: number, points: number): number {
  const last = lags.length - 1;
  if (step >= lags[last]) {
    const supported = Math.min(step, points) / lags[last];
    return knots[last] * Math.max(1, supported) * Math.sqrt(Math.max(1, step / points));
  }
  let k = 0;
  while (lags[k + 1] < step) k++;
  return knots[k] + ((step - lags[k]) / (lags[k + 1] - lags[k])) * (knots[k + 1] - knots[k]);
}
