import { MOST_POINTS, type ReadSeries } from './types.ts';

export function lastPoints<S extends Pick<ReadSeries, 'times' | 'values' | 'beside'>>(series: S): S {
  const left = series.times.length - MOST_POINTS;
  if (left <= 0) return series;
  const { beside } = series;
  return {
    ...series,
    times: series.times.subarray(left),
    values: series.values.subarray(left),
    ...(beside
      ? {
          beside: {
            ...beside,
            columns: beside.columns.map((each) => ({ ...each, values: each.values.subarray(left) })),
          },
        }
      : {}),
  };
}
