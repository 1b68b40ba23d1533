import { MOST_POINTS, type ReadSeries } from './types.ts';

/** The last points of a long series; a shorter one as it is. */
export function lastPoints<S extends Pick<ReadSeries, 'times' | 'values'>>(series: S): S {
  if (series.times.length <= MOST_POINTS) return series;
  return { ...series, times: series.times.subarray(-MOST_POINTS), values: series.values.subarray(-MOST_POINTS) };
}
