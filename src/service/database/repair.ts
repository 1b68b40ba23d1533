import { failure } from '../../contract/failures.ts';
import type { DatabaseSync, Sqlite, SQLInputValue } from '#platform/sqlite';
import { DATABASE_FILE, openDatabase, sqliteHere, transactionOf } from './sqlite.ts';
import { StoreError } from './trouble.ts';

/** In this order each row refers only to rows that are there already; with an index of all rows, and its columns. */
const TABLES = {
  keys: ['sqlite_autoindex_keys_1', 'id'],
  datasets: ['sqlite_autoindex_datasets_1', 'id'],
  series: ['sqlite_autoindex_series_1', 'id'],
  batches: ['sqlite_autoindex_batches_1', 'id'],
  predictions: ['sqlite_autoindex_predictions_1', 'id'],
  fine_tuned_models: ['sqlite_autoindex_fine_tuned_models_1', 'id'],
  jobs: ['jobs_of_lane', 'lane, rank, seq'],
  creations: ['creations_of_key', 'tenant, key'],
  usage: ['usage_of_day', 'key_id, day'],
} as const;
type Table = keyof typeof TABLES;

/** Rows that are looked up one by one where a part of a table cannot be walked through. */
const MOST_LOOKUPS = 100_000;

type Row = Record<string, SQLInputValue>;

export interface Repair {
  /** Where the database is as it was; `undefined` where there was none. */
  readonly aside: string | undefined;
  /** Of each table that had rows, by its name. */
  readonly tables: readonly { readonly name: string; readonly saved: number; readonly lost: number }[];
}

/** Sets the database of a folder aside and saves what can be read into a new one. @throws StoreError */
export async function repairStore(folder: string): Promise<Repair> {
  const sqlite = await sqliteHere();
  const file = sqlite.join(folder, DATABASE_FILE);
  if (!sqlite.isThere(file)) return { aside: undefined, tables: [] };
  const aside = sqlite.join(folder, `forecasts-set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);
  setAside(sqlite, file, aside);
  const database = await openDatabase(folder);
  try {
    let old: DatabaseSync | undefined;
    // a forecast is worth keeping though the series that it was made from is lost
    database.exec('pragma foreign_keys = off');
    const tables: Repair['tables'][number][] = [];
    try {
      old = sqlite.open(aside);
      for (const table of Object.keys(TABLES) as Table[]) {
        const { saved, lost } = copyTable(old, database, table);
        if (saved + lost > 0) tables.push({ name: table, saved, lost });
      }
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
function setAside(sqlite: Sqlite, file: string, aside: string): void {
  try {
    sqlite.rename(file, aside);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(failure('not_set_aside', reason), { cause });
  }
}

/** Copies the rows that can be read; a value that was lost is the usual one of its column. */
function copyTable(old: DatabaseSync, database: DatabaseSync, table: Table): { saved: number; lost: number } {
  const columns = database
    .prepare(`select name, ifnull(dflt_value, 'null') usual from pragma_table_info('${table}')`)
    .all();
  const insert = database.prepare(
    `insert or ignore into ${table} (${columns.map(({ name }) => name).join(', ')})
     values (${columns.map(({ usual }) => `ifnull(?, ${usual})`).join(', ')})`,
  );
  const { places, areGuessed } = placesOf(old, table);
  let saved = 0;
  transactionOf(database, () => {
    for (const row of readable(old, table, places)) {
      try {
        saved += Number(insert.run(...columns.map(({ name }) => row[String(name)] ?? null)).changes);
      } catch {
        // a value is none that can stand there
      }
    }
  });
  return { saved, lost: areGuessed ? 0 : Math.max(0, places.length - saved) };
}

/** The numbers of the rows by an index; where that is gone, all that were ever given out, or may have been. */
function placesOf(old: DatabaseSync, table: Table): { places: number[]; areGuessed: boolean } {
  const read = (sql: string, ...parameters: string[]) =>
    old
      .prepare(sql)
      .all(...parameters)
      .map((row) => Number(row.at));
  const upTo = (most: number) => Array.from({ length: Math.min(most, MOST_LOOKUPS) }, (_, index) => index + 1);
  try {
    const [index, columns] = TABLES[table];
    const rows = `select rowid at from ${table} indexed by ${index} order by ${columns}`;
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
