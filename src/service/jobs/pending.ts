/** What is stored of the resource of a job, which says whether it is still to be done: it is changed only while it is. */
import { type ExpressionBuilder, sql, type Updateable } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { dialectOf } from '../database/home.ts';
import { type Db, type Tables, transaction } from '../database/tables.ts';
import type { TaskProgress } from '../tasks/series.ts';

const isToDo = sql<boolean>`status in ('QUEUED', 'IN_PROGRESS')`;

const isModel = (target: string): boolean => target.startsWith('model_');
const tableOf = (target: string) => (isModel(target) ? 'fine_tuned_models' : 'predictions');
const columnOf = (target: string) => (target.startsWith('batch_') ? 'batch_id' : 'id');

/** Rows that are still to be done: those of a batch, which one job makes all, of a model, or of a prediction. */
export const pendingOf = (db: Db, target: string) =>
  db.selectFrom(tableOf(target)).select('id').where(columnOf(target), '=', target).where(isToDo);

export const isPending = async (db: Db, target: string): Promise<boolean> =>
  (await pendingOf(db, target).limit(1).executeTakeFirst()) !== undefined;

/** Takes back that a program began with a job; with one that is done, that any did. */
export async function notDied(db: Db, target: string, program: string): Promise<void> {
  const begun = db.deleteFrom('begun_jobs').where('target', '=', target);
  const isOver = ({ eb, or, not, exists }: ExpressionBuilder<Tables, 'begun_jobs'>) =>
    or([eb('program', '=', program), not(exists(pendingOf(db, target)))]);
  await begun.where(isOver).execute();
}

/** Tells of what is still to be done. @returns whether it was */
export async function change(
  db: Db,
  target: string,
  told: Updateable<Tables['predictions']> | Updateable<Tables['fine_tuned_models']>,
): Promise<boolean> {
  const now = isModel(target) ? { updated_at: isoInstant(Date.now()) } : {};
  const changed = db.updateTable(tableOf(target)).set({ ...told, ...now });
  const { numUpdatedRows } = await changed.where(columnOf(target), '=', target).where(isToDo).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How far it is. */
export const progressed = (db: Db, target: string, { fraction, training }: TaskProgress): Promise<boolean> =>
  change(db, target, { progress: fraction, ...(training && { training: JSON.stringify(training) }) });

/**
 * Writes the end of a job in a transaction that others share, where it is still to be done.
 * @returns what is to be told of its resource then, and `undefined` where it was not
 */
export type Write = (db: Db) => Promise<Ended | undefined>;
export type Ended = Readonly<Record<string, unknown>>;

/** Does what `write` does whole, or nothing of it where the job was not to be done. */
export async function written(all: Db, write: Write): Promise<Ended | undefined> {
  try {
    return await transaction(all, async (db) => {
      const ended = await write(db);
      if (!ended) throw GONE;
      return ended;
    });
  } catch (error) {
    if (error === GONE) return undefined;
    throw error;
  }
}

const GONE = new Error('Nobody wants it any more.');

const pendingOfMany = (db: Db, targets: readonly string[]) =>
  db.selectFrom('predictions').select('id').where(dialectOf(db).isOneOf('id', targets)).where(isToDo);

/** Those of these predictions that are still to be done. */
export async function pendingOfAll(db: Db, targets: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await pendingOfMany(db, targets).execute()).map(({ id }) => id));
}

/**
 * Does `write` as one with the look which of these predictions are to be done and held by nobody else: who waits for one while
 * it holds others could wait for ever.
 * @returns which these were
 */
export const whileAllPending = (
  all: Db,
  targets: readonly string[],
  write: (db: Db, targets: ReadonlySet<string>) => Promise<void>,
): Promise<ReadonlySet<string>> =>
  transaction(all, async (db) => {
    const rows = await pendingOfMany(db, targets).modifyEnd(dialectOf(db).passingLocked).execute();
    const pending = new Set(rows.map(({ id }) => id));
    await write(db, pending);
    return pending;
  });
