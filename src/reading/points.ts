import { createHash, type Hash } from '#platform/hash';
import { nextTurn } from '#platform/turn';
import { said } from './phrase.ts';
import { MOST_POINTS, SeriesError, type Beside, type KnownColumn, type ReadSeries } from './types.ts';
import type * as z from 'zod/mini';
import type { SeriesPoint } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { isoInstant } from '../calendar/format.ts';
import { ALWAYS, openTimeOfPoints } from '../calendar/open-time.ts';
import { zoneOfPoints } from '../calendar/zone.ts';
import { buildSeries } from './series/build.ts';

export type OutgoingPoint = z.input<typeof SeriesPoint>;

export interface SendableSeries extends Pick<ReadSeries, 'times' | 'values' | 'timeKind'> {
  readonly name?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly closed?: false | undefined;
  readonly known?: Beside | undefined;
}

/** Points in the interface's form; the first has the zone, and `24/7` if no time is closed. @param covariates sent */
export function toPoints(
  { timeKind, timeZone, closed, ...series }: Omit<SendableSeries, 'name' | 'known'> & Pick<ReadSeries, 'beside'>,
  covariates: readonly string[] = [],
): OutgoingPoint[] {
  const { futureTimes = [], columns = [] } = besideOnly(series, covariates).beside ?? {};
  return Array.from([...series.times, ...futureTimes], (time, index): OutgoingPoint => {
    const value = series.values[index] ?? NaN;
    const point = { timestamp: isoInstant(time), value: Number.isNaN(value) ? null : value };
    const metadata = {
      ...(timeKind === 'row' ? { row: Math.round(time / 1000) + 1 } : {}),
      ...(timeKind !== 'row' && timeZone !== undefined && index === 0 ? { time_zone: timeZone } : {}),
      ...(closed === false && index === 0 ? { opening_hours: ALWAYS } : {}),
      ...(columns.length > 0 ? { covariates: covariatesAt(columns, index) } : {}),
    };
    return Object.keys(metadata).length > 0 ? { ...point, metadata } : point;
  });
}

function covariatesAt(columns: readonly KnownColumn[], index: number): Record<string, number | boolean | string> {
  return Object.fromEntries(
    columns.flatMap(({ name, kind, texts, values }) => {
      const value = values[index] ?? NaN;
      if (Number.isNaN(value)) return [];
      return [[name, kind === 'text' ? (texts?.[value] ?? '') : kind === 'switch' ? value === 1 : value]];
    }),
  );
}

export function lastPoints<S extends Pick<ReadSeries, 'times' | 'values' | 'beside'>>(
  series: S,
  most = MOST_POINTS,
): S {
  const left = series.times.length - most;
  if (left <= 0) return series;
  const { times, values, beside } = series;
  const columns = beside?.columns.map((each) => ({ ...each, values: each.values.subarray(left) }));
  const known = beside && columns ? { beside: { ...beside, columns } } : {};
  return { ...series, times: times.subarray(left), values: values.subarray(left), ...known };
}

export function besideOnly<S extends Pick<ReadSeries, 'times' | 'beside'>>(series: S, names: readonly string[]): S {
  const { beside, ...rest } = series;
  const columns = beside?.columns.filter(({ name }) => names.includes(name)) ?? [];
  if (!beside || columns.length === 0) return rest as S;
  const ahead = columns.reduce((most, each) => Math.max(most, each.ahead), 0);
  return { ...series, beside: { futureTimes: beside.futureTimes.slice(0, ahead), columns } };
}

/** A series from points in any order. @throws SeriesError for a timestamp that is none, and where no point has a value */
export function fromPoints(points: readonly SeriesPoint[], name = 'Series'): ReadSeries {
  const times = new Float64Array(points.length);
  const values = new Float64Array(points.length);
  let rows = points.length > 0;
  points.forEach(({ timestamp, value, metadata }, index) => {
    const time = parseTimestamp(timestamp);
    if (Number.isNaN(time)) {
      const words = said`Point ${index + 1}: “${timestamp.slice(0, 40)}” is not an ISO 8601 timestamp.`;
      throw new SeriesError('not-a-time', words);
    }
    times[index] = time;
    values[index] = value ?? NaN;
    rows &&= typeof metadata?.row === 'number';
  });
  const zone = zoneOfPoints(points);
  const timeKind = rows ? 'row' : times.every((time) => zone.toWall(time) % 86_400_000 === 0) ? 'date' : 'instant';
  const closed = openTimeOfPoints(points) === null ? { closed: false } : {};
  const series = buildSeries({ id: name, name, timeKind, zone, times, values, ...closed });
  if (!series) throw new SeriesError('no-numbers', said`${name} has no values.`);
  return series;
}

export const stepsKnown = ({ beside }: ReadSeries, names: readonly string[] = []): number | undefined =>
  Math.max(0, ...(beside?.columns ?? []).filter(({ name }) => names.includes(name)).map(({ ahead }) => ahead)) ||
  undefined;

const AT_ONCE = 500_000;

export function hashSeries(
  hash: Hash,
  { name, timeKind, timeZone, closed, times, values, known }: SendableSeries,
): void {
  hash.update(JSON.stringify([name, timeKind, timeZone, times.length, closed]));
  const { columns = [], futureTimes = [] } = known ?? {};
  for (const { name: column, kind, texts } of columns)
    hash.update(JSON.stringify([column, kind, texts, ...futureTimes]));
  for (const { buffer, byteOffset, byteLength } of [times, values, ...columns.map((column) => column.values)]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
}

export async function fingerprintOf(series: readonly SendableSeries[], signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let points = 0;
  for (const one of series) {
    hashSeries(hash, one);
    points += one.times.length;
    if (points < AT_ONCE) continue;
    points = 0;
    await nextTurn();
    signal?.throwIfAborted();
  }
  return hash.digest('base64url');
}
