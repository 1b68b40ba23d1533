import { isoInstant } from '../../calendar/format.ts';
import type { Part, Parts } from '../../contract/analysis.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { partsOf } from '../../engine/parts.ts';
import { JobError } from '../errors.ts';
import { gridOf, toNumbers } from '../store/points.ts';
import { knownBeforehand } from './covariates.ts';
import type { PartsTask } from './tasks.ts';

/** Splits a series, put on its regular grid, and its forecast. @throws JobError where nothing was observed */
export function splitParts({ id, points, forecast, periods }: PartsTask): Parts {
  const all = JSON.parse(points) as SeriesPoint[];
  const grid = gridOf(toNumbers(knownBeforehand(all)?.history ?? all));
  const ahead = JSON.parse(forecast) as SeriesPoint[];
  const values = Float64Array.from(ahead, ({ value }) => value ?? NaN);
  const split = partsOf(grid.values, values, periods);
  if (!split) throw new JobError('The series has no observed value that could be split.');
  const { from, trend, seasons, shifts, remainder } = split;
  const past = grid.values.length - from;
  const part = (kind: string, numbers: Float64Array, period?: number): Part => ({
    kind,
    ...(period === undefined ? {} : { period }),
    values: Array.from(numbers, (value) => (Number.isFinite(value) ? value : null)),
  });
  return {
    prediction_id: id,
    timestamps: [
      ...Array.from({ length: past }, (_, index) => isoInstant(grid.timeAt(from + index))),
      ...ahead.map(({ timestamp }) => timestamp),
    ],
    forecast_from: past,
    parts: [
      part('trend', trend),
      ...(shifts ? [part('shift', shifts)] : []),
      ...seasons.map((season) => part('season', season.values, season.period)),
      part('remainder', remainder),
    ],
  };
}
