import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { DATABASE_FILE, loadSqlite, openDatabase, transaction } from './database.ts';
import { StoreError } from './trouble.ts';

/** In this order each row refers only to rows that are there already; with the columns by which SQLite finds a row. */
const TABLES = {
  meta: 'name',
  keys: 'id',
  datasets: 'id',
  series: 'id',
  predictions: 'id',
  fine_tuned_models: 'id',
  jobs: 'target',
  creations: 'space, key',
  usage: 'key_id, day',
} as const;
type Table = keyof typeof TABLES;

/** Rows that are looked up one by one where a part of a table cannot be walked through. */
const MOST_LOOKUPS = 100_000;

type Row = Record<string, SQLInputValue>;

/** What came of a repair. */
export interface Repair {
  /** Where the database is as it was; `undefined` where there was none. */
  readonly aside: string | undefined;
  /** Of each table that had rows, by its name. */
  readonly tables: readonly { readonly name: string; readonly saved: number; readonly lost: number }[];
}

/**
 * Sets the database of a folder aside as it is, with a name that has the time in it, and saves into a new one what can
 * be read of it. Nothing is deleted. Programs that have it open find out, and open the new one.
 * @throws StoreError where it cannot be set aside or the new one cannot be made
 */
export async function repairStore(folder: string): Promise<Repair> {
  const file = join(folder, DATABASE_FILE);
  if (!existsSync(file)) return { aside: undefined, tables: [] };
  const aside = join(folder, `forecasts-set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);
  setAside(file, aside);
  const database = await openDatabase(folder);
  try {
    const { DatabaseSync } = await loadSqlite();
    let old: DatabaseSync | undefined;
    // a forecast is worth keeping though the series that it was made from is lost
    database.exec('pragma foreign_keys = off');
    const tables: Repair['tables'][number][] = [];
    try {
      old = new DatabaseSync(aside);
      for (const table of Object.keys(TABLES) as Table[]) {
        const { saved, lost } = copyTable(old, database, table);
        if (saved + lost > 0) tables.push({ name: table, saved, lost });
      }
      database.exec(DATASETS_OF_BEFORE);
    } catch (error) {
      if (error instanceof StoreError) throw error; // else it cannot be read at all
    } finally {
      old?.close();
    }
    return { aside, tables };
  } finally {
    database.close();
  }
}

/** @throws StoreError where another program holds it, as on Windows */
function setAside(file: string, aside: string): void {
  try {
    for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(
      `The database of the stored forecasts cannot be set aside: ${reason}. Close other windows and programs that use it, and try again.`,
      { cause },
    );
  }
}

/** Copies the rows that can be read, in the columns that both have. */
function copyTable(old: DatabaseSync, database: DatabaseSync, table: Table): { saved: number; lost: number } {
  const isThere = old.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).all(table).length > 0;
  if (!isThere) return { saved: 0, lost: 0 }; // a version of before had none
  const columns = database
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map((row) => String(row.name));
  const insert = database.prepare(
    `insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const { places, areGuessed } = placesOf(old, table);
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
  return { saved, lost: areGuessed ? 0 : Math.max(0, places.length - saved) };
}

/** What stands in columns that the old table does not have, or has lost. */
const DEFAULTS: Row = {
  complete: 1,
  series_count: 0,
  rows: 0,
  bytes: 0,
  lease_until: 0,
  attempts: 0,
  priority: 0,
  space: 'default',
  scope: 'admin',
};

/** Older versions noted it with the series alone. */
const DATASETS_OF_BEFORE = `update predictions
  set dataset_id = (select dataset_id from series where id = input_series_id) where dataset_id is null`;

/**
 * The numbers of the rows that there were, by the index of a table; as many as were ever given out where that is gone, and
 * as many as are looked up at most where nobody counted them.
 */
function placesOf(old: DatabaseSync, table: Table): { places: number[]; areGuessed: boolean } {
  const read = (sql: string, ...parameters: string[]) =>
    old
      .prepare(sql)
      .all(...parameters)
      .map((row) => Number(row.at));
  const upTo = (most: number) => Array.from({ length: Math.min(most, MOST_LOOKUPS) }, (_, index) => index + 1);
  try {
    const rows = `select rowid at from ${table} indexed by sqlite_autoindex_${table}_1 order by ${TABLES[table]}`;
    return { places: read(rows).sort((a, b) => a - b), areGuessed: false };
  } catch {
    try {
      const [most] = read('select seq at from sqlite_sequence where name = ?', table);
      return { places: upTo(most ?? MOST_LOOKUPS), areGuessed: most === undefined };
    } catch {
      return { places: upTo(MOST_LOOKUPS), areGuessed: true };
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
