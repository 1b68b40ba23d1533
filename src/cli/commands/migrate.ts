import type { Command } from 'commander';
import { command } from './options.ts';
import { makeQueues, ofStore, type StoreOptions, withStore } from './store.ts';

/** A service and a worker also migrate when they start; this is for roles with separate rights. */
export function migrateCommand(): Command {
  return ofStore(command('migrate', 'Creates the tables of a store, or updates those of an older version.')).action(
    (options: StoreOptions) =>
      withStore(options, async () => {
        if (options.database !== undefined) await makeQueues(options.database);
        console.log('The store is up to date.');
      }),
  );
}
