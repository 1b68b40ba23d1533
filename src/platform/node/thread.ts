export { parentPort, workerData } from 'node:worker_threads';
