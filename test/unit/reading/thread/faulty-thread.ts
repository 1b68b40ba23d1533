import { parentPort } from 'node:worker_threads';
import type { ToReader } from '../../../../src/reading/thread/reader.ts';
import '../../../../src/reading/thread/thread.ts';

/** The reader's own thread, but for files of these names: one is never read, and of others the thread breaks down. */
parentPort?.on('message', (message: ToReader) => {
  const name = message.type === 'read' ? message.options.fileName : '';
  while (name === 'endless.csv');
  if (name === 'broken.csv') throw new TypeError('x is not a function');
  if (name === 'huge.csv') {
    throw Object.assign(new Error('Worker terminated: JS heap out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  }
  if (name === 'late.csv') {
    setTimeout(() => {
      throw new TypeError('too late');
    });
  }
});
