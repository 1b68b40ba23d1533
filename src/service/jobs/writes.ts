/** What is stored of the resource of a job, which says whether it is pending: it is changed only while it is. */
import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import type { Failure } from '../../contract/failures.ts';
import { type Db, dialectOf, locking, type Tables, transaction } from '../database/store.ts';
import { mayPass, storeTrouble } from '../errors.ts';
import type { TaskProgress } from '../tasks/series.ts';
import { pause } from '../../platform/pause.ts';

const isPendingRow = sql<boolean>`status in ('QUEUED', 'IN_PROGRESS')`;

const isModel = (target: string): boolean => target.startsWith('model_');
const tableOf = (target: string) => (isModel(target) ? 'fine_tuned_models' : 'predictions');
const columnOf = (target: string) => (target.startsWith('batch_') ? 'batch_id' : 'id');

/** Pending rows of some targets of one kind: those of a batch, which one job makes all, models, or predictions. */
const pendingRows = (db: Db, targets: readonly string[]) => {
  const isOneOf = dialectOf(db).isOneOf(columnOf(targets[0]), targets).$castTo<boolean>();
  return db.selectFrom(tableOf(targets[0])).select('id').where(isOneOf).where(isPendingRow);
};

/** Those that are pending. @param others what of those that others have locked, where these are to be written */
export async function pendingOf(db: Db, targets: readonly string[], others?: 'wait' | 'skip'): Promise<Set<string>> {
  const rows = pendingRows(db, targets);
  const found = await (others ? rows.modifyEnd(locking(db, others)) : rows).execute();
  return new Set(found.map(({ id }) => id));
}

export const isPending = async (db: Db, target: string): Promise<boolean> =>
  (await pendingRows(db, [target]).limit(1).executeTakeFirst()) !== undefined;

/** Forgets that a program began with a job; with one that has ended, that any did. */
export async function forgetBegun(db: Db, target: string, program: string): Promise<void> {
  const isOver = ({ eb, or, not, exists }: ExpressionBuilder<Tables, 'begun_jobs'>) =>
    or([eb('program', '=', program), not(exists(pendingRows(db, [target])))]);
  await db.deleteFrom('begun_jobs').where('target', '=', target).where(isOver).execute();
}

type Changes = Updateable<Tables['predictions']> | Updateable<Tables['fine_tuned_models']>;

/** Changes what is pending. @returns whether it was */
export async function change(db: Db, target: string, changes: Changes): Promise<boolean> {
  const now = isModel(target) ? { updated_at: isoInstant(Date.now()) } : {};
  const changed = db.updateTable(tableOf(target)).set({ ...changes, ...now });
  const { numUpdatedRows } = await changed.where(columnOf(target), '=', target).where(isPendingRow).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const failed = (reason: Failure) => ({ status: 'FAILED', progress: null, error: JSON.stringify(reason) });

export const progressed = (db: Db, target: string, { fraction, training }: TaskProgress): Promise<boolean> =>
  change(db, target, { progress: fraction, ...(training && { training: JSON.stringify(training) }) });

/** Writes ends of jobs that are pending. @returns what the resources then have, by the targets */
export type Write = (db: Db) => Promise<ReadonlyMap<string, Ended>>;
export type Ended = Readonly<Record<string, unknown>>;

/** Does what `write` does whole, or nothing of it where no job was pending. */
export const written = async (all: Db, write: Write): ReturnType<Write> => {
  const none: Awaited<ReturnType<Write>> = new Map();
  return transaction(all, async (db) => {
    const ended = await write(db);
    if (ended.size === 0) throw none;
    return ended;
  }).catch((error: unknown) => {
    if (error !== none) throw error;
    return none;
  });
};

/** The service closes: what waits goes on at its next start. */
export const CLOSING = new Error('The service closes.');

interface Retried {
  readonly signal: AbortSignal;
  readonly report?: (error: unknown) => void;
  readonly onFull?: (error: unknown) => void;
  readonly interval?: number;
  readonly timeout?: number;
}

/** Asks a store again that may be locked or full for a while: what was computed is not lost. @throws the signal's reason */
export async function retried<T>(
  work: () => Promise<T>,
  { signal, report, onFull, interval = 1_000, timeout = Infinity }: Retried,
): Promise<T> {
  const until = performance.now() + timeout;
  for (let isReported = false; ; isReported = true) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() > until) throw error;
      if (!isReported) report?.(error);
      if (storeTrouble(error)?.status === 507) onFull?.(error);
      await pause(interval, signal);
      signal.throwIfAborted();
    }
  }
}
