import type { View } from './view.ts';

/**
 * A forecast of `horizon` steps from a view of the fitted series, at its end or earlier, in the units of the series.
 * Undefined where the view does not allow it; what is not finite counts as that.
 */
export type Predict = (now: View, horizon: number) => Float64Array | undefined;

/** A forecasting method. An entry in `bank.ts` is all that a new one needs. */
export interface Candidate {
  readonly id: string;
  readonly description: string;
  /** Fewest points that it can be fitted to; 1 where nothing is said. */
  readonly minPoints?: number;
  /** Whether the seasonal naive forecast stands in where it has none; the naive one does for the others. */
  readonly isSeasonal?: boolean;
  /** Estimates its parameters once; what it gives forecasts from that view and from earlier ones of the same series. */
  readonly fit: (view: View) => Predict;
}

/** A candidate that estimates nothing beforehand. */
export function unfitted(predict: Predict): () => Predict {
  return () => predict;
}

/** The values of a function of the steps ahead, from 1. */
export function along(horizon: number, at: (ahead: number) => number): Float64Array {
  const result = new Float64Array(horizon);
  for (let i = 0; i < horizon; i++) result[i] = at(i + 1);
  return result;
}

/** A level at each step ahead of the seasonally adjusted series, put back in season. */
export function seasonalLevel(levelOf: (now: View) => (ahead: number) => number): () => Predict {
  return unfitted((now, horizon) => now.inSeason(along(horizon, levelOf(now))));
}
