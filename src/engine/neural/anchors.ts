import { fitDynamicTheta } from '../methods/dotm.ts';
import { lagRidge } from '../methods/ridge.ts';
import { isMultiple, restoreSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import { allPositive, clamp, linearTrend, median } from '../statistics.ts';
import { thetaForecast } from '../methods/theta.ts';
import { smoothBest, smoothings, type Smoothings } from './smoothing.ts';

/** The last points of a prepared series, as the anchors and features see them. */
export interface View {
  readonly values: Float64Array;
  /** The values without their seasonal patterns. */
  readonly adjusted: Float64Array;
  /** Of the adjusted values. */
  readonly smoothed: Smoothings;
  readonly series: Series;
  /** Index in the series of the first forecast step. */
  readonly start: number;
  /** Steps of the shortest candidate period, 1 for none; and of the longest that is a multiple of it, 0 for none. */
  readonly period: number;
  readonly longPeriod: number;
}

/** Points further back tell next to nothing, but cost time. */
const mostPoints = 1000;

export function viewOf(series: Series, end = series.values.length): View {
  const from = Math.max(0, end - mostPoints);
  const { candidates } = series;
  const shortest = candidates.length > 0 ? candidates[0] : 1;
  const longest = candidates.length > 0 ? candidates[candidates.length - 1] : 1;
  const adjusted = series.seasons.adjusted.subarray(from, end);
  return {
    values: series.values.subarray(from, end),
    adjusted,
    smoothed: smoothings(adjusted),
    series,
    start: end,
    period: Math.round(shortest),
    longPeriod: longest > shortest && isMultiple(longest, shortest) ? Math.round(longest) : 0,
  };
}

/** How values without season become ordinary ones at each step ahead: factor and offset. */
export interface Restoring {
  readonly factors: Float64Array;
  readonly offsets: Float64Array;
}

export function restoringOf({ series, start }: View, horizon: number): Restoring {
  const { list } = series.seasons;
  const offsets = restoreSeasons(new Float64Array(horizon), list, start);
  const ones = restoreSeasons(new Float64Array(horizon).fill(1), list, start);
  return { factors: ones.map((one, i) => one - offsets[i]), offsets };
}

/** The index of the last value in the same phase of the period as a step ahead (1 or more); negative where none is. */
export function samePhase(count: number, period: number, ahead: number): number {
  return count - 1 + ahead - Math.ceil(ahead / period) * period;
}

export const anchorCount = 25;
/** Those that are the seasonal naive forecast where they cannot be had; the others are the naive one. */
const seasonalAnchors: readonly number[] = [11, 21, 22, 23];

/** Forecasts of simple methods, which the net weighs; all cheap, as each window in training needs them. */
export function anchorForecasts(view: View, horizon: number, restoring: Restoring): Float64Array[] {
  const { values, adjusted, smoothed, period, longPeriod } = view;
  const n = values.length;
  const last = values[n - 1];
  const lastAdjusted = adjusted[n - 1];
  const along = (at: (ahead: number) => number): Float64Array => {
    const result = new Float64Array(horizon);
    for (let i = 0; i < horizon; i++) result[i] = at(i + 1);
    return result;
  };
  const inSeason = (forecast: Float64Array | undefined): Float64Array | undefined =>
    forecast?.map((value, i) => value * restoring.factors[i] + restoring.offsets[i]);
  const adjustedAlong = (at: (ahead: number) => number): Float64Array => inSeason(along(at))!;
  const repeated = (steps: number): Float64Array =>
    along((ahead) => {
      const at = samePhase(n, steps, ahead);
      return at >= 0 ? values[at] : last;
    });

  const { best: level, usual, quick, medium, slow } = smoothed;
  const plainLevel = smoothBest(values).level;
  const average = meanOfLast(values, Math.max(4 * period, 24));
  const { slope } = linearTrend(adjusted);
  const drift = n > 1 ? (lastAdjusted - adjusted[0]) / (n - 1) : 0;
  const seasonal = repeated(period);
  const grown = yearOnYear(view);
  const naive = adjustedAlong(() => lastAdjusted);
  const recent = adjusted.subarray(Math.max(0, n - 300));
  const [theta, ridge] = onLogarithms(recent, [
    (logs) => thetaForecast(logs, horizon),
    (logs) => lagRidge(logs, [1, 2, 3], horizon, { penalty: 0.02, difference: 1 }),
  ]);
  const [growth] = onLogarithms(adjusted.subarray(Math.max(0, n - 60)), [(logs) => medianGrowth(logs, horizon)]);
  const forecasts: (Float64Array | undefined)[] = [
    naive,
    along(() => last),
    seasonal,
    adjustedAlong(() => usual.level),
    adjustedAlong(() => level.level),
    adjustedAlong((ahead) => medium.level + damped(0.95, ahead) * medium.slope),
    adjustedAlong((ahead) => slow.level + ahead * slow.slope),
    adjustedAlong((ahead) => quick.level + damped(0.9, ahead) * quick.slope),
    adjustedAlong((ahead) => level.level + 0.5 * slope * (ahead - 1 + 1 / Math.max(level.weight, 0.1))),
    adjustedAlong((ahead) => lastAdjusted + ahead * drift),
    meanOfPhases(view, along),
    longPeriod > 0 && n > longPeriod ? repeated(longPeriod) : undefined,
    along(() => plainLevel),
    along(() => average),
    inSeason(theta),
    inSeason(growth),
    inSeason(thetaForecast(adjusted.subarray(Math.max(0, n - 60)), horizon)),
    seasonal.map((value, i) => {
      const at = Math.max(0, samePhase(n, period, i + 1));
      return value + (level.level - adjusted[at]) * restoring.factors[i];
    }),
    seasonal.map((value, i) => grown(value, Math.ceil((i + 1) / period))),
    inSeason(ridge),
    inSeason(adjustedRidge(view, horizon)),
    ...lagRidges(view, horizon),
    meanOfRepeats(view, along),
    inSeason(rootDynamicTheta(adjusted.subarray(Math.max(0, n - 120)), horizon)),
  ];
  return forecasts.map((forecast, k) => usable(forecast) ?? (seasonalAnchors.includes(k) ? seasonal : naive));
}

function usable(forecast: Float64Array | undefined): Float64Array | undefined {
  return forecast?.every(Number.isFinite) ? forecast : undefined;
}

/** φ + φ² + … up to the step. */
function damped(factor: number, ahead: number): number {
  return (factor * (1 - factor ** ahead)) / (1 - factor);
}

type Method = (values: Float64Array) => Float64Array | undefined;

function onLogarithms(values: Float64Array, methods: readonly Method[]): (Float64Array | undefined)[] {
  if (!allPositive(values)) return methods.map((method) => method(values));
  const logs = values.map(Math.log);
  return methods.map((method) => method(logs)?.map((value) => Math.exp(Math.min(value, 230))));
}

/** The dynamic optimised theta model on square roots, with fewer trials than the `ensemble` spends on it. */
function rootDynamicTheta(values: Float64Array, horizon: number): Float64Array {
  if (!allPositive(values)) return fitDynamicTheta(values, 40).forecast(horizon);
  return fitDynamicTheta(values.map(Math.sqrt), 40)
    .forecast(horizon)
    .map((value) => Math.max(value, 0) ** 2);
}

/** An autoregression on the adjusted values; where a day or longer repeats, also around the periods. */
function adjustedRidge({ adjusted, period, longPeriod }: View, horizon: number): Float64Array | undefined {
  const lags = [1, 2, 3, 4, 5, 6];
  if (longPeriod === 0)
    return lagRidge(adjusted.subarray(Math.max(0, adjusted.length - 300)), lags, horizon, { penalty: 1e-3 });
  const around = [period, longPeriod].flatMap((steps) => [steps - 1, steps, steps + 1]);
  const all = [...new Set([...lags, ...around])].sort((a, b) => a - b);
  return lagRidge(adjusted, all, horizon, { penalty: 1e-3 });
}

function medianGrowth(values: Float64Array, horizon: number): Float64Array {
  const n = values.length;
  const steps = new Float64Array(n - 1);
  for (let i = 0; i < steps.length; i++) steps[i] = values[i + 1] - values[i];
  const growth = steps.length > 0 ? median(steps) : 0;
  return Float64Array.from({ length: horizon }, (_, i) => values[n - 1] + growth * (i + 1));
}

function meanOfLast(values: Float64Array, count: number): number {
  const from = Math.max(0, values.length - count);
  let sum = 0;
  for (let i = from; i < values.length; i++) sum += values[i];
  return sum / (values.length - from);
}

/** The mean of the last four values in the same phase. */
function meanOfPhases({ values, period }: View, along: (at: (ahead: number) => number) => Float64Array): Float64Array {
  const n = values.length;
  return along((ahead) => {
    let sum = 0;
    let count = 0;
    for (let at = samePhase(n, period, ahead); at >= 0 && count < 4; at -= period) {
      sum += values[at];
      count++;
    }
    return count > 0 ? sum / count : values[n - 1];
  });
}

/** The mean of the last three long periods, or of all values in the same phase where there is none. */
function meanOfRepeats(
  { values, period, longPeriod }: View,
  along: (at: (ahead: number) => number) => Float64Array,
): Float64Array | undefined {
  const n = values.length;
  if (longPeriod === 0 && period < 2) return undefined;
  const [steps, most] = longPeriod > 0 && n > longPeriod ? [longPeriod, 3] : [period, 12];
  return along((ahead) => {
    let sum = 0;
    let count = 0;
    for (let at = samePhase(n, steps, ahead); at >= 0 && count < most; at -= steps) {
      sum += values[at];
      count++;
    }
    return count > 0 ? sum / count : values[n - 1];
  });
}

/** How the last period grew over the one before, carried on and damped: by a factor where all values are positive. */
function yearOnYear({ values, period }: View): (value: number, cycles: number) => number {
  const n = values.length;
  if (n < 2 * period) return (value) => value;
  let now = 0;
  let before = 0;
  for (let i = 1; i <= period; i++) {
    now += values[n - i];
    before += values[n - period - i];
  }
  if (before > 0 && now > 0 && allPositive(values)) {
    const growth = clamp(now / before, 0.5, 2);
    return (value, cycles) => value * growth ** damped(0.9, cycles);
  }
  const growth = (now - before) / period;
  return (value, cycles) => value + growth * damped(0.9, cycles);
}

/** Autoregressions on the values themselves, on lags around the periods; for the last year-on-year or day-on-day changes. */
function lagRidges(view: View, horizon: number): (Float64Array | undefined)[] {
  const { values, period, longPeriod } = view;
  if (period === 1) {
    return [
      lagRidge(values, [1, 2, 3, 4], horizon, { penalty: 0.01 }),
      lagRidge(values, [1, 2, 3], horizon, { penalty: 0.05, difference: 1 }),
    ];
  }
  const p = period;
  const long = longPeriod > 0 ? [longPeriod - 1, longPeriod, longPeriod + 1] : [2 * p];
  const rising = (lags: number[]): number[] => [...new Set(lags)].filter((lag) => lag > 0).sort((a, b) => a - b);
  return onLogarithms(values, [
    (logs) => lagRidge(logs, rising([1, 2, 3, p - 1, p, p + 1, ...long]), horizon, { penalty: 0.002 }),
    (logs) => lagRidge(logs, rising([1, 2, 3, p, p + 1, ...long]), horizon, { penalty: 0.02, difference: p }),
  ]);
}
