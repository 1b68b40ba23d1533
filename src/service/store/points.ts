/** The points of series: as numbers, on their grid, and as they are stored. */
import { fromBase64, gunzip, gunzipParts, gzip, toBase64 } from '#platform/bytes';
import { createHash } from '#platform/hash';
import { frequencyCode, type Frequency } from '../../calendar/frequency.ts';
import { isoInstant } from '../../calendar/format.ts';
import { type Grid, toGrid } from '../../calendar/grid.ts';
import { type OpenTime, openTimeOfPoints } from '../../calendar/open-time.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import { type Zone, zoneOfPoints } from '../../calendar/zone.ts';
import { failure } from '../../contract/failures.ts';
import type { BodyOf, operations } from '../../contract/operations.ts';
import type { SeriesPoint } from '../../contract/resources.ts';
import { DamagedRowError, JobError, RequestError } from '../errors.ts';

export const FARTHEST = 8.64e15; // the farthest instant from 1970 that a date can be, in milliseconds

/** A series of the contract as numbers: epoch milliseconds, and values with `NaN` where one is missing. */
export interface NumericSeries {
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Whether, by `metadata.row`, the timestamps only count the rows of a series without any time, which has no calendar. */
  readonly rows: boolean;
  /** The zone of the days and months (`metadata.time_zone` of the first point); else UTC. */
  readonly zone: Zone;
  /** The opening hours (`metadata.opening_hours` of the first point), `null` for always; else they are inferred. */
  readonly open?: OpenTime | null | undefined;
}

/** @param from number of the first point, where they are a part of a series @throws RequestError 422 with its place in `loc` */
export function toNumbers(
  points: readonly SeriesPoint[],
  loc: readonly (string | number)[] = ['body', 'series'],
  from = 0,
): NumericSeries {
  const times = Float64Array.from(points, ({ timestamp }) => parseTimestamp(timestamp));
  const bad = times.findIndex((time) => !(Math.abs(time) <= FARTHEST));
  if (bad >= 0) {
    const code = Number.isNaN(times[bad]) ? 'not_timestamp' : 'timestamp_too_far';
    const { timestamp: text } = points[bad];
    const short = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
    throw RequestError.field([...loc, from + bad, 'timestamp'], failure(code, short));
  }
  const rows = points.length > 0 && points.every(({ metadata }) => typeof metadata?.row === 'number');
  const values = Float64Array.from(points, ({ value }) => value ?? NaN);
  return { times, values, rows, zone: zoneOfPoints(points), open: openTimeOfPoints(points) };
}

export function gridOf({ times, values, rows, zone, open }: NumericSeries, frequency?: Frequency): Grid {
  const grid = toGrid(times, values, rows ? { frequency: null } : { zone, open, ...(frequency && { frequency }) });
  const timeAt = (step: number): number => {
    const time = grid.timeAt(step);
    if (Math.abs(time) <= FARTHEST) return time;
    throw new JobError(failure('beyond_dates'));
  };
  return { ...grid, timeAt };
}

/** From when to when something goes, as ISO 8601 with any offsets; without either where it has no time. */
export type Span = Readonly<Partial<Record<'start' | 'end', string | undefined>>>;

export interface PreparedSeries extends Span {
  readonly points: string;
  readonly rows: number;
  /** The regular step, where there is one: an ISO 8601 duration, with opening hours where time is closed, `B` for business days. */
  readonly frequency?: string | undefined;
}

/** Makes a series ready to be stored, some points after the others. @param loc as of {@link toNumbers} */
export function prepared(parts: Iterable<readonly SeriesPoint[]>, loc?: readonly (string | number)[]): PreparedSeries {
  const numbers: NumericSeries[] = [];
  const json: string[] = [];
  let rows = 0;
  for (const part of parts) {
    numbers.push(toNumbers(part, loc, rows));
    const stored = part.map((point) => (point.value === undefined ? { ...point, value: null } : point));
    json.push(JSON.stringify(stored).slice(1, -1));
    rows += part.length;
  }
  const points = packed(`[${json.join(',')}]`);
  if (numbers.every((part) => part.rows)) return { points, rows };
  const times = Float64Array.from(numbers.flatMap((part) => Array.from(part.times)));
  const values = Float64Array.from(numbers.flatMap((part) => Array.from(part.values)));
  const { zone } = numbers[0];
  const { frequency } = gridOf({ times, values, rows: false, zone });
  const start = times.reduce((least, time) => Math.min(least, time), Infinity);
  const end = times.reduce((most, time) => Math.max(most, time), -Infinity);
  const span = { start: isoInstant(start, zone), end: isoInstant(end, zone) };
  return { points, rows, ...span, frequency: frequency && frequencyCode(frequency) };
}

/** The span of all, in the texts of the first and the last of them. Texts that cannot be read are skipped. */
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

/** A body with the fields that its schema names, and others where it has any, but for its series. */
export type WithoutSeries<K extends keyof typeof operations> = {
  readonly [F in keyof BodyOf<K> as string extends F ? never : Exclude<F, 'series'>]: BodyOf<K>[F];
};

export interface NewDataset extends WithoutSeries<'createDataset'> {
  /** Equal for datasets of the same series: made of them, or `=` and the fingerprint of those that are yet to come. */
  readonly digest?: string | undefined;
  readonly series: readonly { readonly name?: string | undefined; readonly series: PreparedSeries }[];
}

export type Prepared<K extends 'createPrediction' | 'findAnomalies'> = WithoutSeries<K> & {
  readonly series?: PreparedSeries | undefined;
};

/** Longer points are compressed, to a tenth: nothing is answered while SQLite writes a row, and a million points are 58 MB. */
const LONG = 1_000_000;

/** Before the digest of packed points, and behind it: no JSON that this program writes has it. */
const MARK = '\n';

const AT_ONCE = 1_000_000; // bytes that are decompressed before others get their turn

export function packed(json: string): string {
  if (json.length <= LONG) return json;
  const bytes = new TextEncoder().encode(json);
  return `${MARK}${createHash('sha256').update(bytes).digest('base64')}${MARK}${toBase64(gzip(bytes))}`;
}

export const isPacked = (stored: string): boolean => stored.startsWith(MARK);

const compressedOf = (stored: string): Uint8Array | undefined =>
  isPacked(stored) ? fromBase64(stored.slice(stored.indexOf(MARK, 1) + 1)) : undefined;

/** The JSON of stored points, in a thread. @throws DamagedRowError */
export function unpacked(stored: string): string {
  const compressed = compressedOf(stored);
  if (!compressed) return stored;
  try {
    return new TextDecoder().decode(gunzip(compressed));
  } catch (cause) {
    throw new DamagedRowError(cause);
  }
}

export const identityOf = (stored: string): string =>
  isPacked(stored) ? stored.slice(1, stored.indexOf(MARK, 1)) : stored;

/** Points as they are stored, to be put into an answer as they are: a million of them are not parsed and written again. */
export class StoredPoints {
  readonly stored: string;

  constructor(stored: string) {
    this.stored = stored;
  }

  /** Their JSON in parts, between which others get their turn: not to be awaited in a transaction. @throws DamagedRowError */
  async json(): Promise<readonly (string | Uint8Array<ArrayBuffer>)[]> {
    const compressed = compressedOf(this.stored);
    if (!compressed) return [this.stored];
    const parts: Uint8Array<ArrayBuffer>[] = [];
    try {
      for await (const part of gunzipParts(compressed, AT_ONCE)) parts.push(part);
    } catch (cause) {
      throw new DamagedRowError(cause);
    }
    return parts;
  }

  async text(): Promise<string> {
    return new Blob([...(await this.json())]).text();
  }
}

/** Parts of a list in its order: of so many at most, and of so much in all; what is larger by itself goes alone. */
export function* slicesOf<T>(all: readonly T[], most: number, size = Infinity, sizeOf: (one: T) => number = () => 0) {
  for (let from = 0, to = 0; from < all.length; from = to) {
    let left = size;
    do left -= sizeOf(all[to++]);
    while (to < all.length && to - from < most && sizeOf(all[to]) <= left);
    yield all.slice(from, to);
  }
}
