import { said } from './phrase.ts';
import type * as z from 'zod/mini';
import type { SeriesPoint } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { isoInstant } from '../calendar/format.ts';
import { zoneOfPoints } from '../calendar/zone.ts';
import { buildSeries } from './layout/build.ts';
import { SeriesError, type ReadSeries } from './types.ts';

/** A point as it is sent: `value` is `null` where the observation is missing. */
export type OutgoingPoint = z.input<typeof SeriesPoint>;

/**
 * The points of a series in the interface's form: UTC timestamps with a `Z`. Where the rows of the document have no time,
 * the timestamps are a second apart from 1970 and `metadata.row` counts the rows from 1. A series that is written in
 * another zone than UTC says so in `metadata.time_zone` of its first point.
 */
export function toPoints({
  timeKind,
  timeZone,
  ...series
}: Pick<ReadSeries, 'times' | 'values' | 'timeKind' | 'timeZone'>): OutgoingPoint[] {
  return Array.from(series.times, (time, index): OutgoingPoint => {
    const value = series.values[index]!;
    const point = { timestamp: isoInstant(time), value: Number.isNaN(value) ? null : value };
    if (timeKind === 'row') return { ...point, metadata: { row: Math.round(time / 1000) + 1 } };
    return timeZone !== undefined && index === 0 ? { ...point, metadata: { time_zone: timeZone } } : point;
  });
}

/**
 * A series from points of the interface, in any order; timestamps without an offset are UTC. Throws a {@link SeriesError}
 * for a timestamp that is none, and where no point has a value.
 */
export function fromPoints(points: readonly SeriesPoint[], name = 'Series'): ReadSeries {
  const times = new Float64Array(points.length);
  const values = new Float64Array(points.length);
  let rows = points.length > 0;
  points.forEach(({ timestamp, value, metadata }, index) => {
    const time = parseTimestamp(timestamp);
    if (Number.isNaN(time)) {
      throw new SeriesError(
        'not-a-time',
        said`Point ${index + 1}: “${timestamp.slice(0, 40)}” is not an ISO 8601 timestamp.`,
      );
    }
    times[index] = time;
    values[index] = value ?? NaN;
    rows &&= typeof metadata?.row === 'number';
  });
  const zone = zoneOfPoints(points);
  const timeKind = rows ? 'row' : times.every((time) => zone.toWall(time) % 86_400_000 === 0) ? 'date' : 'instant';
  const series = buildSeries({ id: name, name, timeKind, zone, times, values });
  if (!series) throw new SeriesError('no-numbers', said`${name} has no point with a value.`);
  return series;
}
