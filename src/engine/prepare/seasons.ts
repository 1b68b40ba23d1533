import {
  allPositive,
  along,
  autocorrelations,
  centered,
  clamp,
  differences,
  dot,
  linearTrend,
  mapped,
  mean,
  meanAbsolute,
  scratch,
} from '../statistics.ts';

export interface Season {
  readonly period: number;
  /** Factors around 1, or else offsets around 0. */
  readonly multiplicative: boolean;
  readonly history: Float64Array;
  /** The pattern as it is expected to go on: one value for each phase, counted from the start of the series. */
  readonly figure: Float64Array;
  readonly strength: number;
}

type Detrended = ReturnType<typeof detrend>;
/**
 * Classical decomposition by a centered moving average of one period, with a pattern that may evolve: each phase is
 * smoothed exponentially from cycle to cycle, with the weight that predicts the next cycle best. The pattern is shrunk,
 * the more the noisier it is, after James and Stein (Miller and Williams 2003). At both ends the trend is a line.
 * @param period in steps, not necessarily whole
 * @param smooth whether the pattern is a smooth curve over the cycle, and fixed
 */
export function decompose(values: Float64Array, period: number, multiplicative: boolean, smooth = false): Season {
  const n = values.length;
  const detrended = detrend(values, period, multiplicative);
  const { steps, neutral } = detrended;
  const adaptation = smooth ? 0 : bestAdaptation(detrended);
  const figure = followPhases(detrended, adaptation).figure;
  if (smooth) keepLowHarmonics(figure);
  const average = mean(figure);
  for (let k = 0; k < steps; k++) figure[k] = multiplicative ? figure[k] / average : figure[k] - average;
  const history = historyOf(detrended, adaptation, figure);
  const { shrinkage, strength } = jamesStein(detrended, adaptation, figure, history);
  for (let k = 0; k < steps; k++) figure[k] += shrinkage * (neutral - figure[k]);
  for (let i = 0; i < n; i++) history[i] += shrinkage * (neutral - history[i]);
  const sensible = (factor: number): boolean => factor > 0.01 && factor < 100;
  if (multiplicative && !(figure.every(sensible) && history.every(sensible))) {
    return decompose(values, period, false, smooth);
  }
  return { period, multiplicative, history, figure, strength };
}

/** Which entry of a figure of `steps` values belongs to an index; a period need not be a whole number of steps. */
export function phaseOf(index: number, period: number, steps: number): number {
  return period === steps ? index % steps : Math.floor(((index % period) * steps) / period + 1e-9) % steps;
}

/** The ratios to the trend, or differences from it; they count from `first` to before `last`. */
function detrend(values: Float64Array, period: number, multiplicative: boolean) {
  const n = values.length;
  const steps = Math.round(period);
  const half = steps >> 1;
  const neutral = multiplicative ? 1 : 0;
  const without = (value: number, part: number): number => (multiplicative ? value / part : value - part);
  const phases = new Int32Array(n);
  for (let i = 0; i < n; i++) phases[i] = phaseOf(i, period, steps);
  const trend = movingAverage(values, steps);
  const ratios = scratch(n);
  for (let i = half; i < n - half; i++) ratios[i] = without(values[i], trend[i]);
  if (n < 2 * steps) return { ratios, phases, steps, first: half, last: n - half, neutral };

  const rough = scratch(steps);
  const weights = scratch(steps);
  const decay = 0.8 ** (1 / steps); // an older cycle counts .8 of the next newer one
  let weight = 1;
  for (let i = n - half - 1; i >= half; i--) {
    rough[phases[i]] += weight * ratios[i];
    weights[phases[i]] += weight;
    weight *= decay;
  }
  let average = 0;
  for (let k = 0; k < steps; k++) average += (rough[k] /= weights[k]) / steps;
  const endTrend = (from: number, to: number, forStart: number, forEnd: number): void => {
    const adjusted = along(to - from, (k) => without(values[from + k], without(rough[phases[from + k]], average)));
    const { intercept, slope } = linearTrend(adjusted);
    for (let i = forStart; i < forEnd; i++) ratios[i] = without(values[i], intercept + slope * (i - from));
  };
  const reach = Math.max(3, Math.round(1.5 * steps));
  endTrend(0, reach, 0, half);
  endTrend(n - reach, n, n - half, n);
  return { ratios, phases, steps, first: 0, last: n, neutral };
}

function movingAverage(values: Float64Array, steps: number): Float64Array {
  const n = values.length;
  const half = steps >> 1;
  const edge = steps % 2 === 0 ? 0.5 : 1;
  const result = scratch(n);
  let inner = 0;
  for (let i = half; i < n - half; i++) {
    // The running sum starts afresh now and then, so that rounding errors do not pile up.
    if ((i - half) % 64 === 0) {
      inner = 0;
      for (let j = i - half + 1; j < i + half; j++) inner += values[j];
    } else inner += values[i + half - 1] - values[i - half];
    result[i] = (inner + edge * (values[i - half] + values[i + half])) / steps;
  }
  return result;
}

function followPhases(detrended: Detrended, adaptation: number): { figure: Float64Array; error: number } {
  const { ratios, phases, steps, first, last, neutral } = detrended;
  const figure = new Float64Array(steps).fill(neutral);
  const counts = new Int32Array(steps);
  let error = 0;
  for (let i = first; i < last; i++) {
    const k = phases[i];
    const miss = ratios[i] - figure[k];
    counts[k]++;
    if (counts[k] > 2) error += miss * miss;
    figure[k] += Math.max(adaptation, 1 / counts[k]) * miss;
  }
  return { figure, error };
}

/** The weight of the newest cycle; 0 is a fixed pattern, which another must beat by 1 %. */
function bestAdaptation(detrended: Detrended): number {
  if (detrended.last - detrended.first < 4 * detrended.steps) return 0;
  let [best, least] = [0, 0.99 * followPhases(detrended, 0).error];
  for (const adaptation of [0.15, 0.3]) {
    const { error } = followPhases(detrended, adaptation);
    if (error < least) [best, least] = [adaptation, error];
  }
  return best;
}

/** The pattern at each step; one that evolves is the mean of what was known before and after the step. */
function historyOf(detrended: Detrended, adaptation: number, figure: Float64Array): Float64Array {
  const { ratios, phases, steps, first, last } = detrended;
  const history = new Float64Array(ratios.length);
  const state = figure.slice();
  for (let i = ratios.length - 1; i >= 0; i--) {
    const k = phases[i];
    if (i >= first && i < last) state[k] += adaptation * (ratios[i] - state[k]);
    history[i] = state[k];
  }
  if (adaptation === 0) return history;
  state.fill(0);
  const counts = new Int32Array(steps);
  for (let i = first; i < ratios.length; i++) {
    const k = phases[i];
    counts[k]++;
    if (i < last) state[k] += Math.max(adaptation, 1 / counts[k]) * (ratios[i] - state[k]);
    const trust = Math.min(1, counts[k] * adaptation) / 2;
    history[i] += trust * (state[k] - history[i]);
  }
  return history;
}

function jamesStein(detrended: Detrended, adaptation: number, figure: Float64Array, history: Float64Array) {
  const { ratios, steps, first, last, neutral } = detrended;
  const used = last - first;
  const cycles = used / steps;
  const effective = adaptation > 0 ? Math.min(cycles, (2 - adaptation) / adaptation) : cycles;
  let noise = 0;
  let movement = 0;
  for (let i = first; i < last; i++) {
    noise += (ratios[i] - history[i]) ** 2;
    movement += (ratios[i] - neutral) ** 2;
  }
  const strength = movement > used * 1e-16 ? clamp(1 - noise / movement, 0, 1) : 0;
  let signal = 0;
  for (const value of figure) signal += (value - neutral) ** 2;
  if (effective <= 1 || signal === 0) return { shrinkage: 0, strength };
  const variance = noise / Math.max(1, used - steps) / effective;
  const shrinkage = clamp(((steps - 3) * variance) / signal, 0, 1);
  return { shrinkage, strength: strength * (1 - shrinkage) };
}

function keepLowHarmonics(figure: Float64Array): void {
  const steps = figure.length;
  const original = figure.slice();
  figure.fill(mean(original));
  for (let h = 1; h <= 4; h++) {
    let cosine = 0;
    let sine = 0;
    const angle = (2 * Math.PI * h) / steps;
    for (let k = 0; k < steps; k++) {
      cosine += (2 / steps) * original[k] * Math.cos(angle * k);
      sine += (2 / steps) * original[k] * Math.sin(angle * k);
    }
    for (let k = 0; k < steps; k++) figure[k] += cosine * Math.cos(angle * k) + sine * Math.sin(angle * k);
  }
}

export type Seasons = ReturnType<typeof splitSeasons>;

/**
 * The seasonality test of the M4 benchmarks: the autocorrelation at the period against Bartlett's limit, with a looser
 * limit, because shrunken figures make a wrong yes cheap. Long periods are tested on differences, or else a trend
 * passes for a season, those of more than 200 steps on averages.
 * @param strength how far it must stand out, in standard errors
 */
export function isSeasonal(values: Float64Array, period: number, strength = 1): boolean {
  if (period > 200) {
    const block = Math.floor(period / 13);
    return isSeasonal(blockMeans(values, block), period / block, strength);
  }
  const lag = Math.round(period);
  const long = lag > 12;
  if (lag < 2) return false;
  if (values.length < (long ? 2.2 * lag + 2 : 3 * lag)) return repeatsItself(values, lag, strength);
  const correlations = autocorrelations(long ? differences(values, 1) : values, lag);
  let sum = 1;
  for (let k = 1; k < lag; k++) sum += 2 * correlations[k] * correlations[k];
  const limit = strength * Math.sqrt(sum / values.length);
  return (long ? correlations[lag] : Math.abs(correlations[lag])) > limit;
}

/** Whether the second of just two cycles is like the first: one and a half standard errors more than else. */
function repeatsItself(values: Float64Array, lag: number, strength: number): boolean {
  if (values.length < 2 * lag) return false;
  const last = values.subarray(values.length - 2 * lag);
  const { slope } = linearTrend(last);
  const flat = mapped(last, (value, i) => value - slope * i);
  const [first, second] = [flat.subarray(0, lag), flat.subarray(lag)].map(centered);
  const size = Math.sqrt(dot(first, first) * dot(second, second));
  return dot(first, second) * Math.sqrt(lag - 1) > (1.5 + strength) * size;
}

/**
 * Confirms the candidate periods one after the other on what the shorter ones left over. A long period that is no
 * multiple of a shorter one, such as the year in daily data, has a smooth pattern.
 * @param multiplicative whether the patterns are factors; never of logarithms, whose signs go by the unit
 */
export function confirmSeasons(
  values: Float64Array,
  candidates: readonly number[],
  strength = 1,
  multiplicative = allPositive(values),
) {
  return splitSeasons(values, candidates, multiplicative, (period, rest) => isSeasonal(rest, period, strength));
}

export function splitSeasons(
  values: Float64Array,
  candidates: readonly number[],
  multiplicative: boolean,
  isThere: (period: number, rest: Float64Array) => boolean,
) {
  let adjusted = values;
  const list: Season[] = [];
  for (const period of candidates) {
    if (!isThere(period, adjusted)) continue;
    const season = decompose(adjusted, period, multiplicative, isSmooth(period, candidates));
    list.push(season);
    adjusted = removeSeason(adjusted, season);
  }
  return { list, adjusted };
}

/** Whether a cycle is a smooth curve: a long one that no shorter one divides, such as the year in daily data. */
export function isSmooth(period: number, candidates: readonly number[]): boolean {
  return period > 100 && !candidates.some((shorter) => shorter < period && isMultiple(period, shorter));
}

export function isMultiple(period: number, shorter: number): boolean {
  const ratio = period / shorter;
  return Math.abs(ratio - Math.round(ratio)) < 0.02;
}

export function restoreSeasons(forecast: Float64Array, seasons: readonly Season[], start: number): Float64Array {
  const result = mapped(forecast, (value) => value);
  for (const { period, figure, multiplicative } of seasons.toReversed()) {
    for (let i = 0; i < result.length; i++) {
      const s = figure[phaseOf(start + i, period, figure.length)];
      result[i] = multiplicative ? result[i] * s : result[i] + s;
    }
  }
  return result;
}

export function restoreHistory(adjusted: Float64Array, seasons: readonly Season[]): Float64Array {
  let result = adjusted;
  for (const { multiplicative, history } of seasons.toReversed()) {
    result = result.map((value, i) => (multiplicative ? value * history[i] : value + history[i]));
  }
  return result;
}

export function removeSeason(values: Float64Array, { multiplicative, history }: Season): Float64Array {
  return values.map((value, i) => (multiplicative ? value / history[i] : value - history[i]));
}

/** Fills `NaN`s between the first and the last value: linearly, and again after the seasons found so are taken out. */
export function fillMissing(values: Float64Array, candidates: readonly number[]): Float64Array {
  const linear = interpolate(values);
  const { list } = confirmSeasons(linear, candidates);
  if (list.length === 0) return linear;
  let holes = values;
  for (const season of list) holes = removeSeason(holes, season);
  const filled = restoreHistory(interpolate(holes), list);
  return values.map((value, i) => (Number.isNaN(value) ? filled[i] : value));
}

function interpolate(values: Float64Array): Float64Array {
  const result = Float64Array.from(values);
  let before = 0;
  for (let i = 1; i < result.length; i++) {
    if (Number.isNaN(result[i])) continue;
    for (let j = before + 1; j < i; j++) {
      const share = (j - before) / (i - before);
      result[j] = result[before] * (1 - share) + result[i] * share;
    }
    before = i;
  }
  return result;
}

function blockMeans(values: Float64Array, block: number): Float64Array {
  const start = values.length % block;
  const blockAt = (k: number): Float64Array => values.subarray(start + k * block, start + (k + 1) * block);
  return along(Math.floor(values.length / block), (k) => blockAt(k).reduce((sum, value) => sum + value / block, 0));
}

/** The highest peak of the autocorrelation of differences, not necessarily whole; none for less than three cycles. */
export function detectPeriods(values: Float64Array): readonly number[] {
  const n = values.length;
  const longest = Math.min(400, Math.floor(n / 3));
  if (longest < 3) return [];
  const steps = differences(values, 1);
  const typical = meanAbsolute(values);
  if (!steps.some((step) => Math.abs(step - steps[0]) > 1e-9 * typical)) return [];
  const correlations = autocorrelations(steps, Math.min(n - 2, 6 * longest));
  const needed = Math.max(0.3, 4 / Math.sqrt(n));
  let first = 1;
  while (first <= longest && correlations[first] > 0) first++;
  const isPeak = (lag: number): boolean =>
    correlations[lag] > correlations[lag - 1] && correlations[lag] >= correlations[lag + 1];

  const peaks: number[] = [];
  for (let lag = first + 1; lag <= longest; lag++) if (isPeak(lag)) peaks.push(lag);
  const highest = peaks.reduce((most, lag) => Math.max(most, correlations[lag]), 0);
  const lag = peaks.find((peak) => correlations[peak] >= 0.85 * highest);
  if (!(highest > needed) || lag === undefined) return [];
  return [refine(highestIn(correlations, lag, Math.min(1.2 * lag, correlations.length - 1)), correlations)];
}

function highestIn(correlations: Float64Array, from: number, to: number): number {
  let best = from;
  for (let k = from; k <= to; k++) if (correlations[k] > correlations[best]) best = k;
  return best;
}

/** Follows the peaks at the multiples of a lag: the farther one stands, the better it tells the period. */
function refine(lag: number, correlations: Float64Array): number {
  let period = lag;
  for (let multiple = 2; multiple <= 6; multiple++) {
    const around = Math.round(multiple * period);
    const reach = Math.max(1, Math.floor(multiple / 2));
    if (around + reach >= correlations.length) break;
    const best = highestIn(correlations, around - reach, around + reach);
    if (!(correlations[best] > 0.7 * correlations[lag])) break;
    period = best / multiple;
  }
  return Math.abs(period - Math.round(period)) < 0.008 * period ? Math.round(period) : period;
}
