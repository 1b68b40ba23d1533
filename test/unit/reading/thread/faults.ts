import { parentPort } from 'node:worker_threads';
import type { Call } from '../../../../src/reading/thread/thread.ts';

/** What a reader's thread may suffer, by the name of the file; all others go on to the thread itself, which is imported after this. */
const FAULTS: Readonly<Record<string, () => void>> = {
  'endless.csv': () => {
    for (;;);
  },
  'broken.csv': () => {
    throw new TypeError('x is not a function');
  },
  'huge.csv': () => {
    throw Object.assign(new Error('Worker terminated: JS heap out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  },
};

parentPort?.addEventListener('message', (event) => {
  const { name } = (event as Event & { data: { call: Call } }).data.call;
  if (name === 'late.csv') {
    const channel = new BroadcastChannel('late');
    channel.onmessage = () => FAULTS['broken.csv']?.();
  }
  const fault = FAULTS[name];
  if (!fault) return;
  event.stopImmediatePropagation();
  fault();
});
