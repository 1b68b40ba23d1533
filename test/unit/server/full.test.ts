import assert from 'node:assert/strict';
import pg from 'pg';
import { openClusterService } from '../../../src/server/cluster.ts';
import { newToken } from '../../../src/service/store/token.ts';
import { asSuperuser, type Postgres, startPostgres } from '../../harness/postgres.ts';
import { until } from '../editor/until.ts';
import { monthly } from '../service/local-service.ts';
import { threads } from '../threads.ts';

/** More wait for nobody: 1,000 of one tenant may. */
const ASKED = 150;

describe('PostgreSQL without free connections', function () {
  this.timeout(120_000);
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.remove());

  it('gives “busy” for requests that were not stored, and for no others', async () => {
    const database = await postgres.database();
    const token = newToken();
    const reports: unknown[] = [];
    const service = await openClusterService({
      database,
      token,
      computeScript: threads.engine,
      report: (error) => reports.push(error),
    });
    const others: pg.Client[] = [];
    let isTaking = true;
    // as soon as one is free it is taken, and after a while given back
    const taking = (async () => {
      while (isTaking) {
        const client = new pg.Client({ connectionString: database });
        client.on('error', () => undefined);
        try {
          await client.connect();
          others.push(client);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 20));
          for (const one of others.splice(0, 4)) await one.end();
        }
      }
    })();
    const answers = new Map<string, number>();
    const reported = (status: number) => [...answers].filter(([, one]) => one === status).map(([name]) => name);
    const send = async (name: string) => {
      const answer = await service.fetch(
        new Request('http://local/predictions', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': name },
          body: JSON.stringify({ name, series: monthly, ai_model_id: 'theta', is_async: true }),
        }),
      );
      await answer.text();
      answers.set(name, answer.status);
    };
    try {
      while (others.length < 60) await new Promise((resolve) => setTimeout(resolve, 50));
      const names = Array.from({ length: ASKED }, (_, n) => `p${n}`).values();
      const work = async () => {
        for (const name of names) {
          await send(name);
          // connections of the service are lost, so that it needs new ones
          if (answers.size % 20 === 0) await lose(database);
        }
      };
      await Promise.all(Array.from({ length: 25 }, work));
      for (let more = 0; reported(503).length === 0; more++) {
        await lose(database);
        await send(`more-${more}`);
      }
    } finally {
      isTaking = false;
      await taking;
      await Promise.all(others.map((one) => one.end()));
    }
    await until(() => leftOf(database), (count) => count === 0); // prettier-ignore
    await send('free-again');
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    await client.query(`select set_config('forecasts.tenants', 'all', false)`);
    const { rows } = await client.query<{ name: string }>('select name from predictions');
    await client.end();
    await service.close();
    const stored = new Set(rows.map(({ name }) => name));
    assert.equal(answers.get('free-again'), 201);
    assert.equal(reported(201).length + reported(503).length, answers.size);
    assert.deepEqual(
      reported(201).filter((name) => !stored.has(name)),
      [],
    );
    assert.deepEqual(
      reported(503).filter((name) => stored.has(name)),
      [],
    );
  });
});

/** How many connections there are that the service did not make: PostgreSQL frees them some time after they are closed. */
async function leftOf(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: asSuperuser(database) });
  await client.connect();
  const { rows } = await client.query<{ left: number }>(
    `select count(*)::int "left" from pg_stat_activity
     where usename = 'team' and application_name not like 'forecasts%'`,
  );
  await client.end();
  return rows[0].left;
}

/** Ends the connections of the service that are idle, as an operator may. */
async function lose(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'forecasts%' and state = 'idle'`,
    );
    await client.end();
  } catch {
    // none left for it
  }
}
