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
    [1.14, 2.55, 3.75, 5.07, 9.61],
    [1.38, 3.03, 4.46, 5.94, 12],
    [1.64, 3.46, 5.07, 7.02, 13.8],
    [1.75, 3.72, 5.77, 7.81, 13.6],
    [1.88, 4, 5.99, 8.4, 14.4],
    [1.99, 4.3, 6.25, 8.71, 15.8],
  ],
  quarter: [
    [1.13, 2.56, 3.7, 5.07, 8.21],
    [1.44, 3.11, 4.46, 6.14, 10.9],
    [1.66, 3.43, 5.03, 6.46, 11.5],
    [1.85, 4.06, 5.74, 7.66, 13.8],
    [2.08, 4.54, 6.48, 8.69, 15.4],
    [2.25, 4.76, 6.87, 8.91, 16],
  ],
  month: [
    [1.27, 2.93, 4.15, 5.59, 10.4],
    [1.4, 3.01, 4.44, 5.76, 11],
    [1.59, 3.45, 5.11, 6.91, 12.1],
    [1.72, 3.74, 5.55, 7.49, 13.6],
    [1.88, 4.13, 5.91, 8.15, 15.2],
    [2.11, 4.71, 6.98, 10, 20.8],
    [2.34, 5.32, 8, 11.4, 23.8],
    [2.26, 5.25, 6.93, 8.43, 14.4],
  ],
  long: [
    [1.26, 3.06, 4.26, 6.74, 13],
    [1.75, 3.84, 5.22, 5.88, 13.2],
    [2.11, 3.64, 6.15, 6.96, 10.2],
    [2.44, 4.84, 6.65, 9.78, 13.9],
    [2.01, 4.25, 6.35, 9.15, 16.8],
    [2.25, 5.07, 6.37, 9.97, 16.9],
  ],
  intraday: [
    [1.13, 2.99, 3.78, 4.63, 10.8],
    [1.33, 2.38, 3.76, 4.88, 6.37],
    [1.26, 2.79, 4.05, 5.15, 9.21],
    [1.84, 4.05, 5.94, 7.48, 13.3],
    [1.98, 4.34, 6.69, 9.94, 31.4],
    [1.73, 3.7, 5.16, 7.05, 14.2],
    [1.83, 4.07, 5.72, 8.11, 11.9],
    [2.28, 4.75, 7.12, 10.4, 13.5],
  ],
};
/** How much wider or narrower the intervals of the other models are. */
export const widthFactors: Readonly<Record<string, Readonly<Record<Family, number>> | undefined>> = {
  theta: { plain: 1.08, quarter: 1.12, month: 1.16, long: 1.12, intraday: 1.63 },
  ets: { plain: 1.08, quarter: 0.998, month: 1.09, long: 1.08, intraday: 1.39 },
  'seasonal-naive': { plain: 1.17, quarter: 1.04, month: 1.16, long: 2.09, intraday: 1.35 },
};
