import type { Command } from 'commander';
import type { LocalKey } from '../../contract/local.ts';
import { KEY_SCOPES, type KeyScope } from '../../contract/resources.ts';
import { printable } from '../../contract/texts.ts';
import { RequestError } from '../../service/errors.ts';
import { decodeCursor } from '../../service/database/list.ts';
import { DEFAULT_TENANT } from '../../service/database/store.ts';
import { command, option, wholeNumber } from './options.ts';
import { keysIn, ofStore, type StoreOptions, withStore } from './store.ts';

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
        const { name, scope, tenant } = options;
        const made = await (
          await keysIn(store, options)
        ).create({
          name,
          scope,
          tenant,
          expires_in_days: options.expiresInDays,
          requests_per_minute: options.requestsPerMinute,
          series_per_day: options.seriesPerDay,
        });
        console.log(made.secret);
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
        for (const key of page.items) console.log(printable(JSON.stringify(withoutSecret(key))));
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

const withoutSecret = ({ secret: _, ...key }: LocalKey) => key;
