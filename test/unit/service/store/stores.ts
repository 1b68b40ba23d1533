/** The store alone on each store, whose statements are counted. */
import assert from 'node:assert/strict';
import type { KyselyPlugin, RootOperationNode } from 'kysely';
import pg from 'pg';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import type { Store } from '../../../../src/service/database/store.ts';
import { openPostgres } from '../../../../src/server/postgres.ts';
import { type Postgres, startPostgres } from '../../../harness/postgres.ts';

export interface Counted {
  readonly store: Store;
  /** What was asked of it, to be emptied before counting. */
  readonly asked: RootOperationNode[];
  /** Has the database look at what is stored. */
  readonly analyze: () => Promise<void>;
}

let postgres: Postgres | undefined;
const homes: Readonly<Record<string, () => Promise<Pick<Counted, 'store' | 'analyze'>>>> = {
  SQLite: async () => {
    const database = await openDatabase(':memory:');
    const analyze = () => Promise.resolve(database.exec('analyze'));
    return { store: sqliteStore(database), analyze };
  },
  PostgreSQL: async () => {
    postgres = await startPostgres();
    const report = (error: unknown) => assert.fail(String(error));
    const database = await postgres.database();
    const analyze = async () => {
      // in no transaction, which all of the store are
      const client = new pg.Client({ connectionString: database });
      await client.connect();
      await client.query('vacuum analyze');
      await client.end();
    };
    return { store: await openPostgres({ database, connections: 4, report }), analyze };
  },
};

/** These tests on each store. @param tests get what the store is, once it is there */
export function onEachStore(what: string, tests: (counted: () => Counted, name: string) => void): void {
  for (const [name, open] of Object.entries(homes)) {
    describe(`${what} on ${name}`, function () {
      this.timeout(60_000);
      let counted: Counted;
      before(async () => {
        const asked: RootOperationNode[] = [];
        const counting: KyselyPlugin = {
          transformQuery: ({ node }) => {
            asked.push(node);
            return node;
          },
          transformResult: ({ result }) => Promise.resolve(result),
        };
        const { store, analyze } = await open();
        const db = store.db.withPlugin(counting);
        counted = { store: { ...store, db, in: (tenant) => store.in(tenant).withPlugin(counting) }, asked, analyze };
      });
      after(async () => {
        await counted.store.close();
        await postgres?.remove();
        postgres = undefined;
      });
      tests(() => counted, name);
    });
  }
}
