import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

export type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** What a transaction that is done survives: in WAL mode several windows can use a database at once. */
export const JOURNAL = 'pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 16777216';

export type Sqlite = Awaited<ReturnType<typeof loadSqlite>>;

/** Loaded late: some editors' Node lacks it, and only the local service needs it. @throws the system's error */
export async function loadSqlite() {
  const { DatabaseSync } = await import('node:sqlite');
  const open = (file: string): DatabaseSync => new DatabaseSync(file);
  return { join, open, prepare, isThere: existsSync, rename, copy };
}

const BESIDE = ['', '-wal', '-shm'];

/** Makes a folder for this user alone, and a file in it likewise. @returns its path. @throws the system's error */
function prepare(folder: string, name: string): string {
  const file = join(folder, name);
  makeFolder(folder);
  closeSync(openSync(file, 'a', 0o600));
  for (const end of BESIDE) if (existsSync(file + end)) chmodSync(file + end, 0o600);
  return file;
}

function rename(file: string, to: string): void {
  for (const end of BESIDE) if (existsSync(file + end)) renameSync(file + end, to + end);
}

function copy(database: DatabaseSync, to: string): void {
  const draft = `${to}-${crypto.randomUUID()}`;
  try {
    closeSync(openSync(draft, 'a', 0o600));
    database.prepare('vacuum into ?').run(draft);
    renameSync(draft, to);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes a folder for this user alone, ignored by git. @throws the system's error */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // one that is there stays; where it cannot be written, what is stored next tells
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

export function bytesOf(database: DatabaseSync): number | undefined {
  const file = database.location();
  const size = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return file === null ? undefined : size(file) + size(`${file}-wal`);
}

export function placeOf(database: DatabaseSync): () => boolean {
  const file = database.location();
  if (file === null) return () => true;
  const look = () => statSync(file, { bigint: true, throwIfNoEntry: false });
  const first = look();
  return () => {
    const now = look();
    return now?.ino === first?.ino && now?.dev === first?.dev;
  };
}
