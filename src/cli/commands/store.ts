import { failure } from '../../contract/failures.ts';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { tokenOf } from '../../service/host/token-file.ts';
import { openBoss } from '../../server/boss.ts';
import { openDatabase, sqliteStore } from '../../service/database/sqlite.ts';
import type { Store } from '../../service/database/store.ts';
import { isToken } from '../../service/store/token.ts';
import { Keys } from '../../service/store/keys.ts';
import { openPostgres } from '../../server/postgres.ts';
import { StoreError } from '../../service/database/trouble.ts';
import { option } from './options.ts';

/** Which store a command works on. */
export interface StoreOptions {
  readonly data: string;
  readonly database?: string;
}

/** The options of a command that works on a store, as `serve` has them. */
export const ofStore = (command: Command): Command =>
  command
    .addOption(option('--data <folder>', 'folder of the store in SQLite').default('.forecasts'))
    .addOption(option('--database <address>', 'PostgreSQL database instead of a folder, as postgres://user@host/name'));

const report = (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
};

/** Works on a store, which is made or migrated where it has to be, while others may use it; ends with 1 and a sentence. */
export async function withStore(options: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  try {
    const { data, database } = options;
    const store =
      database === undefined
        ? sqliteStore(await openDatabase(resolve(data)))
        : await openPostgres({ database, connections: 1, report, warn: console.error });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** The keys of a store; they are sealed with the token of its service. @throws StoreError */
export async function keysIn(store: Store, { data }: StoreOptions): Promise<Keys> {
  return Keys.open(store, givenToken() ?? tokenOf(resolve(data)));
}

/** The token that the environment gives, whatever the store is. @throws StoreError where it is none */
export function givenToken(): string | undefined {
  const token = process.env.FORECASTS_TOKEN?.trim();
  if (token === undefined || token === '') return undefined;
  if (isToken(token)) return token;
  throw new StoreError(
    failure('other', 'FORECASTS_TOKEN is not valid. A token has 20 to 200 characters and no spaces.'),
  );
}

/** Makes the queues of a PostgreSQL. */
export async function makeQueues(database: string): Promise<void> {
  const boss = await openBoss({ database, connections: 1, report });
  await boss.stop();
}
