import type { ReadSeries } from '../series/types.ts';

/** More points than this do not go along with a request; what lies so far back tells a forecast nothing. */
export const MOST_POINTS = 100_000;

/** The last points of a long series; a shorter one as it is. */
export function lastPoints<S extends Pick<ReadSeries, 'times' | 'values'>>(series: S): S {
  if (series.times.length <= MOST_POINTS) return series;
  return { ...series, times: series.times.subarray(-MOST_POINTS), values: series.values.subarray(-MOST_POINTS) };
}
