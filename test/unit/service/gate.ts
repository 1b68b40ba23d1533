/** The first module of a compute thread: while the file of its address exists, no message reaches the modules after it. */
import { existsSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const never = new Int32Array(new SharedArrayBuffer(4));

parentPort?.on('message', () => {
  while (existsSync(file)) Atomics.wait(never, 0, 0, 5);
});
