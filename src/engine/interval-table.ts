/**
 * Quantiles of |error| / scale at several steps ahead, fitted by `npm run bench:calibrate` on the public M4, M3, M1 and
 * Tourism series; none of these series is shipped. The scale is that of `errorScales` in `intervals.ts`.
 */
import type { Family } from './ensemble.ts';

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
    [1.12, 2.49, 3.66, 4.94, 9.83],
    [1.03, 2.27, 3.31, 4.45, 8.91],
    [1.07, 2.26, 3.34, 4.59, 8.71],
    [1.04, 2.2, 3.38, 4.62, 7.91],
    [1.02, 2.15, 3.23, 4.7, 7.83],
    [1, 2.22, 3.2, 4.52, 8.29],
  ],
  quarter: [
    [1.03, 2.22, 3.25, 4.39, 7.2],
    [1.04, 2.22, 3.17, 4.48, 7.87],
    [1.06, 2.2, 3.19, 4.09, 7.26],
    [1.05, 2.34, 3.26, 4.31, 7.44],
    [1.08, 2.35, 3.35, 4.39, 7.72],
    [1.1, 2.34, 3.33, 4.37, 7.58],
  ],
  month: [
    [0.996, 2.1, 2.96, 3.9, 7.34],
    [0.915, 1.93, 2.81, 3.63, 7.09],
    [0.911, 1.96, 2.87, 3.85, 6.84],
    [0.874, 1.9, 2.76, 3.76, 6.98],
    [0.862, 1.88, 2.71, 3.7, 6.94],
    [0.899, 1.99, 2.96, 4.17, 8.62],
    [0.94, 2.13, 3.18, 4.46, 9.47],
    [0.806, 1.82, 2.45, 3.17, 5.08],
  ],
  long: [
    [0.966, 2.17, 3.1, 4.68, 10.3],
    [0.936, 2.04, 2.92, 3.58, 6.75],
    [0.982, 1.74, 2.76, 3.35, 4.45],
    [0.952, 1.96, 2.66, 4.03, 5.36],
    [0.729, 1.5, 2.09, 3.18, 6.01],
    [0.746, 1.6, 1.94, 3.55, 5.9],
  ],
  intraday: [
    [0.609, 1.51, 1.96, 2.89, 5.11],
    [0.578, 1.27, 1.8, 2.49, 3.28],
    [0.57, 1.24, 1.74, 2.53, 3.27],
    [0.733, 1.64, 2.4, 3.02, 5.43],
    [0.641, 1.69, 2.49, 3.81, 9.23],
    [0.543, 1.18, 1.67, 2.29, 4.66],
    [0.556, 1.17, 1.89, 2.59, 3.8],
    [0.694, 1.42, 2.22, 3, 4.15],
  ],
};
/** How much wider or narrower the intervals of the other models are. */
export const widthFactors: Readonly<Record<string, Readonly<Record<Family, number>> | undefined>> = {
  theta: { plain: 1.07, quarter: 1.11, month: 1.14, long: 1.08, intraday: 1.66 },
  ets: { plain: 1.07, quarter: 0.997, month: 1.07, long: 1.04, intraday: 1.52 },
  'seasonal-naive': { plain: 1.16, quarter: 1.07, month: 1.16, long: 2.09, intraday: 1.52 },
};
