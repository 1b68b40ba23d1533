import { failure } from '../../src/contract/failures.ts';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { JobError } from '../../src/service/errors.ts';
import { Threads } from '../../src/service/tasks/pool.ts';
import type { Task } from '../../src/service/tasks/pool-thread.ts';
import type { Scenario } from './scenario.ts';
import { monthly, remove, Served, temporary } from './served.ts';

/** A thread that does what the name of the model says. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, call: { model } }) => {
      if (model === 'crash') process.exit(7);
      if (model === 'throw') throw new Error('thrown');
      if (model === 'memory') { const all = []; for (;;) all.push(new Array(1e5).fill(Math.random())); }
      if (model === 'loop') for (;;);
      setTimeout(() => parentPort.postMessage({ id, value: '{}' }), 5);
    });`)}`,
);

export const threads: Scenario = {
  name: 'a compute thread that crashes, throws, runs out of memory or loops and is cancelled',
  async run({ long }) {
    const rounds = long ? 25 : 3;
    const pool = new Threads(script, 2, 32);
    const nothing = () => undefined;
    const run = (model: string, signal = new AbortController().signal) => {
      const task: Task & { kind: 'tune' } = { kind: 'tune', model, dataset: [] };
      return pool.run(task, signal, { onStart: nothing, onProgress: nothing });
    };
    let longest = 0;
    for (let round = 0; round < rounds; round++) {
      for (const fault of ['crash', 'throw', 'memory']) {
        const others = [run('well'), run('well')];
        const failed = await run(fault).then(
          () => assert.fail(`${fault} did not fail`),
          (error: unknown) => error,
        );
        assert.equal(failed instanceof JobError, fault === 'memory', String(failed));
        await Promise.all(others);
      }
      const abort = new AbortController();
      const looping = run('loop', abort.signal).catch((error: unknown) => error);
      await sleep(50);
      const from = performance.now();
      abort.abort(new JobError(failure('cancelled')));
      assert.ok((await looping) instanceof JobError);
      longest = Math.max(longest, performance.now() - from);
      await Promise.all([run('well'), run('well'), run('well')]);
    }
    await pool.dispose();
    return { tried: `${rounds * 4}`, outcome: `that job alone failed; cancelled within ${Math.ceil(longest)} ms` };
  },
};

export const cancels: Scenario = {
  name: 'predictions and trainings that are deleted while they run',
  async run({ long }) {
    const rounds = long ? 50 : 6;
    const folder = temporary();
    let longest = 0;
    try {
      const served = await Served.start(folder);
      const training = { base_model: 'hybrid', config: { max_epochs: 1000 }, input_config: { series: monthly } };
      const prediction = { series: monthly, ai_model_id: 'hybrid', fine_tuning_epochs: 1000, is_async: true };
      for (let round = 0; round < rounds; round++) {
        const [where, body] = round % 2 ? ['/fine_tuned_models', training] : ['/predictions', prediction];
        const { id } = (await served.call<{ id: string }>('POST', where, body)).body;
        for (let look = 0; look < 200; look++) {
          const { status } = (await served.call<{ status: string }>('GET', `${where}/${id}`)).body;
          if (status !== 'QUEUED') break;
          await sleep(20);
        }
        const from = performance.now();
        assert.equal((await served.call('DELETE', `${where}/${id}`)).status, 204);
        longest = Math.max(longest, performance.now() - from);
        assert.equal((await served.call('GET', `${where}/${id}`)).status, 404);
      }
      const after = await served.call<{ status: string }>('POST', '/predictions', {
        series: monthly,
        ai_model_id: 'theta',
      });
      assert.equal(after.body.status, 'COMPLETED', 'the threads are free again');
      assert.ok(!served.toldDefect, served.said);
      await served.end();
    } finally {
      remove(folder);
    }
    return {
      tried: `${rounds}`,
      outcome: `gone at once, answered within ${Math.ceil(longest)} ms; the threads are free again`,
    };
  },
};
