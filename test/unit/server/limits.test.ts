/** The limits of keys where several services share a store. */
import assert from 'node:assert/strict';
import pg from 'pg';
import type { LocalKey } from '../../../src/contract/resources.ts';
import { openClusterService } from '../../../src/server/cluster.ts';
import type { Service } from '../../../src/service/host/service.ts';
import { Maintenance } from '../../../src/service/store/maintenance.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { openPostgres } from '../../../src/server/postgres.ts';
import { type Postgres, startPostgres } from '../../harness/postgres.ts';
import { monthly } from '../service/local-service.ts';
import { until } from '../editor/until.ts';
import { threads } from '../threads.ts';

const token = newToken();

describe('limits of keys over two services on one database', function () {
  this.timeout(60_000);
  let postgres: Postgres;
  let database: string;
  let client: pg.Client;
  let services: readonly Service[] = [];
  const reports: unknown[] = [];
  const report = (error: unknown) => reports.push(error);

  before(async () => {
    postgres = await startPostgres();
    database = await postgres.database();
    const open = () => openClusterService({ database, token, computeScript: threads.engine, report });
    services = [await open(), await open()];
    client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query(`set forecasts.tenants = 'all'`);
  });
  after(async () => {
    await client.end();
    for (const service of services) await service.close();
    await postgres.remove();
    assert.deepEqual(reports, []);
  });

  const call = (which: number, method: string, path: string, body?: object, as = token) =>
    services[which].fetch(
      new Request(`http://local${path}`, {
        method,
        headers: { authorization: `Bearer ${as}` },
        body: body && JSON.stringify(body),
      }),
    );
  const newKey = async (body: object) => (await (await call(0, 'POST', '/keys', body)).json()) as Required<LocalKey>;

  it('count concurrent requests of both', async () => {
    const key = await newKey({ requests_per_minute: 5 });
    const other = await newKey({ requests_per_minute: 1 });
    const ask = (which: number, as = key.secret) => call(which, 'GET', '/datasets', undefined, as);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n % 2)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 7);
    for (const { headers } of refused) {
      const after = Number(headers.get('retry-after'));
      assert.ok(after >= 1 && after <= 60, String(after));
    }
    assert.match(((await refused[0].json()) as { detail: string }).detail, /^This key allows 5 requests per minute/);
    assert.deepEqual([(await ask(1, other.secret)).status, (await ask(0, other.secret)).status], [200, 429]);
    // the minute is over
    await client.query(`update requests set began = began - 60000 where key_id = $1`, [key.id]);
    assert.deepEqual([(await ask(0)).status, (await ask(1, other.secret)).status], [200, 429]);
    assert.equal((await call(1, 'GET', '/datasets')).status, 200);
    for (const { id } of [key, other]) assert.equal((await call(1, 'DELETE', `/keys/${id}`)).status, 204);
    assert.equal((await ask(0)).status, 401);
  });

  it('count the series of both', async () => {
    const { secret } = await newKey({ series_per_day: 3 });
    const request = { series: monthly, ai_model_id: 'theta', is_async: true };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => call(n % 2, 'POST', '/predictions', request, secret)),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 3);
    assert.ok(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0));
  });

  it('expire, as idempotency keys do', async () => {
    const store = await openPostgres({ database, connections: 1, report });
    try {
      await client.query(`
        insert into usage values ('k', '2024-01-01', 1), ('k', '2024-01-01 stored', 1), ('k', '9999-01-01', 1);
        insert into requests values ('gone', 1, 1), ('k', 9e15, 1);
        insert into creations values ('s', 'old', '', '', '2024-01-01T00:00:00Z'), ('s', 'new', '', '', '9999')`);
      const left = async (sql: string) => (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
      const maintenance = new Maintenance({ store, report });
      await until(
        () => left('select key_id id from requests'),
        (ids) => !ids.includes('gone'),
      );
      await maintenance.close();
      assert.deepEqual(await left(`select day id from usage where key_id = 'k'`), ['9999-01-01']);
      assert.deepEqual(await left(`select key_id id from requests where key_id in ('gone', 'k')`), ['k']);
      assert.deepEqual(await left(`select key id from creations where tenant = 's'`), ['new']);
    } finally {
      await store.close();
    }
  });
});
