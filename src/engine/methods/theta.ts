import { along, clamp, linearTrend, mapped, meanAbsolute, scratch } from '../statistics.ts';
import { goldenSection, nelderMead } from './minimize.ts';

/** Exponential smoothing with the weight of least squared errors; these have a closed form in the initial level. */
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
  let [best, least] = [0.5, Infinity];
  for (const weight of [0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    const error = squaredError(weight);
    if (error < least) [best, least] = [weight, error];
  }
  squaredError(goldenSection(squaredError, Math.max(1e-4, best - 0.2), Math.min(0.9999, best + 0.2), 14));
  return base + lastLevel;
}

/** The mean of the trend and of exponential smoothing with doubled curvature (Assimakopoulos and Nikolopoulos 2000). */
export function thetaForecast(values: Float64Array, horizon: number): Float64Array {
  const n = values.length;
  const { intercept, slope } = linearTrend(values);
  const level = smoothedLevel(mapped(values, (value, i) => 2 * value - (intercept + slope * i)));
  return along(horizon, (i) => 0.5 * (level + intercept + slope * (n + i)));
}

const noTrend = { mean: 0, intercept: 0, slope: 0 };

function extendTrend(before: typeof noTrend, index: number, value: number) {
  const mean = (index * before.mean + value) / (index + 1);
  const slope = ((index - 1) * before.slope + (6 * (value - before.mean)) / (index + 1)) / (index + 2);
  return { mean, slope, intercept: mean - (slope * (index + 2)) / 2 };
}

/** The dynamic optimized theta model (Fiorucci et al. 2016) of a series without seasonality. */
export function dynamicThetaForecast(observed: Float64Array, horizon: number, evaluations = 80): Float64Array {
  const n = observed.length;
  const base = observed[0];
  const values = mapped(observed, (value) => value - base);
  const size = meanAbsolute(values) || 1;
  let trend = noTrend;
  const intercepts = scratch(n);
  const slopes = scratch(n);
  for (let i = 1; i < n; i++) {
    trend = extendTrend(trend, i, values[i]);
    intercepts[i] = trend.intercept;
    slopes[i] = trend.slope;
  }
  const end = { level: 0, decay: 1 };
  const pass = (point: Float64Array): number => {
    const weight = clamp(point[0], 0.02, 0.995);
    const share = 1 - 1 / Math.max(1, point[2]);
    const keep = 1 - weight;
    let decay = 1;
    let level = keep * point[1] * size;
    let squares = 0;
    for (let i = 1; i < n; i++) {
      decay *= keep;
      const predicted = level + share * (decay * intercepts[i - 1] + ((1 - decay * keep) / weight) * slopes[i - 1]);
      const error = values[i] - predicted;
      if (i >= 3) squares += error * error;
      level = weight * values[i] + keep * level;
    }
    end.level = level;
    end.decay = decay;
    const outside = Math.max(0, 0.02 - point[0]) + Math.max(0, point[0] - 0.995) + Math.max(0, 1 - point[2]);
    return squares * (1 + outside);
  };

  const start = [0.5, 0, 2];
  const best = n > 3 ? nelderMead(pass, start, [0.1, 0.2, 1], evaluations).at : Float64Array.from(start);
  pass(best);
  const weight = clamp(best[0], 0.02, 0.995);
  const share = 1 - 1 / Math.max(1, best[2]);
  let { level, decay } = end;
  const result = scratch(horizon);
  for (let k = 0; k < horizon; k++) {
    decay *= 1 - weight;
    const value = level + share * (decay * trend.intercept + ((1 - decay * (1 - weight)) / weight) * trend.slope);
    result[k] = base + value;
    level = weight * value + (1 - weight) * level;
    trend = extendTrend(trend, n + k, value);
  }
  return result;
}
