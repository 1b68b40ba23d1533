/** Stored series, and datasets of them. What is stored for jobs alone is stored once, and goes when nobody needs it. */
import { nextTurn } from '#platform/turn';
import { type Insertable, sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { type Failure, failure } from '../../contract/failures.ts';
import { json, newId, orDamaged, pick, Repository, type Row, unlessDamaged } from '../database/repository.ts';
import { DamagedRowError, isReferenceGone, RequestError } from '../errors.ts';
import { type Db, dialectOf, snapshot, type Store, type Tables, type Tenant, transaction } from '../database/store.ts';
import type { Note } from './creations.ts';
import { identityOf, isPacked, slicesOf, spanOf, StoredPoints } from './points.ts';
import type { NewDataset, PreparedSeries, Span } from './points.ts';

type ListedRow = Omit<Row<'series'>, 'points'>;

const ownIdOf = ({ own_id }: Pick<ListedRow, 'own_id'>) => (own_id?.startsWith('=') ? own_id.slice(1) : undefined);

const readSeries = (row: ListedRow) => ({
  ...pick(row, 'id', 'name', 'dataset_id', 'rows', 'start_timestamp', 'end_timestamp', 'freq'),
  own_id: ownIdOf(row),
});

class Series extends Repository<ListedRow, ReturnType<typeof readSeries>> {
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

type SeriesRow = Insertable<Tables['series']>;

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

/** What is written of a dataset before others get their turn: a few hundredths of a second. */
const SLICE = { series: 500, bytes: 4_000_000 };

export class Datasets extends Repository<Row<'datasets'>, ReturnType<typeof readDataset>> {
  protected readonly table = 'datasets';
  protected readonly missing = 'no_dataset';
  protected override readonly isSeen = sql<boolean>`complete = 1`;
  readonly series: Series;

  constructor(store: Store, tenant?: Tenant) {
    super(store, tenant);
    this.series = new Series(store, tenant);
  }

  protected read(rows: readonly Row<'datasets'>[]) {
    return rows.map(readDataset);
  }

  /** Stores one in slices, whole or not at all. @returns it as read before the commit, to be answered whatever fails after it */
  async create({ name, tags, series, digest, for_job: isForJob = false }: NewDataset, note?: Note) {
    const created_at = isoInstant(Date.now());
    const described = { name: name ?? null, tags: JSON.stringify([...new Set(tags)]), created_at };
    const id = newId('dataset');
    const tenant = this.owner;
    const ready = async (db: Db, id: string) => {
      await note?.(db, id);
      return this.get(id, db);
    };
    const known = await transaction(this.db, async (db) => {
      const same = db.selectFrom('datasets').select(['id', 'for_job']).where(this.isSeen).orderBy('for_job');
      const mine = same
        .where('tenant', '=', tenant)
        .where('for_job', '>=', isForJob ? 0 : 1)
        .orderBy('seq', 'desc');
      const again = digest && (await mine.where('digest', '=', digest).limit(1).executeTakeFirst());
      if (!again) {
        const row = { ...described, id, tenant, digest: digest ?? null, complete: 0, for_job: Number(isForJob) };
        await db.insertInto('datasets').values(row).execute();
        return undefined;
      }
      const renew = db.updateTable('datasets').where('id', '=', again.id);
      if (!isForJob) await renew.set({ ...described, for_job: 0 }).execute();
      else if (again.for_job === 1) await renew.set({ created_at }).execute();
      return ready(db, again.id);
    });
    if (known) return known;
    try {
      const row = (one: (typeof series)[number]) => seriesRow(one.series, tenant, { dataset_id: id, name: one.name });
      // the last first: lists give the newest first, and so the series in their own order
      for (const some of slicesOf(series.toReversed(), SLICE.series, SLICE.bytes, (one) => one.series.points.length)) {
        await transaction(this.db, (db) => insertSeries(db, some.map(row)));
        await nextTurn();
      }
      return await transaction(this.db, async (db) => {
        await addStats(db, id, series);
        return ready(db, id);
      });
    } catch (error) {
      // the error that led here is the one to tell; where nothing can be written, the maintenance does it later
      await this.#remove(id).catch(() => undefined);
      throw error;
    }
  }

  /** Adds series of a stream; one under a known id stays as it is. @throws RequestError 404; what `count` throws */
  addLines(dataset_id: string, lines: readonly SeriesLine[], count: (db: Db, stored: number) => Promise<unknown>) {
    return transaction(this.db, async (db) => {
      // others that add to it, or delete it, wait from here on; it is no longer what was stored as a whole, and in use
      const { rows: found } = await sql<Row<'datasets'>>`update datasets
        set digest = case when digest like '=%' then digest end,
          created_at = case when for_job = 1 then ${isoInstant(Date.now())} else created_at end
        where id = ${dataset_id} and ${this.isOurs} and ${this.isSeen}
        returning start_timestamp, end_timestamp`.execute(db);
      if (found.length === 0) throw new RequestError(404, failure(this.missing, dataset_id));
      const given = lines.map((one) => {
        const row = seriesRow(one.series, this.owner, { dataset_id, name: one.name, own_id: nameOf(one) });
        return { ...one, row };
      });
      const rows = given.map(({ row }) => row);
      const isStored = await insertSeries(db, rows);
      const [added, others] = [true, false].map((is) => given.filter(({ row }) => isStored.has(row.id) === is));
      await count(db, added.length);
      const [{ start_timestamp, end_timestamp }] = found;
      const before = { start: start_timestamp ?? undefined, end: end_timestamp ?? undefined };
      if (added.length > 0) await addStats(db, dataset_id, added, before);
      const known = await this.#knownAs(db, dataset_id, others);
      const isSame = ({ row }: (typeof given)[number]): boolean => {
        const there = known.get(row.own_id);
        return there !== undefined && there.name === row.name && identityOf(there.points) === identityOf(row.points);
      };
      const refused: readonly LineFault[] = others
        .filter((one) => !isSame(one))
        .map(({ line, id }) => ({ line, id, error: failure(id === undefined ? 'line_repeated' : 'line_id_taken') }));
      return { stored: added.length, unchanged: others.length - refused.length, refused };
    });
  }

  async #knownAs(db: Db, datasetId: string, lines: readonly { readonly row: { readonly own_id: string | null } }[]) {
    const names = lines.map(({ row }) => row.own_id).filter((name) => name !== null);
    const known = db.selectFrom('series').select(['own_id', 'name', 'points']).where('dataset_id', '=', datasetId);
    const rows = await known.where(dialectOf(db).isOneOf('own_id', names)).execute();
    return new Map(rows.map((row) => [row.own_id, row]));
  }

  /** Lines of NDJSON, no more of which are read than were taken: the newest prediction of each series that has one. */
  async forecasts(id: string, mayGoOn: () => Promise<void>): Promise<AsyncGenerator<string>> {
    await this.row(id);
    return forecastsOf(this.db, id, mayGoOn);
  }

  /** Deletes those that a program began to store before an instant, and did not finish. */
  async removeLeft(before: string): Promise<void> {
    const left = this.db.selectFrom('datasets').select('id').where('complete', '=', 0).where('created_at', '<', before);
    for (const { id } of await left.execute()) await this.#remove(id);
  }

  /** Deletes one dataset of a job that no prediction and no model uses. @returns whether there was one */
  async removeUnneeded(before: string): Promise<boolean> {
    const { rows } = await sql<{ id: string }>`select id from datasets
      where for_job = 1 and complete = 1 and tags = '[]' and created_at < ${before}
      and not exists (select 1 from series join predictions on input_series_id = series.id
        where series.dataset_id = datasets.id)
      and not exists (select 1 from fine_tuned_models where input_config like '%' || datasets.id || '%')
      limit 1`.execute(this.db);
    for (const { id } of rows) await this.remove(id);
    return rows.length > 0;
  }

  /** Deletes the dataset; a series that a prediction was made from stays with that prediction. */
  async remove(id: string): Promise<void> {
    await this.row(id);
    await this.#remove(id).catch((error: unknown) => {
      if (!isReferenceGone(error)) throw error;
      return this.#remove(id);
    });
  }

  #remove(id: string): Promise<void> {
    return transaction(this.db, async (db) => {
      const isLeft = sql<boolean>`not exists (select 1 from predictions where input_series_id = series.id)`;
      await db.updateTable('datasets').set({ complete: 0 }).where('id', '=', id).execute();
      // who deletes predictions has them first and then their series: in another order both could wait for each other
      await db.updateTable('predictions').set({ dataset_id: null }).where('dataset_id', '=', id).execute();
      await db.deleteFrom('series').where('dataset_id', '=', id).where(isLeft).execute();
      const ofIt = db.selectFrom('series').select('id').where('dataset_id', '=', id);
      // who deletes predictions of its series is waited for; where nobody else writes, these are deleted already
      const { locksRows } = dialectOf(db);
      if (locksRows) await ofIt.orderBy('id').forNoKeyUpdate().execute();
      const left = locksRows ? await ofIt.where(isLeft).execute() : [];
      for (const table of ['series', 'predictions'] as const)
        await db.updateTable(table).set({ dataset_id: null }).where('dataset_id', '=', id).execute();
      await db.deleteFrom('datasets').where('id', '=', id).execute();
      const ids = left.map(({ id }) => id);
      await removeUnused(db, ids);
    });
  }

  async tagged(tag: string): Promise<string[]> {
    const has = (tags: string) => orDamaged(() => ({ all: json<string[]>(tags) })).all?.includes(tag);
    const { rows } = await sql<Row<'datasets'>>`select id, tags from datasets
      where ${this.isOurs} and ${this.isSeen} and tags <> '[]'`.execute(this.db);
    return rows.filter(({ tags }) => has(tags)).map(({ id }) => id);
  }

  async seriesOf(ids: readonly string[]): Promise<string[]> {
    const found = this.db.selectFrom('series').select('id').where(dialectOf(this.db).isOneOf('dataset_id', ids));
    return (await found.where(this.isOurs).orderBy('seq').execute()).map(({ id }) => id);
  }
}

/** With the key of its request, which together with the number of the line is an id where it has none. */
export interface SeriesLine extends Readonly<Partial<Record<'id' | 'key' | 'name', string | undefined>>> {
  readonly line: number;
  readonly series: PreparedSeries;
}

export interface LineFault {
  readonly line: number;
  readonly id?: string | undefined;
  readonly error: Failure;
}

const nameOf = ({ line, id, key }: SeriesLine): string | null =>
  id !== undefined ? `=${id}` : key !== undefined ? `#${key} ${line}` : null;

/** Has a dataset say of itself what series that were added to it say. @param before its span, which nobody else changes */
async function addStats(db: Db, id: string, added: NewDataset['series'], before: Span = {}): Promise<void> {
  const all = added.map(({ series }) => series);
  const { start = null, end = null } = spanOf([before, ...all]);
  const freq = all.every(({ frequency }) => frequency === all[0].frequency) ? (all.at(0)?.frequency ?? null) : null;
  const rows = all.reduce((sum, one) => sum + one.rows, 0);
  const bytes = all.reduce((sum, one) => sum + one.points.length, 0);
  await sql`update datasets set series_count = series_count + ${all.length}, rows = rows + ${rows},
      bytes = bytes + ${bytes}, start_timestamp = ${start}, end_timestamp = ${end}, complete = 1,
      freq = case when series_count = 0 or freq = ${freq} then cast(${freq} as text) end
    where id = ${id}`.execute(db);
}

const SERIES = 50;
const POINTS = 20_000;

async function* forecastsOf(db: Db, datasetId: string, mayGoOn: () => Promise<void>): AsyncGenerator<string> {
  for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
    const rows = await snapshot(db, (db) => newestOf(db, datasetId, before).execute());
    const made = rows.filter(({ prediction_id }) => prediction_id !== null);
    for (const some of slicesOf(made, SERIES, POINTS, ({ rows }) => rows ?? 0)) {
      const ids = some.flatMap((row) => row.prediction_series_id ?? []);
      const points = await snapshot(db, (db) => pointsOfAll(db, ids));
      let lines = '';
      for (const row of some) {
        const stored = points.get(row.prediction_series_id ?? '')?.text();
        lines += lineOf(row, await stored?.catch(() => undefined));
      }
      await mayGoOn();
      yield lines;
    }
    if (rows.length < SERIES) return;
    before = rows[rows.length - 1].seq;
  }
}

/** The newest prediction of each of so many series: those that have none are looked at a few at a time as well. */
const newestOf = (db: Db, datasetId: string, before: number) =>
  db
    .selectFrom('series')
    .leftJoin('predictions as p', (join) =>
      join.on('p.seq', '=', ({ selectFrom }) =>
        selectFrom('predictions')
          .select(({ fn }) => fn.max('seq').as('newest'))
          .whereRef('input_series_id', '=', 'series.id'),
      ),
    )
    .leftJoin('series as output', 'output.id', 'p.prediction_series_id')
    .select(['series.seq', 'series.id as series_id', 'series.name', 'series.own_id', 'p.id as prediction_id'])
    .select(['p.ai_model_id', 'p.status', 'p.error', 'p.prediction_series_id', 'output.rows'])
    .where('series.dataset_id', '=', datasetId)
    .where('series.seq', '<', before)
    .orderBy('series.seq', 'desc')
    .limit(SERIES);

type Newest = Awaited<ReturnType<ReturnType<typeof newestOf>['execute']>>[number];

function lineOf(row: Newest, points: string | undefined): string {
  const isDamaged = row.prediction_series_id !== null && points === undefined;
  const line = JSON.stringify({
    id: ownIdOf(row) ?? row.series_id,
    ...pick(row, 'series_id', 'prediction_id', 'ai_model_id', 'status'),
    name: row.name ?? undefined,
    error: isDamaged ? new DamagedRowError().failure : json<Failure>(row.error),
  });
  return points === undefined ? `${line}\n` : `${line.slice(0, -1)},"prediction_series":${points}}\n`;
}

function readDataset(row: Row<'datasets'>) {
  const { tags = [], error } = orDamaged(() => ({ tags: json<string[]>(row.tags) }));
  return {
    ...pick(row, 'id', 'series_count', 'created_at'),
    name: error ? `${row.name ?? 'Dataset'} (damaged)` : row.name,
    tags,
    stats: { size: formatBytes(row.bytes), ...pick(row, 'rows', 'start_timestamp', 'end_timestamp', 'freq') },
    for_job: row.for_job === 1 ? true : undefined,
  };
}

function formatBytes(bytes: number | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toPrecision(3)} ${units[power]}`;
}
