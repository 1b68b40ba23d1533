/** What a program sees of the thread that runs it. */
export { parentPort, workerData } from 'node:worker_threads';
