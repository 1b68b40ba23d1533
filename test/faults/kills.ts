import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../harness/paths.ts';
import { NotHere, type Scenario } from './scenario.ts';
import { type Listed, monthly, remove, Served, temporary } from './served.ts';

type Write = readonly [path: string, body: object];

const WRITES: readonly Write[] = [
  ['/predictions', { series: monthly, is_async: true }],
  ['/predictions', { series: monthly, ai_model_id: 'theta' }],
  ['/datasets', { name: 'imported', series: Array.from({ length: 700 }, () => ({ series: monthly })) }],
  ['/fine_tuned_models', { base_model: 'theta', input_config: { series: monthly } }],
  ['/predictions', { series: monthly, ai_model_id: 'hybrid', fine_tuning_epochs: 3, is_async: true }],
];

/** Four clients that write without a pause; what was acknowledged is kept. */
async function writing(served: Served, acknowledged: Set<string>, until: Promise<unknown>): Promise<void> {
  let isOver = false;
  void until.then(() => (isOver = true));
  const client = async (first: number) => {
    for (let turn = first; !isOver; turn++) {
      const [where, body] = WRITES[turn % WRITES.length];
      try {
        const answer = await served.call<{ id: string }>('POST', where, body);
        assert.ok([201, 429].includes(answer.status), `${where} answers ${answer.status}`);
        if (answer.status === 201) acknowledged.add(`${where}/${answer.body.id}`);
        else await sleep(100);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return; // it was killed
      }
    }
  };
  await Promise.all([0, 1, 2, 3].map(client));
}

export const kills: Scenario = {
  name: 'kill -9 of the service during predictions, trainings and imports',
  async run({ long, random }) {
    const rounds = long ? 60 : 6;
    const folder = temporary();
    const acknowledged = new Set<string>();
    let [failed, suspected] = [0, 0];
    try {
      for (let round = 0; round < rounds; round++) {
        const served = await Served.start(folder);
        const end = sleep(random.between(100, 1600)).then(() => served.end('SIGKILL'));
        await Promise.all([writing(served, acknowledged, end), end]);
        assert.ok(!served.toldDefect, served.said);
      }
      const served = await Served.start(folder);
      const stuck = await served.settled();
      assert.deepEqual(stuck, [], 'nothing is stuck');
      for (const where of acknowledged) {
        const { status, body } = await served.call<Listed>('GET', where);
        assert.equal(status, 200, `${where} was acknowledged and is lost`);
        // one that is hit again and again in its midst is taken for what ended the service
        if (body.status === 'FAILED' && body.error?.code === 'given_up') suspected++;
        else if (body.status === 'FAILED') failed++;
      }
      assert.equal(failed, 0, 'what was acknowledged was done');
      await served.end();
      const database = new DatabaseSync(path.join(folder, 'forecasts.db'));
      assert.equal(Object.values(database.prepare('pragma integrity_check').get() ?? {})[0], 'ok');
      assert.equal(database.prepare('select count(*) n from jobs').get()?.n, 0);
      const orphans = `select count(*) n from series where dataset_id is null
        and not exists (select 1 from predictions where series.id in (input_series_id, prediction_series_id))`;
      assert.equal(database.prepare(orphans).get()?.n, 0);
      database.close();
    } finally {
      remove(folder);
    }
    const given =
      suspected === 0 ? '' : `; ${suspected} were hit in their midst again and again and given up with a sentence`;
    return { tried: `${rounds}`, outcome: `${acknowledged.size} acknowledged writes, none lost, none stuck${given}` };
  },
};

/** On so many points a net trains for seconds, however soon nothing gets better. */
const manyHours = Array.from({ length: 2_000 }, (_, hour) => ({
  timestamp: new Date(Date.UTC(2021, 0, 1, hour)).toISOString(),
  value: 100 + 20 * Math.sin((hour * Math.PI) / 12) + 7 * Math.sin(hour * hour),
}));

export const ends: Scenario = {
  name: 'SIGTERM while clients wait for predictions',
  async run({ long }) {
    const rounds = long ? 10 : 2;
    const folder = temporary();
    let reported = 0;
    try {
      for (let round = 0; round < rounds; round++) {
        const served = await Served.start(folder);
        const slow = { series: manyHours, ai_model_id: 'hybrid', fine_tuning_epochs: 1000 };
        const waiting = [1, 2, 3, 4].map(() =>
          served
            .call<{ status: string }>('POST', '/predictions', slow)
            .catch((error: unknown) => ({ body: { status: String(error) } })),
        );
        const areAsked = async () => (await served.all('/predictions')).length === 4 * (round + 1);
        const end = Date.now() + 60_000;
        while (!(await areAsked())) {
          assert.ok(Date.now() < end, `the four predictions are not there: ${served.said}`);
          await sleep(50);
        }
        await served.end('SIGTERM');
        assert.equal(served.child.exitCode, 0);
        for (const { body } of await Promise.all(waiting)) {
          assert.equal(body.status, 'FAILED', JSON.stringify(body));
          reported++;
        }
      }
      const served = await Served.start(folder);
      const after = await served.all('/predictions');
      assert.ok(
        after.every(({ status }) => status === 'FAILED'),
        'nothing is computed for those that are gone',
      );
      await served.end();
    } finally {
      remove(folder);
    }
    return { tried: `${rounds}`, outcome: `${reported} waiting clients told, nothing computed later` };
  },
};

export const npmEnds: Scenario = {
  name: 'npm that runs the service is told to end',
  async run({ long }) {
    if (process.platform === 'win32') throw new NotHere('no signals');
    const rounds = long ? 5 : 1;
    const folder = temporary();
    try {
      for (let round = 0; round < rounds; round++) {
        const npm = spawn('npm', ['run', '--silent', 'serve', '--', '--port', '0', '--data', folder, '--json'], {
          cwd: root,
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        let line = '';
        npm.stdout.on('data', (chunk: Buffer) => (line += String(chunk)));
        for (let look = 0; !line.includes('\n') && look < 3600; look++) await sleep(50);
        const { url } = JSON.parse(line) as { url: string };
        const serves = () =>
          fetch(`${url}/openapi.json`).then(
            ({ ok }) => ok,
            () => false,
          );
        assert.ok(await serves());
        npm.kill('SIGTERM');
        for (let look = 0; (await serves()) && look < 1200; look++) await sleep(50);
        assert.equal(await serves(), false, 'the service still answers');
      }
    } finally {
      remove(folder);
    }
    return { tried: `${rounds}`, outcome: 'the service ends with it' };
  },
};
