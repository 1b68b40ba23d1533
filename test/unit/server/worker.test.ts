import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { areAtWork, openWorker } from '../../../src/server/cluster.ts';
import { startPostgres } from '../../harness/postgres.ts';
import { threads } from '../threads.ts';

describe('worker', function () {
  this.timeout(60_000);

  it('is ready while the queue answers and jobs are fetched, and again once they are', async () => {
    const postgres = await startPostgres();
    const database = await postgres.database();
    const reports: unknown[] = [];
    const worker = await openWorker({
      database,
      computeScript: threads.engine,
      threads: 1,
      report: (error) => reports.push(error),
    });
    const client = new pg.Client({ connectionString: database });
    try {
      await client.connect();
      const becomes = async (queue: boolean) => {
        const wanted = { store: true, queue, row_security: true };
        let reported = await worker.look();
        for (let waited = 0; reported.queue !== queue; waited += 50) {
          assert.ok(waited < 20_000, `the queue is not told to be ${queue ? '' : 'un'}reachable`);
          await sleep(50);
          reported = await worker.look();
        }
        assert.deepEqual(reported, wanted);
      };
      await becomes(true);
      for (const table of ['pgboss.queue', 'pgboss.job_common']) {
        await client.query(`alter table ${table} rename to away`);
        await becomes(false);
        await client.query(`alter table pgboss.away rename to ${table.split('.')[1]}`);
        await becomes(true);
      }
    } finally {
      await client.end();
      await worker.close();
      await postgres.remove();
    }
  });

  it('is not ready if fetching stopped or hangs', () => {
    const now = 1e12;
    const asking = {
      state: 'active',
      count: 0,
      createdOn: now - 1e6,
      lastFetchedOn: now - 5_000,
      lastErrorOn: null,
    } as const;
    const after = (change: Partial<Parameters<typeof areAtWork>[0][number]>) =>
      areAtWork([asking, { ...asking, ...change }], 2, now);
    assert.equal(after({}), true);
    assert.equal(areAtWork([asking], 2, now), false);
    assert.equal(after({ state: 'stopping' }), false);
    assert.equal(after({ lastFetchedOn: now - 60_000 }), false);
    assert.equal(after({ lastFetchedOn: now - 60_000, count: 1 }), true);
    assert.equal(after({ lastErrorOn: now - 1_000 }), false);
    assert.equal(after({ lastErrorOn: now - 9_000 }), true);
    assert.equal(after({ lastFetchedOn: null, createdOn: now - 1_000 }), true);
  });
});
