/** Datasets and series as they stand in their rows. */
import { sql } from 'kysely';
import type { LocalDataset, StoredSeries } from '../../contract/local.ts';
import { json, needed, number, orDamaged, type SqlRow, text } from '../database/list.ts';

/** What is read of a series without its points. */
export const SERIES_COLUMNS = sql`seq, id, name, dataset_id, rows, start_timestamp, end_timestamp, freq, own_id`;

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

export const readDataset = (row: SqlRow): LocalDataset =>
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
