import loadModule, {
  type Database as Db,
  type PreparedStatement as Stmt,
  type SAHPoolUtil,
  type Sqlite3Static as Sqlite3,
  type SqlValue,
} from '@sqlite.org/sqlite-wasm';
import { keepsFiles } from './shelf.ts';
import { readFile } from './thread.ts';

export type SQLInputValue = string | number | bigint | null | Uint8Array;
type Row = Record<string, SqlValue>;

/** Each transaction is on the disk when it is done. */
export const JOURNAL = 'pragma journal_mode = truncate; pragma synchronous = full';

export type Sqlite = ReturnType<typeof sqliteOf>;

const join = (folder: string, name: string): string => `/${folder}/${name}`;

/** Handles of files that are there before they are needed: for a database, its journal, and one that is set aside. */
const HANDLES = 6;

/** SQLite in WebAssembly, over the files of this origin; where it has none, in memory. @throws Error */
export const loadSqlite = (): Promise<Sqlite> =>
  (loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  }));

let loaded: Promise<Sqlite> | undefined;

type Pool = Omit<SAHPoolUtil, 'importDb'> & { importDb(file: string, bytes: Uint8Array): number };

const initialize = loadModule as (options: object) => Promise<Sqlite3>;

async function load(): Promise<Sqlite> {
  const wasm = await readFile('web/sqlite3.wasm');
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => {
    WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => {
      done(instance, module);
    }, reject);
    return {};
  };
  const sqlite3 = await Promise.race([initialize({ instantiateWasm }), failed]);
  if (!(await keepsFiles())) return sqliteOf(sqlite3);
  const asked = { name: 'forecasts', initialCapacity: HANDLES };
  const pool = (await sqlite3.installOpfsSAHPoolVfs(asked)) as unknown as Pool;
  await pool.reserveMinimumCapacity(pool.getFileCount() + HANDLES);
  return sqliteOf(sqlite3, pool);
}

const sqliteOf = (sqlite3: Sqlite3, pool?: Pool) => ({
  join,
  open: (file: string) =>
    databaseOf(sqlite3, () => (pool ? new pool.OpfsSAHPoolDb(file) : new sqlite3.oo1.DB(':memory:'))),
  prepare: join,
  isThere: (file: string): boolean => pool?.getFileNames().includes(file) ?? false,
  rename: (file: string, to: string): void => {
    pool?.importDb(to, pool.exportFile(file));
    pool?.unlink(file);
  },
  copy: (database: DatabaseSync, to: string): void => {
    if (pool) database.prepare('vacuum into ?').run(to);
  },
});

export type DatabaseSync = ReturnType<typeof databaseOf>;

function databaseOf({ capi }: Sqlite3, open: () => Db) {
  const db = withNodeErrors(open);
  return {
    get isOpen(): boolean {
      return db.pointer !== undefined;
    },
    get isTransaction(): boolean {
      return db.pointer !== undefined && capi.sqlite3_get_autocommit(db.pointer) === 0;
    },
    exec(sql: string): void {
      withNodeErrors(() => db.exec(sql));
    },
    prepare: (sql: string) =>
      statementOf(
        db,
        withNodeErrors(() => db.prepare(sql)),
      ),
    close(): void {
      db.close();
    },
  };
}

function statementOf(db: Db, statement: Stmt) {
  const rowsOf = (values: readonly SQLInputValue[]): Row[] =>
    withNodeErrors(() => {
      const rows: Row[] = [];
      try {
        if (values.length > 0) statement.bind(values);
        while (statement.step()) rows.push(statement.get({}));
        return rows;
      } finally {
        statement.reset(true);
      }
    });
  return {
    all: (...values: readonly SQLInputValue[]) => rowsOf(values),
    get: (...values: readonly SQLInputValue[]) => rowsOf(values).at(0),
    run(...values: readonly SQLInputValue[]) {
      rowsOf(values);
      return { changes: db.changes() };
    },
  };
}

function withNodeErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error && 'resultCode' in error)) throw error;
    const as = { code: 'ERR_SQLITE_ERROR', errcode: error.resultCode };
    throw Object.assign(new Error(error.message, { cause: error }), as);
  }
}

export const bytesOf = (): undefined => undefined;

export const placeOf = (): (() => boolean) => () => true;
