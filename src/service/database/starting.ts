/** A PostgreSQL that starts, recovers, ends for a restart, or has no connection left: it is waited for. */
import { setTimeout } from 'node:timers/promises';

/** SQLSTATE: cannot_connect_now, admin_shutdown, crash_shutdown, too_many_connections. */
const STARTS = new Set(['57P03', '57P01', '57P02', '53300']);
/** How long it is waited for, and how often it is asked, in milliseconds: recovery after a crash takes minutes. */
const PATIENCE = 600_000;
const REST = 500;

const WAITS = 'PostgreSQL starts, recovers or has no connection left. It is waited for, ten minutes at most.';

/**
 * Does what needs the database as soon as it can.
 * @param warn is told once that it is waited for
 * @throws what `work` throws for any other reason, or after ten minutes
 */
export async function onceUp<T>(work: () => Promise<T>, warn?: (sentence: string) => void): Promise<T> {
  let isTold = false;
  for (const until = performance.now() + PATIENCE; ;) {
    try {
      return await work();
    } catch (error) {
      const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
      if (!STARTS.has(code) || performance.now() > until) throw error;
      if (!isTold) warn?.(WAITS);
      isTold = true;
      await setTimeout(REST);
    }
  }
}
