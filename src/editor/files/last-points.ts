import type { ReadSeries } from '../../reading/types.ts';

/**
 * More points than this do not go along with a request: what lies so far back tells a forecast nothing, and the answer
 * brings them all back to the editor, which must not stall.
 */
export const MOST_POINTS = 50_000;

/** The last points of a long series; a shorter one as it is. */
export function lastPoints<S extends Pick<ReadSeries, 'times' | 'values'>>(series: S): S {
  if (series.times.length <= MOST_POINTS) return series;
  return { ...series, times: series.times.subarray(-MOST_POINTS), values: series.values.subarray(-MOST_POINTS) };
}
