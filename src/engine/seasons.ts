import { allPositive, autocorrelations, clamp, differences } from './statistics.ts';

/** One confirmed seasonal pattern: a figure for each step of the cycle. */
export interface Season {
  readonly period: number;
  /** One value for each phase; factors around 1 or offsets around 0. */
  readonly figure: Float64Array;
  readonly multiplicative: boolean;
}

/** A series split into its seasonal patterns and the rest. */
export interface Seasons {
  readonly list: readonly Season[];
  /** The series without its seasonal patterns, of the same length. */
  readonly adjusted: Float64Array;
}

/** How far the autocorrelation at the period must stand out, in standard errors; see `isSeasonal`. */
const testStrength = 1;

/**
 * The seasonality test of the M4 benchmarks: the autocorrelation at the period against Bartlett's limit
 * (Makridakis, Spiliotis and Assimakopoulos 2018), with a looser limit, because the shrunken figures make a wrong yes
 * cheap. Long periods are tested on differences, or else a trend passes for a season.
 */
export function isSeasonal(values: Float64Array, period: number, strength = testStrength): boolean {
  const lag = Math.round(period);
  const long = lag > 12;
  if (lag < 2 || values.length < (long ? 2.2 * lag + 2 : 3 * lag)) return false;
  const tested = long ? differences(values, 1) : values;
  const correlations = autocorrelations(tested, lag);
  let sum = 1;
  for (let k = 1; k < lag; k++) sum += 2 * correlations[k] * correlations[k];
  const limit = strength * Math.sqrt(sum / values.length);
  return (long ? correlations[lag] : Math.abs(correlations[lag])) > limit;
}

/** Confirms the candidate periods one after the other on what the shorter ones left over. */
export function confirmSeasons(values: Float64Array, candidates: readonly number[]): Seasons {
  let adjusted = values;
  const list: Season[] = [];
  const multiplicative = allPositive(values);
  for (const period of candidates) {
    if (!isSeasonal(adjusted, period)) continue;
    const season = decompose(adjusted, period, multiplicative);
    list.push(season);
    adjusted = removeSeason(adjusted, season);
  }
  return { list, adjusted };
}

/** Puts the seasonal patterns back on a forecast that starts at index `start` of the series. */
export function restoreSeasons(forecast: Float64Array, seasons: readonly Season[], start: number): Float64Array {
  const result = Float64Array.from(forecast);
  for (const season of seasons) {
    for (let i = 0; i < result.length; i++) {
      const s = season.figure[phase(start + i, season)];
      result[i] = season.multiplicative ? result[i] * s : result[i] + s;
    }
  }
  return result;
}

function removeSeason(values: Float64Array, season: Season): Float64Array {
  return values.map((value, i) => {
    const s = season.figure[phase(i, season)];
    return season.multiplicative ? value / s : value - s;
  });
}

/** Which entry of the figure belongs to an index; a period need not be a whole number of steps. */
function phase(index: number, season: Season): number {
  const { period, figure } = season;
  return Math.floor(((index % period) * figure.length) / period + 1e-9) % figure.length;
}

/**
 * Classical decomposition by a centred moving average of one period; the figure is shrunk towards "no season" after
 * James and Stein (Miller and Williams 2003), the more the noisier it is.
 */
export function decompose(values: Float64Array, period: number, multiplicative: boolean): Season {
  const steps = Math.round(period);
  const trend = movingAverage(values, steps);
  const draft: Season = { period, figure: new Float64Array(steps), multiplicative };
  const ratios = new Float64Array(values.length);
  const counts = new Float64Array(steps);
  const half = steps >> 1;
  for (let i = half; i < values.length - half; i++) {
    ratios[i] = multiplicative ? values[i] / trend[i] : values[i] - trend[i];
    const k = phase(i, draft);
    draft.figure[k] += ratios[i];
    counts[k]++;
  }
  let total = 0;
  for (let k = 0; k < steps; k++) {
    draft.figure[k] = counts[k] > 0 ? draft.figure[k] / counts[k] : multiplicative ? 1 : 0;
    total += draft.figure[k] / steps;
  }
  for (let k = 0; k < steps; k++) draft.figure[k] = multiplicative ? draft.figure[k] / total : draft.figure[k] - total;
  if (multiplicative && !draft.figure.every((factor) => factor > 0.01)) return decompose(values, period, false);

  const neutral = multiplicative ? 1 : 0;
  let noise = 0;
  let signal = 0;
  const used = values.length - 2 * half;
  for (let i = half; i < values.length - half; i++) noise += (ratios[i] - draft.figure[phase(i, draft)]) ** 2;
  for (const value of draft.figure) signal += (value - neutral) ** 2;
  const perStep = used / steps;
  if (perStep > 1 && signal > 0) {
    const variance = noise / Math.max(1, used - steps) / perStep;
    const shrinkage = clamp(((steps - 3) * variance) / signal, 0, 1);
    for (let k = 0; k < steps; k++) draft.figure[k] += shrinkage * (neutral - draft.figure[k]);
  }
  return draft;
}

/** A centred moving average over one period, by running sums; meaningless in the first and last half period. */
function movingAverage(values: Float64Array, steps: number): Float64Array {
  const half = steps >> 1;
  const even = steps % 2 === 0;
  const result = new Float64Array(values.length);
  for (let i = half; i < values.length - half; i++) {
    let sum = even ? 0.5 * (values[i - half] + values[i + half]) : values[i - half] + values[i + half];
    for (let j = i - half + 1; j < i + half; j++) sum += values[j];
    result[i] = sum / steps;
  }
  return result;
}

/** Fills `NaN`s between the first and the last value: linearly, and again after the seasons found so are taken out. */
export function fillMissing(values: Float64Array, candidates: readonly number[]): Float64Array {
  const linear = interpolate(values);
  const { list } = confirmSeasons(linear, candidates);
  if (list.length === 0) return linear;
  let holes = values;
  for (const season of list) holes = removeSeason(holes, season);
  const filled = restoreSeasons(interpolate(holes), list, 0);
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
