import { availableParallelism } from 'node:os';

export { Worker } from 'node:worker_threads';

/** A program of this extension that a thread runs. */
export type Script = string | URL;

/** By what another thread can start it. */
export const addressOf = (script: Script): Promise<string> => Promise.resolve(String(script));

export const threadsHere = (): number => Math.max(1, Math.min(8, availableParallelism()));
