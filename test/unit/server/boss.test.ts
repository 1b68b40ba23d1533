import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';

import { bossEngine, openBoss, postgresDeaths } from '../../../src/server/cluster.ts';
import { forgetBegun } from '../../../src/service/jobs/queue.ts';
import { Queue } from '../../../src/service/jobs/queue.ts';
import { openPostgres } from '../../../src/server/postgres.ts';
import { StoreError } from '../../../src/service/errors.ts';
import { asSuperuser, type Postgres, startPostgres } from '../../harness/postgres.ts';
import { until } from '../editor/until.ts';

describe('queue on PostgreSQL', function () {
  this.timeout(60_000);
  let postgres: Postgres;

  before(async () => {
    postgres = await startPostgres();
  });

  after(() => postgres.remove());

  it('takes tenants in turn, however many jobs one of them has, with limits of their own', async () => {
    const database = await postgres.database();
    const report = (error: unknown) => assert.fail(String(error));
    const store = await openPostgres({ database, connections: 2, report });
    const boss = await openBoss({ database, connections: 1, report });
    const engine = bossEngine(boss, store.db);
    const queue = new Queue(engine, store.db, report, false);
    try {
      const add = (tenant: string, n: number) =>
        queue.add(store.db, { kind: 'prediction', targets: [`${tenant}${n}`], lane: 'forecast', tenant });
      for (let n = 0; n < 4; n++) await add('a', n);
      for (let n = 0; n < 2; n++) await add('b', n);
      const order: string[] = [];
      const take = async () => {
        const [{ data }] = await boss.fetch<{ targets: string[] }>('forecast');
        order.push(data.targets[0]);
      };
      await take();
      await add('c', 0);
      for (let n = 0; n < 6; n++) await take();
      // who comes late comes with the first that waits, and not behind all of them
      assert.deepEqual(order, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3']);
      const many = Array.from({ length: 1000 }, (_, n) => ({ data: { n }, group: { id: 'a' } }));
      await boss.insert('training', many);
      const train = (tenant: string) =>
        queue.add(store.db, { kind: 'fine_tuned_model', targets: [`model_${tenant}`], lane: 'training', tenant });
      await assert.rejects(train('a'), /Too many computations are waiting/);
      await train('b');
      const waiting = await queue.engine.waiting();
      assert.deepEqual(waiting.map(({ lane, jobs }) => [lane, Number(jobs)]), [['training', 1001]]); // prettier-ignore
    } finally {
      await queue.close();
      await store.close();
    }
  });

  it('considers a program dead only if its connections are gone', async () => {
    const database = await postgres.database();
    const report = (error: unknown) => assert.fail(String(error));
    const target = 'model_x';
    const open = (name: string) => openPostgres({ database, connections: 1, name, report });
    const looking = await open('looking');
    const model = { id: target, status: 'QUEUED', base_model: 'hybrid', config: '{}', input_config: '{}' };
    await looking.db
      .insertInto('fine_tuned_models')
      .values({ ...model, created_at: '', updated_at: '' })
      .execute();
    const deaths = postgresDeaths(looking.db, 'looking');
    try {
      for (const [n, name] of ['first', 'second', 'sleeps'].entries()) {
        const store = await open(name);
        await postgresDeaths(store.db, name).begin(target);
        assert.equal(await deaths.of(target), n, 'while it lives it did not die');
        if (name === 'sleeps') await forgetBegun(store.db, target, name);
        await store.close();
        for (let seen = 0; seen < (name === 'sleeps' ? 2 : n + 1);) seen = await deaths.of(target);
      }
      assert.equal(await deaths.of(target), 2, 'who woke up has taken it back');
      await looking.db.deleteFrom('fine_tuned_models').where('id', '=', target).execute();
      await forgetBegun(looking.db, target, 'looking');
      assert.equal(await deaths.of(target), 0, 'what is done is forgotten');
      // whose connections bear another name, as behind a pooler, counts nothing
      await postgresDeaths(looking.db, 'hidden').begin(target);
      assert.equal(await deaths.of(target), 0);
    } finally {
      await looking.close();
    }
  });

  it('is created once by programs that start simultaneously', async () => {
    const database = await postgres.database();
    const report = (error: unknown) => assert.fail(String(error));
    const opened = await Promise.all(Array.from({ length: 8 }, () => openBoss({ database, connections: 1, report })));
    try {
      assert.equal((await opened[0].getQueues()).length, 3);
    } finally {
      for (const boss of opened) await boss.stop({ graceful: false });
    }
  });

  it('that cannot be created says why', async () => {
    const database = await postgres.database();
    const name = new URL(database).pathname.slice(1);
    const client = new pg.Client({ connectionString: asSuperuser(database) });
    await client.connect();
    try {
      await client.query(`alter database ${name} owner to forecasts`);
      await assert.rejects(
        openBoss({ database, connections: 1, report: () => undefined }),
        (error) => error instanceof StoreError && error.message.includes(`permission denied for database ${name}`),
      );
    } finally {
      await client.end();
    }
  });

  it('listens for notifications, but not through a pooler that would share them', async () => {
    const database = await postgres.database();
    const pooler = await startPooler(Number(new URL(database).port));
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const count = async () => {
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where datname = current_database() and query like 'LISTEN%'",
      );
      return rows.length;
    };
    const listening = async (address: string, listens: boolean) => {
      const boss = await openBoss({
        database: address,
        connections: 1,
        report: (error) => assert.fail(String(error)),
        listens,
      });
      try {
        return await count();
      } finally {
        await boss.stop({ graceful: false });
        await until(count, (left) => left === 0); // its connection is gone some time after it is closed
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
