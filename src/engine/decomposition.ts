import { levelShifts } from './prepare/series.ts';
import { fillMissing, splitSeasons } from './prepare/seasons.ts';
import { allPositive, clamp, median } from './statistics.ts';

/**
 * Splits a series and its forecast as one: seasons by classical decomposition, the trend by a straight line around each
 * step (Cleveland 1979, without weights), shifts of the level, the rest is the remainder. Of more than 20,000 steps the
 * last ones are split, those after `from`. Undefined where nothing was observed.
 * @param periods of the seasons, shortest first; those with fewer than two cycles are left out
 */
export function decomposition(history: Float64Array, forecast: Float64Array, periods: readonly number[]) {
  const first = history.findIndex(Number.isFinite);
  if (first < 0) return undefined;
  let from = Math.max(first, history.length - 20_000);
  while (!Number.isFinite(history[from])) from++;
  const observed = new Float64Array(history.length - from + forecast.length);
  observed.set(history.subarray(from));
  observed.set(forecast, history.length - from);
  const raw = observed.map((value) => (Number.isFinite(value) ? value : Number.NaN));
  const filled = raw.some(Number.isNaN) ? fillMissing(raw, periods) : raw;
  const known = periods.filter((period) => period >= 2 && filled.length >= 2 * Math.round(period));
  const { list, adjusted } = splitSeasons(filled, known, allPositive(filled), () => true);

  const past = filled.length - forecast.length;
  const steps = levelShifts(adjusted.subarray(0, past), allPositive(filled));
  const shifts = steps.length > 0 ? shiftComponent(adjusted, steps, past) : undefined;
  const level = shifts ? adjusted.map((value, i) => value - shifts[i]) : adjusted;
  const longest = Math.max(0, ...list.map(({ period }) => period));
  const reach = clamp(Math.round(Math.max(longest, past / 8) / (longest > 0 ? 2 : 1)), 4, filled.length);
  const trend = localLines(level, reach);

  const sum = trend.map((value, i) => value + (shifts?.[i] ?? 0));
  const seasons = list.map(({ period, multiplicative, history: pattern }) => {
    const values = sum.map((value, i) => (multiplicative ? value * (pattern[i] - 1) : pattern[i]));
    for (let i = 0; i < sum.length; i++) sum[i] += values[i];
    return { period, values };
  });
  return { from, trend, seasons, shifts, remainder: raw.map((value, i) => value - sum[i]) };
}

function shiftComponent(values: Float64Array, steps: readonly number[], past: number): Float64Array {
  const component = new Float64Array(values.length);
  let level = 0;
  steps.forEach((start, k) => {
    const before = values.subarray(Math.max(steps[k - 1] ?? 0, start - 6), start);
    const after = values.subarray(start, Math.min(steps[k + 1] ?? past, start + 6));
    level += median(after) - median(before);
    component.fill(level, start);
  });
  return component;
}

/** At each step the line that fits the values up to `reach` steps before and after it best. */
function localLines(values: Float64Array, reach: number): Float64Array {
  const n = values.length;
  const result = new Float64Array(n);
  // sums of value and of place times value, up to each step, around the middle so that they stay small
  const sums = new Float64Array(n + 1);
  const moments = new Float64Array(n + 1);
  const middle = values[n >> 1];
  for (let i = 0; i < n; i++) {
    sums[i + 1] = sums[i] + (values[i] - middle);
    moments[i + 1] = moments[i] + i * (values[i] - middle);
  }
  for (let i = 0; i < n; i++) {
    const start = Math.max(0, i - reach);
    const end = Math.min(n, i + reach + 1);
    const count = end - start;
    const center = (start + end - 1) / 2;
    const sum = sums[end] - sums[start];
    const spread = (count * (count * count - 1)) / 12;
    const slope = spread > 0 ? (moments[end] - moments[start] - center * sum) / spread : 0;
    result[i] = middle + sum / count + slope * (i - center);
  }
  return result;
}
