import type { Frequency } from '../../calendar/frequency.ts';
import { frequencyCode } from '../../calendar/duration.ts';
import { type Grid, toGrid } from '../../calendar/grid.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { type Zone, zoneOfPoints } from '../../calendar/zone.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { JobError, RequestError } from '../errors.ts';

/** The farthest instant from 1970 that a date can be, in milliseconds. */
export const FARTHEST = 8.64e15;

/** A series of the contract as numbers: epoch milliseconds, and values with `NaN` where one is missing. */
export interface NumericSeries {
  readonly times: Float64Array;
  readonly values: Float64Array;
  /**
   * Whether the points say by `metadata.row` that their timestamps only count the rows of a series without any time.
   * Such a series has no calendar.
   */
  readonly rows: boolean;
  /** The zone that the points say their days and months are of (`metadata.time_zone` of the first); else UTC. */
  readonly zone: Zone;
}

/**
 * @param loc where the series stands in the request, for the fault's place
 * @throws RequestError 422 that names the first point whose timestamp cannot be read
 */
export function toNumbers(
  points: readonly SeriesPoint[],
  loc: readonly (string | number)[] = ['body', 'series'],
): NumericSeries {
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const bad = times.findIndex((time) => !(Math.abs(time) <= FARTHEST));
  if (bad >= 0) {
    throw RequestError.field(
      [...loc, bad, 'timestamp'],
      Number.isNaN(times[bad])
        ? `“${points[bad].timestamp}” is not an ISO 8601 date-time such as 2024-01-31T00:00:00Z.`
        : `“${points[bad].timestamp}” is beyond what can be forecast.`,
    );
  }
  const rows = points.length > 0 && points.every(({ metadata }) => typeof metadata?.row === 'number');
  return { times, values: Float64Array.from(points, ({ value }) => value ?? NaN), rows, zone: zoneOfPoints(points) };
}

/**
 * The series on its regular grid; by row where it has none. Its `timeAt` throws a JobError for a step that is beyond
 * what a date can be.
 * @param frequency where it is known; else it is inferred
 */
export function gridOf({ times, values, rows, zone }: NumericSeries, frequency?: Frequency): Grid {
  const known = frequency ? { frequency } : {};
  const grid = toGrid(times, values, rows ? { frequency: null } : { zone, ...known });
  const timeAt = (step: number): number => {
    const time = grid.timeAt(step);
    if (Math.abs(time) <= FARTHEST) return time;
    throw new JobError(
      'The timestamps are beyond what can be forecast: a forecast from them would end after the year 275760. Check the timestamps of the series.',
    );
  };
  return { ...grid, timeAt };
}

/** A series as it is stored: its points as JSON, and the stats of them that lists show. */
export interface PreparedSeries {
  readonly points: string;
  readonly rows: number;
  /** In the zone that the points say they are of; absent where they have no time but only count rows. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** The regular step, where there is one: an ISO 8601 duration, `B` for business days. */
  readonly frequency?: string | undefined;
}

/** @throws RequestError as {@link toNumbers} */
export function prepareSeries(points: readonly SeriesPoint[], loc?: readonly (string | number)[]): PreparedSeries {
  const numbers = toNumbers(points, loc);
  const { times, zone } = numbers;
  const stored = points.map((point) => (point.value === undefined ? { ...point, value: null } : point));
  const json = JSON.stringify(stored);
  if (times.length === 0 || numbers.rows) return { points: json, rows: times.length };
  const { frequency } = gridOf(numbers);
  let start = Infinity;
  let end = -Infinity;
  for (const time of times) {
    start = Math.min(start, time);
    end = Math.max(end, time);
  }
  return {
    points: json,
    rows: times.length,
    start: isoInstant(start, zone),
    end: isoInstant(end, zone),
    frequency: frequency && frequencyCode(frequency),
  };
}
