import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import type { Store } from '../../../../src/service/database/store.ts';
import { failure } from '../../../../src/contract/failures.ts';
import { JobError } from '../../../../src/service/errors.ts';
import { openDatabase, sqliteStore } from '../../../../src/service/database/sqlite.ts';
import { newOwner } from '#platform/program';
import { openEmbedded } from '../../../../src/service/jobs/embedded.ts';
import type { JobKind, Queue } from '../../../../src/service/jobs/queue.ts';
import { until } from '../../editor/until.ts';
import { settled } from '../turns.ts';
import { addPending, kindOf } from './pending-rows.ts';

interface Taken {
  readonly start: () => void;
  readonly end: () => void;
  readonly signal: AbortSignal;
}

describe('job queue', () => {
  let database: DatabaseSync;
  let store: Store;
  let jobs: Queue;
  /** Jobs that run, in the order in which they began. */
  let taken: Map<string, Taken>;
  let reported: string[];
  let lost: string[];
  let reports: unknown[];

  const report = (error: unknown) => reports.push(error);
  const kind: JobKind = {
    ...kindOf(async (id, signal, { onStart }) => {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
      const end = () => {
        resolve(undefined);
      };
      taken.set(id, { start: onStart, signal, end });
      await promise.finally(() => taken.delete(id));
    }),
  };
  const watch = {
    ended: (name: string, outcome: string, seconds: number) => {
      assert.ok(seconds >= 0);
      reported.push(`${name} ${outcome}`);
    },
    lost: (name: string) => lost.push(name),
  };

  const open = async (threads: number, kinds: Readonly<Record<string, JobKind>> = { kind }) => {
    jobs = await openEmbedded(store.db, kinds, { threads, report, watch });
    await settled();
  };
  const add = async (target: string, lane: 'forecast' | 'training' | 'dataset', tenant = 'default') => {
    await addPending(store.db, target);
    await jobs.add(store.db, { kind: 'kind', targets: [target], lane, tenant });
    jobs.wake();
    await settled();
  };
  const end = async (id: string) => {
    taken.get(id)!.end();
    await jobs.ended(id);
    await settled();
  };
  const now = () => [...taken.keys()];
  const statusOf = (id: string) => database.prepare('select status from predictions where id = ?').get(id)?.status;
  const failed = () =>
    database
      .prepare("select id, error ->> 'detail' detail from predictions where status = 'FAILED'")
      .all()
      .map(({ id, detail }) => `${String(id)} ${String(detail)}`);
  const rows = () => Number(database.prepare('select count(*) n from jobs').get()?.n);

  beforeEach(async () => {
    database = await openDatabase(':memory:');
    store = sqliteStore(database);
    [taken, reported, lost, reports] = [new Map(), [], [], []];
  });

  afterEach(async () => {
    mock.timers.reset();
    await jobs.close();
    await store.close();
    assert.deepEqual(reports, []);
  });

  it('takes tenants in turn, also if one has filled its share', async () => {
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

  it('limits the waiting jobs of each tenant, and counts them', async () => {
    await open(1);
    for (let n = 0; n < 1000; n++) {
      await jobs.add(store.db, { kind: 'kind', targets: [`a${n}`], lane: 'forecast', tenant: 'a' });
    }
    await assert.rejects(add('more', 'forecast', 'a'), /Too many computations are waiting/);
    const [{ lane, jobs: count }] = await jobs.engine.waiting();
    assert.deepEqual([lane, count], ['forecast', 1000]);
    await add('b0', 'forecast', 'b');
    assert.ok(now().includes('b0'));
  });

  it('keeps a thread for forecasts while trainings wait', async () => {
    await open(2);
    for (const id of ['model_1', 'model_2']) await add(id, 'training');
    await add('p', 'dataset');
    await add('f', 'forecast');
    assert.deepEqual(now(), ['model_1', 'p', 'f']);
    for (const id of ['p', 'f']) await end(id);
    assert.deepEqual(now(), ['model_1']);
    await end('model_1');
    assert.deepEqual(now(), ['model_2']);
  });

  it('notifies waiters when the job ends, also if it had not begun when they asked', async () => {
    await open(1);
    mock.timers.enable({ apis: ['setTimeout'] });
    await addPending(store.db, 'f');
    await jobs.add(store.db, { kind: 'kind', targets: ['f'], lane: 'forecast', tenant: 'default' });
    jobs.wake();
    const ended = jobs.ended('f');
    await settled();
    taken.get('f')!.end();
    await ended;
    await settled();
    assert.deepEqual([statusOf('f'), rows(), reported], ['COMPLETED', 0, ['kind completed']]);
  });

  it('reports a job as IN_PROGRESS once a thread has run it for a while', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    await open(1);
    await add('f', 'forecast');
    taken.get('f')!.start();
    await settled();
    assert.equal(statusOf('f'), 'QUEUED');
    mock.timers.tick(200);
    await settled();
    assert.equal(statusOf('f'), 'IN_PROGRESS');
    await end('f');
  });

  it('takes over jobs whose lease expired or whose program’s clock was set back', async () => {
    await open(2);
    const insert =
      database.prepare(`insert into jobs (lane, tenant, rank, kind, targets, suspect, added, owner, lease_until)
      values ('training', 'default', 0, 'kind', ?, 0, 0, 'gone', ?)`);
    for (const [id, lease] of [
      ['model_a', 1],
      ['model_b', Date.now() + 3_600_000],
      ['model_c', Date.now() + 15_000],
    ] as const) {
      // prettier-ignore
      await addPending(store.db, id);
      insert.run(JSON.stringify([id]), lease);
    }
    await jobs.close();
    await open(3);
    await until(now, ({ length }) => length === 2);
    assert.deepEqual(
      [now(), lost],
      [
        ['model_a', 'model_b'],
        ['kind', 'kind'],
      ],
    );
  });

  it('repeats a job after sleep without counting an attempt', async () => {
    for (let nap = 0; nap < 6; nap++) {
      await open(1);
      if (nap === 0) await add('long', 'forecast');
      await until(now, ({ length }) => length === 1);
      // the program is there, and does not renew its lease; or its machine was started anew
      const owner = newOwner().replace(/^(\d+) (\d+)/, (_, _pid, boot) => (nap % 2 ? `${process.pid} ${boot}` : `1073741824 ${Number(boot) - 9999}`)); // prettier-ignore
      database.exec(`update jobs set lease_until = 1, owner = '${owner}'`);
      database.exec(`update or replace begun_jobs set program = '${owner}'`);
      await jobs.close();
    }
    await open(1);
    await until(now, ({ length }) => length === 1);
    assert.deepEqual([failed(), lost.length], [[], 6]);
  });

  it('fails a job that several programs died of, but not one that only waited', async () => {
    for (let death = 0; death < 4; death++) {
      await open(1);
      if (death === 0) for (const name of ['culprit', 'neighbour']) await add(name, 'forecast');
      await until(now, ({ length }) => length === 2);
      const dead = newOwner().replace(/^\d+/, String(2 ** 30 + death));
      database.exec(`update jobs set lease_until = 1, owner = '${dead}'`);
      await jobs.close();
      // it dies over the one, and nothing is taken back of it
      if (death > 0) database.exec(`insert into begun_jobs values ('culprit', '${dead}')`);
    }
    await open(1);
    await until(() => failed().length, Boolean);
    assert.deepEqual(now(), ['neighbour']);
    assert.deepEqual(failed(), ['culprit The computation crashed the service 3 times and was given up.']);
  });

  it('stops a job that another program has taken, and takes none of its own twice', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    await open(2);
    await add('a', 'forecast');
    database.exec('update jobs set lease_until = 1'); // the clock jumped
    mock.timers.tick(5_000);
    await settled();
    assert.deepEqual([now(), lost], [['a'], []]);
    const { signal } = taken.get('a')!;
    database.exec(`update jobs set owner = 'other', lease_until = ${Date.now() + 15_000}`);
    mock.timers.tick(5_000);
    await until(() => signal.aborted, Boolean);
    await until(now, ({ length }) => length === 0);
    assert.equal(database.prepare('select owner from jobs').get()?.owner, 'other');
  });

  it('stops a job that was cancelled or deleted, and writes nothing', async () => {
    await open(1);
    for (const id of ['prediction_a', 'prediction_b']) await add(id, 'forecast');
    await jobs.cancel('prediction_a', failure('cancelled'));
    database.exec(`update predictions set status = 'FAILED' where id = 'prediction_a'`);
    database.exec(`delete from predictions where id = 'prediction_b'`);
    jobs.changed();
    await until(now, ({ length }) => length === 0);
    await until(rows, (count) => count === 0);
    assert.deepEqual([statusOf('prediction_a'), reported], ['FAILED', []]);
    reports = [];
  });

  it('returns unfinished jobs on close, and notifies waiters', async () => {
    await open(1, { kind, prediction: kind });
    for (const id of ['prediction_a', 'prediction_b']) await add(id, 'forecast');
    const ended = jobs.ended('prediction_a');
    await jobs.close();
    await ended;
    assert.deepEqual([statusOf('prediction_a'), statusOf('prediction_b')], ['FAILED', 'QUEUED']);
    assert.equal(rows(), 2);
    await open(1);
    await until(now, ({ length }) => length === 1);
    assert.deepEqual(now(), ['prediction_b']);
  });

  it('ends an attempt that runs too long, not counting waiting and writing', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const hours = async (count: number) => {
      mock.timers.tick(count * 3_600_000);
      await settled();
    };
    const locked = Object.assign(new Error('locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
    let [attempts, writes] = [0, 0];
    const slow: JobKind = {
      run: async (...args) => {
        if (++attempts === 2) throw locked;
        const write = await kind.run(...args);
        return (db) => (++writes < 3 ? Promise.reject(locked) : write(db));
      },
    };
    await open(1, { kind: slow });
    await add('prediction_a', 'forecast');
    await hours(1);
    assert.deepEqual(failed(), ['prediction_a The job exceeded its time limit. Use fewer points, or a faster model.']);
    await add('prediction_b', 'forecast');
    assert.equal(attempts, 2);
    await hours(0.9); // it is tried again
    await hours(0.9);
    taken.get('prediction_b')!.end();
    await settled();
    for (let tries = 0; tries < 3; tries++) await hours(0.9);
    assert.deepEqual([statusOf('prediction_b'), attempts, writes], ['COMPLETED', 3, 3]);
    reports = [];
  });

  it('runs series of a dataset in bulk, and singly after a failure or crash', async () => {
    const parts: string[] = [];
    const together: JobKind = {
      slices: (ids) => Promise.resolve([ids.slice(0, 2), ids.slice(2)]),
      run: (part, ...rest) => {
        if (part.length === 1) return kind.run(part, ...rest);
        parts.push(part.join());
        return part.includes('c') ? Promise.reject(new JobError(failure('too_slow'))) : kindOf().run(part, ...rest);
      },
    };
    await open(1, { kind: together });
    const ids = ['a', 'b', 'c', 'gone'];
    await addPending(store.db, ...ids.slice(0, 3));
    await jobs.add(store.db, { kind: 'kind', targets: ids, lane: 'dataset', tenant: 'default' });
    jobs.wake();
    await until(now, ({ length }) => length === 1);
    assert.deepEqual([parts, now()], [['a,b', 'c,gone'], ['c']]);
    database.exec(`update predictions set status = 'QUEUED' where id = 'b'`);
    database.exec(`update jobs set lease_until = 1, owner = 'gone'`);
    await jobs.close();
    parts.length = 0;
    await open(1, { kind: together });
    await until(now, ({ length }) => length === 1);
    assert.deepEqual([now(), parts], [['b'], []]);
    await end('b');
    await until(now, ([id]) => id === 'c');
    await end('c');
  });
});
