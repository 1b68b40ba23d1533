import { EngineError } from '../types.ts';
import {
  allPositive,
  clamp,
  lastOf,
  mapped,
  meanAbsolute,
  median,
  scratch,
  differences,
  mean,
  rangeOf,
} from '../statistics.ts';
import type { Seasons } from './seasons.ts';
import { confirmSeasons, detectPeriods, fillMissing, splitSeasons, isSmooth, restoreHistory } from './seasons.ts';

export interface Scaled {
  readonly values: Float64Array;
  readonly logarithmic: boolean;
}

export class Series {
  /** Finite values of ordinary magnitude; divided by `unit`, which is negative where the whole series is. */
  readonly values!: Float64Array;
  readonly observedValues!: Float64Array;
  /** The values are to be multiplied by this; its magnitude is a power of two, so that scaling loses no digit. */
  readonly unit!: number;
  readonly missingAtEnd!: number;
  readonly filledIn: Uint8Array | undefined;
  /** No observation is below 0 (after the change of sign), so no forecast should be. */
  readonly nonNegative!: boolean;
  /** Every value is above 0, and no observation ever was below, so that logarithms suit it. */
  readonly positive!: boolean;
  /** Many zeros without an order; nothing of it is taken for a spike or a shift. */
  readonly intermittent!: boolean;
  readonly candidates!: readonly number[];
  readonly seasons!: Seasons;
  #logs: { readonly values: Scaled; readonly adjusted: Scaled } | undefined;

  constructor(parts: Omit<Series, 'logs' | 'slice'>) {
    Object.assign(this, parts);
  }

  get logs(): { readonly values: Scaled; readonly adjusted: Scaled } {
    const scaled = (values: Float64Array): Scaled => {
      const logarithmic = this.positive && allPositive(values);
      return { values: logarithmic ? mapped(values, Math.log).slice() : values, logarithmic };
    };
    return (this.#logs ??= { values: scaled(this.values), adjusted: scaled(this.seasons.adjusted) });
  }

  /** A stretch as a series of its own; of its seasonal patterns, only the periods are known in advance. */
  slice(from: number, to: number): Series {
    const values = this.values.slice(from, to);
    const positive = this.nonNegative && allPositive(values);
    const isKnown = (period: number): boolean =>
      values.length >= 2 * Math.round(period) && this.seasons.list.some((season) => season.period === period);
    return new Series({
      ...this,
      values,
      observedValues: this.observedValues.subarray(from, to),
      filledIn: this.filledIn?.subarray(from, to),
      missingAtEnd: 0,
      positive,
      seasons: splitSeasons(values, this.candidates, positive, isKnown),
    });
  }
}

/**
 * Cleans a series. Missing values in between are interpolated along the seasonal shape; leading ones are dropped, as
 * are the zeros before a series began; trailing ones are forecast. A series without any positive value is handled as
 * its mirror image. Only the last 4,000 points, or 3.2 cycles, are taken.
 * @throws EngineError if there is no finite value
 */
export function prepareSeries(raw: Float64Array, candidates: readonly number[], seasonalStrength = 1): Series {
  let first = 0;
  let last = raw.length - 1;
  while (first < raw.length && !Number.isFinite(raw[first])) first++;
  while (last >= 0 && !Number.isFinite(raw[last])) last--;
  if (last < 0) throw new EngineError('unobserved');
  const missingAtEnd = raw.length - 1 - last;

  const usable = candidates.filter((period) => Number.isFinite(period) && period > 1.5).sort((a, b) => a - b);
  const memory = Math.max(4000, Math.ceil(3.2 * (usable.at(-1) ?? 1)));
  if (last - first + 1 > memory) first = last + 1 - memory;
  while (!Number.isFinite(raw[first])) first++;
  first = startOf(raw, first, last);
  const values = raw.slice(first, last + 1);
  // The sign is that of the whole history, also of what is too old to matter otherwise.
  const someNegative = raw.some((value) => value < 0 && value > -Infinity);
  const negative = someNegative && !raw.some((value) => value > 0 && value < Infinity);
  const unit = (negative ? -1 : 1) * magnitudeOf(values);
  const missing = values.some((value) => !Number.isFinite(value));
  const scaled = values.map((value) => (Number.isFinite(value) ? clamp(value / unit, -1e60, 1e60) : Number.NaN));
  const filled = missing ? fillMissing(scaled, usable) : scaled;
  const nonNegative = negative || !someNegative;
  const intermittent = nonNegative && isIntermittent(filled, usable);
  const clean = intermittent ? filled : withoutJumps(filled, usable, nonNegative && allPositive(filled));
  const known = usable.length > 0 ? usable : detectPeriods(clean);
  const positive = nonNegative && allPositive(clean);
  return new Series({
    values: clean,
    observedValues: filled.subarray(filled.length - clean.length),
    filledIn: missing
      ? Uint8Array.from(scaled, (value) => (Number.isNaN(value) ? 1 : 0)).subarray(filled.length - clean.length)
      : undefined,
    unit,
    missingAtEnd,
    nonNegative,
    intermittent,
    positive,
    candidates: known,
    seasons: confirmSeasons(clean, known, seasonalStrength, positive),
  });
}

/** Zeros before a first sale: six and more, a tenth of what comes after, where hardly any are. */
function startOf(raw: Float64Array, first: number, last: number): number {
  let start = first;
  let before = 0;
  for (; start <= last && !(raw[start] !== 0 && Number.isFinite(raw[start])); start++) if (raw[start] === 0) before++;
  if (before < 6) return first;
  const rest = raw.subarray(start, last + 1).filter(Number.isFinite);
  if (before < 0.1 * rest.length || rest.length < 6) return first;
  const zeros = rest.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
  return zeros <= 0.05 * rest.length ? start : first;
}

function magnitudeOf(values: Float64Array): number {
  const magnitudes = scratch(values.length);
  let count = 0;
  for (const value of values) if (Number.isFinite(value) && value !== 0) magnitudes[count++] = Math.abs(value);
  return count === 0 ? 1 : 2 ** clamp(Math.floor(Math.log2(median(magnitudes.subarray(0, count)))), -1022, 1022);
}

/** A quarter of zeros that neither lie together in a few runs nor come at certain phases of a season. */
export function isIntermittent(values: Float64Array, candidates: readonly number[]): boolean {
  const n = values.length;
  if (n < 8 || values.some((value) => value < 0)) return false;
  let zeros = 0;
  let changes = 0;
  for (let i = 0; i < n; i++) {
    if (values[i] === 0) zeros++;
    if (i > 0 && (values[i] === 0) !== (values[i - 1] === 0)) changes++;
  }
  const share = zeros / n;
  if (share < 0.25 || zeros === n) return false;
  if (changes < 0.15 * 2 * n * share * (1 - share) - 1) return false;
  return !candidates.some((period) => zerosFollow(values, Math.round(period), share));
}

function zerosFollow(values: Float64Array, period: number, share: number): boolean {
  const n = values.length;
  if (period < 2 || n < 3 * period) return false;
  const zeros = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let i = 0; i < n; i++) {
    counts[i % period]++;
    if (values[i] === 0) zeros[i % period]++;
  }
  let unexplained = 0;
  for (let k = 0; k < period; k++) unexplained += (zeros[k] * (1 - zeros[k] / counts[k])) / (n - period);
  return unexplained < 0.5 * share * (1 - share);
}

/** Of the last 100 values, all multiples of their smallest step, of which three of ten come again; 0 where they do not. */
export function pieceOf({ observedValues, filledIn, nonNegative }: Series, end = observedValues.length): number {
  if (!nonNegative) return 0;
  const from = Math.max(0, end - 100);
  const near = observedValues.slice(from, end);
  const values = (filledIn ? near.filter((_, i) => filledIn[from + i] !== 1) : near).sort();
  if (values.length < 8) return 0;
  const distinct = values.filter((value, i) => i === 0 || value !== values[i - 1]);
  if (distinct.length < 2 || distinct.length > 0.7 * values.length) return 0;
  let piece = Infinity;
  distinct.forEach((value, i) => {
    if (value !== 0) piece = Math.min(piece, Math.abs(value));
    if (i > 0) piece = Math.min(piece, value - distinct[i - 1]);
  });
  const isMultiple = (value: number): boolean => {
    const pieces = value / piece;
    return Math.abs(pieces - Math.round(pieces)) < 1e-6 * Math.max(1, Math.abs(pieces));
  };
  return distinct.every(isMultiple) ? piece : 0;
}

/** One piece where a series counts up to 20 of them in the mean; more are as good as continuous, and give 0. */
export function oneCountOf(series: Series): number {
  const { values } = series;
  const near = lastOf(values, 100);
  const piece = pieceOf(series);
  return piece > 0 && meanAbsolute(near) <= 20 * piece ? piece : 0;
}

/**
 * Cuts spikes and evens out shifts of the level, so that neither bends the forecast.
 *
 * - A single point that jumps away and back by more than six typical steps is put back, but for one typical step.
 * - A last point that has jumped away keeps less of its jump the larger it is: nobody can tell yet whether it stays.
 * - A jump twice as large that has stayed is a shift. History before the last one is dropped where enough is left (24
 *   points and three of the longest cycle that is no smooth one), or else moved to the new level. Of three or more,
 *   floods are none: of them the medians of 100 points to both sides keep less than half.
 *
 * A jump is also a fifth of the level, or of the spread. Typical is the larger of a robust and a trimmed mean of the
 * steps, after seasonal adjustment, and on the log scale for positive values.
 */
export function withoutJumps(values: Float64Array, candidates: readonly number[], logarithmic = allPositive(values)) {
  if (values.length < 5) return values;
  const scaled = logarithmic ? mapped(values, Math.log) : values;
  if (!hasJumps(scaled, jumpSizes(scaled, logarithmic).limit)) return values;
  const { adjusted, list } = confirmSeasons(scaled, candidates, undefined, false);
  const sizes = jumpSizes(adjusted, logarithmic);
  if (!hasJumps(adjusted, sizes.limit)) return values;
  const cut = cutSpikes(adjusted, sizes);
  const shift = lastShift(cut, sizes);
  const cycle = candidates.findLast((period) => !isSmooth(period, candidates)) ?? 0;
  const enough = Math.max(24, 3 * cycle);
  const kept = values.length - shift >= enough;
  const even = restoreHistory(kept ? cut : moveToLastLevel(cut, sizes), list);
  const result = logarithmic ? even.map(Math.exp) : even;
  if (kept) return result.subarray(shift);
  const { low, high } = rangeOf(values);
  const width = high - low;
  return result.every((value) => value >= low - width && value <= high + width) ? result : values;
}

/** The first steps after each shift of the level of a series without seasons; spikes are none. */
export function levelShifts(values: Float64Array, logarithmic: boolean): number[] {
  if (values.length < 5 || (logarithmic && !allPositive(values))) return [];
  const scaled = logarithmic ? values.map(Math.log) : values;
  const sizes = jumpSizes(scaled, logarithmic);
  if (!(sizes.limit > 0)) return [];
  return shiftsIn(cutSpikes(scaled, sizes), sizes).filter((first) => first < values.length - 1);
}

type JumpSizes = ReturnType<typeof jumpSizes>;

function jumpSizes(values: Float64Array, logarithmic: boolean) {
  const sorted = mapped(differences(values, 1), Math.abs).sort();
  const kept = sorted.length - Math.max(2, Math.floor(sorted.length / 50));
  const typical = Math.max(1.4826 * sorted[sorted.length >> 1], kept > 0 ? mean(sorted.subarray(0, kept)) : 0);
  const middle = logarithmic ? 0 : median(values);
  const level = logarithmic ? 1 : meanAbsolute(mapped(values, (value) => value - middle));
  return { typical, limit: Math.max(6 * typical, 0.2 * level) };
}

function hasJumps(values: Float64Array, limit: number): boolean {
  return limit !== 0 && values.some((value, i) => i > 0 && Math.abs(value - values[i - 1]) > limit);
}

function cutSpikes(values: Float64Array, { typical, limit }: JumpSizes): Float64Array {
  const n = values.length;
  const result = Float64Array.from(values);
  for (let i = 1; i < n - 1; i++) {
    const before = result[i] - result[i - 1];
    const after = result[i + 1] - result[i];
    const height = Math.min(Math.abs(before), Math.abs(after));
    if (before * after < 0 && height > limit) result[i] -= Math.sign(before) * (height - typical);
  }
  const last = result[n - 1] - result[n - 2];
  if (Math.abs(last) > limit) result[n - 1] = result[n - 2] + (limit * limit) / last;
  return result;
}

function shiftsIn(values: Float64Array, { limit }: JumpSizes): number[] {
  return Array.from(values.keys()).filter((i) => i > 0 && Math.abs(values[i] - values[i - 1]) > 2 * limit);
}

function lastShift(values: Float64Array, sizes: JumpSizes): number {
  const shifts = shiftsIn(values, sizes);
  return (shifts.length < 3 ? shifts.at(-1) : shifts.findLast((i) => hasStayed(values, i))) ?? 0;
}

function hasStayed(values: Float64Array, first: number): boolean {
  if (values.length - first < 24) return true;
  const step = values[first] - values[first - 1];
  const before = median(values.slice(Math.max(0, first - 100), first));
  const after = median(values.slice(first, first + 100));
  return (after - before) / step >= 0.5;
}

function moveToLastLevel(values: Float64Array, sizes: JumpSizes): Float64Array {
  const result = Float64Array.from(values);
  const shifts = shiftsIn(values, sizes);
  shifts.forEach((first, k) => {
    if (hasFaded(values, first, shifts[k + 1] ?? values.length, sizes.limit)) return;
    const step = values[first] - values[first - 1];
    for (let i = 0; i < first; i++) result[i] += step - Math.sign(step) * sizes.typical;
  });
  return result;
}

/** Of a jump so short ago, the last three values keep less than a jump: it went back in smaller steps. */
function hasFaded(values: Float64Array, first: number, end: number, limit: number): boolean {
  return end - first < 24 && Math.abs(median(values.slice(Math.max(first, end - 3), end)) - values[first - 1]) < limit;
}
