import type { Series } from '../prepare/series.ts';
import { meanChange } from '../rolling-origins.ts';
import {
  allPositive,
  along,
  clamp,
  differences,
  mapped,
  meanAbsolute,
  median,
  rangeOf,
  scratch,
} from '../statistics.ts';

/**
 * Restrains a forecast that is more than five mean changes from the last season: as such departures faded before, or
 * where no season has been seen twice, towards the last value as far as the series never went so far.
 */
export function restrained(
  point: Float64Array,
  { candidates, observedValues: values }: Pick<Series, 'candidates' | 'observedValues'>,
): Float64Array {
  const n = values.length;
  const shortest = candidates[0] ?? 1;
  const season = Number.isInteger(shortest) && 2 * shortest <= n ? shortest : 1;
  const repeated = along(point.length, (i) => values[n - season + (i % season)]);
  let distance = 0;
  for (let i = 0; i < point.length; i++) distance += Math.abs(point[i] - repeated[i]) / point.length;
  const usual = 5 * meanChange(values, season);
  if (!(distance > usual)) return point;
  if (season > 1) {
    if (!isExtraordinary(values, repeated)) return point;
    const stays = staying(values, season, point.length);
    return point.map((value, i) => repeated[i] + stays[i] * (value - repeated[i]));
  }
  const { low, high } = rangeOf(values);
  const isKnown = candidates.some((period) => n >= 2 * period) || point.every((value) => value >= low && value <= high);
  const most = Math.max(usual, usualMove(values, point.length), steadyGrowth(values, point.length));
  if (isKnown || distance <= most) return point;
  return point.map((value, i) => repeated[i] + (most / distance) * (value - repeated[i]));
}

function isExtraordinary(values: Float64Array, repeated: Float64Array): boolean {
  const usual = median(values);
  const last = median(values.slice(-3));
  return Math.abs(last - usual) > 2 * meanAbsolute(repeated.map((value) => value - usual));
}

/** The share of a departure from the last season that is left at each step ahead: as past ones went that lasted so long. */
function staying(values: Float64Array, season: number, horizon: number): Float64Array {
  const away = differences(values, season);
  const now = median(away.slice(-3));
  const runs = new Uint32Array(away.length);
  away.forEach((value, i) => (runs[i] = value * Math.sign(now) > Math.abs(now) / 2 ? (runs[i - 1] ?? 0) + 1 : 0));
  const lasted = Math.max(1, runs[runs.length - 1]);
  const past = Array.from(runs.keys()).filter(
    (i) => i < runs.length - lasted && runs[i] >= lasted / 2 && runs[i] <= 2 * lasted,
  );
  return Float64Array.from({ length: horizon }, (_, i) => {
    let sum = 3 * Math.min(1, (1.5 * lasted) / (i + 1));
    let count = 3;
    for (const at of past) {
      if (at + i + 1 >= away.length) break;
      sum += clamp(away[at + i + 1] / away[at], 0, 1);
      count++;
    }
    return sum / count;
  });
}

function usualMove(values: Float64Array, horizon: number): number {
  const n = values.length;
  const steps = Math.max(1, Math.min(horizon, n >> 1));
  const stride = Math.max(1, Math.floor(n / 60));
  const from = (first: number): number => {
    let sum = 0;
    let count = 0;
    for (let origin = n - steps; origin >= first; origin -= stride) {
      for (let i = 0; i < steps; i++) sum += Math.abs(values[origin + i] - values[origin - 1]) / steps;
      count++;
    }
    return count > 0 ? sum / count : 0;
  };
  return (Math.max(from(1), from(Math.max(1, Math.floor((2 * (n - steps)) / 3)))) * horizon) / steps;
}

function steadyGrowth(values: Float64Array, horizon: number): number {
  if (!allPositive(values)) return 0;
  const rates = differences(values.map(Math.log), 1).sort();
  const rate = Math.max(0, rates[rates.length >> 2]);
  const last = values[values.length - 1];
  return meanAbsolute(Float64Array.from({ length: horizon }, (_, i) => last * Math.expm1(rate * (i + 1))));
}

/**
 * The limits of a point forecast at each step, how far from it a quantile may lie, and the limits of a quantile: the
 * extremes of the history, and three times what they moved over so many steps in its second half. A quantile lies up to
 * four times as far away as the series ever moved. Of fewer than ten points, what comes stays within one range of theirs.
 * @param observed the history that the forecast starts from, with its spikes, which quantiles may reach
 */
export function limitsOf(values: Float64Array, observed: Float64Array, horizon: number) {
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
  const alongSteps = (of: (lag: number) => number): Float64Array => {
    const knots = lags.map(of);
    return along(horizon, (i) => between(lags, knots, i + 1, n));
  };
  // Where nothing ever moved, or next to nothing is known, no movement shows the largest possible.
  const reach = alongSteps((lag) => largestChange(observed, lag) * 4 * (1 + 20 / n));
  return {
    low: mapped(
      alongSteps((lag) => recordGrowth(values, lag, -1)),
      (growth) => least - 3 * growth,
    ),
    high: mapped(
      alongSteps((lag) => recordGrowth(values, lag, 1)),
      (growth) => largest + 3 * growth,
    ),
    reach: mapped(reach, (change) => (n < 6 || change === 0 ? Infinity : change)),
    outer: [-Infinity, Infinity] as const,
  };
}

/** How much the record rose at most over `lag` steps in the second half; with sign −1, how much the low record fell. */
function recordGrowth(values: Float64Array, lag: number, sign: number): number {
  const n = values.length;
  const half = Math.max(0, Math.min(n >> 1, n - 1 - lag));
  const records = scratch(n);
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
  let most = 0;
  for (let i = lag; i < values.length; i++) most = Math.max(most, Math.abs(values[i] - values[i - lag]));
  return most;
}

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
