import { failure } from '../../contract/failures.ts';
import type { DatabaseSync } from '#platform/sqlite';
import { DATABASE_FILE, openDatabase, sqliteHere, transactionOf } from './sqlite.ts';
import { StoreError } from '../errors.ts';

/** Rows that are looked up one by one where no index of a table can be read, nor how many it ever had, which is no more than that. */
const MOST_LOOKUPS = 100_000;
const MOST_ROWS = 10_000_000;

export type Repair = Awaited<ReturnType<typeof repairStore>>;

/** Sets the database of a folder, where there is one, aside and saves what can be read into a new one. @throws StoreError */
export async function repairStore(folder: string) {
  const sqlite = await sqliteHere();
  const file = sqlite.join(folder, DATABASE_FILE);
  if (!sqlite.isThere(file)) return { aside: undefined, tables: [] };
  const aside = sqlite.join(folder, `forecasts-set-aside-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`);
  try {
    sqlite.rename(file, aside);
  } catch (cause) {
    // another program holds it, as on Windows
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError(failure('not_set_aside', reason), { cause });
  }
  const database = await openDatabase(folder);
  try {
    let old: DatabaseSync | undefined;
    // a forecast is worth keeping though the series that it was made from is lost
    database.exec('pragma foreign_keys = off');
    const tables: ReturnType<typeof copyTable>[] = [];
    try {
      old = sqlite.open(aside);
      const made = database.prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`);
      for (const { name } of made.all()) {
        const table = copyTable(old, database, String(name));
        if (table.saved + table.lost > 0) tables.push(table);
      }
    } catch {
      // it cannot be read at all
    } finally {
      old?.close();
    }
    return { aside, tables };
  } finally {
    database.close();
  }
}

/** Copies the rows that can be read, one by one; a value that was lost is the usual one of its column. */
function copyTable(old: DatabaseSync, database: DatabaseSync, name: string) {
  const columns = database
    .prepare(`select name, ifnull(dflt_value, 'null') usual from pragma_table_info('${name}')`)
    .all();
  const insert = database.prepare(
    `insert or ignore into ${name} (${columns.map(({ name }) => name).join(', ')})
     values (${columns.map(({ usual }) => `ifnull(?, ${usual})`).join(', ')})`,
  );
  const row = old.prepare(`select * from ${name} where rowid = ?`);
  const known = placesOf(old, database, name);
  const [ever = 0] = (known ? [] : read(old, `select seq at from sqlite_sequence where name = '${name}'`)) ?? [];
  const last = ever > 0 && ever <= MOST_ROWS ? ever : undefined; // it may be damaged too
  let [saved, failed, before] = [0, 0, 0];
  transactionOf(database, () => {
    for (const place of known ?? Array.from({ length: last ?? MOST_LOOKUPS }, (_, index) => index + 1)) {
      try {
        const found = row.get(place);
        if (!found) continue;
        saved += Number(insert.run(...columns.map(({ name }) => found[String(name)] ?? null)).changes);
        before = failed;
      } catch {
        failed++; // in the damaged part, or a value is none that can stand there
      }
    }
  });
  // what is looked up beyond the last row of a damaged table fails too
  return { name, saved, lost: known ? Math.max(0, known.length - saved) : last === undefined ? before : failed };
}

function placesOf(old: DatabaseSync, database: DatabaseSync, table: string): readonly number[] | undefined {
  for (const { name } of database.prepare(`select name from pragma_index_list('${table}') where partial = 0`).all()) {
    const places = read(old, `select rowid at from ${table} indexed by ${String(name)}`);
    if (places) return places.sort((a, b) => a - b);
  }
  return undefined;
}

function read(old: DatabaseSync, query: string): number[] | undefined {
  try {
    const rows = old.prepare(query).all();
    return rows.map(({ at }) => Number(at));
  } catch {
    return undefined; // it is damaged
  }
}
