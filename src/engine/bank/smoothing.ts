/** Exponential smoothing with fixed weights, in one pass. None of these changes its input. */

import { mean } from '../statistics.ts';

export interface Level {
  readonly level: number;
  readonly weight: number;
  /** Mean absolute one-step error. */
  readonly error: number;
}

/** Simple exponential smoothing that starts from the mean of the first four values. */
export function smooth(values: Float64Array, weight: number): Level {
  let level = mean(values.subarray(0, 4));
  let error = 0;
  for (const value of values) {
    const miss = value - level;
    level += weight * miss;
    error += Math.abs(miss);
  }
  return { level, weight, error: error / values.length };
}

/** Simple exponential smoothing with the one of five weights that had the least error; all five go along in one pass. */
export function smoothBest(values: Float64Array): Level {
  const weights = [0.1, 0.3, 0.5, 0.7, 0.95];
  const levels = new Float64Array(weights.length).fill(mean(values.subarray(0, 4)));
  const errors = new Float64Array(weights.length);
  for (const value of values) {
    for (let k = 0; k < weights.length; k++) {
      const miss = value - levels[k];
      levels[k] += weights[k] * miss;
      errors[k] += Math.abs(miss);
    }
  }
  const best = errors.reduce((least, error, k) => (error < errors[least] ? k : least), 0);
  return { level: levels[best], weight: weights[best], error: errors[best] / values.length };
}

export interface Trend {
  readonly level: number;
  readonly slope: number;
  readonly error: number;
}

/** Holt's linear trend, damped (Gardner and McKenzie 1985). */
function holt(values: Float64Array): Trend {
  const [weight, slopeWeight, damping] = [0.5, 0.1, trendDamping];
  const n = values.length;
  const head = Math.min(n, 6);
  let slope = head > 1 ? (values[head - 1] - values[0]) / (head - 1) : 0;
  let level = values[0] - slope;
  let error = 0;
  for (let i = 0; i < n; i++) {
    const predicted = level + damping * slope;
    const miss = values[i] - predicted;
    level = predicted + weight * miss;
    slope = damping * slope + weight * slopeWeight * miss;
    error += Math.abs(miss);
  }
  return { level, slope, error: error / n };
}

/** The share of the growth that is left at each further step. */
export const trendDamping = 0.95;

/** What the candidates and the features both need to know of the adjusted values. */
export interface Smoothings {
  readonly best: Level;
  readonly usual: Level;
  readonly trend: Trend;
}

export function smoothings(values: Float64Array): Smoothings {
  return { best: smoothBest(values), usual: smooth(values, 0.3), trend: holt(values) };
}
