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
    [1.05, 2.29, 3.35, 4.63, 7.96],
    [1.3, 2.83, 4, 5.3, 10.5],
    [1.5, 3.32, 4.75, 6.58, 12.2],
    [1.66, 3.48, 5.29, 7.46, 12.7],
    [1.78, 3.81, 5.51, 7.84, 13.1],
    [1.94, 4.02, 5.78, 8.25, 16.5],
  ],
  quarter: [
    [1.12, 2.56, 3.66, 4.99, 8.06],
    [1.44, 3.09, 4.4, 6.1, 10.7],
    [1.66, 3.42, 4.95, 6.43, 11.3],
    [1.85, 4.04, 5.72, 7.62, 13],
    [2.07, 4.53, 6.45, 8.58, 15.1],
    [2.25, 4.75, 6.85, 8.85, 15.9],
  ],
  month: [
    [1.26, 2.93, 4.15, 5.59, 10.3],
    [1.4, 3.01, 4.44, 5.74, 10.5],
    [1.58, 3.44, 5.11, 6.89, 11.9],
    [1.72, 3.73, 5.53, 7.42, 13.6],
    [1.88, 4.12, 5.87, 8.04, 15],
    [2.11, 4.69, 6.92, 9.94, 20],
    [2.34, 5.32, 7.93, 11.4, 22.8],
    [2.29, 5.25, 6.93, 8.43, 14.4],
  ],
  long: [
    [1.14, 3.06, 4.26, 6.74, 13],
    [1.72, 3.91, 5.25, 5.95, 13.2],
    [2.13, 3.92, 5.8, 7.5, 10.2],
    [2.44, 4.87, 7.14, 10.2, 13.9],
    [2.08, 4.93, 7.47, 11.4, 16.8],
    [2.3, 5.38, 7.55, 10.6, 16.9],
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
  theta: { plain: 1.15, quarter: 1.12, month: 1.16, long: 1.06, intraday: 1.63 },
  ets: { plain: 1.15, quarter: 0.996, month: 1.09, long: 1.04, intraday: 1.39 },
  'seasonal-naive': { plain: 1.25, quarter: 1.04, month: 1.16, long: 1.99, intraday: 1.35 },
};
