import { resolve } from 'node:path';
import type { Command } from 'commander';
import { failure } from '../../contract/failures.ts';
import { KEY_SCOPES } from '../../contract/resources.ts';
import { printable } from '../../contract/texts.ts';
import { RequestError, StoreError } from '../../service/errors.ts';
import { tokenOf } from '../../service/host/token-file.ts';
import { openBoss } from '../../server/cluster.ts';
import { openDatabase, sqliteStore } from '../../service/database/sqlite.ts';
import { DEFAULT_TENANT, type Store } from '../../service/database/store.ts';
import { isToken } from '../../service/store/token.ts';
import { Keys } from '../../service/store/keys.ts';
import { openPostgres } from '../../server/postgres.ts';
import { report } from '../program.ts';
import { command, group, oneOf, type Read, text, whole } from './options.ts';

const OF_STORE = {
  data: text('<folder>', 'folder of the store in SQLite', '.forecasts'),
  database: text('<address>', 'PostgreSQL database instead of a folder, as postgres://user@host/name'),
};
type StoreOptions = Read<typeof OF_STORE>;

/** Works on a store, which is made or migrated where it has to be, while others may use it; ends with 1 and a sentence. */
async function withStore({ data, database }: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  try {
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
    if (!(error instanceof StoreError || error instanceof RequestError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Works on the keys of a store; they are sealed with the token of its service. */
const withKeys = (options: StoreOptions, work: (keys: Keys) => Promise<void>): Promise<void> =>
  withStore(options, async (store) => work(await Keys.open(store, givenToken() ?? tokenOf(resolve(options.data)))));

/** The token that the environment gives, whatever the store is. @throws StoreError where it is none */
export function givenToken(): string | undefined {
  const token = process.env.FORECASTS_TOKEN?.trim();
  if (token === undefined || token === '') return undefined;
  if (isToken(token)) return token;
  throw new StoreError(
    failure('other', 'FORECASTS_TOKEN is not valid. A token has 20 to 200 characters and no spaces.'),
  );
}

/** A service and a worker also migrate when they start; this is for roles with separate rights. */
export const migrateCommand = (): Command =>
  command(
    'migrate',
    'Creates the tables of a store, or updates those of an older version.',
    OF_STORE,
    ({ database, data }) =>
      withStore({ database, data }, async () => {
        if (database !== undefined) await (await openBoss({ database, connections: 1, report })).stop();
        console.log('The store is up to date.');
      }),
  );

const OF_KEY = {
  name: text('<text>', 'name of the key'),
  scope: oneOf('<scope>', 'what the key may do', KEY_SCOPES, 'write'),
  tenant: text('<name>', 'tenant of the key; a new name creates a new tenant', DEFAULT_TENANT),
  expiresInDays: whole('days after which the key expires', [1, 3650]),
  requestsPerMinute: whole('maximum number of requests per minute', [1, 1_000_000]),
  seriesPerDay: whole('maximum number of series to forecast per day', [1, 999_999_999]),
};

/** Keys made by a program that may open the store: the only way to one of another tenant. */
export const keysCommand = (): Command =>
  group('keys', 'Creates, lists, and revokes the API keys of a service.', [
    command('create', 'Creates a key and prints its secret.', { ...OF_STORE, ...OF_KEY }, (options) =>
      withKeys(options, async (keys) => {
        const { name, scope, tenant } = options;
        const { secret } = await keys.create({
          ...{ name, scope, tenant },
          expires_in_days: options.expiresInDays,
          requests_per_minute: options.requestsPerMinute,
          series_per_day: options.seriesPerDay,
        });
        console.log(secret);
      }),
    ),
    command(
      'list',
      'Prints the keys of all tenants without their secrets, newest first, as one JSON object per line.',
      OF_STORE,
      (options) => withKeys(options, listKeys),
    ),
    command('revoke', 'Deletes a key, which is then rejected everywhere.', OF_STORE, (options, self) =>
      withKeys(options, (keys) => keys.remove(self.args[0]!)),
    ).argument('<id>', 'ID of the key'),
  ]);

const SIZE = 200;

async function listKeys(keys: Keys): Promise<void> {
  for (let cursor: string | undefined = 'a'; cursor !== undefined;) {
    const page = await keys.list({ cursor, size: SIZE });
    for (const { secret: _, ...key } of page.items) console.log(printable(JSON.stringify(key)));
    cursor = page.next_page;
  }
}
