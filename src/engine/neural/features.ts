import type { Series } from '../prepare/series.ts';
import { meanChange } from '../rolling-origins.ts';
import { clamp, mean } from '../statistics.ts';
import { candidateCount, fitBank } from '../bank/bank.ts';
import { candidateErrors } from './rolling.ts';
import { describeStep, stepOwnFeatureCount } from './step-features.ts';
import { View } from '../bank/view.ts';
import { statisticCount, summarise } from './window-statistics.ts';

/** The parts of the features of a window, and how many numbers each has. */
const windowParts = {
  /** The last points, without season and as they are. */
  adjusted: 48,
  values: 24,
  /** The means of the last cycles (of 4 points without a season), and how much the values move within them. */
  cycleMeans: 16,
  cycleMoves: 8,
  /** The means of equal parts of all that is seen. */
  overview: 16,
  /** How the movement grows with the distance, beside that of a random walk. */
  structure: 8,
  statistics: statisticCount,
  /** How each candidate did on the last part, and on several. */
  candidateErrors: 2 * candidateCount,
} as const;
export const windowFeatureCount = Object.values(windowParts).reduce((sum, count) => sum + count, 0);
/** Features of a step ahead: the candidates, then what else is known of it. */
export const stepFeatureCount = candidateCount + stepOwnFeatureCount;

/** What the net is told of one window. Candidates are in the scale of the window: (value − location) / scale. */
export interface WindowFeatures {
  readonly window: Float32Array;
  /** One row for each step asked for. */
  readonly steps: Float32Array;
  readonly candidates: Float32Array;
  /** As in `CandidateErrors.relative`. */
  readonly errors: Float32Array;
  readonly location: number;
  readonly scale: number;
  /** Mean absolute seasonal difference of the window, in its scale. */
  readonly reference: number;
}

/** Limits of features, so that no wild series drives the net where it never was. */
const bounded = (value: number): number => (Number.isFinite(value) ? clamp(value, -12, 12) : 0);

/**
 * The features of the first `end` points of a prepared series, for the given steps ahead (1 or more). The steps need not
 * be in order.
 */
export function describeWindow(series: Series, ahead: Int32Array, end = series.values.length): WindowFeatures {
  const view = new View(series, end);
  let horizon = 1;
  for (const step of ahead) horizon = Math.max(horizon, step);
  const restoring = view.restoring(horizon);
  const fitted = fitBank(view);
  const forecasts = fitted(view, horizon);
  const { location, scale, swing, reference, statistics } = summarise(view);
  const errors = candidateErrors(view, fitted, scale);

  const window = new Float32Array(windowFeatureCount);
  let top = 0;
  /** In the order of the parts. */
  const put = (part: keyof typeof windowParts, numbers: ArrayLike<number>): void => {
    for (let i = 0; i < windowParts[part]; i++) window[top++] = bounded(numbers[i] ?? 0);
  };
  const relative = (value: number): number => Math.asinh((value - location) / scale);
  const { values, adjusted } = view;
  put('adjusted', lastRelative(adjusted, windowParts.adjusted, relative));
  put('values', lastRelative(values, windowParts.values, relative));
  put(
    'cycleMeans',
    cycles(view, windowParts.cycleMeans, (from, to) => relative(mean(values.subarray(from, to)))),
  );
  const moves = cycles(view, windowParts.cycleMoves, (from, to) => {
    return Math.log(0.01 + meanChange(adjusted.subarray(from, to), 1) / scale);
  });
  put('cycleMoves', moves);
  put('overview', overview(values, windowParts.overview, relative));
  put('structure', structure(adjusted));
  const size = (error: number): number => (errors.parts > 0 ? Math.log(0.01 + error) : 0);
  put('statistics', [
    ...statistics,
    size(errors.near),
    size(errors.far),
    size(errors.tail) - size(errors.far),
    Math.asinh(errors.bias),
    errors.parts / 3,
  ]);
  put('candidateErrors', errors.relative);

  const candidates = new Float32Array(ahead.length * candidateCount);
  const steps = new Float32Array(ahead.length * stepFeatureCount);
  for (let row = 0; row < ahead.length; row++) {
    const step = ahead[row];
    const at = row * stepFeatureCount;
    // Beyond 40 ordinary errors from where the values lay, one that ran away would drown the others.
    const reach = 40 * Math.max(1, reference) * Math.sqrt(step) + 2 * swing;
    const near = candidates.subarray(row * candidateCount, (row + 1) * candidateCount);
    for (let k = 0; k < candidateCount; k++) {
      near[k] = clamp((forecasts[k][step - 1] - location) / scale, -reach, reach);
      steps[at + k] = bounded(Math.asinh(near[k]));
    }
    describeStep(view, restoring, step, near, location, scale).forEach((value, i) => {
      steps[at + candidateCount + i] = bounded(value);
    });
  }
  return { window, steps, candidates, errors: errors.relative, location, scale, reference };
}

/** The last ones, the newest at the end; zeros where there are fewer. */
function lastRelative(values: Float64Array, count: number, relative: (value: number) => number): Float64Array {
  const result = new Float64Array(count);
  const n = values.length;
  for (let i = 0; i < Math.min(n, count); i++) result[count - 1 - i] = relative(values[n - 1 - i]);
  return result;
}

/** One number for each of the last whole cycles, the newest first; zeros where there are fewer. */
function cycles({ values, period }: View, count: number, of: (from: number, to: number) => number): Float64Array {
  const result = new Float64Array(count);
  const width = period > 1 ? period : 4;
  for (let k = 0, to = values.length; k < count && to >= width; k++, to -= width) result[k] = of(to - width, to);
  return result;
}

/**
 * The structure function: the logarithm of the mean absolute difference over so many steps beside that over one, less what
 * a random walk has. Around 0 for a random walk, falling where values return to their mean; 0 where a distance is too long.
 */
function structure(values: Float64Array): Float64Array {
  const n = values.length;
  const one = meanChange(values, 1);
  return Float64Array.from([2, 4, 8, 16, 32, 64, 128, 256], (lag) => {
    if (!(one > 0) || n < 3 * lag) return 0;
    return Math.log(1e-3 + meanChange(values, lag) / one) - 0.5 * Math.log(lag);
  });
}

/** The means of equal parts, the oldest first; zeros where there are fewer points than parts. */
function overview(values: Float64Array, count: number, relative: (value: number) => number): Float64Array {
  const result = new Float64Array(count);
  const n = values.length;
  if (n < count) return result;
  for (let k = 0; k < count; k++) {
    result[k] = relative(mean(values.subarray(Math.floor((k * n) / count), Math.floor(((k + 1) * n) / count))));
  }
  return result;
}
