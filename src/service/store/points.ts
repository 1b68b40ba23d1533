import { failure } from '../../contract/failures.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { frequencyCode } from '../../calendar/duration.ts';
import { type Grid, toGrid } from '../../calendar/grid.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import type { OpenTime } from '../../calendar/open-time.ts';
import { openTimeOfPoints } from '../../calendar/opening-hours.ts';
import { type Zone, zoneOfPoints } from '../../calendar/zone.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { JobError, RequestError } from '../errors.ts';
import { packed } from './packed.ts';

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
  /** When the points say they are open (`metadata.opening_hours` of the first), `null` for always; else they tell. */
  readonly open?: OpenTime | null | undefined;
}

/** A timestamp as it is told in a fault. */
const told = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);

/**
 * @param loc where the series stands in the request, for the fault's place
 * @param from number of the first point, where they are a part of a series
 * @throws RequestError 422 that names the first point whose timestamp cannot be read
 */
export function toNumbers(
  points: readonly SeriesPoint[],
  loc: readonly (string | number)[] = ['body', 'series'],
  from = 0,
): NumericSeries {
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const bad = times.findIndex((time) => !(Math.abs(time) <= FARTHEST));
  if (bad >= 0) {
    const text = told(points[bad].timestamp);
    throw RequestError.field(
      [...loc, from + bad, 'timestamp'],
      Number.isNaN(times[bad]) ? failure('not_timestamp', text) : failure('timestamp_too_far', text),
    );
  }
  const rows = points.length > 0 && points.every(({ metadata }) => typeof metadata?.row === 'number');
  const values = Float64Array.from(points, ({ value }) => value ?? NaN);
  return { times, values, rows, zone: zoneOfPoints(points), open: openTimeOfPoints(points) };
}

/**
 * The series on its regular grid; by row where it has none. Its `timeAt` throws a JobError for a step that is beyond
 * what a date can be.
 * @param frequency where it is known; else it is inferred
 */
export function gridOf({ times, values, rows, zone, open }: NumericSeries, frequency?: Frequency): Grid {
  const known = frequency ? { frequency } : {};
  const grid = toGrid(times, values, rows ? { frequency: null } : { zone, open, ...known });
  const timeAt = (step: number): number => {
    const time = grid.timeAt(step);
    if (Math.abs(time) <= FARTHEST) return time;
    throw new JobError(failure('beyond_dates'));
  };
  return { ...grid, timeAt };
}

/** A series as it is stored: its points as JSON, packed where they are long, and the stats of them that lists show. */
export interface PreparedSeries {
  readonly points: string;
  readonly rows: number;
  /** In the zone that the points say they are of; absent where they have no time but only count rows. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** The regular step, where there is one: an ISO 8601 duration, with opening hours where time is closed, `B` for business days. */
  readonly frequency?: string | undefined;
}

/** Makes a series ready to be stored as its points come, so that no more of them than that are objects at a time. */
export class SeriesBuilder {
  readonly #loc: readonly (string | number)[] | undefined;
  readonly #parts: NumericSeries[] = [];
  readonly #json: string[] = [];
  #count = 0;
  /** As it came, for the schema of what it stands in. */
  first: SeriesPoint | undefined;

  constructor(loc?: readonly (string | number)[]) {
    this.#loc = loc;
  }

  /** @throws RequestError as {@link toNumbers} */
  push(points: readonly SeriesPoint[]): void {
    if (points.length === 0) return;
    this.first ??= points[0];
    this.#parts.push(toNumbers(points, this.#loc, this.#count));
    const stored = points.map((point) => (point.value === undefined ? { ...point, value: null } : point));
    this.#json.push(JSON.stringify(stored).slice(1, -1));
    this.#count += points.length;
  }

  finish(): PreparedSeries {
    const points = packed(`[${this.#json.join(',')}]`);
    const parts = this.#parts;
    const rows = this.#count;
    if (rows === 0 || parts.every((part) => part.rows)) return { points, rows };
    const [times, values] = [joined(parts, 'times'), joined(parts, 'values')];
    const { zone } = parts[0];
    const { frequency } = gridOf({ times, values, rows: false, zone });
    let start = Infinity;
    let end = -Infinity;
    for (const time of times) {
      start = Math.min(start, time);
      end = Math.max(end, time);
    }
    return {
      points,
      rows,
      start: isoInstant(start, zone),
      end: isoInstant(end, zone),
      frequency: frequency && frequencyCode(frequency),
    };
  }
}

function joined(parts: readonly NumericSeries[], what: 'times' | 'values'): Float64Array {
  if (parts.length === 1) return parts[0][what];
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.times.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part[what], at);
    at += part.times.length;
  }
  return all;
}

/** @throws RequestError as {@link toNumbers} */
export function prepareSeries(points: readonly SeriesPoint[], loc?: readonly (string | number)[]): PreparedSeries {
  const builder = new SeriesBuilder(loc);
  builder.push(points);
  return builder.finish();
}

/** From when to when something goes, as ISO 8601 with any offsets; without either where it has no time. */
export interface Span {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** That of all together, in the texts of the first and the last of them. Texts that cannot be read are passed over. */
export function spanOf(all: Iterable<Span>): Span {
  let [start, end]: (string | undefined)[] = [];
  let [first, last] = [Infinity, -Infinity];
  for (const one of all) {
    const [from, to] = [one.start, one.end].map((text) => (text === undefined ? NaN : parseTimestamp(text)));
    if (from < first) [first, start] = [from, one.start];
    if (to > last) [last, end] = [to, one.end];
  }
  return { start, end };
}
