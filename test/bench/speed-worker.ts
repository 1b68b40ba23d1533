import { parentPort } from 'node:worker_threads';
import { serveEngine } from '../../src/engine/serve-worker.ts';

serveEngine(parentPort!);
