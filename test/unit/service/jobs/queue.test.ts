import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { openDatabase } from '../../../../src/service/store/database.ts';
import { type JobKind, Queue } from '../../../../src/service/jobs/queue.ts';

describe('job queue', () => {
  let database: DatabaseSync;
  let queue: Queue;
  /** Jobs taken and not ended, in turn, and how to begin and end them. */
  let taken: Map<string, { start: () => void; end: () => void; signal: AbortSignal }>;
  let marks: string[];
  let failed: string[];

  const kind: JobKind = {
    mark: (id, status) => marks.push(`${id} ${status}`),
    progress: () => undefined,
    run: async (id, signal, { onStart }) => {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
      taken.set(id, {
        start: onStart,
        signal,
        end: () => {
          resolve(undefined);
        },
      });
      await promise.finally(() => taken.delete(id));
      return () => undefined;
    },
    fail: (id, message) => failed.push(`${id} ${message}`),
  };

  const open = (threads: number) => {
    queue = new Queue(database, { forecast: kind, training: kind }, { threads, long: ['training'] }, (error) => {
      throw error;
    });
  };
  const add = (id: string, turn: 'forecast' | 'training' | 'panel') => {
    queue.add(turn === 'training' ? 'training' : 'forecast', id, turn);
    queue.wake();
  };
  const end = async (id: string) => {
    taken.get(id)!.end();
    await queue.ended(id);
    await new Promise(setImmediate);
  };
  const now = () => [...taken.keys()];

  beforeEach(async () => {
    database = await openDatabase(':memory:');
    taken = new Map();
    marks = [];
    failed = [];
  });

  afterEach(async () => {
    mock.timers.reset();
    await queue.close();
    database.close();
  });

  it('leaves a thread to forecasts, however many trainings wait', async () => {
    open(2);
    add('t1', 'training');
    add('t2', 'training');
    add('p', 'panel');
    add('f', 'forecast');
    assert.deepEqual(now(), ['t1', 'p', 'f']);
    await end('p');
    await end('f');
    assert.deepEqual(now(), ['t1']);
    await end('t1');
    assert.deepEqual(now(), ['t2']);
  });

  it('takes forecasts ahead, but a training only when a thread is free', async () => {
    open(1);
    for (const id of ['f1', 'f2']) add(id, 'forecast');
    add('t', 'training');
    add('p', 'panel');
    add('f3', 'forecast');
    assert.deepEqual(now(), ['f1', 'f2']);
    await end('f1');
    assert.deepEqual(now(), ['f2', 'f3'], 'a single forecast goes before a training');
    await end('f2');
    assert.deepEqual(now(), ['f3'], 'the training waits for the thread, and what is behind it too');
    await end('f3');
    assert.deepEqual(now(), ['t', 'p']);
  });

  it('calls a job IN_PROGRESS only from when a thread has begun it', async () => {
    open(1);
    add('f', 'forecast');
    assert.deepEqual(now(), ['f']);
    assert.deepEqual(marks, []);
    taken.get('f')!.start();
    assert.deepEqual(marks, ['f IN_PROGRESS']);
    await end('f');
  });

  it('puts the jobs of a program that died back to QUEUED', () => {
    const insert = database.prepare(
      `insert into jobs (kind, target, owner, lease_until, attempts) values ('training', ?, 'gone', ?, 1)`,
    );
    insert.run('a', 1);
    insert.run('b', 1);
    insert.run('held', Date.now() + 60_000);
    open(1);
    assert.deepEqual(marks, ['a QUEUED', 'b QUEUED']);
    assert.deepEqual(now(), ['a']);
  });

  it('leaves a job to the program that has taken it away', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    open(1);
    add('f', 'forecast');
    database.exec(`update jobs set owner = 'other'`);
    mock.timers.tick(5_000);
    await new Promise(setImmediate);
    assert.deepEqual(now(), []);
    assert.deepEqual(failed, []);
    assert.equal(database.prepare('select owner from jobs').get()?.owner, 'other');
  });
});
