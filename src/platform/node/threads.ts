import { availableParallelism } from 'node:os';

export { Worker } from 'node:worker_threads';

export type Script = string | URL;

export const addressOf = (script: Script): Promise<string> => Promise.resolve(String(script));

export const threadsHere = (): number => Math.max(1, Math.min(8, availableParallelism()));
