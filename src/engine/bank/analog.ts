import { unfitted, type Candidate } from './candidate.ts';
import type { View } from './view.ts';

/** The method of analogues as a candidate. */
export const analog: Candidate = {
  id: 'analog',
  description: 'The mean of what followed the past windows that are most like the last one (Lorenz 1969).',
  minPoints: 1,
  fit: unfitted(analogForecast),
};

/** Points that a window is compared at, and how many of the most similar windows are averaged. */
const comparedPoints = 12;
const nearest = 6;
/** Windows are looked for among so many of the last places, evenly spaced. */
const mostPlaces = 400;

/**
 * The method of analogues (Lorenz 1969): the mean of what followed the past windows that are most like the last one, each
 * moved to the level of the last one. The window is a period long, but of 12 to 64 points.
 *
 * @returns undefined where the series has too few such windows
 */
function analogForecast({ values, period }: View, horizon: number): Float64Array | undefined {
  const n = values.length;
  const span = Math.min(64, Math.max(comparedPoints, period));
  const places = n - span - horizon + 1;
  if (places < 3 * nearest) return undefined;
  const stride = Math.max(1, Math.ceil(places / mostPlaces));
  const pace = (span - 1) / (comparedPoints - 1);
  const offsets = Int32Array.from({ length: comparedPoints }, (_, k) => Math.round(k * pace));
  const target = new Float64Array(comparedPoints);
  const level = meanAt(values, n - span, offsets);
  for (let k = 0; k < comparedPoints; k++) target[k] = values[n - span + offsets[k]] - level;

  const best = new Int32Array(nearest).fill(-1);
  const distances = new Float64Array(nearest).fill(Infinity);
  const levels = new Float64Array(nearest);
  for (let place = places - 1; place >= 0; place -= stride) {
    const mean = meanAt(values, place, offsets);
    let distance = 0;
    for (let k = 0; k < comparedPoints; k++) {
      const difference = values[place + offsets[k]] - mean - target[k];
      distance += difference * difference;
    }
    if (distance >= distances[nearest - 1]) continue;
    let at = nearest - 1;
    for (; at > 0 && distances[at - 1] > distance; at--) {
      distances[at] = distances[at - 1];
      best[at] = best[at - 1];
      levels[at] = levels[at - 1];
    }
    distances[at] = distance;
    best[at] = place;
    levels[at] = mean;
  }
  const result = new Float64Array(horizon).fill(level);
  for (let k = 0; k < nearest; k++) {
    for (let i = 0; i < horizon; i++) result[i] += (values[best[k] + span + i] - levels[k]) / nearest;
  }
  return result;
}

function meanAt(values: Float64Array, start: number, offsets: Int32Array): number {
  let sum = 0;
  for (const offset of offsets) sum += values[start + offset];
  return sum / offsets.length;
}
