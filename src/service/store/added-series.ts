/** Series that are added to a dataset little by little, and each of them once. */
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import type { LineFault } from '../../contract/streams.ts';
import { RequestError } from '../errors.ts';
import { newId, type SqlRow, text } from '../database/list.ts';
import type { PreparedSeries } from './points.ts';
import { seriesRow, statementsOf } from './series-rows.ts';
import { type Span, spanOf } from './span.ts';
import type { Db } from '../database/tables.ts';

/** A line of a stream. */
export interface SeriesLine {
  /** Its number, from 1. */
  readonly line: number;
  /** What the client calls it, and nothing else of the dataset. */
  readonly id?: string | undefined;
  /** The key of the request, which together with the number of the line is an id where it has none. */
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly series: PreparedSeries;
}

export interface AddedLines {
  readonly stored: number;
  /** There already. */
  readonly unchanged: number;
  readonly refused: readonly LineFault[];
}

/** Told in the transaction how many are stored; throws where that is too much. */
export type Count = (db: Db, stored: number) => Promise<void>;

const ownIdOf = ({ line, id, key }: SeriesLine): string | null =>
  id !== undefined ? `=${id}` : key !== undefined ? `#${key} ${line}` : null;

/**
 * Adds series to a dataset. What is there under the same id stays as it is: predictions were made of it.
 * @param db a transaction
 * @throws RequestError 404
 */
export async function addLines(
  db: Db,
  dataset_id: string,
  space: string,
  lines: readonly SeriesLine[],
  count: Count,
): Promise<AddedLines> {
  // others that add to it, or delete it, wait from here on; it is no longer what was stored as a whole, and in use
  const { rows: found } = await sql<SqlRow>`update datasets set digest = case when digest like '=%' then digest end,
      created_at = case when for_job = 1 then ${isoInstant(Date.now())} else created_at end
    where id = ${dataset_id} and space = ${space} and complete = 1
    returning start_timestamp, end_timestamp`.execute(db);
  if (found.length === 0) throw RequestError.notFound('dataset', dataset_id);
  if (lines.length === 0) return { stored: 0, unchanged: 0, refused: [] };
  const given = lines.map((one) => {
    const [id, own_id] = [newId('series'), ownIdOf(one)];
    return { ...one, own_id, row: seriesRow(one.series, { id, dataset_id, name: one.name, space, own_id }) };
  });
  const isStored = new Set<string>();
  for (const some of statementsOf(given.map(({ row }) => row))) {
    const insert = db.insertInto('series').values(some);
    const inserted = await insert
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    for (const { id } of inserted) isStored.add(id);
  }
  const stored = given.filter(({ row }) => isStored.has(row.id));
  await count(db, stored.length);
  const before = { start: text(found[0].start_timestamp), end: text(found[0].end_timestamp) };
  await sumUp(db, dataset_id, before, stored);
  const others = given.filter(({ row }) => !isStored.has(row.id));
  const known = await knownAs(db, dataset_id, others);
  const isSame = ({ own_id, name, series }: (typeof given)[number]): boolean => {
    const there = known.get(own_id);
    return there?.points === series.points && there.name === (name ?? null);
  };
  const refused = others.filter((one) => !isSame(one)).map(({ line, id }) => faultOf(line, id));
  return { stored: stored.length, unchanged: others.length - refused.length, refused };
}

async function knownAs(db: Db, datasetId: string, lines: readonly { readonly own_id: string | null }[]) {
  const ids = lines.map(({ own_id }) => own_id).filter((one) => one !== null);
  if (ids.length === 0) return new Map<string | null, never>();
  const known = db.selectFrom('series').select(['own_id', 'name', 'points']).where('dataset_id', '=', datasetId);
  const rows = await known.where('own_id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.own_id, row]));
}

const faultOf = (line: number, id: string | undefined): LineFault =>
  id === undefined
    ? { line, error: 'This line came with another series before under the same Idempotency-Key.' }
    : { line, id, error: 'The dataset has another series with this id, or another name of it. It stays as it is.' };

/**
 * What is told of a dataset, with these series added.
 * @param before its span, which nobody else changes meanwhile
 */
async function sumUp(
  db: Db,
  id: string,
  before: Span,
  added: readonly { readonly series: PreparedSeries }[],
): Promise<void> {
  if (added.length === 0) return;
  const all = added.map(({ series }) => series);
  const sum = (of: (series: PreparedSeries) => number) => all.reduce((total, one) => total + of(one), 0);
  const { start, end } = spanOf([before, ...all]);
  const frequencies = new Set(all.map(({ frequency }) => frequency));
  const freq = frequencies.size === 1 ? (all[0].frequency ?? null) : null;
  await sql`update datasets set
    series_count = series_count + ${all.length}, rows = rows + ${sum(({ rows }) => rows)},
    bytes = bytes + ${sum(({ points }) => points.length)},
    start_timestamp = ${start ?? null}, end_timestamp = ${end ?? null},
    freq = case when series_count = 0 or freq = ${freq} then cast(${freq} as text) end
    where id = ${id}`.execute(db);
}
