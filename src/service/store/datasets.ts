import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import type { LocalDataset, StoredSeries } from '../../contract/local.ts';
import type { CreateDataset } from '../../contract/requests.ts';
import type { Page, SeriesPoint } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { transaction } from './database.ts';
import { RequestError } from '../errors.ts';
import { json, listTable, newId, number, type PageRequest, type SqlRow, text } from './list.ts';
import { describePoints } from './points.ts';

/** Stored series, and datasets as named, tagged sets of them. */
export class Datasets {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  list(page: PageRequest): Page<LocalDataset> {
    return listTable(this.#database, { table: 'datasets' }, page, (row) => this.#read(row));
  }

  get(id: string): LocalDataset {
    const row = this.#database.prepare('select * from datasets where id = ?').get(id);
    if (!row) throw RequestError.notFound('dataset', id);
    return this.#read(row as SqlRow);
  }

  create({ name, tags, series }: z.output<typeof CreateDataset>): LocalDataset {
    const id = newId('dataset');
    transaction(this.#database, () => {
      this.#database
        .prepare('insert into datasets (id, name, tags, created_at) values (?, ?, ?, ?)')
        .run(id, name ?? null, JSON.stringify([...new Set(tags ?? [])]), isoInstant(Date.now()));
      // the last first: lists give the newest first, and so the series in their own order
      for (const [index, one] of [...series.entries()].reverse()) {
        this.addSeries(one.series, { name: one.name, datasetId: id, loc: ['body', 'series', index, 'series'] });
      }
    });
    return this.get(id);
  }

  /** Deletes the dataset; a series that a prediction was made from stays with that prediction. */
  remove(id: string): void {
    this.get(id);
    transaction(this.#database, () => {
      this.#database.prepare('update series set dataset_id = null where dataset_id = ?').run(id);
      this.#database.prepare('delete from datasets where id = ?').run(id);
      this.removeUnused();
    });
  }

  /** Deletes series that belong to no dataset and no prediction. */
  removeUnused(): void {
    this.#database.exec(
      `delete from series where dataset_id is null
       and not exists (select 1 from predictions where input_series_id = series.id)
       and not exists (select 1 from predictions where prediction_series_id = series.id)`,
    );
  }

  /** @returns the id of the stored series. @throws RequestError 422 at `loc` for a timestamp that cannot be read */
  addSeries(points: readonly SeriesPoint[], { name, datasetId, loc }: SeriesPlace = {}): string {
    const id = newId('series');
    const { rows, start, end, frequency } = describePoints(points, loc);
    const stored = points.map((point) => (point.value === undefined ? { ...point, value: null } : point));
    this.#database
      .prepare(
        `insert into series (id, dataset_id, name, rows, start_timestamp, end_timestamp, freq, points)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        datasetId ?? null,
        name ?? null,
        rows,
        start ?? null,
        end ?? null,
        frequency ?? null,
        JSON.stringify(stored),
      );
    return id;
  }

  getSeries(id: string): StoredSeries {
    const row = this.#database.prepare('select * from series where id = ?').get(id);
    if (!row) throw RequestError.notFound('series', id);
    return { ...readSeries(row as SqlRow), series: json<SeriesPoint[]>(row.points) };
  }

  /** The points of a series, as they were sent. @throws RequestError 404 */
  points(id: string): SeriesPoint[] {
    return this.getSeries(id).series ?? [];
  }

  has(id: string): boolean {
    return this.#database.prepare('select 1 from datasets where id = ?').get(id) !== undefined;
  }

  hasTag(tag: string): boolean {
    const tagged = 'select 1 from datasets where exists (select 1 from json_each(tags) where value = ?)';
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
         where dataset_id in (select value from json_each(?))
         or exists (select 1 from json_each(datasets.tags) tag where tag.value in (select value from json_each(?)))
         order by series.seq`,
      )
      .all(JSON.stringify(datasetIds), JSON.stringify(tags));
    return tagged.map((row) => String(row.id));
  }

  #read(row: SqlRow): LocalDataset {
    const id = String(row.id);
    const stats = this.#database
      .prepare(
        `select count(*) n, sum(rows) rows, sum(length(points)) bytes, min(start_timestamp) start, max(end_timestamp) end,
         count(distinct ifnull(freq, '')) freqs, max(freq) freq from series where dataset_id = ?`,
      )
      .get(id);
    return {
      id,
      tags: json<string[]>(row.tags),
      stats: {
        size: formatBytes(number(stats?.bytes) ?? 0),
        rows: number(stats?.rows) ?? 0,
        start_timestamp: text(stats?.start),
        end_timestamp: text(stats?.end),
        freq: stats?.freqs === 1 ? text(stats.freq) : undefined,
      },
      name: text(row.name),
      series_count: number(stats?.n),
      created_at: text(row.created_at),
    };
  }
}

interface SeriesPlace {
  readonly name?: string | undefined;
  readonly datasetId?: string;
  readonly loc?: readonly (string | number)[];
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

function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toPrecision(3)} ${units[power]}`;
}
