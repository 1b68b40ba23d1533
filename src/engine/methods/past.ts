import type { Series } from '../prepare/series.ts';
import type { Method } from './methods.ts';

/** So many cycles are averaged, and so many similar stretches. */
const cycles = 5;
const similar = 5;
/** The length of the stretch that is compared, in steps: so many cycles, within these bounds. */
const comparedCycles = 2;
const shortestStretch = 12;
const longestStretch = 96;
/** Weight of a step of the stretch beside the next newer one. */
const stretchDecay = 0.98;
/** How much a stretch on another level counts as farther away. */
const levelWeight = 0.09;
/** Stretches that begin anywhere are looked for in so many of the last points. */
const memory = 3000;

const periodOf = ({ candidates }: Series, index: number): number => Math.round(candidates[index] ?? 0);

/** The mean of the last cycles of a candidate period, phase by phase; undefined for less than two of them. */
export function meanCycle(index: number): Method {
  return (series, horizon) => {
    const { values } = series;
    const period = periodOf(series, index);
    const n = values.length;
    if (period < 2 || n < 2 * period) return undefined;
    const count = Math.min(cycles - index, Math.floor(n / period));
    const result = new Float64Array(horizon);
    for (let i = 0; i < horizon; i++) {
      let sum = 0;
      for (let k = 1; k <= count; k++) sum += values[n - k * period + (i % period)];
      result[i] = sum / count;
    }
    return result;
  };
}

/**
 * What followed the stretches of the past that are most like the last one, moved to its level: a nearest-neighbour
 * forecast (Yakowitz 1987). The nearer a stretch, the more it counts.
 *
 * @param wholeCycles whether only stretches at the same phase of the shortest candidate period are compared
 */
export function analogues(wholeCycles: boolean): Method {
  return (series, horizon) => {
    const period = periodOf(series, 0);
    if (wholeCycles && period < 2) return undefined;
    const stride = wholeCycles ? period : 1;
    const values = wholeCycles ? series.values : series.values.subarray(Math.max(0, series.values.length - memory));
    const wanted = wholeCycles
      ? Math.min(comparedCycles * period, longestStretch)
      : Math.min(period || 24, longestStretch / 2);
    const length = Math.max(shortestStretch, wanted);
    return nearest(values, horizon, stride, length, wholeCycles ? similar : 2 * similar);
  };
}

function nearest(
  values: Float64Array,
  horizon: number,
  stride: number,
  length: number,
  count: number,
): Float64Array | undefined {
  const n = values.length;
  const start = n - length;
  const level = meanOf(values, start, n);
  const weights = Float64Array.from({ length }, (_, i) => stretchDecay ** (length - 1 - i));
  const found: { distance: number; end: number; level: number }[] = [];
  let farthest = Infinity;
  for (let end = n - stride * Math.ceil(horizon / stride); end >= length; end -= stride) {
    const from = end - length;
    const own = meanOf(values, from, end);
    const shift = own - level;
    let distance = levelWeight * length * Math.abs(shift);
    for (let i = length - 1; i >= 0 && distance < farthest; i--) {
      distance += weights[i] * Math.abs(values[from + i] - values[start + i] - shift);
    }
    if (distance >= farthest) continue;
    let place = found.length;
    while (place > 0 && found[place - 1].distance > distance) place--;
    found.splice(place, 0, { distance, end, level: own });
    if (found.length > count) found.pop();
    if (found.length === count) farthest = found[count - 1].distance;
  }
  if (found.length < count) return undefined;
  const tiny = 1e-9 * Math.abs(level) + 1e-12;
  const result = new Float64Array(horizon);
  let sum = 0;
  for (const { distance, end, level: own } of found) {
    const weight = ((found[0].distance + tiny) / (distance + tiny)) ** 2;
    sum += weight;
    for (let i = 0; i < horizon; i++) result[i] += weight * (values[end + i] - own + level);
  }
  return result.map((value) => value / sum);
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i];
  return sum / (to - from);
}
