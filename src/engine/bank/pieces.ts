import type { Series } from '../prepare/series.ts';
import { meanAbsolute } from '../statistics.ts';

/** So many of the last values are looked at, and so few tell nothing. */
const most = 100;
const fewest = 8;
/** Counts come again; of measurements so few differ from all others only where the scale is coarse. */
const mostDistinct = 0.7;
const tolerance = 1e-6;

/**
 * What one piece is worth where the first `end` values of a series count pieces (or lots), in the units of the prepared
 * series: all are multiples of their smallest step, and many come again. 0 where they do not.
 */
export function pieceOf({ observedValues, filledIn, nonNegative }: Series, end = observedValues.length): number {
  if (!nonNegative) return 0;
  const values: number[] = [];
  for (let i = Math.max(0, end - most); i < end; i++) if (filledIn?.[i] !== 1) values.push(observedValues[i]);
  if (values.length < fewest) return 0;
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length < 2 || distinct.length > mostDistinct * values.length) return 0;
  let piece = Infinity;
  distinct.forEach((value, i) => {
    if (value !== 0) piece = Math.min(piece, Math.abs(value));
    if (i > 0) piece = Math.min(piece, value - distinct[i - 1]);
  });
  const isMultiple = (value: number): boolean => {
    const pieces = value / piece;
    return Math.abs(pieces - Math.round(pieces)) < tolerance * Math.max(1, Math.abs(pieces));
  };
  return distinct.every(isMultiple) ? piece : 0;
}

/** Larger counts are as good as continuous. */
const mostPieces = 20;

/** One piece where a series counts a few of them; 0 otherwise. */
export function oneCountOf(series: Series): number {
  const { values } = series;
  const near = values.subarray(Math.max(0, values.length - 100));
  const piece = pieceOf(series);
  return piece > 0 && meanAbsolute(near) <= mostPieces * piece ? piece : 0;
}
