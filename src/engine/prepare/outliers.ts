import { confirmSeasons, isSmooth, restoreHistory } from './seasons.ts';
import { allPositive, differences, mapped, mean, meanAbsolute, median, rangeOf } from '../statistics.ts';

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
export function withoutJumps(
  values: Float64Array,
  candidates: readonly number[],
  logarithmic = allPositive(values),
): Float64Array {
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
  if (!kept && !staysNear(result, values)) return values;
  return kept ? result.subarray(shift) : result;
}

/** The first steps after each shift of the level of a series without seasons; spikes are none. */
export function levelShifts(values: Float64Array, logarithmic: boolean): number[] {
  if (values.length < 5 || (logarithmic && !allPositive(values))) return [];
  const scaled = logarithmic ? values.map(Math.log) : values;
  const sizes = jumpSizes(scaled, logarithmic);
  if (!(sizes.limit > 0)) return [];
  const cut = cutSpikes(scaled, sizes);
  const shifts: number[] = [];
  for (let i = 1; i < cut.length - 1; i++) if (isShift(cut[i] - cut[i - 1], sizes.limit)) shifts.push(i);
  return shifts;
}

function staysNear(moved: Float64Array, original: Float64Array): boolean {
  const { low, high } = rangeOf(original);
  const width = high - low;
  return moved.every((value) => value >= low - width && value <= high + width);
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
  // Continuous at the limit, and falling beyond.
  if (Math.abs(last) > limit) result[n - 1] = result[n - 2] + (limit * limit) / last;
  return result;
}

function lastShift(values: Float64Array, { limit }: JumpSizes): number {
  const jumps: number[] = [];
  for (let i = values.length - 1; i > 0; i--) if (isShift(values[i] - values[i - 1], limit)) jumps.push(i);
  return (jumps.length < 3 ? jumps[0] : jumps.find((i) => hasStayed(values, i))) ?? 0;
}

function hasStayed(values: Float64Array, first: number): boolean {
  if (values.length - first < 24) return true;
  const step = values[first] - values[first - 1];
  const before = median(values.slice(Math.max(0, first - 100), first));
  const after = median(values.slice(first, first + 100));
  return (after - before) / step >= 0.5;
}

function moveToLastLevel(values: Float64Array, { typical, limit }: JumpSizes): Float64Array {
  const result = Float64Array.from(values);
  let moved = 0;
  for (let i = values.length - 1; i > 0; i--) {
    result[i] += moved;
    const step = values[i] - values[i - 1];
    if (isShift(step, limit)) moved += step - Math.sign(step) * typical;
  }
  result[0] += moved;
  return result;
}

const isShift = (step: number, limit: number): boolean => Math.abs(step) > 2 * limit;
