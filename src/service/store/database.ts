import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Steps that bring a database from one version to the next; `user_version` counts those done. Never edit one that shipped. */
const MIGRATIONS = [
  `create table meta (name text primary key, value text not null) strict;
   create table keys (
     seq integer primary key autoincrement, id text not null unique, status text not null, name text,
     digest text not null unique, sealed text not null, created_at text not null) strict;
   create table datasets (
     seq integer primary key autoincrement, id text not null unique, name text, tags text not null,
     created_at text not null) strict;
   create table series (
     seq integer primary key autoincrement, id text not null unique, dataset_id text references datasets (id), name text,
     rows integer not null, start_timestamp text, end_timestamp text, freq text, points text not null) strict;
   create index series_of_dataset on series (dataset_id);
   create table predictions (
     seq integer primary key autoincrement, id text not null unique, ai_model_id text not null, status text not null,
     name text, input_series_id text not null references series (id), prediction_series_id text references series (id),
     options text not null, progress real, error text, details text, created_at text not null) strict;
   create index predictions_of_input on predictions (input_series_id);
   create index predictions_of_output on predictions (prediction_series_id);
   create table fine_tuned_models (
     seq integer primary key autoincrement, id text not null unique, status text not null, name text,
     base_model text not null, config text not null, input_config text not null, parameters text, scores text,
     warnings text, progress real, error text, created_at text not null, updated_at text not null) strict;
   create table jobs (
     seq integer primary key autoincrement, kind text not null, target text not null unique,
     owner text, lease_until integer not null default 0, attempts integer not null default 0) strict;`,
  `alter table jobs add column priority integer not null default 0;
   create index jobs_in_turn on jobs (priority desc, seq);`,
  `alter table fine_tuned_models add column training text;`,
];

export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
  }
}

/**
 * What is the matter with the store where SQLite's error is none of ours: a sentence for the person, and the status of
 * an answer that says so. `undefined` for any other error.
 * @param file the database, where the sentence is to name it
 */
export function storeTrouble(error: unknown, file = 'forecasts.db'): { status: number; message: string } | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR' && 'errcode' in error)) return;
  // the low byte is the kind of the error, the others its variety: https://sqlite.org/rescode.html
  switch (Number(error.errcode) & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return { status: 503, message: 'Another window is writing to the stored forecasts. Try again in a moment.' };
    case 13: // SQLITE_FULL
      return { status: 507, message: 'The disk is full, so nothing can be stored. Make room and try again.' };
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return {
        status: 500,
        message: `The file of the stored forecasts, ${file}, is damaged or is no database. Move it away, with those beside it that end in -wal and -shm, to start with an empty one; nothing was deleted from it.`,
      };
    default:
      return undefined;
  }
}

/**
 * Opens the store's database, in WAL mode so that several windows can use it at once.
 * @param folder is made where it is missing; `:memory:` keeps everything in memory
 * @throws StoreError where SQLite is missing, or the file is damaged, held by another program, or of a newer version of
 * this extension
 */
export async function openDatabase(folder: string): Promise<DatabaseSync> {
  // loaded late: some editors' Node lacks it, and only the local service needs it
  const sqlite = await import('node:sqlite').catch((cause: unknown) => {
    throw new StoreError(
      'This editor’s Node.js has no SQLite, which the local service needs. Update the editor, or use a remote service.',
      { cause },
    );
  });
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true });
  const file = folder === ':memory:' ? folder : join(folder, 'forecasts.db');
  const database = new sqlite.DatabaseSync(file);
  try {
    database.exec(
      'pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on',
    );
    migrate(database);
    keepStatements(database);
  } catch (cause) {
    database.close();
    const trouble = storeTrouble(cause, file);
    throw trouble ? new StoreError(trouble.message, { cause }) : cause;
  }
  return database;
}

/** Statements are prepared once: thousands of jobs run the same few. None is stepped through while another runs it. */
function keepStatements(database: DatabaseSync): void {
  const prepare = database.prepare.bind(database);
  const kept = new Map<string, StatementSync>();
  database.prepare = (sql) => {
    const statement = kept.get(sql) ?? prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
}

function migrate(database: DatabaseSync): void {
  transaction(database, () => {
    const done = Number(database.prepare('pragma user_version').get()?.user_version ?? 0);
    if (done > MIGRATIONS.length) {
      throw new StoreError(
        'The stored forecasts were made by a newer version of this extension. Update it to read them.',
      );
    }
    for (const step of MIGRATIONS.slice(done)) database.exec(step);
    database.exec(`pragma user_version = ${MIGRATIONS.length}`);
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
