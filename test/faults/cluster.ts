import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../harness/postgres.ts';
import { WorkerProgram } from '../harness/worker.ts';
import type { Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

interface Page {
  readonly total: number | null;
}

/** A dataset whose series are all to be forecast. @returns how to know how many are, and that all are */
async function manySeries(served: Served, count: number) {
  const series = Array.from({ length: count }, (_, i) => ({
    name: `s${i}`,
    series: monthly.map((point) => ({ ...point, value: point.value + i })),
  }));
  const { body: data } = await served.call<{ id: string }>('POST', '/datasets', { series });
  const asked = await served.call<{ prediction_ids: string[] }>('POST', `/datasets/${data.id}/predictions`, {});
  assert.equal(asked.status, 201);
  assert.equal(asked.body.prediction_ids.length, count);
  const of = async (service: Served, status: string): Promise<number> => {
    const query = `size=1&include_series=false&dataset_id=${data.id}&status=${status}`;
    const answer = await service.call<Page>('GET', `/predictions?${query}`);
    return answer.status === 200 ? (answer.body.total ?? NaN) : NaN;
  };
  return {
    /** Waits until so many are done. */
    reach: async (service: Served, wanted: number) => {
      for (let waited = 0; !((await of(service, 'COMPLETED')) >= wanted); waited += 200) {
        assert.ok(waited < 300_000, `only ${await of(service, 'COMPLETED')} of ${wanted}`);
        assert.ok(!((await of(service, 'FAILED')) > 0), 'none has failed');
        await sleep(200);
      }
    },
  };
}

/** What stands in the database beside what clients see: each forecast once, no job left, none given up. */
async function checkDatabase(database: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(`set forecasts.tenants = 'all'`);
  const one = async (sql: string) =>
    Number(Object.values((await client.query<Record<string, string>>(sql)).rows[0])[0]);
  try {
    assert.equal(await one(`select count(*) from predictions where status = 'COMPLETED'`), count);
    assert.equal(
      await one(`select count(*) from series where dataset_id is null`),
      count,
      'each forecast is stored once',
    );
    assert.equal(await one(`select count(*) from pgboss.job where state = 'failed'`), 0);
  } finally {
    await client.end();
  }
}

export const cluster: Scenario = {
  name: 'kill -9 of a worker and of the service, and a restart of PostgreSQL, in the midst of datasets',
  async run({ long }) {
    const rounds = long ? 5 : 1;
    const count = 450; // two jobs: one for each worker
    const postgres = await startPostgres();
    const folder = temporary();
    const longest = { taken: 0, reported: 0 };
    try {
      const database = await postgres.database();
      const args = ['--database', database];
      let served = await Served.start(folder, { args });
      let workers = [await WorkerProgram.start(database), await WorkerProgram.start(database)];
      for (let round = 0; round < rounds; round++) {
        const killed = await manySeries(served, count);
        await killed.reach(served, 50);
        const [first, second] = workers;
        await first.end('SIGKILL');
        const from = performance.now();
        workers = [await WorkerProgram.start(database), second];
        await killed.reach(served, count);
        longest.taken = Math.max(longest.taken, performance.now() - from);

        const restarted = await manySeries(served, count);
        await restarted.reach(served, 50);
        await postgres.stop();
        const refused = await served.call('GET', '/predictions');
        assert.equal(refused.status, 503);
        await postgres.start();
        await restarted.reach(served, count);

        const again = await manySeries(served, count);
        await again.reach(served, 50);
        await served.end('SIGKILL');
        served = await Served.start(folder, { args });
        longest.reported = Math.max(longest.reported, await workers[0].end());
        workers = [await WorkerProgram.start(database), workers[1]];
        await again.reach(served, count);
      }
      await checkDatabase(database, 3 * count * rounds);
      assert.ok(longest.reported < 10_000, `a worker took ${longest.reported} ms to end`);
      for (const worker of workers) await worker.end();
      assert.deepEqual(
        workers.map(({ child }) => child.exitCode),
        workers.map(() => 0),
        workers.map((worker) => worker.said).join('\n'),
      );
      await served.end();
      const said = workers.map((worker) => worker.said).join('') + served.said;
      assert.ok(!said.includes('"defect"'), said);
    } finally {
      await postgres.remove();
      remove(folder);
    }
    const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
    return {
      tried: `${3 * rounds}`,
      outcome: `${3 * count * rounds} series, each forecast once; all done ${seconds(longest.taken)} s after the kill of a worker; one told to end had in ${seconds(longest.reported)} s`,
    };
  },
};
