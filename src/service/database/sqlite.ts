/** The store in a file, or in memory: one connection of SQLite, which Kysely gives to one transaction after the other. */
import { bytesOf, JOURNAL, loadSqlite, placeOf } from '#platform/sqlite';
import type { DatabaseSync, SQLInputValue, Sqlite } from '#platform/sqlite';
import { nextTurn } from '#platform/turn';
import { Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import type { SqliteDatabase, SqliteStatement, TransactionSettings } from 'kysely';
import { failure, type Failure } from '../../contract/failures.ts';
import { APPLICATION_ID, type Dialect, type Store, type Tables, tablesOf } from './store.ts';
import { StoreError, storeErrorOf } from '../errors.ts';

/** Steps that bring a database from one version to the next; `user_version` counts those done. Never edit one that shipped. */
export const MIGRATIONS: readonly string[] = [
  `pragma application_id = ${APPLICATION_ID};
  ${tablesOf({ seq: 'integer primary key autoincrement', count: 'integer', real: 'real' }, ' strict')}
  -- owner: the program that has the job; lost: how often one did not renew its lease. Tenants take turns by rank
  create table jobs (
    seq integer primary key autoincrement, lane text not null, tenant text not null, rank integer not null,
    kind text not null, targets text not null, suspect integer not null, added integer not null, owner text,
    lease_until integer not null default 0, lost integer not null default 0) strict;
  create index jobs_of_lane on jobs (lane, rank, seq);
  create index jobs_of_tenant on jobs (lane, tenant, rank);`,
];

const DATABASE_FILE = 'forecasts.db';

const PAGES = 500; // pages (of 4 KB) that are given back to the disk at a time

/** Opens the database and migrates it, after a copy of it. @param folder is created @throws StoreError */
export async function openDatabase(folder: string, migrations = MIGRATIONS): Promise<DatabaseSync> {
  const sqlite = await sqliteHere();
  const file = folder === ':memory:' ? folder : fileOf(folder, sqlite);
  let database: DatabaseSync | undefined;
  try {
    database = sqlite.open(file);
    database.exec('pragma busy_timeout = 10000');
    // nothing is written to what is another program's, nor to what is up to date: the disk may be full
    if (numberOf(database, 'page_count') === 0) database.exec('pragma auto_vacuum = incremental');
    const version = () => versionOf(database!, file, migrations.length);
    const done = transactionOf(database, version);
    if (done > 0 && done < migrations.length) {
      const copy = file.replace(/\.db$/, `-before-version-${migrations.length}.db`);
      if (!sqlite.isThere(copy)) sqlite.copy(database, copy);
    }
    database.exec(`${JOURNAL}; pragma foreign_keys = on`);
    transactionOf(database, () => {
      const left = migrations.slice(version());
      for (const step of left) database!.exec(step);
      if (left.length > 0) database!.exec(`pragma user_version = ${migrations.length}`);
    });
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    throw storeErrorOf(cause, file);
  }
}

const sqliteHere = (): Promise<Sqlite> =>
  loadSqlite().catch((cause: unknown) => {
    throw new StoreError(failure('no_sqlite'), { cause });
  });

function fileOf(folder: string, sqlite: Sqlite): string {
  if (folder === '') throw new StoreError(failure('folder_unnamed'));
  try {
    return sqlite.prepare(folder, DATABASE_FILE);
  } catch (cause) {
    const { code = 'unknown', path = folder } = cause as NodeJS.ErrnoException;
    throw new StoreError(failure('folder_unusable', path, REASONS[code] ?? code), { cause });
  }
}

const REASONS: Readonly<Record<string, Failure>> = {
  ENOSPC: failure('disk_full'),
  EDQUOT: failure('disk_full'),
  EROFS: failure('disk_read_only'),
  ENOTDIR: failure('part_is_file'),
  EEXIST: failure('is_file'),
  EISDIR: failure('is_folder'),
  EACCES: failure('no_permission'),
  EPERM: failure('no_permission'),
  ENOENT: failure('no_such_place'),
  ENAMETOOLONG: failure('name_too_long'),
};

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0] ?? 0);

/** @returns how many migrations were done; 0 for a new database. @throws StoreError where it is not ours or too new */
function versionOf(database: DatabaseSync, file: string, newest: number): number {
  const done = numberOf(database, 'user_version');
  const id = numberOf(database, 'application_id');
  const names = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
  const isThere = (table: string) => names.some(({ name }) => name === table);
  const isNew = done === 0 && id === 0 && names.length === 0;
  const isOurs = done > 0 && id === APPLICATION_ID && ['keys', 'series', 'jobs'].every(isThere);
  if (!isNew && !isOurs) throw new StoreError(failure('other_database', file));
  if (done > newest) throw new StoreError(failure('newer_store'));
  return done;
}

function transactionOf<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

export function sqliteStore(database: DatabaseSync): Store {
  const db = new Kysely<Tables>({
    dialect: Object.assign(new SqliteDialect({ database: preparing(database) }), {
      createDriver: () => new Driver(database),
      createAdapter: () => new Adapter(),
    }),
  });
  return {
    db,
    in: () => db,
    isInPlace: placeOf(database),
    size: () =>
      Promise.resolve({
        bytes: bytesOf(database) ?? numberOf(database, 'page_count') * numberOf(database, 'page_size'),
        free_bytes: numberOf(database, 'freelist_count') * numberOf(database, 'page_size'),
      }),
    tidy: (isLast) =>
      db.connection().execute(async () => {
        const free = numberOf(database, 'freelist_count');
        if (free > PAGES) database.exec(`pragma incremental_vacuum(${PAGES})`);
        const isMore = free > 2 * PAGES;
        if (free > PAGES && isLast && !isMore) database.exec('pragma wal_checkpoint(truncate)');
        return Promise.resolve(isMore);
      }),
    close: async () => {
      await db.destroy();
      if (database.isOpen) database.close();
    },
  };
}

class Adapter extends SqliteAdapter {
  readonly store = SQLITE;
}

const SQLITE: Dialect = {
  mostCounted: 2 ** 52,
  locksRows: false,
  isOneOf: (column, texts) => sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`,
  isJson: (column) => sql`json_valid(${sql.ref(column)})`,
};

/** A transaction that took longer is committed in another turn of the event loop, in milliseconds. */
const LONG = 30;

class Driver extends SqliteDriver {
  readonly #database: DatabaseSync;
  #isReading = false;
  #began = 0;

  constructor(database: DatabaseSync) {
    super({ database: preparing(database) });
    this.#database = database;
  }

  override beginTransaction(_: unknown, { accessMode }: TransactionSettings = {}): Promise<void> {
    this.#isReading = accessMode === 'read only';
    this.#began = performance.now();
    // one that may write has the right to it at once, so that nobody has to give up in the middle
    return this.#execute(this.#isReading ? 'begin' : 'begin immediate');
  }

  override async commitTransaction(): Promise<void> {
    // a long row takes as long to be committed as to be written: who waits has a turn between
    if (performance.now() - this.#began > LONG) await nextTurn();
    // there is nothing to commit of what was only read, which could not be done where something damaged was met
    await this.#execute(this.#isReading ? 'rollback' : 'commit');
  }

  override async rollbackTransaction(): Promise<void> {
    // SQLite has undone it itself where there was no room for it
    if (this.#database.isTransaction) await this.#execute('rollback');
  }

  #execute(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#database.exec(text);
      resolve();
    });
  }
}

/** A statement that gives rows, and is read to the end: one that writes has done so only then. Any other is only run. */
const GIVES_ROWS = /^\s*(select|pragma|with)|\breturning\b/i;

/** Letters of a statement that is kept prepared: longer ones are of many rows, and there is one for each number of them. */
const MOST_KEPT = 2_000;

function preparing(database: DatabaseSync): SqliteDatabase {
  const kept = new Map<string, SqliteStatement>();
  return {
    prepare: (text) => {
      const known = kept.get(text);
      if (known) return known;
      const prepared = database.prepare(text);
      const statement: SqliteStatement = {
        reader: GIVES_ROWS.test(text),
        all: (values) => prepared.all(...(values as SQLInputValue[])),
        run: (values) => ({ changes: prepared.run(...(values as SQLInputValue[])).changes, lastInsertRowid: 0 }),
        iterate: () => {
          throw new TypeError('What is long is read a page at a time, so that others get their turn.');
        },
      };
      if (text.length <= MOST_KEPT) kept.set(text, statement);
      return statement;
    },
    close: () => undefined,
  };
}

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
