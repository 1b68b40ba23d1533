import { goldenSection } from './minimize.ts';
import { linearTrend } from '../statistics.ts';

/**
 * The last level of simple exponential smoothing with the smoothing weight that minimises the squared one-step errors.
 * The initial level is concentrated out: the errors are linear in it, so its best value has a closed form.
 */
export function smoothedLevel(values: Float64Array): number {
  const n = values.length;
  if (n === 1) return values[0];
  // Relative to the first value, so that a small movement on a large level keeps its digits.
  const base = values[0];
  let lastLevel = 0;
  const squaredError = (weight: number): number => {
    let level = 0;
    let decay = 1;
    let cross = 0;
    let square = 0;
    let errors = 0;
    for (let i = 0; i < n; i++) {
      const error = values[i] - base - level;
      cross += decay * error;
      square += decay * decay;
      errors += error * error;
      level += weight * error;
      decay *= 1 - weight;
    }
    const initial = cross / square;
    lastLevel = level + decay * initial;
    return errors - cross * initial;
  };
  let best = 0.5;
  let bestError = Infinity;
  for (const weight of [0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    const error = squaredError(weight);
    if (error < bestError) {
      bestError = error;
      best = weight;
    }
  }
  squaredError(goldenSection(squaredError, Math.max(1e-4, best - 0.2), Math.min(0.9999, best + 0.2), 14));
  return base + lastLevel;
}

/**
 * The classic theta method (Assimakopoulos and Nikolopoulos 2000) in the form used as the M4 benchmark: the mean of the
 * linear trend (θ = 0) and of exponential smoothing of the line with doubled curvature (θ = 2). Takes a series without
 * seasonality, gives `horizon` values.
 */
export function thetaForecast(values: Float64Array, horizon: number): Float64Array {
  const n = values.length;
  const { intercept, slope } = linearTrend(values);
  const doubled = new Float64Array(n);
  for (let i = 0; i < n; i++) doubled[i] = 2 * values[i] - (intercept + slope * i);
  const level = smoothedLevel(doubled);
  const result = new Float64Array(horizon);
  for (let i = 0; i < horizon; i++) result[i] = 0.5 * (level + intercept + slope * (n + i));
  return result;
}
