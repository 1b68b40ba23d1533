import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { LocalDataset, StoredSeries } from '../../contract/local.ts';
import type { Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { RequestError } from '../errors.ts';
import { transaction } from './database.ts';
import {
  DamagedRowError,
  json,
  listTable,
  needed,
  newId,
  number,
  orDamaged,
  type PageRequest,
  type SqlRow,
  text,
} from './list.ts';
import { storedAgain, tagsOf, unneeded } from './job-data.ts';
import type { NewDataset } from './new.ts';
import type { PreparedSeries } from './points.ts';

/** Points as they are stored, to be put into an answer as they are: a million of them are not read and written again. */
export class StoredPoints {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** What is written of a dataset before others get their turn: a few hundredths of a second. */
const SLICE = { series: 500, bytes: 4_000_000 };

/** A dataset of which this long not all series came is left by a program that ended in the middle, in milliseconds. */
const LEFT = 3_600_000;

/** Stored series, and datasets as named, tagged sets of them. */
export class Datasets {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @param withJobs whether also those that were stored for jobs */
  list(page: PageRequest, withJobs = false): Page<LocalDataset> {
    const where = withJobs ? 'complete = 1' : 'complete = 1 and for_job = 0';
    return listTable(this.#database, { table: 'datasets', where }, page, readDataset);
  }

  get(id: string): LocalDataset {
    const row = this.#database.prepare('select * from datasets where id = ? and complete = 1').get(id);
    if (!row) throw RequestError.notFound('dataset', id);
    return readDataset(row as SqlRow);
  }

  /**
   * Stores a dataset in slices, between which others get their turn. It is there when all of it is, or not at all. For jobs
   * the same series are stored once.
   */
  async create(request: NewDataset): Promise<LocalDataset> {
    const known = transaction(this.#database, () => storedAgain(this.#database, request));
    if (known !== undefined) return this.get(known);
    const { name, series, digest, for_job: isForJob = false } = request;
    const id = newId('dataset');
    const left = [...series];
    const insert = this.#database.prepare(
      'insert into datasets (id, name, tags, created_at, complete, for_job, digest) values (?, ?, ?, ?, 0, ?, ?)',
    );
    try {
      transaction(this.#database, () => {
        insert.run(id, name ?? null, tagsOf(request), isoInstant(Date.now()), isForJob ? 1 : 0, digest);
        this.#addSlice(id, left);
        if (left.length === 0) this.#complete(id, series);
      });
      while (left.length > 0) {
        await setImmediate();
        transaction(this.#database, () => {
          this.#addSlice(id, left);
          if (left.length === 0) this.#complete(id, series);
        });
      }
    } catch (error) {
      this.#discard(id);
      throw error;
    }
    return this.get(id);
  }

  #addSlice(id: string, left: NewDataset['series'][number][]): void {
    let bytes = 0;
    for (let count = 0; count < SLICE.series && bytes < SLICE.bytes; count++) {
      const one = left.pop(); // the last first: lists give the newest first, and so the series in their own order
      if (!one) return;
      this.addSeries(one.series, { name: one.name, datasetId: id });
      bytes += one.series.points.length;
    }
  }

  #complete(id: string, all: NewDataset['series']): void {
    let [rows, bytes] = [0, 0];
    let start: string | undefined;
    let end: string | undefined;
    const frequencies = new Set<string | undefined>();
    for (const { series } of all) {
      rows += series.rows;
      bytes += series.points.length;
      if (series.start && (start === undefined || series.start < start)) start = series.start;
      if (series.end && (end === undefined || series.end > end)) end = series.end;
      frequencies.add(series.frequency);
    }
    const [frequency] = frequencies.size === 1 ? frequencies : [];
    this.#database
      .prepare(
        `update datasets set complete = 1, series_count = ?, rows = ?, bytes = ?, start_timestamp = ?, end_timestamp = ?,
         freq = ? where id = ?`,
      )
      .run(all.length, rows, bytes, start ?? null, end ?? null, frequency ?? null, id);
  }

  /** What was not stored whole goes; where even that cannot be written, {@link removeLeft} does it later. */
  #discard(id: string): void {
    try {
      transaction(this.#database, () => {
        this.#database.prepare('delete from series where dataset_id = ?').run(id);
        this.#database.prepare('delete from datasets where id = ?').run(id);
      });
    } catch {
      // the error that led here is the one to tell
    }
  }

  /** Deletes datasets that a program began to store and did not finish. */
  removeLeft(): void {
    const before = isoInstant(Date.now() - LEFT);
    const left = this.#database.prepare('select id from datasets where complete = 0 and created_at < ?').all(before);
    for (const { id } of left) this.#discard(String(id));
  }

  /** Deletes one dataset that was stored for a job and is not needed any more. @returns whether there was one */
  removeUnneeded(): boolean {
    const id = unneeded(this.#database, Date.now() - LEFT);
    if (id !== undefined) this.remove(id);
    return id !== undefined;
  }

  /** Deletes the dataset; a series that a prediction was made from stays with that prediction. */
  remove(id: string): void {
    this.get(id);
    transaction(this.#database, () => {
      this.#database
        .prepare(
          `delete from series where dataset_id = ?
           and not exists (select 1 from predictions where input_series_id = series.id)`,
        )
        .run(id);
      this.#database.prepare('update series set dataset_id = null where dataset_id = ?').run(id);
      this.#database.prepare('delete from datasets where id = ?').run(id);
    });
  }

  /** Deletes those of these series that belong to no dataset and no prediction. */
  removeUnused(ids: readonly (string | undefined)[]): void {
    const remove = this.#database.prepare(
      `delete from series where id = ? and dataset_id is null
       and not exists (select 1 from predictions where input_series_id = series.id)
       and not exists (select 1 from predictions where prediction_series_id = series.id)`,
    );
    for (const id of ids) if (id !== undefined) remove.run(id);
  }

  /** @returns the id of the stored series */
  addSeries({ points, rows, start, end, frequency }: PreparedSeries, { name, datasetId }: SeriesPlace = {}): string {
    const id = newId('series');
    this.#database
      .prepare(
        `insert into series (id, dataset_id, name, rows, start_timestamp, end_timestamp, freq, points)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(id, datasetId ?? null, name ?? null, rows, start ?? null, end ?? null, frequency ?? null, points);
    return id;
  }

  getSeries(id: string): Omit<StoredSeries, 'series'> & { series: StoredPoints } {
    const row = this.#database.prepare(`select ${SERIES_COLUMNS} from series where id = ?`).get(id);
    if (!row) throw RequestError.notFound('series', id);
    return { ...readSeries(row as SqlRow), series: this.points(id) };
  }

  /** The points of a series as they are stored. @throws RequestError 404, DamagedRowError */
  points(id: string): StoredPoints {
    const row = this.#database.prepare('select points, json_valid(points) ok from series where id = ?').get(id);
    if (!row) throw RequestError.notFound('series', id);
    if (row.ok !== 1) throw new DamagedRowError();
    return new StoredPoints(String(row.points));
  }

  has(id: string): boolean {
    return this.#database.prepare('select 1 from datasets where id = ? and complete = 1').get(id) !== undefined;
  }

  hasTag(tag: string): boolean {
    const tagged =
      'select 1 from datasets where complete = 1 and exists (select 1 from json_each(tags) where value = ?)';
    return this.#database.prepare(tagged).get(tag) !== undefined;
  }

  hasSeries(id: string): boolean {
    return this.#database.prepare('select 1 from series where id = ?').get(id) !== undefined;
  }

  seriesName(id: string): string | undefined {
    return text(this.#database.prepare('select name from series where id = ?').get(id)?.name);
  }

  seriesRows(id: string): number | undefined {
    return number(this.#database.prepare('select rows from series where id = ?').get(id)?.rows);
  }

  /** The names of the series of a dataset, in their order; empty where one has none. */
  namesOf(datasetId: string): string[] {
    const rows = this.#database
      .prepare('select name from series where dataset_id = ? order by seq desc')
      .all(datasetId);
    return rows.map(({ name }) => text(name) ?? '');
  }

  listSeries(datasetId: string, page: PageRequest): Page<StoredSeries> {
    this.get(datasetId);
    const query = { table: 'series', columns: SERIES_COLUMNS, where: 'dataset_id = ?', parameters: [datasetId] };
    return listTable(this.#database, query, page, readSeries);
  }

  /** The ids of the series of these datasets and of every dataset that has one of these tags; each id once. */
  seriesOf(datasetIds: readonly string[], tags: readonly string[]): string[] {
    const tagged = this.#database
      .prepare(
        `select series.id from series join datasets on datasets.id = dataset_id
         where complete = 1 and (dataset_id in (select value from json_each(?))
         or exists (select 1 from json_each(datasets.tags) tag where tag.value in (select value from json_each(?))))
         order by series.seq`,
      )
      .all(JSON.stringify(datasetIds), JSON.stringify(tags));
    return tagged.map((row) => String(row.id));
  }
}

interface SeriesPlace {
  readonly name?: string | undefined;
  readonly datasetId?: string;
}

const SERIES_COLUMNS = 'seq, id, name, dataset_id, rows, start_timestamp, end_timestamp, freq';

const readSeries = (row: SqlRow): StoredSeries => ({
  id: String(row.id),
  name: text(row.name),
  dataset_id: text(row.dataset_id),
  rows: number(row.rows),
  start_timestamp: text(row.start_timestamp),
  end_timestamp: text(row.end_timestamp),
  freq: text(row.freq),
});

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
