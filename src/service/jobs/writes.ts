/** What is stored of the resource of a job, which says whether it is pending: it is changed only while it is. */
import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import type { Failure } from '../../contract/failures.ts';
import { type Db, dialectOf, locking, type Tables, transaction } from '../database/store.ts';
import { mayPass, storeTrouble } from '../database/trouble.ts';
import type { TaskProgress } from '../tasks/series.ts';

const isPendingRow = sql<boolean>`status in ('QUEUED', 'IN_PROGRESS')`;

const isModel = (target: string): boolean => target.startsWith('model_');
const tableOf = (target: string) => (isModel(target) ? 'fine_tuned_models' : 'predictions');
const columnOf = (target: string) => (target.startsWith('batch_') ? 'batch_id' : 'id');

/** Pending rows: those of a batch, which one job makes all, of a model, or of a prediction. */
export const pendingOf = (db: Db, target: string) =>
  db.selectFrom(tableOf(target)).select('id').where(columnOf(target), '=', target).where(isPendingRow);

export const isPending = async (db: Db, target: string): Promise<boolean> =>
  (await pendingOf(db, target).limit(1).executeTakeFirst()) !== undefined;

/** Forgets that a program began with a job; with one that has ended, that any did. */
export async function forgetBegun(db: Db, target: string, program: string): Promise<void> {
  const isOver = ({ eb, or, not, exists }: ExpressionBuilder<Tables, 'begun_jobs'>) =>
    or([eb('program', '=', program), not(exists(pendingOf(db, target)))]);
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

/** Writes the end of a job in a transaction. @returns what its resource then has; `undefined` where it was not pending */
export type Write = (db: Db) => Promise<Ended | undefined>;
export type Ended = Readonly<Record<string, unknown>>;

const GONE = new Error('Nobody wants it any more.');

/** Does what `write` does whole, or nothing of it where the job was not pending. */
export const written = (all: Db, write: Write): Promise<Ended | undefined> =>
  transaction(all, async (db) => {
    const ended = await write(db);
    if (!ended) throw GONE;
    return ended;
  }).catch((error: unknown) => {
    if (error === GONE) return undefined;
    throw error;
  });

const pendingOfMany = (db: Db, targets: readonly string[]) =>
  db.selectFrom('predictions').select('id').where(dialectOf(db).isOneOf('id', targets)).where(isPendingRow);

export async function pendingOfAll(db: Db, targets: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await pendingOfMany(db, targets).execute()).map(({ id }) => id));
}

/** Writes the ends of predictions that are pending and not locked: two that wait with locks could wait for ever. */
export const writtenOf = (
  all: Db,
  targets: readonly string[],
  write: (db: Db, targets: ReadonlySet<string>) => Promise<void>,
): Promise<ReadonlySet<string>> =>
  transaction(all, async (db) => {
    const rows = await pendingOfMany(db, targets).modifyEnd(locking(db, 'skip')).execute();
    const pending = new Set(rows.map(({ id }) => id));
    await write(db, pending);
    return pending;
  });

/** Before what could not be written is tried again, in milliseconds. */
const PAUSE = 1_000;

/** The service closes: what waits goes on at its next start. */
export const CLOSING = new Error('The service closes.');

/** Writes to a store that may be locked or full for a while: what was computed is not lost. */
export class Retry {
  readonly #closing: AbortSignal;
  readonly #report: (error: unknown) => void;

  constructor(closing: AbortSignal, report: (error: unknown) => void) {
    this.#closing = closing;
    this.#report = report;
  }

  /** @param onFull is called each time that the disk is full. @throws the signal's reason, {@link CLOSING}, any other error of the store */
  async write<T>(
    write: () => Promise<T>,
    { signal, onFull }: { signal?: AbortSignal; onFull?: (error: unknown) => void } = {},
  ): Promise<T> {
    for (let isReported = false; ; isReported = true) {
      try {
        return await write();
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (!isReported) this.#report(error);
        if (storeTrouble(error)?.status === 507) onFull?.(error);
        await this.pause(signal);
      }
    }
  }

  /** A second. @throws the signal's reason, {@link CLOSING} */
  async pause(signal?: AbortSignal): Promise<void> {
    const ends = AbortSignal.any([this.#closing, ...(signal ? [signal] : [])]);
    if (!ends.aborted) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const timer = setTimeout(resolve, PAUSE);
      ends.addEventListener('abort', resolve);
      await promise;
      clearTimeout(timer);
    }
    signal?.throwIfAborted();
    if (this.#closing.aborted) throw CLOSING;
  }
}
