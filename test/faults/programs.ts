import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotHere, type Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

const inFolder = (folder: string, sql: string) => {
  const database = new DatabaseSync(path.join(folder, 'forecasts.db'));
  database.exec(`pragma busy_timeout = 5000; ${sql}`);
  database.close();
};

const slow = { series: monthly, ai_model_id: 'hybrid', fine_tuning_epochs: 10, is_async: true };

async function queue(served: Served, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { status, body } = await served.call<{ id: string }>('POST', '/predictions', slow);
    assert.equal(status, 201);
    ids.push(body.id);
  }
  return ids;
}

async function areDone(served: Served, ids: readonly string[]): Promise<void> {
  assert.deepEqual(await served.settled(), [], 'nothing is stuck');
  const all = new Map((await served.all('/predictions')).map((one) => [one.id, one]));
  for (const id of ids)
    assert.equal(all.get(id)?.status, 'COMPLETED', `${id}: ${all.get(id)?.error?.detail ?? 'not there'}`);
}

export const paused: Scenario = {
  name: 'two programs on one folder, one stopped for longer than its lease and continued',
  async run({ long }) {
    if (process.platform === 'win32') throw new NotHere('programs cannot be stopped');
    const rounds = long ? 5 : 1;
    const folder = temporary();
    let predictions = 0;
    const [first, second] = [await Served.start(folder), await Served.start(folder)];
    try {
      for (let round = 0; round < rounds; round++) {
        const [halted, other] = round % 2 ? [second, first] : [first, second];
        const ids = await queue(halted, 4);
        halted.child.kill('SIGSTOP');
        ids.push(...(await queue(other, 2)));
        const isHeld = sleep(26_000);
        await areDone(other, ids);
        await isHeld;
        halted.child.kill('SIGCONT');
        await sleep(3_000);
        await areDone(halted, ids);
        predictions += ids.length;
      }
      await Promise.all([first.end(), second.end()]);
      assert.ok(!first.toldDefect && !second.toldDefect, first.said + second.said);
    } finally {
      for (const served of [first, second]) await served.end('SIGKILL');
      remove(folder);
    }
    return { tried: `${rounds}`, outcome: `${predictions} predictions, each finished once and for good` };
  },
};

export const clock: Scenario = {
  name: 'a clock that is set back by an hour after a crash',
  async run({ long }) {
    const rounds = long ? 6 : 1;
    const folder = temporary();
    let predictions = 0;
    try {
      for (let round = 0; round < rounds; round++) {
        const crashed = await Served.start(folder);
        const ids = await queue(crashed, 4);
        await sleep(500);
        await crashed.end('SIGKILL');
        inFolder(folder, `update jobs set lease_until = lease_until + 3600000 where owner is not null`);
        const served = await Served.start(folder);
        await areDone(served, ids);
        await served.end();
        predictions += ids.length;
      }
    } finally {
      remove(folder);
    }
    return { tried: `${rounds}`, outcome: `${predictions} predictions taken up at once, all done` };
  },
};
