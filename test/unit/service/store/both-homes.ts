/** The store alone on each home, whose statements are counted. */
import assert from 'node:assert/strict';
import type { KyselyPlugin, RootOperationNode } from 'kysely';
import pg from 'pg';
import { openDatabase } from '../../../../src/service/database/sqlite.ts';
import type { Home } from '../../../../src/service/database/home.ts';
import { openPostgres } from '../../../../src/server/postgres.ts';
import { sqliteHome } from '../../../../src/service/database/sqlite.ts';
import { type Postgres, startPostgres } from '../../../harness/postgres.ts';

export interface Counted {
  readonly home: Home;
  /** What was asked of it, to be emptied before counting. */
  readonly asked: RootOperationNode[];
  /** Has the database look at what is stored. */
  readonly analyze: () => Promise<void>;
}

let postgres: Postgres | undefined;
const homes: Readonly<Record<string, () => Promise<Pick<Counted, 'home' | 'analyze'>>>> = {
  SQLite: async () => {
    const database = await openDatabase(':memory:');
    const analyze = () => Promise.resolve(database.exec('analyze'));
    return { home: sqliteHome(database), analyze };
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
    return { home: await openPostgres({ database, connections: 4, report }), analyze };
  },
};

/** These tests on each home. @param tests get what the store is, once it is there */
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
        const { home, analyze } = await open();
        const db = home.db.withPlugin(counting);
        counted = { home: { ...home, db, in: (tenant) => home.in(tenant).withPlugin(counting) }, asked, analyze };
      });
      after(async () => {
        await counted.home.close();
        await postgres?.remove();
        postgres = undefined;
      });
      tests(() => counted, name);
    });
  }
}
