/** Datasets: named, tagged sets of series. What is stored for jobs alone is stored once, and goes when nobody needs it. */
import { nextTurn } from '#platform/turn';
import { sql } from 'kysely';
import { failure } from '../../contract/failures.ts';
import type { LocalDataset, Page, StoredSeries } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { RequestError } from '../errors.ts';
import {
  type AddedLines,
  addLines,
  addStats,
  forecastsOf,
  insertSeries,
  pointsOf,
  readSeries,
  removeUnused,
  SERIES_COLUMNS,
  type SeriesLine,
  type SeriesRow,
  seriesRow,
  statsOf,
  withoutPredictions,
} from './series.ts';
import type { Note } from './creations.ts';
import {
  type Db,
  DEFAULT_TENANT,
  dialectOf,
  type Store,
  ofTenant,
  type Tenant,
  transaction,
} from '../database/store.ts';
import {
  json,
  listTable,
  needed,
  newId,
  number,
  orDamaged,
  type PageRequest,
  type SqlRow,
  text,
} from '../database/list.ts';
import type { NewDataset, PreparedSeries, StoredPoints } from './points.ts';
import { isReferenceGone } from '../database/trouble.ts';

/** What is written of a dataset before others get their turn: a few hundredths of a second. */
const SLICE = { series: 500, bytes: 4_000_000 };

/** A dataset of which this long not all series came is left by a program that ended in the middle, in milliseconds. */
const LEFT = 3_600_000;

/** Stored series, and datasets as named, tagged sets of them. What is not given a transaction has one of its own. */
export class Datasets {
  readonly #store: Store;
  readonly #db: Db;
  readonly #tenant: Tenant;

  constructor(store: Store, tenant?: Tenant) {
    this.#store = store;
    this.#db = store.in(tenant);
    this.#tenant = tenant;
  }

  in(tenant: Tenant): Datasets {
    return new Datasets(this.#store, tenant);
  }

  /** @param withJobs whether also those that were stored for jobs */
  list(page: PageRequest, withJobs = false): Promise<Page<LocalDataset>> {
    const kinds = withJobs ? sql`complete = 1` : sql`complete = 1 and for_job = 0`;
    const where = sql`${ofTenant(this.#tenant)} and ${kinds}`;
    return listTable(this.#db, { table: 'datasets', where }, page, (rows) => rows.map(readDataset));
  }

  async get(id: string, db = this.#db): Promise<LocalDataset> {
    const row = await this.#whole(db).selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new RequestError(404, failure('no_dataset', id));
    return readDataset(row);
  }

  /** Stores a dataset in slices, whole or not at all; for jobs the same series are stored once. */
  async create(request: NewDataset, note?: Note): Promise<LocalDataset> {
    const known = await transaction(this.#db, async (db) => {
      const again = await this.#storedAgain(db, request);
      if (again === undefined) return undefined;
      await note?.(db, again);
      return this.get(again, db);
    });
    if (known) return known;
    const { name, series, digest, for_job: isForJob = false } = request;
    const id = newId('dataset');
    const left = [...series];
    // read before the commit, to be told whatever fails after it
    const addSlice = async (db: Db): Promise<LocalDataset | undefined> => {
      await this.#addSlice(db, id, left);
      if (left.length > 0) return undefined;
      await addStats(db, id, statsOf(series.map(({ series }) => series)));
      await note?.(db, id);
      return this.get(id, db);
    };
    try {
      let made = await transaction(this.#db, async (db) => {
        const created_at = isoInstant(Date.now());
        const row = { id, name: name ?? null, tags: tagsOf(request), created_at, digest: digest ?? null, complete: 0 };
        await db
          .insertInto('datasets')
          .values({ ...row, for_job: isForJob ? 1 : 0, tenant: this.#tenant ?? DEFAULT_TENANT })
          .execute();
        return addSlice(db);
      });
      while (!made) {
        await nextTurn();
        made = await transaction(this.#db, addSlice);
      }
      return made;
    } catch (error) {
      await this.#discard(id);
      throw error;
    }
  }

  /** Adds series that came in a stream, as {@link addLines}. @throws RequestError 404; what `count` throws */
  addLines(id: string, lines: readonly SeriesLine[], count: Parameters<typeof addLines>[3]): Promise<AddedLines> {
    const tenant = this.#tenant ?? DEFAULT_TENANT;
    return transaction(this.#db, (db) => addLines(db, { id, tenant }, lines, count));
  }

  /** The newest forecasts of its series as NDJSON, as {@link forecastsOf}. @throws RequestError 404 */
  async forecasts(id: string): Promise<AsyncGenerator<string>> {
    await this.get(id);
    return forecastsOf(this.#db, id);
  }

  async #addSlice(db: Db, id: string, left: NewDataset['series'][number][]): Promise<void> {
    const rows: SeriesRow[] = [];
    for (let bytes = 0; rows.length < SLICE.series && bytes < SLICE.bytes;) {
      const one = left.pop(); // the last first: lists give the newest first, and so the series in their own order
      if (!one) break;
      const tenant = this.#tenant ?? DEFAULT_TENANT;
      rows.push(seriesRow(one.series, { id: newId('series'), dataset_id: id, name: one.name, tenant }));
      bytes += one.series.points.length;
    }
    await insertSeries(db, rows);
  }

  /** What was not stored whole goes; where even that cannot be written, {@link removeLeft} does it later. */
  async #discard(id: string): Promise<void> {
    try {
      await transaction(this.#db, async (db) => {
        await db.deleteFrom('series').where('dataset_id', '=', id).execute();
        await db.deleteFrom('datasets').where('id', '=', id).execute();
      });
    } catch {
      // the error that led here is the one to tell
    }
  }

  /** Deletes datasets that a program began to store and did not finish. */
  async removeLeft(): Promise<void> {
    const before = isoInstant(Date.now() - LEFT);
    const left = await this.#db
      .selectFrom('datasets')
      .select('id')
      .where('complete', '=', 0)
      .where('created_at', '<', before)
      .execute();
    for (const { id } of left) await this.#discard(id);
  }

  /** The dataset of the same series: for a job any; for a person one of a job, which becomes theirs. @returns its id */
  async #storedAgain(db: Db, request: NewDataset): Promise<string | undefined> {
    const { name = null, digest, for_job: isForJob = false } = request;
    if (digest === undefined) return undefined;
    const row = await db
      .selectFrom('datasets')
      .select(['id', 'for_job'])
      .where('digest', '=', digest)
      .where('tenant', '=', this.#tenant ?? DEFAULT_TENANT)
      .where('complete', '=', 1)
      .where('for_job', '>=', isForJob ? 0 : 1)
      .orderBy('for_job')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const created_at = isoInstant(Date.now());
    const renew = db.updateTable('datasets').where('id', '=', row.id);
    if (!isForJob) await renew.set({ for_job: 0, name, tags: tagsOf(request), created_at }).execute();
    else if (row.for_job === 1) await renew.set({ created_at }).execute();
    return row.id;
  }

  /** Deletes one dataset of a job that no prediction and no model uses. @returns whether there was one */
  async removeUnneeded(): Promise<boolean> {
    const unneeded = this.#db
      .selectFrom('datasets')
      .select('datasets.id')
      .where('for_job', '=', 1)
      .where('complete', '=', 1)
      .where('tags', '=', '[]')
      .where('created_at', '<', isoInstant(Date.now() - LEFT))
      .where(({ not, exists, selectFrom }) => {
        const series = selectFrom('series')
          .innerJoin('predictions', 'input_series_id', 'series.id')
          .select('series.id');
        return not(exists(series.whereRef('series.dataset_id', '=', 'datasets.id')));
      })
      .where(({ not, exists, selectFrom }) => {
        // an id stands in nothing else
        const isOf = sql<string>`'%' || ${sql.ref('datasets.id')} || '%'`;
        const models = selectFrom('fine_tuned_models').select('fine_tuned_models.id');
        return not(exists(models.where('input_config', 'like', isOf)));
      });
    const row = await unneeded.limit(1).executeTakeFirst();
    if (row) await this.remove(row.id);
    return row !== undefined;
  }

  /** Deletes the dataset; a series that a prediction was made from stays with that prediction. */
  async remove(id: string): Promise<void> {
    await this.get(id);
    await this.#remove(id).catch((error: unknown) => {
      if (!isReferenceGone(error)) throw error;
      // a prediction was made of one of its series just then, which is seen now
      return this.#remove(id);
    });
  }

  #remove(id: string): Promise<void> {
    return transaction(this.#db, async (db) => {
      // what is being added to it waits, and then finds it gone
      await db.updateTable('datasets').set({ complete: 0 }).where('id', '=', id).execute();
      // who deletes predictions has them first and then their series: in another order both could wait for each other
      await db.updateTable('predictions').set({ dataset_id: null }).where('dataset_id', '=', id).execute();
      await sql`delete from series where dataset_id = ${id}
        and not exists (select 1 from predictions where input_series_id = series.id)`.execute(db);
      const left = await withoutPredictions(db, id);
      for (const table of ['series', 'predictions'] as const) {
        await db.updateTable(table).set({ dataset_id: null }).where('dataset_id', '=', id).execute();
      }
      await db.deleteFrom('datasets').where('id', '=', id).execute();
      await removeUnused(db, left);
    });
  }

  /** Stores a series that is of no dataset. @returns its id */
  async addSeries(db: Db, series: PreparedSeries, name?: string): Promise<string> {
    const id = newId('series');
    const tenant = this.#tenant ?? DEFAULT_TENANT;
    await insertSeries(db, [seriesRow(series, { id, dataset_id: null, name, tenant })]);
    return id;
  }

  async getSeries(id: string): Promise<Omit<StoredSeries, 'series'> & { series: StoredPoints }> {
    const found = this.#db
      .selectFrom('series')
      .select(SERIES_COLUMNS)
      .where('id', '=', id)
      .where(ofTenant(this.#tenant));
    const row = await found.executeTakeFirst();
    if (!row) throw new RequestError(404, failure('no_stored_series', id));
    return { ...readSeries(row), series: await this.points(id) };
  }

  /** The points of a series as they are stored. @throws RequestError 404, DamagedRowError */
  points(id: string): Promise<StoredPoints> {
    return pointsOf(this.#db, id);
  }

  async has(id: string): Promise<boolean> {
    return (await this.#whole().select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
  }

  /** Those of the datasets that have one of these tags. */
  async #tagged(tags: readonly string[]): Promise<string[]> {
    if (tags.length === 0) return [];
    const rows = await this.#whole().select(['id', 'tags']).where('tags', '<>', '[]').execute();
    const has = (row: SqlRow[string]) => json<string[]>(row)?.some((tag) => tags.includes(tag));
    return rows
      .filter((row) =>
        orDamaged(
          () => has(row.tags),
          () => false,
        ),
      )
      .map(({ id }) => id);
  }

  async hasTag(tag: string): Promise<boolean> {
    return (await this.#tagged([tag])).length > 0;
  }

  async hasSeries(id: string): Promise<boolean> {
    const found = this.#db.selectFrom('series').select('id').where('id', '=', id).where(ofTenant(this.#tenant));
    return (await found.executeTakeFirst()) !== undefined;
  }

  async seriesName(id: string, db = this.#db): Promise<string | undefined> {
    return text((await db.selectFrom('series').select('name').where('id', '=', id).executeTakeFirst())?.name);
  }

  /** The names of the series of a dataset, in their order; empty where one has none. */
  async namesOf(datasetId: string): Promise<string[]> {
    const names = this.#db.selectFrom('series').select('name').where('dataset_id', '=', datasetId);
    return (await names.orderBy('seq', 'desc').execute()).map(({ name }) => text(name) ?? '');
  }

  async listSeries(datasetId: string, page: PageRequest): Promise<Page<StoredSeries>> {
    await this.get(datasetId);
    const query = {
      table: 'series',
      columns: sql.join(SERIES_COLUMNS.map((name) => sql.ref(name))),
      where: sql`dataset_id = ${datasetId}`,
    } as const;
    return listTable(this.#db, query, page, (rows) => rows.map(readSeries));
  }

  /** The ids of the series of these datasets and of every dataset that has one of these tags; each id once. */
  async seriesOf(datasetIds: readonly string[], tags: readonly string[]): Promise<string[]> {
    const { isOneOf } = dialectOf(this.#db);
    const rows = await this.#db
      .selectFrom('series')
      .innerJoin('datasets', 'datasets.id', 'dataset_id')
      .select('series.id')
      .where('complete', '=', 1)
      .where(ofTenant(this.#tenant, 'datasets.tenant'))
      .where(isOneOf('dataset_id', [...datasetIds, ...(await this.#tagged(tags))]))
      .orderBy('series.seq')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Those that are there as a whole, in the tenant. */
  #whole(db = this.#db) {
    return db.selectFrom('datasets').where('complete', '=', 1).where(ofTenant(this.#tenant));
  }
}

const tagsOf = ({ tags }: Pick<NewDataset, 'tags'>): string => JSON.stringify([...new Set(tags ?? [])]);

const readDataset = (row: SqlRow): LocalDataset =>
  orDamaged<LocalDataset>(
    () => ({
      id: needed(row.id),
      tags: json<string[]>(needed(row.tags)),
      stats: {
        size: formatBytes(number(row.bytes) ?? 0),
        rows: number(row.rows) ?? 0,
        start_timestamp: text(row.start_timestamp),
        end_timestamp: text(row.end_timestamp),
        freq: text(row.freq),
      },
      name: text(row.name),
      series_count: number(row.series_count),
      for_job: row.for_job === 1 ? true : undefined,
      created_at: text(row.created_at),
    }),
    (): LocalDataset => ({
      id: text(row.id) ?? `damaged_${row.seq}`,
      name: `${text(row.name) ?? 'Dataset'} (damaged)`,
    }),
  );

function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toPrecision(3)} ${units[power]}`;
}
