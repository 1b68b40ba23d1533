import { decompose, phaseOf, type Season } from './decompose.ts';
import { allPositive, autocorrelations, differences, linearTrend, mean } from '../statistics.ts';

/** A series split into its seasonal patterns and the rest. */
export interface Seasons {
  readonly list: readonly Season[];
  /** The series without its seasonal patterns, of the same length. */
  readonly adjusted: Float64Array;
}

/**
 * The seasonality test of the M4 benchmarks: the autocorrelation at the period against Bartlett's limit (Makridakis,
 * Spiliotis and Assimakopoulos 2018), with a looser limit, because the shrunken figures make a wrong yes cheap. Long
 * periods are tested on differences, or else a trend passes for a season, those of more than 200 steps on averages.
 *
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

/**
 * Whether the second of just two cycles is like the first, around a common line: their correlation, against what it would
 * be by chance, by one and a half standard errors more.
 */
function repeatsItself(values: Float64Array, lag: number, strength: number): boolean {
  if (values.length < 2 * lag) return false;
  const last = values.subarray(values.length - 2 * lag);
  const { slope } = linearTrend(last);
  const flat = last.map((value, i) => value - slope * i);
  const first = flat.subarray(0, lag);
  const second = flat.subarray(lag);
  const a = mean(first);
  const b = mean(second);
  let cross = 0;
  let squares = 0;
  let others = 0;
  for (let i = 0; i < lag; i++) {
    cross += (first[i] - a) * (second[i] - b);
    squares += (first[i] - a) ** 2;
    others += (second[i] - b) ** 2;
  }
  return cross * Math.sqrt(lag - 1) > (1.5 + strength) * Math.sqrt(squares * others);
}

/**
 * Confirms the candidate periods one after the other on what the shorter ones left over. A long period that is no
 * multiple of a shorter one, such as the year in daily data, has a smooth pattern.
 *
 * @param multiplicative whether the patterns are factors; never of logarithms, whose signs go by the unit
 */
export function confirmSeasons(
  values: Float64Array,
  candidates: readonly number[],
  strength = 1,
  multiplicative = allPositive(values),
): Seasons {
  return splitSeasons(values, candidates, multiplicative, (rest, period) => isSeasonal(rest, period, strength));
}

/** Finds the patterns of periods that are confirmed already, as far as the series is long enough for them. */
export function knownSeasons(
  values: Float64Array,
  candidates: readonly number[],
  known: readonly Pick<Season, 'period'>[],
  multiplicative: boolean,
): Seasons {
  return splitSeasons(
    values,
    candidates,
    multiplicative,
    (rest, period) => rest.length >= 2 * Math.round(period) && known.some((season) => season.period === period),
  );
}

function splitSeasons(
  values: Float64Array,
  candidates: readonly number[],
  multiplicative: boolean,
  isThere: (rest: Float64Array, period: number) => boolean,
): Seasons {
  let adjusted = values;
  const list: Season[] = [];
  for (const period of candidates) {
    if (!isThere(adjusted, period)) continue;
    const smooth = period > 100 && !candidates.some((shorter) => shorter < period && isMultiple(period, shorter));
    const season = decompose(adjusted, period, multiplicative, smooth);
    list.push(season);
    adjusted = removeSeason(adjusted, season);
  }
  return { list, adjusted };
}

export function isMultiple(period: number, shorter: number): boolean {
  const ratio = period / shorter;
  return Math.abs(ratio - Math.round(ratio)) < 0.02;
}

/** Puts the seasonal patterns back on a forecast that starts at index `start` of the series. */
export function restoreSeasons(forecast: Float64Array, seasons: readonly Season[], start: number): Float64Array {
  const result = Float64Array.from(forecast);
  for (const { period, figure, multiplicative } of seasons.toReversed()) {
    for (let i = 0; i < result.length; i++) {
      const s = figure[phaseOf(start + i, period, figure.length)];
      result[i] = multiplicative ? result[i] * s : result[i] + s;
    }
  }
  return result;
}

/** Undoes the seasonal adjustment of a whole series. */
export function restoreHistory(adjusted: Float64Array, seasons: readonly Season[]): Float64Array {
  let result = adjusted;
  for (const { multiplicative, history } of seasons.toReversed()) {
    result = result.map((value, i) => (multiplicative ? value * history[i] : value + history[i]));
  }
  return result;
}

export function removeSeason(values: Float64Array, { multiplicative, history }: Season): Float64Array {
  const result = new Float64Array(values.length);
  for (let i = 0; i < result.length; i++) result[i] = multiplicative ? values[i] / history[i] : values[i] - history[i];
  return result;
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

/** Means over blocks of steps, aligned with the end. */
function blockMeans(values: Float64Array, block: number): Float64Array {
  const count = Math.floor(values.length / block);
  const start = values.length - count * block;
  const result = new Float64Array(count);
  for (let i = 0; i < count * block; i++) result[Math.floor(i / block)] += values[start + i] / block;
  return result;
}
