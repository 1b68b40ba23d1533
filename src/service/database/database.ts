import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { makeFolder } from './folder.ts';
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts';
import { mayPass, StoreError, storeTrouble } from './trouble.ts';

/** The name of the database in its folder. SQLite adds files of its own beside it, that end in `-wal` and `-shm`. */
export const DATABASE_FILE = 'forecasts.db';

/**
 * Opens the store's database, in WAL mode so that several windows can use it at once. Before a migration a copy of it is
 * kept beside it.
 * @param folder is made where it is missing; `:memory:` keeps everything in memory
 * @throws StoreError where SQLite is missing, or the folder cannot be used, or the file is damaged, held by another
 * program, of another program, or of a newer version of this extension
 */
export async function openDatabase(folder: string): Promise<DatabaseSync> {
  const sqlite = await loadSqlite();
  const file = folder === ':memory:' ? folder : prepareFile(folder);
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(file);
    database.exec('pragma busy_timeout = 10000; pragma auto_vacuum = incremental');
    if (versionOf(database, file) > 0) keepCopy(database, folder);
    database.exec(
      `pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on;
       pragma journal_size_limit = 16777216`,
    );
    migrate(database, file);
    keepStatements(database);
    return database;
  } catch (cause) {
    if (database?.isOpen) database.close();
    const trouble = storeTrouble(cause, file);
    throw trouble ? new StoreError(trouble.message, { cause, isDamaged: trouble.isDamaged }) : cause;
  }
}

/** Loaded late: some editors' Node lacks it, and only the local service needs it. @throws StoreError */
export const loadSqlite = (): Promise<typeof import('node:sqlite')> =>
  import('node:sqlite').catch((cause: unknown) => {
    throw new StoreError(
      'This editor’s Node.js has no SQLite, which the local service needs. Update the editor, or use a remote service.',
      { cause },
    );
  });

/** Makes the folder for this user alone, and the file likewise. @throws StoreError */
function prepareFile(folder: string): string {
  if (folder === '') throw new StoreError('The folder of the stored forecasts has no name. Choose a folder.');
  const file = join(folder, DATABASE_FILE);
  try {
    makeFolder(folder);
    closeSync(openSync(file, 'a', 0o600));
    // the files that SQLite makes beside it take its mode over
    for (const one of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(one)) chmodSync(one, 0o600);
    return file;
  } catch (cause) {
    const { code = 'unknown', path = folder } = cause as NodeJS.ErrnoException;
    const reason =
      { ENOSPC: 'the disk is full', EDQUOT: 'the disk is full', EROFS: 'the disk is read-only' }[code] ??
      { ENOTDIR: 'a part of it is a file', EEXIST: 'it is a file', EISDIR: 'it is a folder' }[code] ??
      { EACCES: 'you may not write there', EPERM: 'you may not write there' }[code] ??
      { ENOENT: 'there is no such place', ENAMETOOLONG: 'its name is too long' }[code] ??
      code;
    throw new StoreError(`The forecasts cannot be stored in ${path}: ${reason}. Choose another folder, or mend this.`, {
      cause,
    });
  }
}

const pragma = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0] ?? 0);

/** @returns how many migrations were done; 0 for a new database. @throws StoreError where it is not ours or too new */
function versionOf(database: DatabaseSync, file: string): number {
  const isAlone = !database.isTransaction;
  if (isAlone) database.exec('begin');
  const done = pragma(database, 'user_version');
  const names = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
  const id = pragma(database, 'application_id');
  if (isAlone) database.exec('commit');
  const isOurs =
    (id === 0 || id === APPLICATION_ID) &&
    (done === 0 ? names.length === 0 : ['keys', 'series', 'jobs'].every((name) => names.some((t) => t.name === name)));
  if (!isOurs) {
    throw new StoreError(
      `${file} is a database of another program. It was left as it is; choose another folder for the forecasts.`,
    );
  }
  if (done > MIGRATIONS.length) {
    throw new StoreError(
      'The stored forecasts were made by a newer version of this extension. Update it to read them.',
    );
  }
  return done;
}

/** Keeps the database as it was before a migration beside it, whole or not at all. */
function keepCopy(database: DatabaseSync, folder: string): void {
  const done = pragma(database, 'user_version');
  if (done >= MIGRATIONS.length || folder === ':memory:') return;
  const copy = join(folder, `forecasts-before-version-${MIGRATIONS.length}.db`);
  if (existsSync(copy)) return;
  const beside = join(folder, `copy-${crypto.randomUUID()}.db`);
  try {
    closeSync(openSync(beside, 'a', 0o600));
    database.prepare('vacuum into ?').run(beside);
    renameSync(beside, copy);
    giveRoomBack(database);
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Stores of before kept the room of what was deleted; from now on it goes back to the disk. */
function giveRoomBack(database: DatabaseSync): void {
  if (pragma(database, 'auto_vacuum') === 2) return;
  try {
    database.exec('pragma auto_vacuum = incremental; vacuum');
  } catch (error) {
    if (!mayPass(error)) throw error; // another window uses it, or there is no room: no reason not to go on
  }
}

/** Letters of a statement that is kept: longer ones are of many rows, and there is one for each number of them. */
const MOST_KEPT = 2_000;

/** Statements are prepared once: thousands of jobs run the same few. None is stepped through while another runs it. */
function keepStatements(database: DatabaseSync): void {
  const prepare = database.prepare.bind(database);
  const kept = new Map<string, StatementSync>();
  database.prepare = (sql) => {
    const statement = kept.get(sql) ?? prepare(sql);
    if (sql.length <= MOST_KEPT) kept.set(sql, statement);
    // It would stop at the first row, before the commit, and give it even where the commit then fails.
    if (!/^\s*(select|pragma)/i.test(sql)) {
      statement.get = () => {
        throw new TypeError(`A statement that writes is read to its end: use all() for ${sql}`);
      };
    }
    return statement;
  };
}

function migrate(database: DatabaseSync, file: string): void {
  transaction(database, () => {
    const done = versionOf(database, file);
    for (const step of MIGRATIONS.slice(done)) database.exec(step);
    if (done < MIGRATIONS.length) database.exec(`pragma user_version = ${MIGRATIONS.length}`);
  });
}

/** Runs `work` as one transaction that is undone whole where it throws. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
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
