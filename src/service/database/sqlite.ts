/** The store in a file, or in memory: one connection of SQLite. */
import { failure, type Failure } from '../../contract/failures.ts';
import { bytesOf, type DatabaseSync, JOURNAL, loadSqlite, placeOf, type Sqlite } from '#platform/sqlite';
import type { Home } from './home.ts';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';
import { sqliteDb } from './sqlite-driver.ts';
import { StoreError, storeTrouble } from './trouble.ts';

/** The name of the database in its folder. SQLite adds files of its own beside it, that end in `-wal` and `-shm`. */
export const DATABASE_FILE = 'forecasts.db';

/** Pages (of 4 KB) that are given back to the disk at a time. */
const PAGES = 500;

/**
 * Opens the store's database, in WAL mode so that several windows can use it at once. Before a migration a copy of it is
 * kept beside it.
 * @param folder is made where it is missing; `:memory:` keeps everything in memory
 * @throws StoreError where SQLite is missing, or the folder cannot be used, or the file is damaged, held by another
 * program, of another program, or of a newer version of this extension
 */
export async function openDatabase(folder: string, migrations = MIGRATIONS): Promise<DatabaseSync> {
  const sqlite = await sqliteHere();
  const file = folder === ':memory:' ? folder : fileOf(folder, sqlite);
  let database: DatabaseSync | undefined;
  try {
    database = sqlite.open(file);
    database.exec('pragma busy_timeout = 10000; pragma auto_vacuum = incremental');
    const done = versionOf(database, file, migrations.length);
    if (done > 0 && done < migrations.length) {
      const copy = file.replace(/\.db$/, `-before-version-${migrations.length}.db`);
      if (!sqlite.isThere(copy)) sqlite.copy(database, copy);
    }
    database.exec(`${JOURNAL}; pragma foreign_keys = on`);
    migrate(database, file, migrations);
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    const trouble = storeTrouble(cause, file);
    throw trouble ? new StoreError(trouble.failure, { cause, isDamaged: trouble.isDamaged }) : cause;
  }
}

/** @throws StoreError */
export const sqliteHere = (): Promise<Sqlite> =>
  loadSqlite().catch((cause: unknown) => {
    throw new StoreError(failure('no_sqlite'), { cause });
  });

/** Makes the folder where it is missing. @throws StoreError */
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
  const isAlone = !database.isTransaction;
  if (isAlone) database.exec('begin');
  const done = numberOf(database, 'user_version');
  const names = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
  const id = numberOf(database, 'application_id');
  if (isAlone) database.exec('commit');
  const isOurs =
    done === 0
      ? id === 0 && names.length === 0
      : id === APPLICATION_ID && ['keys', 'series', 'jobs'].every((name) => names.some((table) => table.name === name));
  if (!isOurs) {
    throw new StoreError(failure('other_database', file));
  }
  if (done > newest) {
    throw new StoreError(failure('newer_store'));
  }
  return done;
}

function migrate(database: DatabaseSync, file: string, migrations: readonly string[]): void {
  transactionOf(database, () => {
    // again, as another program may have done it meanwhile
    const done = versionOf(database, file, migrations.length);
    for (const step of migrations.slice(done)) database.exec(step);
    if (done < migrations.length) database.exec(`pragma user_version = ${migrations.length}`);
  });
}

/** Runs `work` as one transaction that is undone whole where it throws. */
export function transactionOf<T>(database: DatabaseSync, work: () => T): T {
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

/** @param database as `openDatabase` gives it; it is closed with its home */
export function sqliteHome(database: DatabaseSync): Home {
  const db = sqliteDb(database);
  return {
    db,
    in: () => db,
    isShared: false,
    isInPlace: placeOf(database),
    size: () =>
      Promise.resolve({
        bytes: bytesOf(database) ?? numberOf(database, 'page_count') * numberOf(database, 'page_size'),
        free_bytes: numberOf(database, 'freelist_count') * numberOf(database, 'page_size'),
      }),
    // in a turn of its own, between the transactions of others
    tidy: (isLast) =>
      db.connection().execute(async () => {
        const free = numberOf(database, 'freelist_count');
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
