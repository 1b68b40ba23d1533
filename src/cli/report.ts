import type { Log } from '../server/log.ts';
import { mayPass, storeTrouble } from '../service/database/trouble.ts';

/** Writes a defect into the log; of a store that is away for a while only that it is. */
export const reportTo =
  (log: Log) =>
  (error: unknown): void => {
    const trouble = storeTrouble(error);
    if (trouble && mayPass(error)) log.warn({ reason: trouble.failure.detail }, 'store');
    else log.error({ err: error }, 'defect');
  };

/** What the log says of a job whose program sleeps, lost its connections or died. */
export const LOST = 'a job lost its lease and is run again';
