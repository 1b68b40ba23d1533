import { meanChange } from '../rolling-origins.ts';
import { lastOf, linearTrend, mean, meanAbsolute, median } from '../statistics.ts';
import { pieceOf } from '../prepare/series.ts';
import { smooth, type View } from '../bank/view.ts';

/** Statistics of a window, with the five that the features add. */
export const statisticCount = 43 + 5;

export interface Summary {
  readonly location: number;
  readonly scale: number;
  /** How far the last values lay from the location at most, in the scale. */
  readonly swing: number;
  readonly reference: number;
  readonly statistics: readonly number[];
}

export function summarise(view: View): Summary {
  const { values, adjusted, smoothed, period, longPeriod, series } = view;
  const n = values.length;
  const near = Math.min(n, Math.max(64, 3 * period));
  const level = mean(lastOf(adjusted, Math.max(period, 8)));
  const nearSteps = meanStep(lastOf(adjusted, near));
  const allSteps = meanStep(adjusted);
  const { best, usual, trend } = smoothed;
  const location = usual.level;
  let spread = 0;
  let swing = 0;
  let largest = 0;
  for (let i = n - near; i < n; i++) {
    spread += Math.abs(adjusted[i] - level) / near;
    swing = Math.max(swing, Math.abs(values[i] - location));
    largest = Math.max(largest, Math.abs(values[i]));
  }
  const tiny = 1e-6 * largest + 1e-12;
  const isSame = (value: number, other: number): boolean => Math.abs(value - other) <= 1e-4 * tiny;
  const scale = Math.max(0.5 * nearSteps + 0.5 * allSteps, 0.02 * spread, 1e-3 * swing, tiny);

  const seasonal = n > period ? meanChange(values, period) : allSteps;
  const plain = meanStep(values);
  const long = longPeriod > 0 && n > longPeriod + period ? meanChange(values, longPeriod) : seasonal;
  let zeros = 0;
  let repeats = 0;
  let lowest = Infinity;
  let largestMove = 0;
  for (let i = 0; i < n; i++) {
    if (values[i] === 0 && series.nonNegative) zeros++;
    if (i > 0 && isSame(values[i], values[i - 1])) repeats++;
    lowest = Math.min(lowest, values[i]);
    if (i > 0) largestMove = Math.max(largestMove, Math.abs(adjusted[i] - adjusted[i - 1]));
  }
  const ratio = (a: number, b: number): number => Math.log((Math.abs(a) + tiny) / (Math.abs(b) + tiny));
  const half = n >> 1;
  const slopeOf = (from: number, to: number): number =>
    Math.asinh((10 * linearTrend(adjusted.subarray(from, Math.max(from + 1, to))).slope) / scale);
  const relative = (value: number): number => Math.asinh((value - location) / scale);
  const recent = lastOf(values, Math.max(2 * period, 24));
  const smoothedPart = lastOf(adjusted, 500);
  const piece = pieceOf(series, view.start);
  // A median needs no more.
  const some = lastOf(values, 300);
  const statistics = {
    logLength: Math.log(n) - 4,
    logPeriod: Math.log(period),
    seasonFound: series.seasons.list.length > 0 ? 1 : 0,
    seasonShare: 1 - allSteps / (plain + tiny),
    positive: series.positive ? 1 : 0,
    relativeScale: series.positive ? Math.log(scale / (Math.abs(location) + scale) + 1e-6) / 3 : 0,
    levelError: ratio(best.error, scale),
    levelWeight: best.weight,
    seasonalMove: ratio(seasonal, plain),
    dampedTrendGain: ratio(trend.error, best.error),
    slowLevelGain: ratio(smooth(smoothedPart, 0.1).error, best.error),
    quickLevelGain: ratio(smooth(smoothedPart, 0.95).error, best.error),
    zeros: zeros / n,
    repeats: repeats / n,
    stepCorrelation: correlationOfSteps(adjusted),
    slope: slopeOf(0, n),
    recentSlope: slopeOf(n - Math.min(n, Math.max(period, 10)), n),
    firstHalfSlope: slopeOf(0, half),
    secondHalfSlope: slopeOf(half, n),
    longMove: ratio(long, seasonal),
    recentMove: ratio(nearSteps, allSteps),
    recentMean: relative(mean(lastOf(values, Math.max(4 * period, 24)))),
    logCycles: Math.log(n / period) - 2,
    noPeriod: period === 1 ? 1 : 0,
    quarters: period === 4 ? 1 : 0,
    months: period === 12 ? 1 : 0,
    longPeriod: longPeriod > 0 ? 1 : 0,
    days: period === 7 ? 1 : 0,
    manySteps: period > 24 ? 1 : 0,
    twoSeasons: series.seasons.list.length > 1 ? 1 : 0,
    recentZeros: series.nonNegative ? shareOf(recent, (value) => value === 0) : 0,
    lastRun: Math.log(runAtEnd(values, isSame)) / 2,
    zeroLast: values[n - 1] === 0 && series.nonNegative ? 1 : 0,
    skew: Math.asinh((mean(some) - median(some)) / scale),
    recentSkew: Math.asinh((mean(recent) - median(lastOf(recent, 300))) / scale),
    range: Math.log(1 + swing / scale) / 2,
    lowest: relative(lowest),
    largestMove: Math.log(1 + largestMove / (allSteps + tiny)) / 2,
    correlation: correlationAt(adjusted, 1),
    correlationAtTen: correlationAt(adjusted, 10),
    correlationAtCycle: correlationAt(values, period > 1 ? period : 2),
    pieces: piece > 0 ? 1 : 0,
    piecesEach: piece > 0 ? Math.log(0.1 + meanAbsolute(recent) / piece) / 2 : 0,
  };
  return {
    location,
    scale,
    swing: swing / scale,
    reference: Math.max(seasonal, tiny) / scale,
    statistics: Object.values(statistics),
  };
}

/** 0 of a single value. */
function meanStep(values: Float64Array): number {
  return meanChange(values, 1) || 0;
}

function correlationOfSteps(values: Float64Array): number {
  let square = 1e-12;
  let cross = 0;
  for (let i = 2; i < values.length; i++) {
    const step = values[i] - values[i - 1];
    const before = values[i - 1] - values[i - 2];
    square += before * before;
    cross += step * before;
  }
  return cross / square;
}

function correlationAt(values: Float64Array, lag: number): number {
  const n = values.length;
  if (n < lag + 3) return 0;
  const average = mean(values);
  let square = 1e-12;
  let cross = 0;
  for (let i = 0; i < n; i++) {
    square += (values[i] - average) ** 2;
    if (i >= lag) cross += (values[i] - average) * (values[i - lag] - average);
  }
  return cross / square;
}

function shareOf(values: Float64Array, has: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (has(value)) count++;
  return count / values.length;
}

/** How often the last value stands in a row at the end. */
function runAtEnd(values: Float64Array, isSame: (value: number, other: number) => boolean): number {
  const n = values.length;
  let count = 1;
  while (count < n && isSame(values[n - 1 - count], values[n - 1])) count++;
  return count;
}
