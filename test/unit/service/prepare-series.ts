import type { SeriesPoint } from '../../../src/contract/resources.ts';
import { prepared, type PreparedSeries } from '../../../src/service/store/points.ts';

/** A series that is ready to be stored. */
export const prepareSeries = (points: readonly SeriesPoint[], loc?: readonly (string | number)[]): PreparedSeries =>
  prepared(points.length > 0 ? [points] : [], loc);
