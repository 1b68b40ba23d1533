/** Stored series: their rows and points, streams of them, and how they are deleted. */
import { nextTurn } from '#platform/turn';
import { type Insertable, sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { failure, type Failure } from '../../contract/failures.ts';
import type { StoredSeries } from '../../contract/resources.ts';
import {
  DamagedRowError,
  eachUnlessDamaged,
  json,
  needed,
  newId,
  number,
  type SqlRow,
  text,
} from '../database/list.ts';
import { type Db, dialectOf, snapshot, type Tables } from '../database/store.ts';
import { RequestError } from '../errors.ts';
import { identityOf, isPacked, type PreparedSeries, spanOf, StoredPoints } from './points.ts';

export const SERIES_COLUMNS = [
  ...(['seq', 'id', 'name', 'dataset_id', 'rows', 'start_timestamp', 'end_timestamp', 'freq', 'own_id'] as const),
];

/** The id that a client gave it. */
const ownIdOf = (row: SqlRow): string | undefined => /^=(.*)$/s.exec(text(row.own_id) ?? '')?.[1];

export const readSeries = (row: SqlRow): StoredSeries => ({
  id: String(row.id),
  own_id: ownIdOf(row),
  name: text(row.name),
  dataset_id: text(row.dataset_id),
  rows: number(row.rows),
  start_timestamp: text(row.start_timestamp),
  end_timestamp: text(row.end_timestamp),
  freq: text(row.freq),
});

const select = (db: Db) => db.selectFrom('series').select(['id', 'points', dialectOf(db).isJson('points').as('ok')]);

const isWhole = ({ points, ok }: { readonly points: string; readonly ok: number }): boolean =>
  ok === 1 || isPacked(points);

/** The points of a series as they are stored. @throws RequestError 404, DamagedRowError */
export async function pointsOf(db: Db, id: string): Promise<StoredPoints> {
  const row = await select(db).where('id', '=', id).executeTakeFirst();
  if (!row) throw new RequestError(404, failure('no_stored_series', id));
  if (!isWhole(row)) throw new DamagedRowError();
  return new StoredPoints(row.points);
}

/** The points of these series, by their ids; without those that are not stored, or are damaged. */
export async function pointsOfAll(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredPoints>> {
  const { isOneOf } = dialectOf(db);
  const found = await eachUnlessDamaged(ids, (some) => select(db).where(isOneOf('id', some)).execute());
  return new Map(found.filter(isWhole).map(({ id, points }) => [id, new StoredPoints(points)]));
}

export type SeriesRow = Insertable<Tables['series']>;

export const seriesRow = (
  { points, rows, start, end, frequency }: PreparedSeries,
  {
    name = null,
    ...more
  }: Pick<SeriesRow, 'id' | 'dataset_id' | 'tenant' | 'own_id'> & { readonly name?: string | null | undefined },
): SeriesRow => ({
  ...more,
  name,
  rows,
  start_timestamp: start ?? null,
  end_timestamp: end ?? null,
  freq: frequency ?? null,
  points,
});

/** Rows of one statement: more than a hundred gain nothing (measured on both databases). */
const STATEMENT = { rows: 100, characters: 1_000_000 };

export async function insertSeries(db: Db, rows: readonly SeriesRow[]): Promise<void> {
  for (const some of statementsOf(rows)) await db.insertInto('series').values(some).execute();
}

/** Rows in their order, as many as go into one statement; a large one goes alone. */
export function* statementsOf<R extends Pick<SeriesRow, 'points'>>(all: readonly R[]): Generator<readonly R[]> {
  for (let from = 0, to = 0; from < all.length; from = to) {
    let characters = 0;
    do characters += all[to++].points.length;
    while (to < all.length && to - from < STATEMENT.rows && characters + all[to].points.length <= STATEMENT.characters);
    yield all.slice(from, to);
  }
}

/** Deletes those of these series that belong to no dataset and no prediction. @param db a transaction */
export async function removeUnused(db: Db, ids: readonly (string | null | undefined)[]): Promise<void> {
  const known = ids.filter((id) => typeof id === 'string');
  if (known.length === 0) return;
  const areThese = dialectOf(db).isOneOf('id', known);
  if (dialectOf(db).locksRows) {
    // each a statement of its own: the next sees what those have committed that were waited for
    await sql`select 1 from series where ${areThese} and dataset_id is not null
      order by id for no key update`.execute(db);
    // who makes a prediction of one is waited for only here: others hold those of a dataset in another order
    await sql`select 1 from series where ${areThese} and dataset_id is null order by id for update`.execute(db);
  }
  await sql`delete from series where ${areThese} and dataset_id is null
    and not exists (select 1 from predictions where input_series_id = series.id)
    and not exists (select 1 from predictions where prediction_series_id = series.id)`.execute(db);
}

/** Waits for those who delete predictions of the series of a dataset. @returns the series that have no prediction any more */
export async function withoutPredictions(db: Db, datasetId: string): Promise<string[]> {
  if (!dialectOf(db).locksRows) return []; // nobody else writes, and these are deleted already
  await sql`select 1 from series where dataset_id = ${datasetId} order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from series where dataset_id = ${datasetId}
    and not exists (select 1 from predictions where input_series_id = series.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Has a program that deletes a dataset wait, and then see which of its series have no prediction any more. */
export async function keepDataset(db: Db, id: string): Promise<void> {
  if (dialectOf(db).locksRows) await sql`select 1 from datasets where id = ${id} for share`.execute(db);
}

export interface SeriesLine {
  /** Its number, from 1. */
  readonly line: number;
  /** The client's id of the series, unique in the dataset. */
  readonly id?: string | undefined;
  /** The key of the request, which together with the number of the line is an id where it has none. */
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly series: PreparedSeries;
}

/** Why a line is refused; lines are counted from 1. */
export interface LineFault {
  readonly line: number;
  readonly id?: string | undefined;
  readonly error: Failure;
}

export interface AddedLines {
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: readonly LineFault[];
}

const nameOf = ({ line, id, key }: SeriesLine): string | null =>
  id !== undefined ? `=${id}` : key !== undefined ? `#${key} ${line}` : null;

/** Adds series to a dataset, in a transaction. A series under a known id stays as it is. @throws RequestError 404 */
export async function addLines(
  db: Db,
  { id: dataset_id, tenant }: { readonly id: string; readonly tenant: string },
  lines: readonly SeriesLine[],
  count: (db: Db, stored: number) => Promise<void>,
): Promise<AddedLines> {
  // others that add to it, or delete it, wait from here on; it is no longer what was stored as a whole, and in use
  const { rows: found } = await sql<SqlRow>`update datasets set digest = case when digest like '=%' then digest end,
      created_at = case when for_job = 1 then ${isoInstant(Date.now())} else created_at end
    where id = ${dataset_id} and tenant = ${tenant} and complete = 1
    returning start_timestamp, end_timestamp`.execute(db);
  if (found.length === 0) throw new RequestError(404, failure('no_dataset', dataset_id));
  if (lines.length === 0) return { stored: 0, unchanged: 0, refused: [] };
  const given = lines.map((one) => {
    const [id, own_id] = [newId('series'), nameOf(one)];
    return { ...one, own_id, row: seriesRow(one.series, { id, dataset_id, name: one.name, tenant, own_id }) };
  });
  const isStored = new Set<string>();
  for (const some of statementsOf(given.map(({ row }) => row))) {
    const insert = db.insertInto('series').values(some).returning('id');
    const inserted = await insert.onConflict((conflict) => conflict.doNothing()).execute();
    for (const { id } of inserted) isStored.add(id);
  }
  const stored = given.filter(({ row }) => isStored.has(row.id));
  await count(db, stored.length);
  const added = stored.map(({ series }) => series);
  const before = { start: text(found[0].start_timestamp), end: text(found[0].end_timestamp) };
  if (added.length > 0) await addStats(db, dataset_id, { ...statsOf(added), ...spanOf([before, ...added]) });
  const others = given.filter(({ row }) => !isStored.has(row.id));
  const known = await knownAs(db, dataset_id, others);
  const isSame = ({ own_id, name, series }: (typeof given)[number]): boolean => {
    const there = known.get(own_id);
    return (
      there !== undefined && identityOf(there.points) === identityOf(series.points) && there.name === (name ?? null)
    );
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
  id === undefined ? { line, error: failure('line_repeated') } : { line, id, error: failure('line_id_taken') };

/** What a dataset says of its series. */
export function statsOf(all: readonly PreparedSeries[]) {
  const frequencies = new Set(all.map(({ frequency }) => frequency));
  return {
    count: all.length,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    bytes: all.reduce((sum, { points }) => sum + points.length, 0),
    freq: frequencies.size === 1 ? (all[0].frequency ?? null) : null,
    ...spanOf(all),
  };
}

/** @param stats of series that are added, with the span of the dataset, which nobody else changes meanwhile */
export async function addStats(db: Db, id: string, stats: ReturnType<typeof statsOf>): Promise<void> {
  const { count, rows, bytes, freq, start = null, end = null } = stats;
  await sql`update datasets set
    series_count = series_count + ${count}, rows = rows + ${rows}, bytes = bytes + ${bytes},
    start_timestamp = ${start}, end_timestamp = ${end}, complete = 1,
    freq = case when series_count = 0 or freq = ${freq} then cast(${freq} as text) end
    where id = ${id}`.execute(db);
}

/** Series that are read in one statement, and points that are read in one. */
const SERIES = 200;
const POINTS = 20_000;

/**
 * Lines of NDJSON, some at a time: the newest prediction of each series that has one, the newest series first. No more is
 * read than was taken; others get their turn in between, so that each series is as it is then. Series that are added
 * meanwhile are not among them.
 */
export async function* forecastsOf(db: Db, datasetId: string): AsyncGenerator<string> {
  for (let before: number | undefined; ;) {
    const rows = await rowsOf(db, datasetId, before);
    const made = rows.filter(({ id }) => id !== null);
    for (let from = 0, to = 0; from < made.length; from = to) {
      for (let points = 0; to < made.length && points < POINTS; to++) points += number(made[to].rows) ?? 0;
      yield await linesOf(db, made.slice(from, to));
    }
    if (rows.length < SERIES) return;
    before = rows[rows.length - 1].seq;
    await nextTurn();
  }
}

const rowsOf = (all: Db, datasetId: string, before: number | undefined): Promise<readonly SqlRow[]> =>
  snapshot(all, async (db) => {
    const edge = before === undefined ? sql`` : sql`and series.seq < ${before}`;
    const { rows } = await sql<SqlRow>`
      select series.seq, series.id series_id, series.name, series.own_id, p.id, p.ai_model_id, p.status, p.error,
        p.prediction_series_id, (select rows from series where series.id = p.prediction_series_id) rows
      from series left join predictions p
        on p.seq = (select max(seq) from predictions where input_series_id = series.id)
      where series.dataset_id = ${datasetId} ${edge} order by series.seq desc limit ${SERIES}`.execute(db);
    return rows;
  });

async function linesOf(all: Db, rows: readonly SqlRow[]): Promise<string> {
  const ids = rows.map((row) => text(row.prediction_series_id)).filter((id) => id !== undefined);
  const points = await snapshot(all, (db) => pointsOfAll(db, ids));
  let lines = '';
  for (const row of rows) {
    const stored = points.get(text(row.prediction_series_id) ?? '');
    lines += lineOf(row, await stored?.text().catch(() => undefined));
  }
  return lines;
}

function lineOf(row: SqlRow, points: string | undefined): string {
  const series_id = needed(row.series_id);
  const isDamaged = row.prediction_series_id !== null && points === undefined;
  const line = JSON.stringify({
    id: ownIdOf(row) ?? series_id,
    series_id,
    name: text(row.name),
    prediction_id: text(row.id),
    ai_model_id: text(row.ai_model_id),
    status: text(row.status),
    error: isDamaged ? new DamagedRowError().failure : json<Failure>(row.error),
  });
  return points === undefined ? `${line}\n` : `${line.slice(0, -1)},"prediction_series":${points}}\n`;
}
