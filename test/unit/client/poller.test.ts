import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { ServiceError } from '../../../src/client/errors.ts';
import type { Found } from '../../../src/client/lists.ts';
import { ended, Poller } from '../../../src/client/poller.ts';
import { until } from '../editor/until.ts';

interface Job {
  readonly id: string;
  readonly status: string;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Poller', () => {
  it('polls a job whose watch begins just as the last one ends', async () => {
    const poller = new Poller<Job>((ids) =>
      Promise.resolve({ jobs: [...ids].map((id) => ({ id, status: 'COMPLETED' })), isAll: true }),
    );
    for (const turns of [0, 1, 2, 3]) {
      const first = Promise.withResolvers<undefined>();
      poller.watch('a', {
        onChange: () => {
          first.resolve(undefined);
        },
      });
      await first.promise;
      for (let index = 0; index < turns; index++) await (index % 2 ? turn() : Promise.resolve());
      const done = await ended(poller, { id: `b${turns}`, status: 'QUEUED' }, AbortSignal.timeout(15_000));
      assert.equal(done.status, 'COMPLETED');
    }
  });

  it('removes its listeners from the signal of a caller, and does not poll for an aborted one', async () => {
    let reads = 0;
    const poller = new Poller<Job>((ids) => {
      reads++;
      return Promise.resolve({ jobs: [...ids].map((id) => ({ id, status: 'COMPLETED' })), isAll: true });
    });
    const { signal } = new AbortController();
    await ended(poller, { id: 'a', status: 'QUEUED' }, signal);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    const before = reads;
    const over = ended(poller, { id: 'b', status: 'QUEUED' }, AbortSignal.abort(new Error('over')));
    await assert.rejects(over, { message: 'over' });
    assert.equal(reads, before);
  });

  it('polls at once for a new watcher, even during a long pause', async () => {
    let reads = 0;
    const jobs = new Map([['old', 'QUEUED']]);
    const poller = new Poller<Job>((ids) => {
      reads++;
      return Promise.resolve({
        jobs: [...ids].map((id) => ({ id, status: jobs.get(id) ?? 'COMPLETED' })),
        isAll: true,
      });
    }, 60_000);
    const stop = poller.watch('old', { onChange: () => undefined });
    await until(
      () => reads,
      (count) => count >= 6,
    );
    await ended(poller, { id: 'new', status: 'QUEUED' }, AbortSignal.timeout(30_000));
    stop();
  });

  it('reports a job as missing only after several misses, and never where the list was not read to its end', async () => {
    const gone = (answers: readonly Found<Job>[], patience = 15_000) => {
      let at = 0;
      const poller = new Poller<Job>(() => Promise.resolve(answers[Math.min(at++, answers.length - 1)]));
      return ended(poller, { id: 'a', status: 'QUEUED' }, AbortSignal.timeout(patience)).then(
        (job) => job.status,
        (error: unknown) => (error instanceof ServiceError ? error.kind : 'waits'),
      );
    };
    const none = { jobs: [], isAll: true };
    assert.equal(await gone([none, none, { jobs: [{ id: 'a', status: 'COMPLETED' }], isAll: true }]), 'COMPLETED');
    assert.equal(await gone([none]), 'not-found');
    assert.equal(await gone([{ jobs: [], isAll: false }], 2_000), 'waits');
  });

  it('continues after temporary failures, and ends at a permanent one', async () => {
    const failures = [new ServiceError('busy', 'busy'), new ServiceError('unreachable', 'away')];
    const poller = new Poller<Job>(() => {
      const failure = failures.shift();
      return failure
        ? Promise.reject(failure)
        : Promise.resolve({ jobs: [{ id: 'a', status: 'FAILED' }], isAll: true });
    });
    assert.equal((await ended(poller, { id: 'a', status: 'QUEUED' })).status, 'FAILED');
    const refused = new Poller<Job>(() => Promise.reject(new ServiceError('unauthorized', 'no')));
    await assert.rejects(ended(refused, { id: 'a', status: 'QUEUED' }), ServiceError);
  });

  it('reports the error of a watcher, and continues for the others', async () => {
    const defects: unknown[] = [];
    let answer: () => Found<Job> = () => ({ jobs: [{ id: 'a', status: 'COMPLETED' }], isAll: true });
    const poller = new Poller<Job>(
      () => new Promise((resolve) => resolve(answer())), // prettier-ignore
      undefined,
      (error) => defects.push(error),
    );
    const reported: string[] = [];
    const fails = (what: string) => () => {
      throw new Error(what);
    };
    poller.watch('a', { onChange: fails('change'), onProblem: () => reported.push('a problem of the service') });
    assert.equal((await ended(poller, { id: 'a', status: 'QUEUED' })).status, 'COMPLETED');
    const works = answer;
    answer = fails('away') as unknown as typeof answer;
    const stop = poller.watch('a', { onChange: () => undefined, onProblem: fails('problem') });
    await until(
      () => defects.length,
      (count) => count >= 2,
    );
    answer = works;
    stop();
    assert.equal((await ended(poller, { id: 'a', status: 'QUEUED' }, AbortSignal.timeout(15_000))).status, 'COMPLETED');
    assert.deepEqual([defects.slice(0, 2).map(String), reported], [['Error: change', 'Error: problem'], []]);
  });

  it('reports no problem to a watcher that another one stops', async () => {
    const poller = new Poller<Job>(() => Promise.reject(new ServiceError('failed', 'failed')));
    const problems: string[] = [];
    const stops = ['first', 'second'].map((name) =>
      poller.watch('a', {
        onChange: () => undefined,
        onProblem: () => {
          problems.push(name);
          for (const stop of stops) stop();
        },
      }),
    );
    await until(
      () => problems.length,
      (count) => count > 0,
    );
    await turn();
    assert.deepEqual(problems, ['first']);
  });
});
