/** What the net reads of a series: of the window as a whole, and of each step ahead. Nothing depends on the unit. */
import { candidateCount, fitBank, type FittedBank, samePhase, View } from '../bank.ts';
import { pieceOf, type Series } from '../prepare/series.ts';
import { meanChange, rollingOrigins } from '../rolling-origins.ts';
import { along, clamp, lastOf, linearTrend, mapped, mean, meanAbsolute, median, scratch } from '../statistics.ts';

const windowGroups = {
  adjusted: 48,
  values: 24,
  /** The means of the last cycles (of 4 points without a season), and how much the values move within them. */
  cycleMeans: 16,
  cycleMoves: 8,
  overview: 16,
  structure: 8,
  statistics: 48,
  candidateErrors: 2 * candidateCount,
} as const;
const windowGroupSizes = Object.entries(windowGroups) as [keyof typeof windowGroups, number][];
export const windowFeatureCount = windowGroupSizes.reduce((sum, [, count]) => sum + count, 0);
export const stepFeatureCount = candidateCount + 24;

/** Limits of features, so that no wild series drives the net where it never was. */
const bounded = (value: number): number => (Number.isFinite(value) ? clamp(value, -12, 12) : 0);

/** Reads the first `end` points for some steps ahead. Candidates and `reference` are scaled as the window, (value − location) / scale. */
export function describeWindow(series: Series, ahead: Int32Array, end = series.values.length) {
  const view = new View(series, end);
  const horizon = ahead.reduce((most, step) => Math.max(most, step), 1);
  view.restoring(horizon);
  const fitted = fitBank(view);
  const forecasts = fitted(view, horizon);
  const measures = measure(view);
  const { location, scale } = measures;
  const swing = measures.swing / scale;
  const reference = Math.max(measures.seasonal, measures.tiny) / scale;
  const errors = candidateErrors(view, fitted, scale);

  const relative = (value: number): number => Math.asinh((value - location) / scale);
  const { values, adjusted } = view;
  const logError = (error: number): number => (errors.folds > 0 ? Math.log(0.01 + error) : 0);
  const groups: Record<keyof typeof windowGroups, ArrayLike<number>> = {
    adjusted: atEnd(lastOf(adjusted, windowGroups.adjusted).map(relative), windowGroups.adjusted),
    values: atEnd(lastOf(values, windowGroups.values).map(relative), windowGroups.values),
    cycleMeans: cycles(view, windowGroups.cycleMeans, (from, to) => relative(mean(values.subarray(from, to)))),
    cycleMoves: cycles(view, windowGroups.cycleMoves, (from, to) =>
      Math.log(0.01 + meanChange(adjusted.subarray(from, to), 1) / scale),
    ),
    overview: overview(values, windowGroups.overview, relative),
    structure: structure(adjusted),
    statistics: [
      ...[movesOf(view, measures), calendarOf(view), shapeOf(view, measures)].flatMap(Object.values<number>),
      logError(errors.near),
      logError(errors.far),
      logError(errors.tail) - logError(errors.far),
      Math.asinh(errors.bias),
      errors.folds / 3,
    ],
    candidateErrors: errors.relative,
  };
  const window = new Float32Array(windowFeatureCount);
  let place = 0;
  for (const [group, count] of windowGroupSizes) {
    const numbers = groups[group];
    for (let i = 0; i < Math.min(count, numbers.length); i++) window[place + i] = bounded(numbers[i]);
    place += count;
  }

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
    const known = describeStep(view, step, near, { location, scale });
    for (let i = 0; i < known.length; i++) steps[at + candidateCount + i] = bounded(known[i]);
  }
  return { window, steps, candidates, errors: errors.relative, location, scale, reference };
}

function atEnd(values: Float64Array, count: number): Float64Array {
  return along(count, (k) => values[k - count + values.length] ?? 0);
}

function cycles({ values, period }: View, count: number, of: (from: number, to: number) => number): Float64Array {
  const width = period > 1 ? period : 4;
  return along(count, (k) => {
    const to = values.length - k * width;
    return to >= width ? of(to - width, to) : 0;
  });
}

/** The logarithm of mean differences over so many steps beside those over one, less what a random walk has. */
function structure(values: Float64Array): Float64Array {
  const n = values.length;
  const one = meanChange(values, 1);
  return along(8, (place) => {
    const lag = 2 << place;
    if (!(one > 0) || n < 3 * lag) return 0;
    return Math.log(1e-3 + meanChange(values, lag) / one) - 0.5 * Math.log(lag);
  });
}

function overview(values: Float64Array, count: number, relative: (value: number) => number): Float64Array {
  const at = (k: number): number => Math.floor((k * values.length) / count);
  return along(count, (k) => (values.length < count ? 0 : relative(mean(values.subarray(at(k), at(k + 1))))));
}

type Measures = ReturnType<typeof measure>;

function measure(view: View) {
  const { values, adjusted, smoothed, period, longPeriod } = view;
  const n = values.length;
  const near = Math.min(n, Math.max(64, 3 * period));
  const level = mean(lastOf(adjusted, Math.max(period, 8)));
  const nearSteps = meanChange(lastOf(adjusted, near), 1) || 0;
  const allSteps = meanChange(adjusted, 1) || 0;
  const location = smoothed.usual.level;
  let [spread, swing, largest] = [0, 0, 0];
  for (let i = n - near; i < n; i++) {
    spread += Math.abs(adjusted[i] - level) / near;
    swing = Math.max(swing, Math.abs(values[i] - location));
    largest = Math.max(largest, Math.abs(values[i]));
  }
  const tiny = 1e-6 * largest + 1e-12;
  const seasonal = n > period ? meanChange(values, period) : allSteps;
  return {
    location,
    scale: Math.max(0.5 * nearSteps + 0.5 * allSteps, 0.02 * spread, 1e-3 * swing, tiny),
    tiny,
    swing,
    nearSteps,
    allSteps,
    seasonal,
    long: longPeriod > 0 && n > longPeriod + period ? meanChange(values, longPeriod) : seasonal,
    isSame: (value: number, other: number): boolean => Math.abs(value - other) <= 1e-4 * tiny,
  };
}

function movesOf({ values, adjusted, smoothed, period, series }: View, measures: Measures) {
  const { location, scale, tiny, nearSteps, allSteps, seasonal, long, isSame } = measures;
  const { best, slow, quick, trend } = smoothed;
  const n = values.length;
  const half = n >> 1;
  const plain = meanChange(values, 1) || 0;
  let [zeros, repeats] = [0, 0];
  for (let i = 0; i < n; i++) {
    if (values[i] === 0 && series.nonNegative) zeros++;
    if (i > 0 && isSame(values[i], values[i - 1])) repeats++;
  }
  const ratio = (a: number, b: number): number => Math.log((Math.abs(a) + tiny) / (Math.abs(b) + tiny));
  const slopeOf = (from: number, to: number): number =>
    Math.asinh((10 * linearTrend(adjusted.subarray(from, Math.max(from + 1, to))).slope) / scale);
  return {
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
    slowLevelGain: ratio(slow.error, best.error),
    quickLevelGain: ratio(quick.error, best.error),
    zeros: zeros / n,
    repeats: repeats / n,
    stepCorrelation: correlationOfSteps(adjusted),
    slope: slopeOf(0, n),
    recentSlope: slopeOf(n - Math.min(n, Math.max(period, 10)), n),
    firstHalfSlope: slopeOf(0, half),
    secondHalfSlope: slopeOf(half, n),
    longMove: ratio(long, seasonal),
    recentMove: ratio(nearSteps, allSteps),
    recentMean: Math.asinh((mean(lastOf(values, Math.max(4 * period, 24))) - location) / scale),
  };
}

function calendarOf({ values, period, longPeriod, series }: View) {
  return {
    logCycles: Math.log(values.length / period) - 2,
    noPeriod: period === 1 ? 1 : 0,
    quarters: period === 4 ? 1 : 0,
    months: period === 12 ? 1 : 0,
    longPeriod: longPeriod > 0 ? 1 : 0,
    days: period === 7 ? 1 : 0,
    manySteps: period > 24 ? 1 : 0,
    twoSeasons: series.seasons.list.length > 1 ? 1 : 0,
  };
}

function shapeOf(view: View, { location, scale, tiny, swing, allSteps, isSame }: Measures) {
  const { values, adjusted, period, series } = view;
  const n = values.length;
  const recent = lastOf(values, Math.max(2 * period, 24));
  const some = lastOf(values, 300);
  const piece = pieceOf(series, view.start);
  let run = 1;
  while (run < n && isSame(values[n - 1 - run], values[n - 1])) run++;
  let [lowest, largestMove] = [Infinity, 0];
  for (let i = 0; i < n; i++) {
    lowest = Math.min(lowest, values[i]);
    if (i > 0) largestMove = Math.max(largestMove, Math.abs(adjusted[i] - adjusted[i - 1]));
  }
  return {
    recentZeros: series.nonNegative ? recent.filter((value) => value === 0).length / recent.length : 0,
    lastRun: Math.log(run) / 2,
    zeroLast: values[n - 1] === 0 && series.nonNegative ? 1 : 0,
    skew: Math.asinh((mean(some) - median(some)) / scale),
    recentSkew: Math.asinh((mean(recent) - median(lastOf(recent, 300))) / scale),
    range: Math.log(1 + swing / scale) / 2,
    lowest: Math.asinh((lowest - location) / scale),
    largestMove: Math.log(1 + largestMove / (allSteps + tiny)) / 2,
    correlation: correlationAt(adjusted, 1),
    correlationAtTen: correlationAt(adjusted, 10),
    correlationAtCycle: correlationAt(values, period > 1 ? period : 2),
    pieces: piece > 0 ? 1 : 0,
    piecesEach: piece > 0 ? Math.log(0.1 + meanAbsolute(recent) / piece) / 2 : 0,
  };
}

function correlationOfSteps(values: Float64Array): number {
  let [square, cross] = [1e-12, 0];
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
  let [square, cross] = [1e-12, 0];
  for (let i = 0; i < n; i++) {
    square += (values[i] - average) ** 2;
    if (i >= lag) cross += (values[i] - average) * (values[i - lag] - average);
  }
  return cross / square;
}

function describeStep(
  view: View,
  step: number,
  candidates: Float32Array,
  { location, scale }: { readonly location: number; readonly scale: number },
): number[] {
  const { values, adjusted, period, longPeriod } = view;
  const { factors, offsets } = view.restoring(step);
  const n = values.length;
  // Steps further ahead look like this one to the net, as it hardly saw any in training.
  const known = Math.min(step, 320);
  const relative = (value: number): number => Math.asinh((value - location) / scale);
  const valueAt = (index: number): number => (index >= 0 && index < n ? relative(values[index]) : 0);
  const same = samePhase(n, period, step);
  const phase = phaseSummary(values, same, period);
  const long = longPeriod > 0 ? samePhase(n, longPeriod, step) : -1;
  const longPhase = phaseSummary(values, long, longPeriod);
  const all = phaseSummary(candidates, candidates.length - 1, 1, candidates.length);
  return Object.values({
    ahead: Math.min(known, 64) / 16,
    logAhead: Math.log(known),
    rootAhead: Math.sqrt(known / 4),
    cyclesAhead: Math.min(known / period, 4),
    seasonalFactor: Math.log(Math.max(factors[step - 1], 1e-3)),
    seasonalOffset: Math.asinh(offsets[step - 1] / scale),
    oneCycleAgo: valueAt(same),
    twoCyclesAgo: valueAt(same - period),
    threeCyclesAgo: valueAt(same - 2 * period),
    fourCyclesAgo: valueAt(same - 3 * period),
    beforeOneCycleAgo: valueAt(same - 1),
    afterOneCycleAgo: valueAt(same + 1),
    adjustedOneCycleAgo: same >= 0 ? relative(adjusted[same]) : 0,
    phaseMean: phase.count > 0 ? relative(phase.mean) : 0,
    phaseSpread: phase.count > 1 ? Math.log(0.01 + phase.spread / scale) : 0,
    oneLongCycleAgo: valueAt(long),
    twoLongCyclesAgo: valueAt(long >= 0 ? long - longPeriod : -1),
    longCyclesAhead: longPeriod > 0 ? Math.min(known / longPeriod, 4) : 0,
    longPhaseMean: longPhase.count > 0 ? relative(longPhase.mean) : 0,
    longPhaseSpread: longPhase.count > 1 ? Math.log(0.01 + longPhase.spread / scale) : 0,
    longPhaseToday: longPhase.count > 0 && phase.count > 0 ? Math.asinh((longPhase.mean - phase.mean) / scale) : 0,
    candidateSpread: Math.log(0.01 + all.spread),
    candidateMean: Math.asinh(all.mean),
    pastHorizon: Math.log(n / known) / 2,
  });
}

/** Mean and mean absolute deviation of the last values a period apart, of up to eight cycles. */
function phaseSummary(values: Float64Array | Float32Array, last: number, period: number, most = 8) {
  let count = 0;
  let mean = 0;
  for (let at = last; at >= 0 && count < most; at -= period) {
    mean += values[at];
    count++;
  }
  mean /= Math.max(1, count);
  let spread = 0;
  for (let k = 0; k < count; k++) spread += Math.abs(values[last - k * period] - mean) / count;
  return { mean, spread, count };
}

/**
 * Holds out folds of about a period and forecasts them by the candidates: two of up to 60 points, three of up to 200,
 * then six. Candidates are fitted anew for short views only, and the seasonal patterns are those of the whole series.
 * @returns for each candidate the logarithm of its error on the last fold over the median one of all candidates, then
 *   the same over all folds; of the mean of the three best, in the scale of the window, errors in the first and the
 *   second half of the folds, their signed mean, and the mean of the largest tenth
 */
export function candidateErrors(view: View, fitted: FittedBank, scale: number) {
  const { values, period } = view;
  const n = values.length;
  const length = Math.min(Math.max(period > 1 ? period : 6, n >> 4), 48, n >> 2);
  const relative = new Float32Array(2 * candidateCount);
  if (length < 2 || n - length < 5) return { relative, near: 0, far: 0, bias: 0, tail: 0, folds: 0 };
  const spacing = [1, 2, 3.3, 5, 8, 12].slice(0, n <= 60 ? 2 : n <= 200 ? 3 : 6);
  const leastHistory = Math.max(5, n / 3);
  const ends = rollingOrigins({ length: n, stride: length, leastHistory, most: spacing.length, spacing });

  const sums = scratch(candidateCount);
  const signed = ends.map((end, k) => {
    const earlier = view.earlier(n - end);
    const isAnew = n <= 60 || (k === 0 && n <= 200);
    const forecasts = (isAnew ? fitBank(earlier) : fitted)(earlier, length);
    const errors = scratch(candidateCount);
    const own = forecasts.map((forecast, c) => {
      const row = scratch(length);
      for (let i = 0; i < length; i++) {
        row[i] = (values[end + i] - forecast[i]) / scale;
        errors[c] += Math.min(Math.abs(row[i]), 1e4) / length;
      }
      sums[c] += errors[c] / ends.length;
      return row;
    });
    if (k === 0) relative.set(besideMedian(errors));
    return own;
  });
  relative.set(besideMedian(sums), candidateCount);

  // Rounded, so that the last digit, which goes by the unit, does not decide between candidates that err alike.
  const rounded = sums.map((sum) => Math.round(sum * 1e9));
  const best = Array.from(sums.keys())
    .sort((a, b) => rounded[a] - rounded[b])
    .slice(0, 3);
  const sizes = scratch(ends.length * length);
  const half = length >> 1;
  let [near, far, bias] = [0, 0, 0];
  for (let i = 0; i < sizes.length; i++) {
    const fold = signed[Math.floor(i / length)];
    const step = i % length;
    let error = 0;
    for (const c of best) error += fold[c][step] / 3;
    sizes[i] = Math.abs(error);
    if (step < half) near += sizes[i] / half;
    else far += sizes[i] / (length - half);
    bias += error / sizes.length;
  }
  const tail = mean(sizes.sort().subarray(Math.floor(0.9 * sizes.length)));
  return { relative, near: near / ends.length, far: far / ends.length, bias, tail, folds: ends.length };
}

function besideMedian(errors: Float64Array): Float64Array {
  const middle = median(errors) + 1e-3;
  return mapped(errors, (error) => clamp(Math.log((error + 1e-3) / middle), -4, 4));
}
