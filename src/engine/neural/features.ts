import type { Series } from '../prepare/series.ts';
import { clamp, linearTrend } from '../statistics.ts';
import { anchorCount, anchorForecasts, restoringOf, samePhase, viewOf, type Restoring, type View } from './anchors.ts';
import { smooth } from './smoothing.ts';

const adjustedPoints = 48;
const plainPoints = 24;
const statisticCount = 32;
/** Features of a window: its last points, statistics of it, and how each anchor did on its last part. */
export const windowFeatureCount = adjustedPoints + plainPoints + statisticCount + anchorCount;
/** Features of a step ahead: the anchors, what is near it in the season, and how far it lies ahead. */
export const stepFeatureCount = anchorCount + 16;

/** Steps further ahead than this look like it to the net, as it never saw any in training. */
export const farthestStep = 64;

/** What the net is told of one window. Anchors are in the scale of the window: (value − location) / scale. */
export interface WindowFeatures {
  readonly window: Float32Array;
  /** One row for each step asked for. */
  readonly steps: Float32Array;
  readonly anchors: Float32Array;
  readonly location: number;
  readonly scale: number;
  /** Mean absolute seasonal difference of the window, in its scale. */
  readonly reference: number;
}

/** Limits of features, so that no wild series drives the net where it never was. */
const featureLimit = 12;
const errorLimit = 1e4;
/** Anchors are cut so many ordinary errors beyond where the values lay, lest one that ran away drown the others. */
const anchorLimit = 40;
const bounded = (value: number): number => (Number.isFinite(value) ? clamp(value, -featureLimit, featureLimit) : 0);

/**
 * The features of the first `end` points of a prepared series, for the given steps ahead (1 or more). The steps need not
 * be in order.
 */
export function describeWindow(series: Series, ahead: Int32Array, end = series.values.length): WindowFeatures {
  const view = viewOf(series, end);
  let horizon = 1;
  for (const step of ahead) horizon = Math.max(horizon, step);
  const restoring = restoringOf(view, horizon);
  const forecasts = anchorForecasts(view, horizon, restoring);
  const { location, scale, swing, reference, statistics } = summarise(view);

  const window = new Float32Array(windowFeatureCount);
  const { values, adjusted } = view;
  const n = values.length;
  const relative = (value: number): number => bounded(Math.asinh((value - location) / scale));
  for (let i = 0; i < Math.min(n, adjustedPoints); i++) window[adjustedPoints - 1 - i] = relative(adjusted[n - 1 - i]);
  for (let i = 0; i < Math.min(n, plainPoints); i++) {
    window[adjustedPoints + plainPoints - 1 - i] = relative(values[n - 1 - i]);
  }
  const offset = adjustedPoints + plainPoints;
  statistics.forEach((value, i) => (window[offset + i] = bounded(value)));
  window.set(holdOut(view, scale), offset + statisticCount);

  const anchors = new Float32Array(ahead.length * anchorCount);
  const steps = new Float32Array(ahead.length * stepFeatureCount);
  for (let row = 0; row < ahead.length; row++) {
    const step = ahead[row];
    const at = row * stepFeatureCount;
    const reach = anchorLimit * Math.max(1, reference) * Math.sqrt(step) + 2 * swing;
    for (let k = 0; k < anchorCount; k++) {
      const anchor = clamp((forecasts[k][step - 1] - location) / scale, -reach, reach);
      anchors[row * anchorCount + k] = anchor;
      steps[at + k] = bounded(Math.asinh(anchor));
    }
    describeStep(view, restoring, step, relative, scale, steps, at + anchorCount);
  }
  return { window, steps, anchors, location, scale, reference };
}

function describeStep(
  { values, adjusted, period, longPeriod }: View,
  { factors, offsets }: Restoring,
  step: number,
  relative: (value: number) => number,
  scale: number,
  target: Float32Array,
  start: number,
): void {
  const n = values.length;
  const known = Math.min(step, farthestStep);
  let at = start;
  const put = (value: number): void => {
    target[at++] = bounded(value);
  };
  const valueAt = (index: number): number => (index >= 0 && index < n ? relative(values[index]) : 0);
  put(known / 16);
  put(Math.log(known));
  put(Math.sqrt(known / 4));
  put(Math.min(known / period, 4));
  put(Math.log(Math.max(factors[step - 1], 1e-3)));
  put(Math.asinh(offsets[step - 1] / scale));
  const same = samePhase(n, period, step);
  for (let k = 1; k < 5; k++) put(valueAt(same - k * period));
  put(valueAt(same - 1));
  put(same + 1 < n ? valueAt(same + 1) : 0);
  put(same >= 0 ? relative(adjusted[same]) : 0);
  const long = longPeriod > 0 ? samePhase(n, longPeriod, step) : -1;
  put(valueAt(long));
  put(long >= 0 ? valueAt(long - longPeriod) : 0);
  put(longPeriod > 0 ? Math.min(known / longPeriod, 4) : 0);
}

interface Summary {
  readonly location: number;
  readonly scale: number;
  /** How far the last values lay from the location at most, in the scale. */
  readonly swing: number;
  readonly reference: number;
  readonly statistics: readonly number[];
}

function summarise(view: View): Summary {
  const { values, adjusted, smoothed, period, longPeriod, series } = view;
  const n = values.length;
  const near = Math.min(n, Math.max(64, 3 * period));
  const level = meanOf(adjusted, n - Math.min(n, Math.max(period, 8)), n);
  const nearSteps = meanStep(adjusted, n - near);
  const allSteps = meanStep(adjusted, 0);
  const { best, usual, quick, medium, slow } = smoothed;
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
  const scale = Math.max(0.5 * nearSteps + 0.5 * allSteps, 0.02 * spread, 1e-3 * swing, tiny);

  const seasonal = n > period ? meanDifference(values, period) : allSteps;
  const plain = meanStep(values, 0);
  const long = longPeriod > 0 && n > longPeriod + period ? meanDifference(values, longPeriod) : seasonal;
  let zeros = 0;
  let repeats = 0;
  for (let i = 0; i < n; i++) {
    if (values[i] === 0) zeros++;
    if (i > 0 && values[i] === values[i - 1]) repeats++;
  }
  const ratio = (a: number, b: number): number => Math.log((Math.abs(a) + tiny) / (Math.abs(b) + tiny));
  const half = n >> 1;
  const slopeOf = (from: number, to: number): number =>
    Math.asinh((10 * linearTrend(adjusted.subarray(from, Math.max(from + 1, to))).slope) / scale);
  const relative = (value: number): number => Math.asinh((value - location) / scale);
  const statistics = [
    Math.log(n) - 4,
    Math.log(period),
    series.seasons.list.length > 0 ? 1 : 0,
    1 - allSteps / (plain + tiny),
    series.positive ? 1 : 0,
    Math.log(scale / (Math.abs(location) + scale) + 1e-6) / 3,
    ratio(best.error, scale),
    best.weight,
    ratio(seasonal, plain),
    ratio(medium.error, best.error),
    ratio(slow.error, best.error),
    ratio(quick.error, best.error),
    ratio(smooth(adjusted, 0.1).error, best.error),
    ratio(smooth(adjusted, 0.95).error, best.error),
    zeros / n,
    repeats / n,
    correlationOfSteps(adjusted),
    slopeOf(0, n),
    slopeOf(n - Math.min(n, Math.max(period, 10)), n),
    slopeOf(0, half),
    slopeOf(half, n),
    ratio(long, seasonal),
    ratio(nearSteps, allSteps),
    relative(meanOf(values, n - Math.min(n, Math.max(4 * period, 24)), n)),
    Math.log(n / period) - 2,
    period === 1 ? 1 : 0,
    period === 4 ? 1 : 0,
    period === 12 ? 1 : 0,
    longPeriod > 0 ? 1 : 0,
    period === 7 ? 1 : 0,
    period > 24 ? 1 : 0,
    series.seasons.list.length > 1 ? 1 : 0,
  ];
  return { location, scale, swing: swing / scale, reference: Math.max(seasonal, tiny) / scale, statistics };
}

/**
 * How each anchor would have forecast the last part of the window, up to one period: the logarithm of its error over the
 * mean error of all, then zeros where the window is too short to hold anything out. The seasonal patterns are those of
 * the whole window, which is cheap and flatters all anchors alike.
 */
function holdOut(view: View, scale: number): Float32Array {
  const { values, period, series, start } = view;
  const n = values.length;
  const held = Math.min(period > 1 ? period : 6, 48, Math.floor(n / 4));
  const result = new Float32Array(anchorCount);
  if (held < 2 || n - held < 5) return result;
  const earlier = viewOf(series, start - held);
  const forecasts = anchorForecasts(earlier, held, restoringOf(earlier, held));
  const errors = forecasts.map((forecast) => {
    let error = 0;
    for (let i = 0; i < held; i++) {
      error += Math.min(Math.abs(values[n - held + i] - forecast[i]) / scale, errorLimit) / held;
    }
    return error;
  });
  const mean = errors.reduce((sum, error) => sum + error, 0) / anchorCount;
  errors.forEach((error, k) => (result[k] = clamp(Math.log((error + 1e-3) / (mean + 1e-3)), -4, 4)));
  return result;
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum / (to - from);
}

function meanStep(values: Float64Array, from: number): number {
  let sum = 0;
  for (let i = from + 1; i < values.length; i++) sum += Math.abs(values[i] - values[i - 1]);
  return sum / Math.max(1, values.length - from - 1);
}

function meanDifference(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += Math.abs(values[i] - values[i - lag]);
  return sum / (values.length - lag);
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
