import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openClusterService, openWorker } from '../../../src/server/cluster.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { monthly } from '../service/local-service.ts';
import { asSuperuser, startPostgres } from '../../harness/postgres.ts';
import { until } from '../editor/until.ts';
import { threads } from '../threads.ts';

describe('service on PostgreSQL', function () {
  this.timeout(60_000);

  it('is ready while its queue answers, and again once it does', async () => {
    const postgres = await startPostgres();
    const database = await postgres.database();
    const client = new pg.Client({ connectionString: database });
    const report = () => undefined; // the queue says what it misses meanwhile
    const service = await openClusterService({ database, token: newToken(), computeScript: threads.engine, report });
    try {
      await client.connect();
      const becomes = async (queue: boolean) => {
        for (let waited = 0; (await service.look()).queue !== queue; waited += 50) {
          assert.ok(waited < 20_000, `the queue is not told to be ${queue ? '' : 'un'}reachable`);
          await sleep(50);
        }
        assert.deepEqual(await service.look(), { store: true, queue, row_security: true });
      };
      await becomes(true);
      await client.query('alter table pgboss.queue rename to away');
      await becomes(false);
      await client.query('alter table pgboss.away rename to queue');
      await becomes(true);
    } finally {
      await client.end();
      await service.close();
      await postgres.remove();
    }
  });

  it('serves requests of a key while another one stores series', async () => {
    const postgres = await startPostgres();
    const database = await postgres.database();
    const client = new pg.Client({ connectionString: asSuperuser(database) });
    const token = newToken();
    const report = (error: unknown) => assert.fail(String(error));
    const service = await openClusterService({ database, token, computeScript: threads.engine, report });
    const send = async (path: string, body: object, as = token) => {
      const headers = { authorization: `Bearer ${as}` };
      const request = new Request(`http://local${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await service.fetch(request)).json() as Promise<{ id: string; secret: string; status: string }>;
    };
    try {
      await client.connect();
      const key = await send('/keys', { series_per_day: 100 });
      const request = { series: monthly, ai_model_id: 'theta', is_async: true };
      assert.equal((await send('/predictions', request, key.secret)).status, 'QUEUED');
      await client.query('begin; lock table series in share row exclusive mode');
      const stored = send('/predictions', request, key.secret);
      const isWaiting = "select 1 from pg_locks where not granted and relation = 'series'::regclass";
      await until(async () => (await client.query(isWaiting)).rows.length, Boolean);
      const counted = await client.query('select series from usage where key_id = $1 for update nowait', [key.id]);
      assert.deepEqual(counted.rows, [{ series: '1' }]);
      await client.query('rollback');
      assert.equal((await stored).status, 'QUEUED');
      const { rows } = await client.query('select series from usage where key_id = $1', [key.id]);
      assert.deepEqual(rows, [{ series: '2' }]);
    } finally {
      await client.end();
      await service.close();
      await postgres.remove();
    }
  });

  it('closes everything of a worker that cannot start', async () => {
    const postgres = await startPostgres();
    const database = await postgres.database();
    const client = new pg.Client({ connectionString: database });
    try {
      await client.connect();
      const report = (error: unknown) => assert.fail(String(error));
      await assert.rejects(
        openWorker({ database, computeScript: threads.engine, threads: 0, report }),
        /localConcurrency/,
      );
      const others = async () => {
        const { rows } = await client.query(
          "select 1 from pg_stat_activity where datname = current_database() and application_name like 'forecasts%'",
        );
        return rows.length;
      };
      for (let waited = 0; (await others()) > 0; waited += 50) {
        assert.ok(waited < 10_000, 'connections are left open');
        await sleep(50);
      }
    } finally {
      await client.end();
      await postgres.remove();
    }
  });
});
