import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { BossQueue, openBoss } from '../../../../src/service/jobs/boss-queue.ts';
import { openPostgres } from '../../../../src/service/database/postgres-home.ts';
import { StoreError } from '../../../../src/service/database/trouble.ts';
import { asSuperuser, type Postgres, startPostgres } from '../../../harness/postgres.ts';

describe('the queue on PostgreSQL', function () {
  this.timeout(60_000);
  let postgres: Postgres;

  before(async () => {
    postgres = await startPostgres();
  });

  after(() => postgres.remove());

  it('keeps the names that programs of other versions know its turns by', async () => {
    const database = await postgres.database();
    const report = (error: unknown) => assert.fail(String(error));
    const home = await openPostgres({ database, connections: 2, report });
    const boss = await openBoss(database, 1, report);
    const queue = new BossQueue(boss, home.db, {}, report);
    try {
      for (const turn of ['forecast', 'training', 'dataset'] as const) {
        await queue.addAll(home.db, 'prediction', [`prediction_${turn}`], turn);
      }
      for (const name of ['forecast', 'training', 'panel', 'given-up']) {
        const jobs = await boss.findJobs<{ targets: string[] }>(name);
        const targets = jobs.flatMap(({ data }) => data.targets);
        assert.deepEqual(targets, name === 'given-up' ? [] : [`prediction_${name === 'panel' ? 'dataset' : name}`]);
      }
      // one that an older service has left, and one that was given up and waits for nobody
      await boss.send('panel', { kind: 'prediction', targets: ['prediction_older'] });
      await boss.send('given-up', { kind: 'prediction', targets: ['prediction_lost'] });
      const waiting = await queue.waiting();
      assert.deepEqual(
        Object.fromEntries(waiting.map(({ turn, jobs }) => [turn, Number(jobs)])),
        { forecast: 1, training: 1, dataset: 2 }, // prettier-ignore
      );
    } finally {
      await queue.close();
      await home.close();
    }
  });

  it('is made by one program, for which others that start at the same moment wait', async () => {
    const database = await postgres.database();
    const other = new pg.Client({ connectionString: database });
    const looking = new pg.Client({ connectionString: database });
    await Promise.all([other.connect(), looking.connect()]);
    try {
      await other.query("begin; select pg_advisory_xact_lock(hashtext('time-series-forecasts queues'))");
      await other.query('create schema pgboss');
      const opening = openBoss(database, 1, (error) => assert.fail(String(error)));
      opening.catch(() => undefined); // told below
      for (let waits = false; !waits;) {
        const { rows } = await looking.query(`select 1 from pg_stat_activity
          where application_name = 'forecasts queue' and datname = current_database()
            and (query = 'rollback' or wait_event_type = 'Lock')`);
        waits = rows.length > 0;
      }
      await other.query('commit');
      await (await opening).stop({ graceful: false });
    } finally {
      await Promise.all([other.end(), looking.end()]);
    }
  });

  it('does not wait without end for a program that hangs as it makes it, and says so', async () => {
    const database = await postgres.database();
    const other = new pg.Client({ connectionString: database });
    await other.connect();
    try {
      await other.query("begin; select pg_advisory_xact_lock(hashtext('time-series-forecasts queues'))");
      const opening = openBoss(database, 1, (error) => assert.fail(String(error)), false, 300);
      await assert.rejects(
        opening,
        (error) =>
          error instanceof StoreError && /another program has been making them all the while/.test(error.message),
      );
    } finally {
      await other.end();
    }
  });

  it('that cannot be made says why in a sentence', async () => {
    const database = await postgres.database();
    const name = new URL(database).pathname.slice(1);
    const client = new pg.Client({ connectionString: asSuperuser(database) });
    await client.connect();
    try {
      await client.query(`alter database ${name} owner to forecasts`);
      await assert.rejects(
        openBoss(database, 1, () => undefined),
        (error) => error instanceof StoreError && error.message.includes(`permission denied for database ${name}`),
      );
    } finally {
      await client.end();
    }
  });

  it('is listened to by who asks for it, but not through a pooler, where others would hear it', async () => {
    const database = await postgres.database();
    const pooler = await startPooler(Number(new URL(database).port));
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const listening = async (address: string, hears: boolean) => {
      const boss = await openBoss(address, 1, (error) => assert.fail(String(error)), hears);
      try {
        const { rows } = await client.query(
          "select 1 from pg_stat_activity where datname = current_database() and query like 'LISTEN%'",
        );
        return rows.length;
      } finally {
        await boss.stop({ graceful: false });
      }
    };
    try {
      assert.equal(await listening(database, false), 0);
      assert.equal(await listening(database, true), 1);
      assert.equal(await listening(pooler.before(database), true), 0);
    } finally {
      await client.end();
      await pooler.close();
    }
  });
});

/** What a program sees of a pooler: it numbers connections by itself. */
async function startPooler(port: number) {
  const server = createServer((client) => {
    const behind = connect(port, '127.0.0.1');
    client.pipe(behind);
    behind.on('data', (said) => {
      // BackendKeyData: the number of the connection follows the length, 12
      const at = said.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) said.writeUInt32BE((said.readUInt32BE(at + 5) ^ 0x5555) >>> 0, at + 5);
      client.write(said);
    });
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = String((server.address() as AddressInfo).port);
  return {
    before: (database: string) => database.replace(`:${port}/`, `:${own}/`),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
