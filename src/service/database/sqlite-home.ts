/** The store in a file, or in memory: one connection of SQLite. */
import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  sql,
  SqliteAdapter,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import type { Dialect, StoreAdapter } from './dialect.ts';
import type { Home } from './home.ts';
import type { Tables } from './tables.ts';

/** Pages (of 4 KB) that are given back to the disk at a time. */
const PAGES = 500;

/** @param database as `openDatabase` gives it; it is closed with its home */
export function sqliteHome(database: DatabaseSync): Home {
  const count = (text: string): number => Number(Object.values(database.prepare(text).get() ?? {})[0] ?? 0);
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => new SqliteDriver(database),
      createAdapter: () => new Adapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: () => {
        throw new TypeError('The tables are known.');
      },
    },
  });
  return {
    db,
    in: () => db,
    isShared: false,
    isInPlace: placeOf(database),
    size: () => {
      const file = database.location();
      const size = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
      const page = count('pragma page_size');
      return Promise.resolve({
        bytes: file === null ? count('pragma page_count') * page : size(file) + size(`${file}-wal`),
        free_bytes: count('pragma freelist_count') * page,
      });
    },
    // in a turn of its own, between the transactions of others
    tidy: (isLast) =>
      db.connection().execute(async () => {
        const free = count('pragma freelist_count');
        // some is left to be written anew
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

/** Tells whether the file of a database is still where it was opened. */
function placeOf(database: DatabaseSync): () => boolean {
  const file = database.location();
  if (file === null) return () => true;
  const look = () => statSync(file, { bigint: true, throwIfNoEntry: false });
  const first = look();
  return () => {
    const now = look();
    return now?.ino === first?.ino && now?.dev === first?.dev;
  };
}

class Adapter extends SqliteAdapter implements StoreAdapter {
  readonly store = SQLITE;
}

const at = (path: readonly string[]) => sql.lit(['$', ...path].join('.'));
const whereJson = (column: string, value: ReturnType<typeof sql>) =>
  sql`iif(json_valid(${sql.ref(column)}), ${value}, null)`;

const SQLITE: Dialect = {
  passingLocked: sql``,
  locksRows: false,
  newId: (prefix) => sql`${sql.lit(prefix)} || lower(hex(randomblob(16)))`,
  isOneOf: (column, texts) => sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`,
  isJson: (column) => sql`json_valid(${sql.ref(column)})`,
  letters: (column, which, count) => sql`substr(${sql.ref(column)}, ${which === 'first' ? 1 : -count}, ${count})`,
  hasOneOf: (column, texts) =>
    sql`exists (select 1 from json_each(${sql.ref(column)}) tag
      where tag.value in (select value from json_each(${JSON.stringify(texts)})))`,
  without: (column, field) =>
    whereJson(column, sql`json_remove(${sql.ref(column)}, ${at([field])})`).$castTo<string | null>(),
  numberAt: (column, path) =>
    whereJson(column, sql`json_extract(${sql.ref(column)}, ${at(path)})`).$castTo<number | null>(),
  textAt: (column, path, letters) =>
    whereJson(column, sql`substr(json_extract(${sql.ref(column)}, ${at(path)}), 1, ${sql.lit(letters)})`).$castTo<
      string | null
    >(),
  listHas: (column, field, value) =>
    sql`exists (select 1 from json_each(iif(json_valid(${sql.ref(column)}), ${sql.ref(column)}, '{}'), ${at([field])}) used
      where used.value = ${sql.ref(value)})`,
};

/** The one connection, whose turns Kysely gives out one after the other. */
class SqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: DatabaseConnection;
  #isReading = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new Connection(database);
  }

  init = () => Promise.resolve();
  acquireConnection = () => Promise.resolve(this.#connection);
  releaseConnection = () => Promise.resolve();

  beginTransaction = (_connection: DatabaseConnection, { accessMode }: TransactionSettings) => {
    this.#isReading = accessMode === 'read only';
    // one that may write has the right to it at once, so that nobody has to give up in the middle
    return this.#execute(this.#isReading ? 'begin' : 'begin immediate');
  };
  // there is nothing to commit of what was only read, which could not be done where something damaged was met
  commitTransaction = () => this.#execute(this.#isReading ? 'rollback' : 'commit');
  rollbackTransaction = async () => {
    // SQLite has undone it itself where there was no room for it
    if (this.#database.isTransaction) await this.#execute('rollback');
  };

  destroy = () => {
    this.#database.close();
    return Promise.resolve();
  };

  #execute(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#database.exec(text);
      resolve();
    });
  }
}

/** A statement that gives rows; any other is only run. */
const GIVES_ROWS = /^\s*(select|pragma)|\breturning\b/i;

class Connection implements DatabaseConnection {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return new Promise((resolve) => {
      const statement = this.#database.prepare(text);
      const values = parameters as SQLInputValue[];
      // read to the end: a statement that writes has done so only then
      if (GIVES_ROWS.test(text)) resolve({ rows: statement.all(...values) as R[] });
      else resolve({ rows: [], numAffectedRows: BigInt(statement.run(...values).changes) });
    });
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new TypeError('What is long is read a page at a time, so that others get their turn.');
  }
}
