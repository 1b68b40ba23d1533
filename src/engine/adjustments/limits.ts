import { rangeOf } from '../statistics.ts';

/** Beyond the records of the past a forecast may go this many times as far as records grew over as many steps. */
const recordFactor = 3;
/** A quantile may lie this many times as far from the point forecast as the series ever moved over as many steps … */
const changeFactor = 4;
/** … and farther where few points tell of few movements: as if so many more were needed. */
const fewPoints = 20;

/** Fewer points tell of no trend: what comes stays within their range and one range beyond it, quantiles too. */
const fewestForTrend = 10;
/** Of fewer points the movements say nothing of how far a quantile may lie. */
const fewestPoints = 6;

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
 * How far a forecast may go: to the extremes of the history and beyond them as far as the extremes moved over so many
 * steps in the second half of the history, twice over. Growth goes on over as many steps as there is history, and with
 * the square root of the steps after that, as nothing speaks for more.
 *
 * @param values the history that the forecast starts from
 * @param observed the same history with its spikes, which quantiles may reach
 */
export function limitsOf(values: Float64Array, observed: Float64Array, horizon: number): Limits {
  const n = values.length;
  const { low: least, high: largest } = rangeOf(values);
  const range = largest - least;
  if (n < fewestForTrend && range > 0) {
    const row = (value: number): Float64Array => new Float64Array(horizon).fill(value);
    const outer = [least - range, largest + range] as const;
    return { low: row(outer[0]), high: row(outer[1]), reach: row(Infinity), outer };
  }
  const lags: number[] = [];
  const longest = Math.max(1, n >> 1);
  for (let lag = 1; lag < Math.min(longest, horizon); lag *= 2) lags.push(lag);
  lags.push(Math.min(longest, horizon));
  const highs = lags.map((lag) => recordGrowth(values, lag, 1));
  const lows = lags.map((lag) => recordGrowth(values, lag, -1));
  const changes = lags.map((lag) => largestChange(observed, lag));
  const unknown = changeFactor * (1 + fewPoints / n);
  const along = (knots: readonly number[], of: (knot: number) => number): Float64Array =>
    Float64Array.from({ length: horizon }, (_, i) => of(at(lags, knots, i + 1, n)));
  return {
    low: along(lows, (growth) => least - recordFactor * growth),
    high: along(highs, (growth) => largest + recordFactor * growth),
    reach: along(changes, (change) => reachOf(n, unknown * change)),
    outer: [-Infinity, Infinity],
  };
}

/** Where nothing ever moved, or next to nothing is known, no movement tells of the largest possible. */
const reachOf = (points: number, reach: number): number => (points < fewestPoints || reach === 0 ? Infinity : reach);

/** How much the record rose at most over `lag` steps in the second half; with sign −1, how much the low record fell. */
function recordGrowth(values: Float64Array, lag: number, sign: number): number {
  const n = values.length;
  const half = Math.max(0, Math.min(n >> 1, n - 1 - lag));
  const records = new Float64Array(n);
  let record = -Infinity;
  let growth = 0;
  for (let i = 0; i < n; i++) {
    const value = sign * values[i];
    if (value > record) record = value;
    records[i] = record;
    if (i - lag >= half && record - records[i - lag] > growth) growth = record - records[i - lag];
  }
  return growth;
}

function largestChange(values: Float64Array, lag: number): number {
  let change = 0;
  for (let i = lag; i < values.length; i++) {
    const step = Math.abs(values[i] - values[i - lag]);
    if (step > change) change = step;
  }
  return change;
}

/** Between the knots, and beyond the last one, where growth goes on. */
function at(lags: readonly number[], knots: readonly number[], step: number, points: number): number {
  const last = lags.length - 1;
  if (step >= lags[last]) {
    const supported = Math.min(step, points) / lags[last];
    return knots[last] * Math.max(1, supported) * Math.sqrt(Math.max(1, step / points));
  }
  let k = 0;
  while (lags[k + 1] < step) k++;
  const share = (step - lags[k]) / (lags[k + 1] - lags[k]);
  return knots[k] + share * (knots[k + 1] - knots[k]);
}
