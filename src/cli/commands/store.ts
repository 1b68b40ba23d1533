import { resolve } from 'node:path';
import type { Command } from 'commander';
import { failure } from '../../contract/failures.ts';
import { KEY_SCOPES, type KeyScope } from '../../contract/resources.ts';
import { printable } from '../../contract/texts.ts';
import { decodeCursor } from '../../service/database/list.ts';
import { RequestError } from '../../service/errors.ts';
import { tokenOf } from '../../service/host/token-file.ts';
import { openBoss } from '../../server/boss.ts';
import { openDatabase, sqliteStore } from '../../service/database/sqlite.ts';
import { DEFAULT_TENANT, type Store } from '../../service/database/store.ts';
import { isToken } from '../../service/store/token.ts';
import { Keys } from '../../service/store/keys.ts';
import { openPostgres } from '../../server/postgres.ts';
import { StoreError } from '../../service/database/trouble.ts';
import { command, option, wholeNumber } from './options.ts';

/** Which store a command works on. */
interface StoreOptions {
  readonly data: string;
  readonly database?: string;
}

/** The options of a command that works on a store, as `serve` has them. */
const ofStore = (command: Command): Command =>
  command
    .addOption(option('--data <folder>', 'folder of the store in SQLite').default('.forecasts'))
    .addOption(option('--database <address>', 'PostgreSQL database instead of a folder, as postgres://user@host/name'));

const report = (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
};

/** Works on a store, which is made or migrated where it has to be, while others may use it; ends with 1 and a sentence. */
async function withStore(options: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
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
async function keysIn(store: Store, { data }: StoreOptions): Promise<Keys> {
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

/** A service and a worker also migrate when they start; this is for roles with separate rights. */
export const migrateCommand = (): Command =>
  ofStore(command('migrate', 'Creates the tables of a store, or updates those of an older version.')).action(
    (options: StoreOptions) =>
      withStore(options, async () => {
        const { database } = options;
        if (database !== undefined) await (await openBoss({ database, connections: 1, report })).stop();
        console.log('The store is up to date.');
      }),
  );

interface CreateOptions extends StoreOptions {
  readonly name?: string;
  readonly scope: KeyScope;
  readonly tenant: string;
  readonly expiresInDays?: number;
  readonly requestsPerMinute?: number;
  readonly seriesPerDay?: number;
}

const SIZE = 200;

/** Keys made by a program that may open the store: the only way to one of another tenant. */
export function keysCommand(): Command {
  return command('keys', 'Creates, lists, and revokes the API keys of a service.')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return ofStore(command('create', 'Creates a key and prints its secret.'))
    .addOption(option('--name <text>', 'name of the key'))
    .addOption(option('--scope <scope>', 'what the key may do').default('write').choices(KEY_SCOPES))
    .addOption(option('--tenant <name>', 'tenant of the key; a new name creates a new tenant').default(DEFAULT_TENANT))
    .addOption(option('--expires-in-days <n>', 'days after which the key expires').argParser(wholeNumber(1, 3650)))
    .addOption(
      option('--requests-per-minute <n>', 'maximum number of requests per minute').argParser(wholeNumber(1, 1_000_000)),
    )
    .addOption(
      option('--series-per-day <n>', 'maximum number of series to forecast per day').argParser(
        wholeNumber(1, 999_999_999),
      ),
    )
    .action((options: CreateOptions) =>
      withStore(options, async (store) => {
        const { name, scope, tenant, expiresInDays, requestsPerMinute, seriesPerDay } = options;
        const keys = await keysIn(store, options);
        const { secret } = await keys.create({
          name,
          scope,
          tenant,
          expires_in_days: expiresInDays,
          requests_per_minute: requestsPerMinute,
          series_per_day: seriesPerDay,
        });
        console.log(secret);
      }),
    );
}

function listCommand(): Command {
  return ofStore(
    command('list', 'Prints the keys of all tenants without their secrets, newest first, as one JSON object per line.'),
  ).action((options: StoreOptions) =>
    withStore(options, async (store) => {
      const keys = await keysIn(store, options);
      for (let cursor: string | undefined = 'a'; cursor !== undefined;) {
        const page = await keys.list({ position: decodeCursor(cursor), size: SIZE });
        for (const { secret: _, ...key } of page.items) console.log(printable(JSON.stringify(key)));
        cursor = page.next_page;
      }
    }),
  );
}

function revokeCommand(): Command {
  return ofStore(command('revoke', 'Deletes a key, which is then rejected everywhere.'))
    .argument('<id>', 'ID of the key')
    .action((id: string, options: StoreOptions) =>
      withStore(options, async (store) => {
        try {
          await (await keysIn(store, options)).remove(id);
        } catch (error) {
          if (!(error instanceof RequestError)) throw error;
          console.error(error.message);
          process.exitCode = 1;
        }
      }),
    );
}
