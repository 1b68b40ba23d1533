/** Stored series: their rows and points, and how they are deleted. */
import { type Insertable, sql } from 'kysely';
import { failure } from '../../contract/failures.ts';
import { newId, pick, Repository, type Row, unlessDamaged } from '../database/repository.ts';
import { DamagedRowError, RequestError } from '../errors.ts';
import { type Db, dialectOf, type Tables } from '../database/store.ts';
import { isPacked, type PreparedSeries, slicesOf, StoredPoints } from './points.ts';

type ListedRow = Omit<Row<'series'>, 'points'>;

export const ownIdOf = ({ own_id }: Pick<ListedRow, 'own_id'>) =>
  own_id?.startsWith('=') ? own_id.slice(1) : undefined;

const readSeries = (row: ListedRow) => ({
  ...pick(row, 'id', 'name', 'dataset_id', 'rows', 'start_timestamp', 'end_timestamp', 'freq'),
  own_id: ownIdOf(row),
});

export class Series extends Repository<ListedRow, ReturnType<typeof readSeries>> {
  protected readonly table = 'series';
  protected readonly missing = 'no_stored_series';
  protected override readonly columns = sql`seq, id, name, dataset_id, rows, start_timestamp, end_timestamp, freq, own_id`;

  protected read(rows: readonly ListedRow[]) {
    return rows.map(readSeries);
  }

  /** Its points as they are stored. @throws RequestError 404, DamagedRowError */
  async points(id: string): Promise<string> {
    const row = await points(this.db).where('id', '=', id).where(this.isOurs).executeTakeFirst();
    if (!row) throw new RequestError(404, failure(this.missing, id));
    if (!isWhole(row)) throw new DamagedRowError();
    return row.points;
  }

  async namesOf(datasetId: string): Promise<string[]> {
    const names = this.db.selectFrom('series').select('name').where('dataset_id', '=', datasetId);
    return (await names.orderBy('seq', 'desc').execute()).map(({ name }) => name ?? '');
  }

  async add(db: Db, series: PreparedSeries, name?: string): Promise<string> {
    const row = seriesRow(series, this.owner, { name });
    await insertSeries(db, [row]);
    return row.id;
  }
}

const points = (db: Db) => db.selectFrom('series').select(['id', 'points', dialectOf(db).isJson('points').as('ok')]);

const isWhole = ({ points, ok }: { readonly points: string; readonly ok: number }): boolean =>
  ok === 1 || isPacked(points);

/** The points of these series, by their ids; without those that are not stored, or are damaged. */
export async function pointsOfAll(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, StoredPoints>> {
  if (ids.length === 0) return new Map();
  const read = (some: readonly string[]) => points(db).where(dialectOf(db).isOneOf('id', some)).execute();
  const all = await unlessDamaged(() => read(ids));
  const found = all ?? [];
  if (!all) for (const id of ids) found.push(...((await unlessDamaged(() => read([id]))) ?? []));
  return new Map(found.filter(isWhole).map(({ id, points }) => [id, new StoredPoints(points)]));
}

export type SeriesRow = Insertable<Tables['series']>;

export const seriesRow = (
  { points, rows, start, end, frequency }: PreparedSeries,
  tenant: string,
  of: { dataset_id?: string; own_id?: string | null; name?: string | undefined } = {},
) => ({
  id: newId('series'),
  tenant,
  dataset_id: of.dataset_id ?? null,
  own_id: of.own_id ?? null,
  name: of.name ?? null,
  rows,
  start_timestamp: start ?? null,
  end_timestamp: end ?? null,
  freq: frequency ?? null,
  points,
});

/** @returns the ids of those whose names are new in their dataset, which alone are stored */
export async function insertSeries(db: Db, rows: readonly SeriesRow[]): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  // more rows in a statement gain nothing (measured on both databases); a large one goes alone
  for (const some of slicesOf(rows, 100, 1_000_000, ({ points }) => points.length)) {
    const insert = db.insertInto('series').values(some).returning('id');
    const inserted = await insert.onConflict((conflict) => conflict.doNothing()).execute();
    for (const { id } of inserted) stored.add(id);
  }
  return stored;
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

/** Has a program that deletes a dataset wait, and then see which of its series have no prediction any more. */
export async function keepDataset(db: Db, id: string): Promise<void> {
  if (dialectOf(db).locksRows) await sql`select 1 from datasets where id = ${id} for share`.execute(db);
}
