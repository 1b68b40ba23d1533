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
    [0.833, 2.06, 3.13, 3.99, 10.2],
    [0.832, 1.9, 2.63, 3.54, 6.59],
    [0.798, 1.79, 2.71, 3.7, 7.69],
    [0.808, 1.84, 2.65, 3.78, 6.34],
    [0.747, 1.59, 2.33, 3.27, 5.92],
    [0.698, 1.5, 2.26, 3.22, 5.51],
    [0.694, 1.46, 2.2, 3.2, 12.6],
  ],
  intraday: [
    [0.603, 1.51, 2.24, 3.31, 7.92],
    [0.552, 1.36, 1.99, 3.02, 5.88],
    [0.541, 1.38, 2.06, 2.89, 6.25],
    [0.689, 1.63, 2.36, 3.13, 6.49],
    [0.752, 1.8, 2.64, 3.4, 6.22],
    [0.589, 1.5, 2.13, 2.89, 4.88],
    [0.748, 1.73, 2.54, 3.49, 7.37],
    [0.712, 1.76, 2.57, 3.48, 9.07],
  ],
};
/** How much wider or narrower the intervals of the other models are. */
export const widthFactors: Readonly<Record<string, Readonly<Record<Family, number>> | undefined>> = {
  theta: { plain: 1.07, quarter: 1.11, month: 1.14, long: 1.18, intraday: 1.84 },
  ets: { plain: 1.07, quarter: 1, month: 1.08, long: 1.18, intraday: 1.62 },
  'seasonal-naive': { plain: 1.17, quarter: 1.07, month: 1.16, long: 1.32, intraday: 1.49 },
};
