import { nelderMead } from './minimize.ts';
import { clamp, meanAbsolute } from './statistics.ts';

/** A fitted model of a series without seasonality. */
export interface FittedModel {
  readonly forecast: (horizon: number) => Float64Array;
  /** Mean absolute one-step error in the sample, after the start. */
  readonly residual: number;
}

/** The running mean, intercept and slope of all values so far, updated without looking back. */
interface TrendState {
  mean: number;
  intercept: number;
  slope: number;
}

function extendTrend(state: TrendState, index: number, value: number): void {
  const before = state.mean;
  state.mean = (index * before + value) / (index + 1);
  state.slope = ((index - 1) * state.slope + (6 * (value - before)) / (index + 1)) / (index + 2);
  state.intercept = state.mean - (state.slope * (index + 2)) / 2;
}

/**
 * The dynamic optimised theta model (Fiorucci, Pellegrini, Louzada, Petropoulos and Koehler 2016, "Models for optimising
 * the theta method and their relationship to state space models"), with at most `evaluations` trials of the smoothing
 * weight, the initial level and θ. Takes a series without seasonality of at least one value.
 */
export function fitDynamicTheta(values: Float64Array, evaluations = 80): FittedModel {
  const n = values.length;
  const size = meanAbsolute(values) || 1;
  const trend: TrendState = { mean: 0, intercept: 0, slope: 0 };
  let level = 0;
  let decay = 1;
  let absolute = 0;

  const pass = (point: Float64Array): number => {
    const weight = clamp(point[0], 0.02, 0.995);
    const share = 1 - 1 / Math.max(1, point[2]);
    const keep = 1 - weight;
    decay = 1;
    level = weight * values[0] + keep * point[1] * size;
    trend.mean = values[0];
    trend.intercept = values[0];
    trend.slope = 0;
    absolute = 0;
    let squares = 0;
    for (let i = 1; i < n; i++) {
      decay *= keep;
      const predicted = level + share * (decay * trend.intercept + ((1 - decay * keep) / weight) * trend.slope);
      const error = values[i] - predicted;
      if (i >= 3) {
        squares += error * error;
        absolute += Math.abs(error);
      }
      level = weight * values[i] + keep * level;
      extendTrend(trend, i, values[i]);
    }
    const outside = Math.max(0, 0.02 - point[0]) + Math.max(0, point[0] - 0.995) + Math.max(0, 1 - point[2]);
    return squares * (1 + outside);
  };

  const start = [0.5, values[0] / size / 2, 2];
  const best = n > 3 ? nelderMead(pass, start, [0.1, 0.2, 1], evaluations).at : Float64Array.from(start);
  pass(best);
  const weight = clamp(best[0], 0.02, 0.995);
  const share = 1 - 1 / Math.max(1, best[2]);
  const end = { level, decay, trend: { ...trend } };
  return {
    residual: absolute / Math.max(1, n - 3),
    forecast(horizon) {
      const state = { ...end.trend };
      let { level: current, decay: remaining } = end;
      const result = new Float64Array(horizon);
      for (let k = 0; k < horizon; k++) {
        remaining *= 1 - weight;
        const value =
          current + share * (remaining * state.intercept + ((1 - remaining * (1 - weight)) / weight) * state.slope);
        result[k] = value;
        current = weight * value + (1 - weight) * current;
        extendTrend(state, n + k, value);
      }
      return result;
    },
  };
}
