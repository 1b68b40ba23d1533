import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { LocalDataset, StoredSeries } from '../../contract/local.ts';
import type { Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { RequestError } from '../errors.ts';
import { addLines, type AddedLines, type Count, type SeriesLine } from './added-series.ts';
import type { Note } from './creations.ts';
import { forecastsOf } from './dataset-forecasts.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Home } from '../database/home.ts';
import { listTable, newId, type PageRequest, type SqlRow, text } from '../database/list.ts';
import { storedAgain, tagsOf, unneeded } from './job-data.ts';
import type { NewDataset } from './new.ts';
import type { PreparedSeries } from './points.ts';
import { type SeriesRow, seriesRow, statementsOf } from './series-rows.ts';
import { spanOf } from './span.ts';
import { HOME_SPACE, inSpace, type Space } from '../database/space.ts';
import { readDataset, readSeries, SERIES_COLUMNS } from './stored-dataset.ts';
import { pointsOf, type StoredPoints } from './stored-points.ts';
import { type Db, transaction } from '../database/tables.ts';
import { isReferenceGone } from '../database/trouble.ts';
import { removeUnused, withoutPredictions } from './unused-series.ts';

/** What is written of a dataset before others get their turn: a few hundredths of a second. */
const SLICE = { series: 500, bytes: 4_000_000 };

/** A dataset of which this long not all series came is left by a program that ended in the middle, in milliseconds. */
const LEFT = 3_600_000;

/** Stored series, and datasets as named, tagged sets of them. What is not given a transaction has one of its own. */
export class Datasets {
  readonly #home: Home;
  readonly #db: Db;
  readonly #space: Space;

  /** @param space all of its queries are bound to it */
  constructor(home: Home, space?: Space) {
    this.#home = home;
    this.#db = home.in(space);
    this.#space = space;
  }

  in(space: Space): Datasets {
    return new Datasets(this.#home, space);
  }

  /** @param withJobs whether also those that were stored for jobs */
  list(page: PageRequest, withJobs = false): Promise<Page<LocalDataset>> {
    const kinds = withJobs ? sql`complete = 1` : sql`complete = 1 and for_job = 0`;
    const where = sql`${inSpace(this.#space)} and ${kinds}`;
    return listTable(this.#db, { table: 'datasets', where }, page, (rows) => rows.map(readDataset));
  }

  async get(id: string, db = this.#db): Promise<LocalDataset> {
    const { rows } = await sql<SqlRow>`select * from datasets
      where id = ${id} and complete = 1 and ${inSpace(this.#space)}`.execute(db);
    if (rows.length === 0) throw RequestError.notFound('dataset', id);
    return readDataset(rows[0]);
  }

  /**
   * Stores a dataset in slices, between which others get their turn. It is there when all of it is, or not at all. For jobs
   * the same series are stored once.
   */
  async create(request: NewDataset, note?: Note): Promise<LocalDataset> {
    const known = await transaction(this.#db, async (db) => {
      const again = await storedAgain(db, request, this.#space ?? HOME_SPACE);
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
      await this.#complete(db, id, series);
      await note?.(db, id);
      return this.get(id, db);
    };
    try {
      let made = await transaction(this.#db, async (db) => {
        const created_at = isoInstant(Date.now());
        const row = { id, name: name ?? null, tags: tagsOf(request), created_at, digest: digest ?? null, complete: 0 };
        await db
          .insertInto('datasets')
          .values({ ...row, for_job: isForJob ? 1 : 0, space: this.#space ?? HOME_SPACE })
          .execute();
        return addSlice(db);
      });
      while (!made) {
        await setImmediate();
        made = await transaction(this.#db, addSlice);
      }
      return made;
    } catch (error) {
      await this.#discard(id);
      throw error;
    }
  }

  /** Adds series that came in a stream, as {@link addLines}. @throws RequestError 404; what `count` throws */
  addLines(id: string, lines: readonly SeriesLine[], count: Count): Promise<AddedLines> {
    return transaction(this.#db, (db) => addLines(db, id, this.#space ?? HOME_SPACE, lines, count));
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
      const space = this.#space ?? HOME_SPACE;
      rows.push(seriesRow(one.series, { id: newId('series'), dataset_id: id, name: one.name, space }));
      bytes += one.series.points.length;
    }
    for (const some of statementsOf(rows)) await db.insertInto('series').values(some).execute();
  }

  async #complete(db: Db, id: string, all: NewDataset['series']): Promise<void> {
    let [rows, bytes] = [0, 0];
    const frequencies = new Set<string | undefined>();
    for (const { series } of all) {
      rows += series.rows;
      bytes += series.points.length;
      frequencies.add(series.frequency);
    }
    const [frequency] = frequencies.size === 1 ? frequencies : [];
    const { start, end } = spanOf(all.map(({ series }) => series));
    const span = { start_timestamp: start ?? null, end_timestamp: end ?? null, freq: frequency ?? null };
    await db
      .updateTable('datasets')
      .set({ complete: 1, series_count: all.length, rows, bytes, ...span })
      .where('id', '=', id)
      .execute();
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

  /** Deletes one dataset that was stored for a job and is not needed any more. @returns whether there was one */
  async removeUnneeded(): Promise<boolean> {
    const id = await unneeded(this.#db, Date.now() - LEFT);
    if (id !== undefined) await this.remove(id);
    return id !== undefined;
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
  async addSeries(
    db: Db,
    series: PreparedSeries,
    { name, space = this.#space ?? HOME_SPACE }: SeriesPlace = {},
  ): Promise<string> {
    const id = newId('series');
    await db
      .insertInto('series')
      .values(seriesRow(series, { id, dataset_id: null, name, space }))
      .execute();
    return id;
  }

  async getSeries(id: string): Promise<Omit<StoredSeries, 'series'> & { series: StoredPoints }> {
    const { rows } = await sql<SqlRow>`select ${SERIES_COLUMNS} from series
      where id = ${id} and ${inSpace(this.#space)}`.execute(this.#db);
    if (rows.length === 0) throw RequestError.notFound('series', id);
    return { ...readSeries(rows[0]), series: await this.points(id) };
  }

  /** The points of a series as they are stored. @throws RequestError 404, DamagedRowError */
  points(id: string): Promise<StoredPoints> {
    return pointsOf(this.#db, id);
  }

  async has(id: string): Promise<boolean> {
    const { rows } = await sql`select 1 from datasets
      where id = ${id} and complete = 1 and ${inSpace(this.#space)}`.execute(this.#db);
    return rows.length > 0;
  }

  async hasTag(tag: string): Promise<boolean> {
    const tagged = dialectOf(this.#db).hasOneOf('tags', [tag]);
    const { rows } = await sql`select 1 from datasets
      where complete = 1 and ${inSpace(this.#space)} and ${tagged} limit 1`.execute(this.#db);
    return rows.length > 0;
  }

  async hasSeries(id: string): Promise<boolean> {
    const { rows } = await sql`select 1 from series where id = ${id} and ${inSpace(this.#space)}`.execute(this.#db);
    return rows.length > 0;
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
    const query = { table: 'series', columns: SERIES_COLUMNS, where: sql`dataset_id = ${datasetId}` } as const;
    return listTable(this.#db, query, page, (rows) => rows.map(readSeries));
  }

  /** The ids of the series of these datasets and of every dataset that has one of these tags; each id once. */
  async seriesOf(datasetIds: readonly string[], tags: readonly string[]): Promise<string[]> {
    const named = datasetIds.length > 0 ? sql`dataset_id in (${sql.join(datasetIds)})` : sql`1 = 0`;
    const tagged = tags.length > 0 ? dialectOf(this.#db).hasOneOf('datasets.tags', tags) : sql`1 = 0`;
    const { rows } = await sql<{ id: string }>`
      select series.id from series join datasets on datasets.id = dataset_id
      where complete = 1 and ${inSpace(this.#space, 'datasets.space')} and (${named} or ${tagged})
      order by series.seq`.execute(this.#db);
    return rows.map(({ id }) => id);
  }
}

interface SeriesPlace {
  readonly name?: string | undefined;
  /** Where it belongs, if not to the space that queries are bound to. */
  readonly space?: string;
}
