import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { CLOSING, retried } from '../../../../src/service/jobs/queue.ts';

const trouble = (errcode: number) => Object.assign(new Error('no'), { code: 'ERR_SQLITE_ERROR', errcode });
const [LOCKED, FULL] = [trouble(5), trouble(13)];

describe('retry with the store', () => {
  let closing: AbortController;
  let reports: unknown[];
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    closing = new AbortController();
    reports = [];
  });
  afterEach(() => {
    mock.timers.reset();
  });
  const report = (error: unknown) => reports.push(error);
  const retry = (work: () => Promise<void>, own?: AbortSignal, onFull?: (error: unknown) => void) =>
    retried(work, { signal: AbortSignal.any(own ? [own, closing.signal] : [closing.signal]), report, onFull });
  /** Waits that are over by now are seen to be. */
  const pass = async (milliseconds: number) => {
    mock.timers.tick(milliseconds);
    await new Promise(setImmediate);
  };
  /** Fails in turn with these, and then writes. */
  const failing = (...errors: Error[]) => {
    const state = { tries: 0 };
    const write = () => {
      const error = errors[state.tries++] as Error | undefined;
      return error ? Promise.reject(error) : Promise.resolve();
    };
    return { state, write };
  };

  it('retries each second until it succeeds, and reports once', async () => {
    const { state, write } = failing(LOCKED, FULL, LOCKED);
    const full: unknown[] = [];
    const written = retry(write, undefined, (error) => full.push(error));
    await pass(0);
    for (const tries of [1, 2, 3]) {
      assert.equal(state.tries, tries);
      await pass(999);
      assert.equal(state.tries, tries);
      await pass(1);
    }
    await written;
    assert.equal(state.tries, 4);
    assert.deepEqual([reports, full], [[LOCKED], [FULL]]);
  });

  it('does not retry permanent errors', async () => {
    const damaged = trouble(11);
    const { state, write } = failing(damaged);
    await assert.rejects(retry(write), (error) => error === damaged);
    assert.deepEqual([state.tries, reports], [1, []]);
  });

  it('stops at once when the signal aborts or the service closes', async () => {
    const own = new AbortController();
    const reason = new Error('Deleted.');
    const { state, write } = failing(FULL, FULL, FULL);
    const first = assert.rejects(retry(write, own.signal), (error) => error === reason);
    const second = assert.rejects(retry(write), (error) => error === CLOSING);
    await pass(0);
    own.abort(reason);
    await first;
    closing.abort(CLOSING);
    await second;
    assert.equal(state.tries, 2);
  });
});
