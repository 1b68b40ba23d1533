/** SQLite as Kysely asks it: one connection, whose turns Kysely gives out one after the other. */
import type { DatabaseSync, SQLInputValue, StatementSync } from '#platform/sqlite';
import { nextTurn } from '#platform/turn';
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
import type { Dialect, StoreAdapter } from './home.ts';
import type { Db, Tables } from './tables.ts';

export const sqliteDb = (database: DatabaseSync): Db =>
  new Kysely<Tables>({
    dialect: {
      createDriver: () => new SqliteDriver(database),
      createAdapter: () => new Adapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: () => {
        throw new TypeError('The tables are known.');
      },
    },
  });

class Adapter extends SqliteAdapter implements StoreAdapter {
  readonly store = SQLITE;
}

const at = (path: readonly string[]) => sql.lit(['$', ...path].join('.'));
const whereJson = (column: string, value: ReturnType<typeof sql>) =>
  sql`iif(json_valid(${sql.ref(column)}), ${value}, null)`;

const SQLITE: Dialect = {
  locking: sql``,
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

/** A transaction that took longer is committed in another turn of the event loop, in milliseconds. */
const LONG = 30;

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: DatabaseConnection;
  #isReading = false;
  #began = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#connection = new Connection(database);
  }

  init = () => Promise.resolve();
  acquireConnection = () => Promise.resolve(this.#connection);
  releaseConnection = () => Promise.resolve();

  beginTransaction = (_connection: DatabaseConnection, { accessMode }: TransactionSettings) => {
    this.#isReading = accessMode === 'read only';
    this.#began = performance.now();
    // one that may write has the right to it at once, so that nobody has to give up in the middle
    return this.#execute(this.#isReading ? 'begin' : 'begin immediate');
  };
  // there is nothing to commit of what was only read, which could not be done where something damaged was met
  commitTransaction = async () => {
    // a long row takes as long to be committed as to be written: who waits has a turn between
    if (performance.now() - this.#began > LONG) await nextTurn();
    await this.#execute(this.#isReading ? 'rollback' : 'commit');
  };
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
const GIVES_ROWS = /^\s*(select|pragma|with)|\breturning\b/i;

/** Letters of a statement that is kept: longer ones are of many rows, and there is one for each number of them. */
const MOST_KEPT = 2_000;

class Connection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  /** Prepared once: thousands of jobs run the same few. */
  readonly #kept = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return new Promise((resolve) => {
      const statement = this.#kept.get(text) ?? this.#database.prepare(text);
      if (text.length <= MOST_KEPT) this.#kept.set(text, statement);
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
