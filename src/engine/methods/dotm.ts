import { nelderMead } from './minimize.ts';
import { clamp, meanAbsolute } from '../statistics.ts';

/** A fitted model of a series without seasonality. */
export interface FittedModel {
  readonly forecast: (horizon: number) => Float64Array;
}

/** The running mean, intercept and slope of all values so far, updated without looking back. */
interface TrendState {
  readonly mean: number;
  readonly intercept: number;
  readonly slope: number;
}

function extendTrend(before: TrendState, index: number, value: number): TrendState {
  const mean = (index * before.mean + value) / (index + 1);
  const slope = ((index - 1) * before.slope + (6 * (value - before.mean)) / (index + 1)) / (index + 2);
  return { mean, slope, intercept: mean - (slope * (index + 2)) / 2 };
}

/**
 * The dynamic optimised theta model (Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler 2016, "Models for optimising
 * the theta method and their relationship to state space models"), with at most `evaluations` trials of the smoothing
 * weight, the initial level and θ. Takes a series without seasonality of at least one value.
 */
export function fitDynamicTheta(observed: Float64Array, evaluations = 80): FittedModel {
  const n = observed.length;
  // Relative to the first value, so that a constant that is added changes nothing but the level.
  const base = observed[0];
  const values = observed.map((value) => value - base);
  const size = meanAbsolute(values) || 1;
  // The trend up to each value is the same in all trials.
  let trend: TrendState = { mean: 0, intercept: 0, slope: 0 };
  const intercepts = new Float64Array(n);
  const slopes = new Float64Array(n);
  for (let i = 1; i < n; i++) {
    trend = extendTrend(trend, i, values[i]);
    intercepts[i] = trend.intercept;
    slopes[i] = trend.slope;
  }
  let level = 0;
  let decay = 1;

  const pass = (point: Float64Array): number => {
    const weight = clamp(point[0], 0.02, 0.995);
    const share = 1 - 1 / Math.max(1, point[2]);
    const keep = 1 - weight;
    decay = 1;
    level = keep * point[1] * size;
    let squares = 0;
    for (let i = 1; i < n; i++) {
      decay *= keep;
      const predicted = level + share * (decay * intercepts[i - 1] + ((1 - decay * keep) / weight) * slopes[i - 1]);
      const error = values[i] - predicted;
      if (i >= 3) squares += error * error;
      level = weight * values[i] + keep * level;
    }
    const outside = Math.max(0, 0.02 - point[0]) + Math.max(0, point[0] - 0.995) + Math.max(0, 1 - point[2]);
    return squares * (1 + outside);
  };

  const start = [0.5, 0, 2];
  const best = n > 3 ? nelderMead(pass, start, [0.1, 0.2, 1], evaluations).at : Float64Array.from(start);
  pass(best);
  const weight = clamp(best[0], 0.02, 0.995);
  const share = 1 - 1 / Math.max(1, best[2]);
  const end = { level, decay, trend };
  return {
    forecast(horizon) {
      let { level: current, decay: remaining, trend: state } = end;
      const result = new Float64Array(horizon);
      for (let k = 0; k < horizon; k++) {
        remaining *= 1 - weight;
        const value =
          current + share * (remaining * state.intercept + ((1 - remaining * (1 - weight)) / weight) * state.slope);
        result[k] = base + value;
        current = weight * value + (1 - weight) * current;
        state = extendTrend(state, n + k, value);
      }
      return result;
    },
  };
}
