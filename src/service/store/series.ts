/** Stored series: their rows, their points, and how they go with the last that they belonged to. */
import { type Insertable, sql } from 'kysely';
import { failure } from '../../contract/failures.ts';
import type { StoredSeries } from '../../contract/local.ts';
import { RequestError } from '../errors.ts';
import { type Db, dialectOf, type Tables } from '../database/store.ts';
import { DamagedRowError, eachUnlessDamaged, number, type SqlRow, text } from '../database/list.ts';
import { isPacked, StoredPoints } from './packed.ts';
import type { PreparedSeries } from './points.ts';

/** What is read of a series without its points. */
export const SERIES_COLUMNS = [
  'seq',
  'id',
  'name',
  'dataset_id',
  'rows',
  'start_timestamp',
  'end_timestamp',
  'freq',
  'own_id',
] as const;

/** The id that a client gave it. */
export const ownIdOf = (row: SqlRow): string | undefined => /^=(.*)$/s.exec(text(row.own_id) ?? '')?.[1];

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

/** @param more where it belongs */
export const seriesRow = (
  { points, rows, start, end, frequency }: PreparedSeries,
  {
    name,
    ...more
  }: Pick<SeriesRow, 'id' | 'dataset_id' | 'tenant' | 'own_id'> & { readonly name?: string | undefined },
): SeriesRow => ({
  ...more,
  name: name ?? null,
  rows,
  start_timestamp: start ?? null,
  end_timestamp: end ?? null,
  freq: frequency ?? null,
  points,
});

/**
 * What goes into one statement: a round trip for each series takes most of the time, and more than a hundred rows gain
 * nothing (measured on both homes).
 */
const STATEMENT = { rows: 100, characters: 1_000_000 };

/** Stores rows in their order, many in a statement. */
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

/**
 * Deletes those of these series that belong to no dataset and no prediction.
 * @param db a transaction
 */
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

/**
 * Waits for those who delete predictions of the series of a dataset.
 * @param db a transaction
 * @returns the series that have no prediction any more
 */
export async function withoutPredictions(db: Db, datasetId: string): Promise<string[]> {
  if (!dialectOf(db).locksRows) return []; // nobody else writes, and these are deleted already
  await sql`select 1 from series where dataset_id = ${datasetId} order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from series where dataset_id = ${datasetId}
    and not exists (select 1 from predictions where input_series_id = series.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Has a program that deletes a dataset wait, and then see which of its series have no prediction any more.
 * @param db a transaction
 */
export async function keepDataset(db: Db, id: string): Promise<void> {
  if (dialectOf(db).locksRows) await sql`select 1 from datasets where id = ${id} for share`.execute(db);
}
