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
  long: [1, 2, 4, 7, 10, 13],
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
    [0.966, 2.17, 3.48, 4.68, 10.3],
    [0.936, 1.97, 2.92, 3.58, 6.75],
    [0.983, 1.74, 2.76, 3.35, 4.45],
    [0.965, 1.88, 2.66, 4.03, 5.36],
    [0.729, 1.5, 2.09, 3.18, 6.01],
    [0.746, 1.6, 1.94, 3.55, 5.9],
  ],
  intraday: [
    [0.609, 1.51, 1.96, 2.89, 5.11],
    [0.578, 1.27, 1.86, 2.5, 3.32],
    [0.577, 1.25, 1.87, 2.53, 3.3],
    [0.73, 1.7, 2.36, 3.02, 5.71],
    [0.649, 1.67, 2.49, 3.81, 9.68],
    [0.55, 1.17, 1.68, 2.3, 4.66],
    [0.564, 1.17, 1.89, 2.65, 3.8],
    [0.695, 1.44, 2.22, 3.11, 4.34],
  ],
};
/** How much wider or narrower the intervals of the other models are. */
export const widthFactors: Readonly<Record<string, Readonly<Record<Family, number>> | undefined>> = {
  theta: { plain: 1.07, quarter: 1.11, month: 1.14, long: 1.09, intraday: 1.65 },
  ets: { plain: 1.07, quarter: 1, month: 1.08, long: 1.05, intraday: 1.51 },
  'seasonal-naive': { plain: 1.17, quarter: 1.07, month: 1.16, long: 2.12, intraday: 1.52 },
};
