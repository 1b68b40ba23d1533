/**
 * Quantiles of |error| / scale at several steps ahead, fitted by `npm run bench:calibrate` on the public M4, M3, M1 and
 * Tourism series; none of these series is shipped. The scale is that of `errorScales` in `intervals.ts`.
 */
import type { Family } from '../ensemble/ensemble.ts';

/** Exponent of the spread between forecasts in the scale; the rest belongs to the error in the past. */
export const spreadExponents: Readonly<Record<Family, number>> = {
  plain: 0.4,
  quarter: 0.45,
  month: 0.4,
  long: 0.2,
  intraday: 0.5,
};
/** Probabilities of the central intervals: the columns of `widths`. */
export const probabilities: readonly number[] = [0.5, 0.8, 0.9, 0.95, 0.99];
/** Steps ahead: the rows of `widths`. */
export const knots: Readonly<Record<Family, readonly number[]>> = {
  plain: [1, 2, 3, 4, 5, 6],
  quarter: [1, 2, 3, 4, 6, 8],
  month: [1, 2, 3, 6, 9, 12, 18, 24],
  long: [1, 2, 4, 7, 13, 20, 30],
  intraday: [1, 2, 4, 8, 16, 24, 36, 48],
};
export const widths: Readonly<Record<Family, readonly (readonly number[])[]>> = {
  plain: [
    [1.12, 2.49, 3.65, 4.97, 9.83],
    [1.03, 2.27, 3.31, 4.45, 8.69],
    [1.06, 2.25, 3.34, 4.6, 8.26],
    [1.03, 2.2, 3.38, 4.61, 7.87],
    [1.01, 2.14, 3.23, 4.7, 7.83],
    [1, 2.2, 3.2, 4.52, 9.04],
  ],
  quarter: [
    [1.03, 2.24, 3.22, 4.39, 7.22],
    [1.04, 2.22, 3.19, 4.44, 7.89],
    [1.07, 2.22, 3.18, 4.09, 7.23],
    [1.05, 2.36, 3.28, 4.31, 7.34],
    [1.09, 2.37, 3.37, 4.41, 7.68],
    [1.1, 2.36, 3.36, 4.42, 7.48],
  ],
  month: [
    [1.02, 2.15, 3.01, 3.94, 7.3],
    [0.936, 1.96, 2.85, 3.68, 7.28],
    [0.921, 2, 2.91, 3.86, 7],
    [0.889, 1.93, 2.8, 3.79, 7.03],
    [0.876, 1.9, 2.74, 3.73, 7.13],
    [0.912, 2.02, 3.01, 4.2, 8.66],
    [0.955, 2.15, 3.22, 4.48, 9.47],
    [0.806, 1.82, 2.48, 3.45, 5.11],
  ],
  long: [
    [0.848, 2.01, 3.09, 3.88, 8.5],
    [0.833, 1.89, 2.56, 3.45, 6.67],
    [0.8, 1.85, 2.74, 3.65, 7.66],
    [0.822, 1.87, 2.63, 3.65, 6.3],
    [0.767, 1.6, 2.32, 3.21, 5.77],
    [0.725, 1.51, 2.23, 3.14, 5.22],
    [0.719, 1.46, 2.25, 3.24, 13.6],
  ],
  intraday: [
    [0.625, 1.51, 2.28, 3.25, 7.95],
    [0.573, 1.35, 2.04, 2.95, 5.25],
    [0.569, 1.37, 2.06, 2.87, 5.8],
    [0.719, 1.68, 2.43, 3.17, 6.66],
    [0.801, 1.84, 2.6, 3.37, 5.99],
    [0.616, 1.53, 2.14, 2.86, 4.7],
    [0.793, 1.75, 2.58, 3.49, 9.51],
    [0.76, 1.79, 2.55, 3.47, 10.3],
  ],
};
/** How much wider or narrower the intervals of the other models are. */
export const widthFactors: Readonly<Record<string, Readonly<Record<Family, number>> | undefined>> = {
  theta: { plain: 1.07, quarter: 1.11, month: 1.14, long: 1.2, intraday: 1.9 },
  ets: { plain: 1.07, quarter: 1, month: 1.08, long: 1.21, intraday: 1.64 },
  'seasonal-naive': { plain: 1.17, quarter: 1.07, month: 1.16, long: 1.34, intraday: 1.51 },
};
