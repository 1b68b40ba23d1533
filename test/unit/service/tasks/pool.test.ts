import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { JobError } from '../../../../src/service/errors.ts';
import { ServiceThread, ServiceUnavailableError } from '../../../../src/service/host/service-thread.ts';
import { Threads } from '../../../../src/service/tasks/pool.ts';
import type { Task } from '../../../../src/service/tasks/pool-thread.ts';

const script = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

describe('compute threads', () => {
  const task: Task & { kind: 'tune' } = { kind: 'tune', model: 'theta', dataset: [] };
  const failure = (code: string | URL) =>
    new Threads(code, 1)
      .run(task, new AbortController().signal, { onStart: () => undefined, onProgress: () => undefined })
      .then(
        () => assert.fail('it ran'),
        (error: unknown) => error,
      );

  it('report a lack of memory with a message', async () => {
    const error = await failure(
      script(`throw Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });`),
    );
    assert.ok(error instanceof JobError);
    assert.match(error.message, /memory/);
  });

  it('report any other end as a defect with its cause', async () => {
    const thrown = await failure(script(`throw new TypeError('oops');`));
    assert.ok(thrown instanceof Error && !(thrown instanceof JobError));
    assert.match(thrown.message, /oops/);
    const missing = await failure(new URL('../no-such-script.ts', import.meta.url));
    assert.ok(missing instanceof Error && !(missing instanceof JobError));
    assert.match(missing.message, /no-such-script/);
    const ended = await failure(script(`process.exit(3);`));
    assert.ok(ended instanceof Error && !(ended instanceof JobError));
    assert.match(ended.message, /ended with 3/);
  });

  it('report a task as started only when it has a thread', async () => {
    const code = `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id }) => setTimeout(() => parentPort.postMessage({ id, value: '{}' }), 20));
    `;
    const threads = new Threads(script(code), 1);
    const reported: string[] = [];
    const run = async (name: string) => {
      const onStart = () => reported.push(`${name} starts`);
      await threads.run(task, new AbortController().signal, { onStart, onProgress: () => undefined });
      reported.push(`${name} ends`);
    };
    const both = Promise.all([run('first'), run('second')]);
    assert.deepEqual(reported, ['first starts']);
    await both;
    assert.deepEqual(reported.toSorted(), ['first ends', 'first starts', 'second ends', 'second starts']);
    await threads.dispose();
  });
});

describe('ending compute threads', () => {
  it('free their memory before the next one starts', async () => {
    const code = `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, call }) => {
        if (call?.model === 'next') parentPort.postMessage({ id, value: '' });
        else if (call) parentPort.postMessage({ id, part: { fraction: 0 } });
      });`;
    const threads = new Threads(script(code), 1);
    const abort = new AbortController();
    const first = Promise.withResolvers<Worker>();
    process.once('worker', first.resolve);
    const onProgress = () => {
      abort.abort(new Error('over'));
    };
    await assert.rejects(
      threads.run({ kind: 'tune', model: 'first', dataset: [] }, abort.signal, { onProgress }),
      /over/,
    );
    let hasEnded = false;
    (await first.promise).prependListener('exit', () => (hasEnded = true));
    await threads.run({ kind: 'tune', model: 'next', dataset: [] }, AbortSignal.any([]), {
      onStart: () => {
        assert.ok(hasEnded);
      },
    });
    await threads.dispose();
  });

  /** Tells its number, or dies of the model that it is told to. */
  const code = script(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ id, call: { model } }) => {
      if (model === 'exit') process.exit(4);
      else if (model === 'throw') throw new RangeError('too far');
      else if (model !== 'silence') parentPort.postMessage({ id, value: String(threadId) });
    });
  `);
  const run = (threads: Threads, model: string, signal = new AbortController().signal, onStart = () => undefined) =>
    threads.run({ kind: 'tune', model, dataset: [] }, signal, { onStart, onProgress: () => undefined });

  it('fail only their own task, and waiting tasks go to another thread', async () => {
    const threads = new Threads(code, 1);
    const first = await run(threads, 'number');
    assert.equal(await run(threads, 'number'), first, 'a thread is kept');
    for (const [model, reported] of [
      ['exit', /ended with 4/],
      ['throw', /too far/],
    ] as const) {
      const [died, next] = await Promise.allSettled([run(threads, model), run(threads, 'number')]);
      assert.match(String(died.status === 'rejected' && died.reason), reported);
      assert.ok(next.status === 'fulfilled' && next.value !== first);
    }
    assert.deepEqual([threads.hasRoom, threads.waitingOf('')], [true, 0]);
    await threads.dispose();
  });

  it('give memory back when there is little to do: one stays', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const threads = new Threads(code, 2);
    const both = () => Promise.all([run(threads, 'number'), run(threads, 'number')]);
    const first = new Set(await both());
    assert.deepEqual(new Set(await both()), first, 'they stay for a while');
    mock.timers.tick(1_000);
    const second = await both();
    assert.equal(second.filter((one) => first.has(one)).length, 1);
    assert.equal(new Set(second).size, 2);
    await threads.dispose();
    mock.timers.reset();
  });

  it('cancel at once on abort, and all running tasks on dispose', async () => {
    const threads = new Threads(code, 1);
    const called = new AbortController();
    const off = assert.rejects(run(threads, 'silence', called.signal), /called off/);
    const next = run(threads, 'number');
    assert.deepEqual([threads.hasRoom, threads.waitingOf('')], [false, 1]);
    called.abort(new Error('called off'));
    await off;
    assert.match(String(await next), /^\d+$/);
    const begun = Promise.withResolvers<undefined>();
    const last = assert.rejects(
      run(threads, 'silence', undefined, () => void begun.resolve(undefined)),
      /ended with 1/,
    );
    await begun.promise;
    await threads.dispose();
    await last;
  });
});

describe('busy compute threads', () => {
  /** Answers each task when it is told to, with the model that it names. */
  const code = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, call }) => setTimeout(() => parentPort.postMessage({ id, value: JSON.stringify(call.model) }), 5));
  `;

  it('run awaited tasks first, and yield to them between series', async () => {
    const threads = new Threads(script(code), 2);
    const begun: string[] = [];
    const run = (model: string, isFirst: boolean, signal = new AbortController().signal) =>
      threads.run({ kind: 'tune', model, dataset: [] }, signal, {
        isFirst,
        onStart: () => begun.push(model),
        onProgress: () => undefined,
      });
    /** As the parts of a dataset come: the next as soon as one is done. */
    const oneByOne = async (name: string) => {
      for (let n = 0; n < 4; n++) await run(`${name}${n}`, false);
    };
    const datasets = Promise.all(['a', 'b', 'c'].map(oneByOne));
    const stop = new AbortController();
    const left = assert.rejects(run('left', true, stop.signal), /enough/);
    const singles = Promise.all([run('first', true), run('second', true)]);
    assert.deepEqual([begun, threads.waitingOf('')], [['a0', 'b0'], 4]);
    stop.abort(new Error('enough'));
    await Promise.all([left, singles]);
    assert.deepEqual(begun.slice(0, 4), ['a0', 'b0', 'first', 'second']);
    await datasets;
    assert.equal(begun[4], 'c0', 'who waited has the thread before those that come later');
    assert.deepEqual([begun.length, threads.waitingOf('')], [14, 0]);
    await threads.dispose();
  });

  it('are shared by tenants in turn, and a training leaves one to the others', async () => {
    const waits = `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, call }) => setTimeout(() => parentPort.postMessage({ id, value: '1' }), Number(call.points ?? 20)));`;
    const threads = new Threads(script(waits), 1);
    const begun: string[] = [];
    const run = (name: string, long = false) => {
      const events = { tenant: name[0], onStart: () => begun.push(name), onProgress: () => undefined };
      const { signal } = new AbortController();
      if (long) return threads.run({ kind: 'tune', model: '', dataset: [] }, signal, events);
      return threads.run({ kind: 'anomalies', points: '20', rarity: 1 }, signal, events);
    };
    const first = ['a0', 'a1', 'a2', 'b0', 'b1', 'c0'].map((name) => run(name));
    assert.deepEqual([begun, threads.waitingOf('a'), threads.waitingOf('c')], [['a0', 'b0'], 2, 1]);
    await Promise.all(first);
    assert.ok(begun.length === 6 && begun.indexOf('c0') < begun.indexOf('a2'), begun.join());
    const rest = [run('a3', true), run('b2', true), run('a4')];
    assert.deepEqual(begun.slice(6), ['a3', 'a4'], 'a training waits for a thread, and a forecast beside it does not');
    await Promise.all(rest);
    await threads.dispose();
  });

  it('never exceed their number', async () => {
    const threads = new Threads(script(code), 1);
    let [running, most] = [0, 0];
    const run = async () => {
      await threads.run({ kind: 'tune', model: 'm', dataset: [] }, new AbortController().signal, {
        onStart: () => {
          most = Math.max(most, ++running);
        },
        onProgress: () => undefined,
      });
      running--;
    };
    const twice = async () => {
      await run();
      await run();
    };
    await Promise.all([twice(), twice(), twice()]);
    assert.equal(most, 1);
    await threads.dispose();
  });
});

describe('service thread', () => {
  /** Answers each request with its thread's number after a while, and ends some time after it was told to. */
  const code = script(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ id, call, word }) => {
      if (call?.kind === 'request') {
        const body = new TextEncoder().encode(String(threadId)).buffer;
        setTimeout(() => parentPort.postMessage({ id, value: { status: 200, headers: [], body } }), 400);
      } else if (word === 'stop') setTimeout(() => process.exit(), 100);
    });
  `);
  const data = () => Promise.resolve({ folder: '', token: '', computeScript: '', keepDays: 0 });
  const ask = async (thread: ServiceThread) => (await thread.fetch('http://local/')).text();

  it('uses a thread that started while the previous one ends', async () => {
    const thread = new ServiceThread(code, data, () => undefined);
    const first = await ask(thread);
    const stopped = thread.stop();
    const second = await ask(thread);
    await stopped;
    assert.notEqual(second, first);
    assert.equal(await ask(thread), second);
    await thread.stop();
  });

  it('reads a streamed body no faster than it is consumed', async () => {
    const parts = script(`
      import { parentPort } from 'node:worker_threads';
      let pulls = 0;
      let run;
      parentPort.on('message', ({ id, call }) => {
        if (call?.kind === 'run') run = id;
        if (call?.kind !== 'request') return;
        id -= run;
        const pull = (stream) => {
          if (++pulls === 3 && id === 1) stream.close();
          else if (id === 3) throw new TypeError('The answer broke off.');
          else if (id === 4) process.exit();
          else stream.enqueue(new TextEncoder().encode('part ' + pulls + '\\n'));
        };
        const cancel = () => parentPort.postMessage({ id: run, part: 'left after ' + pulls });
        const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
        parentPort.postMessage({ id: id + run, value: { status: 200, headers: [], body } }, [body]);
      });
    `);
    const reported = Promise.withResolvers<string>();
    const thread = new ServiceThread(parts, data, reported.resolve);
    assert.equal(await ask(thread), 'part 1\npart 2\n');
    const reader = (await thread.fetch('http://local/')).body!.getReader();
    await reader.read();
    await reader.cancel();
    // one is read, and one is ready
    assert.match(await reported.promise, /^left after [4-6]$/);
    await assert.rejects(ask(thread), /broke off/);
    await assert.rejects(ask(thread), ServiceUnavailableError);
    await thread.stop();
  });

  it('aborts a body whose thread ended between two pieces', async () => {
    const ends = script(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, call, word }) => {
        if (word === 'stop') process.exit();
        if (call?.kind !== 'request') return;
        const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1)) }, { highWaterMark: 0 });
        parentPort.postMessage({ id, value: { status: 200, headers: [], body } }, [body]);
      });
    `);
    const thread = new ServiceThread(ends, data, () => undefined);
    const reader = (await thread.fetch('http://local/')).body!.getReader();
    await reader.read();
    await thread.stop();
    await assert.rejects(async () => {
      for (;;) await reader.read(); // a part that came before may be there
    }, ServiceUnavailableError);
  });

  it('aborts the requests of the ending thread and no others', async () => {
    // the second request to a thread has no answer
    const silent = script(`
      import { parentPort } from 'node:worker_threads';
      let count = 0;
      parentPort.on('message', ({ id, call, word }) => {
        const body = new TextEncoder().encode('1').buffer;
        if (call?.kind === 'request' && count++ === 0) parentPort.postMessage({ id, value: { status: 200, headers: [], body } });
        else if (call?.kind === 'request') parentPort.postMessage({ id: 1, part: 'asked' });
        else if (word === 'stop') setTimeout(() => process.exit(), 100);
      });
    `);
    const asked = Promise.withResolvers<unknown>();
    const thread = new ServiceThread(silent, data, asked.resolve);
    await ask(thread);
    const old = ask(thread);
    const refused = assert.rejects(old, ServiceUnavailableError);
    await asked.promise;
    const stopped = thread.stop();
    const next = ask(thread);
    await refused;
    assert.match(await next, /^\d+$/);
    await stopped;
    await thread.stop();
  });
});
