import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { openPostgres } from '../../../src/server/postgres.ts';
import { transaction } from '../../../src/service/database/store.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { until } from '../editor/until.ts';

describe('store in PostgreSQL', function () {
  this.timeout(60_000);

  it('survives a connection that is lost between two statements of a transaction', async () => {
    const postgres = await startPostgres();
    const sockets: Socket[] = [];
    const made = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
    subscribe('net.client.socket', made);
    try {
      const database = await postgres.database();
      const reports: unknown[] = [];
      const store = await openPostgres({ database, connections: 2, report: (error) => reports.push(error) });
      const other = new pg.Client({ connectionString: database });
      await other.connect();
      const lost = transaction(store.db, async (db) => {
        const { rows } = await sql<{ pid: number; port: number }>`
          select pid, client_port port from pg_stat_activity where pid = pg_backend_pid()`.execute(db);
        const own = sockets.find(({ localPort }) => localPort === rows[0].port);
        assert.ok(own);
        await other.query('select pg_terminate_backend($1)', [rows[0].pid]);
        // nobody asks anything while the connection is told of its end
        await until(
          () => own.closed,
          (isClosed) => isClosed,
        );
        await sql`select 1`.execute(db);
      });
      await assert.rejects(lost);
      assert.deepEqual((await sql<{ one: number }>`select 1 one`.execute(store.db)).rows, [{ one: 1 }]);
      assert.deepEqual(reports, []);
      await other.end();
      await store.close();
    } finally {
      unsubscribe('net.client.socket', made);
      await postgres.remove();
    }
  });
});
