/**
 * How much wider the net's quantiles must be, by kind of series: factors on the distance from the median for the central
 * intervals of 50, 80 and 95 %. Fitted by `npm run bench:calibrate-neural` on the public M4, M3, M1 and Tourism series;
 * none of these series is shipped.
 */
import type { Family } from '../ensemble/ensemble.ts';

export const spreadProbabilities: readonly number[] = [0.5, 0.8, 0.95];

export const spreads: Readonly<Record<Family, readonly [number, number, number]>> = {
  plain: [1.01, 0.999, 1.02],
  quarter: [0.964, 0.94, 0.948],
  month: [0.882, 0.984, 1.04],
  long: [0.96, 0.902, 0.858],
  intraday: [0.865, 0.928, 1.04],
};
