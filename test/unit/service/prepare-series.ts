import type { SeriesPoint } from '../../../src/contract/resources.ts';
import { type PreparedSeries, SeriesBuilder } from '../../../src/service/store/points.ts';

/** A series that is ready to be stored. */
export function prepareSeries(points: readonly SeriesPoint[], loc?: readonly (string | number)[]): PreparedSeries {
  const builder = new SeriesBuilder(loc);
  builder.push(points);
  return builder.finish();
}
