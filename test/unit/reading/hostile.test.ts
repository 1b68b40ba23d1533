import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { HOSTILE } from './hostile-documents.ts';

/** Characters of each document: what takes time by their square does not end for minutes. */
const SIZE = 400_000;
/** Reading by their number takes a second at most; this much more is left to machines that are slow and busy. */
const PATIENCE = 60_000;

interface Told {
  readonly name: string;
  readonly outcome?: string;
}

describe('reading hostile documents', function () {
  this.timeout(PATIENCE * 4);

  it('takes linear time and ends in series or a message', async () => {
    const thread = new Worker(new URL('./hostile-thread.ts', import.meta.url), { workerData: { size: SIZE } });
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const outcomes = new Map<string, string>();
    let watchdog: NodeJS.Timeout | undefined;
    thread.on('message', ({ name, outcome }: Told) => {
      clearTimeout(watchdog);
      if (outcome === undefined) {
        watchdog = setTimeout(() => {
          reject(new Error(`${name}: not read after ${PATIENCE / 1000} s`));
        }, PATIENCE);
      } else outcomes.set(name, outcome);
    });
    thread.on('error', reject).on('exit', () => {
      resolve(undefined);
    });
    try {
      await promise;
    } finally {
      clearTimeout(watchdog);
      await thread.terminate();
    }
    assert.deepEqual([...outcomes.keys()], Object.keys(HOSTILE));
    for (const [name, outcome] of outcomes) assert.match(outcome, /^(?:read|refused)$/, name);
  });
});
