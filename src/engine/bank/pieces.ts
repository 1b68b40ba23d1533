import type { Series } from '../prepare/series.ts';
import { meanAbsolute } from '../statistics.ts';

/**
 * What one piece is worth where the first `end` values of a series count pieces (or lots), in the units of the prepared
 * series: of the last 100, eight or more, all are multiples of their smallest step, and three of ten come again; of
 * measurements they do only where the scale is coarse. 0 where they do not.
 */
export function pieceOf({ observedValues, filledIn, nonNegative }: Series, end = observedValues.length): number {
  if (!nonNegative) return 0;
  const values: number[] = [];
  for (let i = Math.max(0, end - 100); i < end; i++) if (filledIn?.[i] !== 1) values.push(observedValues[i]);
  if (values.length < 8) return 0;
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length < 2 || distinct.length > 0.7 * values.length) return 0;
  let piece = Infinity;
  distinct.forEach((value, i) => {
    if (value !== 0) piece = Math.min(piece, Math.abs(value));
    if (i > 0) piece = Math.min(piece, value - distinct[i - 1]);
  });
  const isMultiple = (value: number): boolean => {
    const pieces = value / piece;
    return Math.abs(pieces - Math.round(pieces)) < 1e-6 * Math.max(1, Math.abs(pieces));
  };
  return distinct.every(isMultiple) ? piece : 0;
}

/** One piece where a series counts up to 20 of them in the mean; more are as good as continuous, and give 0. */
export function oneCountOf(series: Series): number {
  const { values } = series;
  const near = values.subarray(Math.max(0, values.length - 100));
  const piece = pieceOf(series);
  return piece > 0 && meanAbsolute(near) <= 20 * piece ? piece : 0;
}
