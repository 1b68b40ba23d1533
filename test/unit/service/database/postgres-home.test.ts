import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { openPostgres } from '../../../../src/service/database/postgres-home.ts';
import { transaction } from '../../../../src/service/database/tables.ts';
import { startPostgres } from '../../../harness/postgres.ts';

describe('the store in PostgreSQL', function () {
  this.timeout(60_000);

  it('outlives a connection that is lost between two statements of a transaction', async () => {
    const postgres = await startPostgres();
    try {
      const database = await postgres.database();
      const reports: unknown[] = [];
      const home = await openPostgres({ database, connections: 2, report: (error) => reports.push(error) });
      const other = new pg.Client({ connectionString: database });
      await other.connect();
      const isOpen = async (pid: number) =>
        (await other.query('select 1 from pg_stat_activity where pid = $1', [pid])).rows.length > 0;
      const lost = transaction(home.db, async (db) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db);
        await other.query('select pg_terminate_backend($1)', [rows[0].pid]);
        // nobody asks anything while the connection is told of its end
        for (let open = true; open; open = await isOpen(rows[0].pid)) await sleep(20);
        await sleep(100);
        await sql`select 1`.execute(db);
      });
      await assert.rejects(lost);
      assert.deepEqual((await sql<{ one: number }>`select 1 one`.execute(home.db)).rows, [{ one: 1 }]);
      assert.deepEqual(reports, []);
      await other.end();
      await home.close();
    } finally {
      await postgres.remove();
    }
  });
});
