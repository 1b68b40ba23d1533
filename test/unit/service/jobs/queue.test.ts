import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { openDatabase } from '../../../../src/service/database/database.ts';
import { sqliteHome } from '../../../../src/service/database/sqlite-home.ts';
import type { Home } from '../../../../src/service/database/home.ts';
import { EmbeddedQueue } from '../../../../src/service/jobs/embedded-queue.ts';
import type { JobKind } from '../../../../src/service/jobs/queue.ts';
import { newOwner } from '../../../../src/service/store/jobs.ts';
import { until } from '../../editor/until.ts';

describe('job queue', () => {
  let database: DatabaseSync;
  let home: Home;
  let queue: EmbeddedQueue;
  /** Jobs taken and not ended, in turn, and how to begin and end them. */
  let taken: Map<string, { start: () => void; end: () => void; signal: AbortSignal }>;
  let marks: string[];
  let failed: string[];
  let reports: unknown[];

  const kind: JobKind = {
    mark: async (_db, id, status) => void marks.push(`${id} ${status}`),
    progress: async () => undefined,
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
      return async () => undefined;
    },
    fail: async (_db, id, message) => void failed.push(`${id} ${message}`),
  };

  /** What can be done at once on this store is done before the next turn of the event loop. */
  const settled = () => new Promise(setImmediate);
  const open = async (threads: number) => {
    const kinds = { forecast: kind, training: kind };
    queue = new EmbeddedQueue(home, kinds, { threads, long: ['training'] }, (error) => reports.push(error));
    await settled();
  };
  const add = async (id: string, turn: 'forecast' | 'training' | 'dataset', space = 'default') => {
    await queue.add(home.db, { kind: turn === 'training' ? 'training' : 'forecast', target: id, turn, space });
    queue.wake();
    await settled();
  };
  const end = async (id: string) => {
    taken.get(id)!.end();
    await queue.ended(id);
    await settled();
  };
  const now = () => [...taken.keys()];

  beforeEach(async () => {
    database = await openDatabase(':memory:');
    home = sqliteHome(database);
    reports = [];
    taken = new Map();
    marks = [];
    failed = [];
  });

  afterEach(async () => {
    mock.timers.reset();
    await queue.close();
    await home.close();
    assert.deepEqual(reports, []);
  });

  it('stores turns as the numbers that programs of other versions know them by', async () => {
    await open(1);
    for (const turn of ['forecast', 'training', 'dataset'] as const) {
      await queue.addAll(home.db, 'forecast', [turn], { turn, space: 'default' });
    }
    const stored = database.prepare('select target, priority from jobs order by seq').all();
    assert.deepEqual(
      stored.map(({ target, priority }) => [target, priority]),
      [['forecast', 1], ['training', 0], ['dataset', -1]], // prettier-ignore
    );
    const waiting = await queue.waiting();
    assert.deepEqual(waiting.map(({ turn }) => turn).sort(), ['dataset', 'forecast', 'training']);
  });

  it('gives tenants their turns, and takes what one has though another has filled its part', async () => {
    await open(1);
    for (let n = 0; n < 5; n++) await add(`a${n}`, 'forecast', 'a');
    assert.deepEqual(now(), ['a0', 'a1']);
    for (let n = 0; n < 2; n++) await add(`b${n}`, 'forecast', 'b');
    assert.deepEqual(now(), ['a0', 'a1', 'b0', 'b1'], 'at once, as nothing of it was under way');
    await add('b2', 'forecast', 'b');
    await add('c0', 'forecast', 'c');
    assert.deepEqual(now(), ['a0', 'a1', 'b0', 'b1'], 'and twice as many in all');
    await end('a0');
    assert.deepEqual(now(), ['a1', 'b0', 'b1', 'a2']);
    await end('b0');
    assert.deepEqual(now(), ['a1', 'b1', 'a2', 'c0'], 'who came late with one waits for none that has had its turn');
  });

  it('has room for each tenant', async () => {
    await open(1);
    const targets = Array.from({ length: 1000 }, (_, n) => `a${n}`);
    await queue.addAll(home.db, 'forecast', targets, { turn: 'forecast', space: 'a' });
    await assert.rejects(add('more', 'forecast', 'a'), /Too much waits/);
    await add('b0', 'forecast', 'b');
    assert.ok(now().includes('b0'));
  });

  it('counts no nap: a job is done again without end where its program was not seen to die', async () => {
    const lost: string[] = [];
    for (let nap = 0; nap < 6; nap++) {
      queue = new EmbeddedQueue(home, { forecast: kind }, { threads: 1, onLost: (name) => lost.push(name) }, (error) => reports.push(error)); // prettier-ignore
      await settled();
      if (nap === 0) await add('long', 'forecast');
      taken.get('long')!.start();
      await settled();
      // the program is there, and does not renew its lease; or its machine was started anew
      const owner = newOwner().replace(/^(\d+) (\d+)/, (_, _pid, boot) => (nap % 2 ? `${process.pid} ${boot}` : `1073741824 ${Number(boot) - 9999}`)); // prettier-ignore
      database.exec(`update jobs set lease_until = 1, owner = '${owner}'`);
      await queue.close();
      taken.clear();
    }
    await open(1);
    assert.deepEqual(now(), ['long']);
    assert.deepEqual([failed, lost.length], [[], 5]);
  });

  it('leaves a thread to forecasts, however many trainings wait', async () => {
    await open(2);
    await add('t1', 'training');
    await add('t2', 'training');
    await add('p', 'dataset');
    await add('f', 'forecast');
    assert.deepEqual(now(), ['t1', 'p', 'f']);
    await end('p');
    await end('f');
    assert.deepEqual(now(), ['t1']);
    await end('t1');
    assert.deepEqual(now(), ['t2']);
  });

  it('takes forecasts ahead, but a training only when a thread is free', async () => {
    await open(1);
    for (const id of ['f1', 'f2']) await add(id, 'forecast');
    await add('t', 'training');
    await add('p', 'dataset');
    await add('f3', 'forecast');
    assert.deepEqual(now(), ['f1', 'f2']);
    await end('f1');
    assert.deepEqual(now(), ['f2', 'f3'], 'a single forecast goes before a training');
    await end('f2');
    assert.deepEqual(now(), ['f3'], 'the training waits for the thread, and what is behind it too');
    await end('f3');
    assert.deepEqual(now(), ['t', 'p']);
  });

  it('tells who waits as soon as the job has ended here, though it had not begun when they asked', async () => {
    await open(1);
    mock.timers.enable({ apis: ['setTimeout'] });
    await queue.add(home.db, { kind: 'forecast', target: 'f', turn: 'forecast', space: 'default' });
    queue.wake();
    const ended = queue.ended('f');
    await settled();
    taken.get('f')!.end();
    await ended;
    assert.deepEqual(now(), []);
  });

  it('calls a job IN_PROGRESS only from when a thread has begun it', async () => {
    await open(1);
    await add('f', 'forecast');
    assert.deepEqual(now(), ['f']);
    assert.deepEqual(marks, []);
    taken.get('f')!.start();
    await settled();
    assert.deepEqual(marks, ['f IN_PROGRESS']);
    await end('f');
  });

  it('puts the jobs of a program that died back to QUEUED', async () => {
    const insert = database.prepare(
      `insert into jobs (kind, target, owner, lease_until, attempts) values ('training', ?, 'gone', ?, 1)`,
    );
    insert.run('a', 1);
    insert.run('b', 1);
    insert.run('held', Date.now() + 15_000);
    await open(1);
    assert.deepEqual(marks, ['a QUEUED', 'b QUEUED']);
    assert.deepEqual(now(), ['a']);
  });

  it('gives a job up that three programs died over, and not one that only waited for a thread then', async () => {
    for (let death = 0; death < 3; death++) {
      await open(1);
      if (death === 0) for (const name of ['culprit', 'neighbour']) await add(name, 'forecast');
      taken.get('culprit')!.start();
      await settled();
      assert.deepEqual(now(), ['culprit', 'neighbour']);
      // it dies: nothing is given back
      database.exec(
        `update jobs set lease_until = 1, owner = '${newOwner().replace(/^\d+/, String(2 ** 30 + death))}'`,
      );
      await queue.close();
      taken.clear();
    }
    await open(1);
    await until(() => failed.length, Boolean);
    assert.deepEqual(now(), ['neighbour']);
    assert.deepEqual(failed, ['culprit The computation ended the service 3 times, so it was given up.']);
  });

  it('does not believe a lease further ahead than a lease, as of before the clock was set back', async () => {
    const insert = database.prepare(
      `insert into jobs (kind, target, owner, lease_until, attempts) values ('training', ?, 'gone', ?, 1)`,
    );
    insert.run('ahead', Date.now() + 3_600_000);
    insert.run('held', Date.now() + 15_000);
    await open(2);
    assert.deepEqual(marks, ['ahead QUEUED']);
    assert.deepEqual(now(), ['ahead']);
  });

  it('does not take a job of its own twice after the clock jumped', async () => {
    await open(2);
    await add('a', 'forecast');
    database.exec('update jobs set lease_until = 1');
    await add('b', 'forecast');
    assert.deepEqual(now(), ['a', 'b']);
    assert.equal(database.prepare(`select attempts from jobs where target = 'a'`).get()?.attempts, 1);
    await end('a');
    await end('b');
  });

  it('writes nothing any more of a job that another program took while this one was stopped', async () => {
    await open(1);
    await add('f', 'forecast');
    const { start, end: finish } = taken.get('f')!;
    database.exec(`update jobs set owner = 'other'`);
    start();
    await settled();
    assert.deepEqual(marks, []);
    for (const name of ['g', 'h']) await add(name, 'forecast');
    assert.deepEqual(now(), ['f', 'g'], 'there is room for two');
    finish();
    await until(now, (names) => names.includes('h')); // in its place, so that it is done with
    const { owner } = database.prepare(`select owner from jobs where target = 'f'`).get() ?? {};
    assert.equal(owner, 'other', 'the other one ends it');
    database.exec('delete from jobs');
    start();
    await settled();
    assert.deepEqual(marks, []);
  });

  it('reads what writes to its end, so that a commit that fails is seen', async () => {
    await open(1);
    const statement = database.prepare('delete from jobs returning target');
    assert.throws(() => statement.get(), /read to its end/);
    assert.deepEqual(statement.all(), []);
  });

  it('leaves a job to the program that has taken it away', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    await open(1);
    await add('f', 'forecast');
    database.exec(`update jobs set owner = 'other'`);
    mock.timers.tick(5_000);
    await settled();
    assert.deepEqual(now(), []);
    assert.deepEqual(failed, []);
    assert.equal(database.prepare('select owner from jobs').get()?.owner, 'other');
  });

  it('cancels as one with what belongs to it, whether a job waits or runs', async () => {
    await open(1);
    for (const id of ['runs', 'waits', 'last']) await add(id, 'forecast');
    assert.deepEqual(now(), ['runs', 'waits']);
    const also: string[] = [];
    const stuck = new Error('not now');
    for (const id of ['last', 'runs']) {
      await queue.cancel(id, 'Cancelled.', () => Promise.reject(stuck));
      assert.equal(await queue.has(home.db, id), true, 'neither is written where the other cannot be');
      await queue.cancel(id, 'Cancelled.', async () => void also.push(id));
      assert.equal(await queue.has(home.db, id), false);
    }
    assert.deepEqual(also, ['last', 'runs']);
    assert.deepEqual(new Set(reports.splice(0)), new Set([stuck]));
    await end('waits');
    await queue.cancel('waits', 'Cancelled.', async () => void also.push('waits'));
    assert.deepEqual(also, ['last', 'runs'], 'and nothing where it had ended');
  });

  it('forgets the keys under which clients asked for what ended with their programs', async () => {
    const insert = (id: string, client: string) => {
      database.exec(`pragma foreign_keys = off;
        insert into predictions (id, ai_model_id, status, input_series_id, options, created_at)
          values ('${id}', 'theta', 'QUEUED', 's', '{}', '2024-01-01T00:00:00Z');
        insert into creations values ('default', '${id}', '', '${id}', '2024-01-01T00:00:00Z');
        insert into jobs (kind, target, client, lease_until) values ('other', '${id}', '${client}', 0)`);
    };
    insert('asked', 'gone');
    database.exec(`insert into creations values ('default', 'kept', '', 'another', '2024-01-01T00:00:00Z')`);
    await open(1);
    const keys = () => database.prepare('select key from creations').all().map((row) => row.key); // prettier-ignore
    await until(
      () => queue.has(home.db, 'asked'),
      (isThere) => !isThere,
    );
    assert.deepEqual(keys(), ['kept']);
  });
});
