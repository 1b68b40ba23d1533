/**
 * How much wider the net's quantiles must be, by kind of series: factors on the distance from the median for the central
 * intervals of 50, 80 and 95 %. Fitted by `npm run bench:calibrate-neural` on the public M4, M3, M1 and Tourism series;
 * none of these series is shipped.
 */
import type { Family } from '../ensemble/ensemble.ts';

export const spreadProbabilities: readonly number[] = [0.5, 0.8, 0.95];

export const spreads: Readonly<Record<Family, readonly [number, number, number]>> = {
  plain: [1.09, 1.1, 1.09],
  quarter: [0.976, 0.996, 1.01],
  month: [1.01, 1.02, 1.04],
  long: [0.826, 0.835, 0.858],
  intraday: [0.943, 0.913, 0.885],
};
