/**
 * How much wider the net's quantiles must be, by kind of series: factors on the distance from the median for the central
 * intervals of 50, 80 and 95 %. Fitted by `npm run bench:calibrate-neural` on the public M4, M3, M1 and Tourism series;
 * none of these series is shipped.
 */
import type { Family } from '../ensemble.ts';

export const spreadProbabilities: readonly number[] = [0.5, 0.8, 0.95];

export const spreads: Readonly<Record<Family, readonly [number, number, number]>> = {
  plain: [1.12, 1.16, 1.14],
  quarter: [0.999, 1.02, 1.06],
  month: [0.965, 0.972, 1.01],
  long: [0.814, 0.81, 0.811],
  intraday: [0.891, 0.883, 0.888],
};
