import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { DATABASE_FILE, loadSqlite, openDatabase, transaction } from './database.ts';
import { StoreError } from './trouble.ts';

/** In this order each row refers only to rows that are there already. */
const TABLES = ['meta', 'keys', 'datasets', 'series', 'predictions', 'fine_tuned_models', 'jobs'] as const;

/** Rows that are looked up one by one where a part of a table cannot be walked through. */
const MOST_LOOKUPS = 100_000;

type Row = Record<string, SQLInputValue>;

/**
 * Sets the database of a folder aside as it is, with a name that has the time in it, and saves into a new one what can
 * be read of it. Nothing is deleted. No other program may have it open.
 * @returns a sentence for the person: where the old one is, how much was saved
 * @throws StoreError where the new one cannot be made
 */
export async function repairStore(folder: string): Promise<string> {
  const file = join(folder, DATABASE_FILE);
  if (!existsSync(file)) return 'There is no database to repair.';
  const aside = join(folder, `forecasts-set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
  const database = await openDatabase(folder);
  try {
    const { DatabaseSync } = await loadSqlite();
    let old: DatabaseSync | undefined;
    // a forecast is worth keeping though the series that it was made from is lost
    database.exec('pragma foreign_keys = off');
    const counts: string[] = [];
    try {
      old = new DatabaseSync(aside);
      for (const table of TABLES) {
        const { saved, lost } = copyTable(old, database, table);
        if (saved + lost > 0) counts.push(`${table} ${saved}${lost > 0 ? ` (${lost} lost)` : ''}`);
      }
    } catch (error) {
      if (error instanceof StoreError) throw error;
      counts.push('nothing, as it cannot be read at all');
    } finally {
      old?.close();
    }
    return `The database was set aside as ${aside}. Saved into a new one: ${counts.join(', ') || 'nothing'}.`;
  } finally {
    database.close();
  }
}

/** Copies the rows that can be read, in the columns that both have. */
function copyTable(old: DatabaseSync, database: DatabaseSync, table: string): { saved: number; lost: number } {
  const columns = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name));
  const insert = database.prepare(
    `insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const places = placesOf(old, table);
  let saved = 0;
  transaction(database, () => {
    for (const row of readable(old, table, places)) {
      try {
        saved += Number(insert.run(...columns.map((name) => row[name] ?? DEFAULTS[name] ?? null)).changes);
      } catch {
        // a value is none that can stand there
      }
    }
  });
  return { saved, lost: Math.max(0, places.length - saved) };
}

/** What stands in columns that the old table does not have, or has lost. */
const DEFAULTS: Row = { complete: 1, series_count: 0, rows: 0, bytes: 0, lease_until: 0, attempts: 0, priority: 0 };

/** The numbers of the rows that there were, by the index of a table; as many as were ever given out where that is gone. */
function placesOf(old: DatabaseSync, table: string): number[] {
  const key = { meta: 'name', jobs: 'target' }[table] ?? 'id';
  const read = (sql: string, ...parameters: string[]) =>
    old
      .prepare(sql)
      .all(...parameters)
      .map((row) => Number(row.at));
  try {
    return read(`select rowid at from ${table} indexed by sqlite_autoindex_${table}_1 order by ${key}`).sort(
      (a, b) => a - b,
    );
  } catch {
    try {
      const [most = 0] = read('select seq at from sqlite_sequence where name = ?', table);
      return Array.from({ length: Math.min(most, MOST_LOOKUPS) }, (_, index) => index + 1);
    } catch {
      return Array.from({ length: MOST_LOOKUPS }, (_, index) => index + 1);
    }
  }
}

/** Rows one by one: those in the damaged part of a table do not hide the others. */
function* readable(old: DatabaseSync, table: string, places: readonly number[]): Generator<Row> {
  const one = old.prepare(`select * from ${table} where rowid = ?`);
  for (const place of places) {
    try {
      const row = one.get(place);
      if (row) yield row as Row;
    } catch {
      // in the damaged part
    }
  }
}
