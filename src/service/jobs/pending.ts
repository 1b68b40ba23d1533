/** What is stored of the resource of a job, which says whether it is still to be done. */
import { sql } from 'kysely';
import { dialectOf } from '../database/home.ts';
import { type Db, transaction } from '../database/tables.ts';

/** Writes something in a transaction that others share. */
export type Write = (db: Db) => Promise<void>;

const isToDo = sql<boolean>`status in ('QUEUED', 'IN_PROGRESS')`;

/** Rows that are still to be done: those of a batch, which one job makes all, of a model, or of a prediction. */
export function pendingOf(target: string) {
  const table = sql.table(target.startsWith('model_') ? 'fine_tuned_models' : 'predictions');
  const id = sql.ref(target.startsWith('batch_') ? 'batch_id' : 'id');
  return sql`select 1 from ${table} where ${id} = ${target} and ${isToDo}`;
}

export async function isPending(db: Db, target: string): Promise<boolean> {
  return (await sql`${pendingOf(target)} limit 1`.execute(db)).rows.length > 0;
}

const pendingOfMany = (db: Db, targets: readonly string[]) =>
  db.selectFrom('predictions').select('id').where(dialectOf(db).isOneOf('id', targets)).where(isToDo);

/** Those of these predictions that are still to be done. */
export async function pendingOfAll(db: Db, targets: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await pendingOfMany(db, targets).execute()).map(({ id }) => id));
}

/**
 * Does `write` as one with the look whether the job is still to be done, which nobody else can end meanwhile.
 * @returns whether it was
 */
export const whilePending = (all: Db, target: string, write: Write): Promise<boolean> =>
  transaction(all, async (db) => {
    const { rows } = await sql`${pendingOf(target)} ${dialectOf(db).locking}`.execute(db);
    if (rows.length > 0) await write(db);
    return rows.length > 0;
  });

/**
 * As {@link whilePending}, for those of these predictions that are to be done and that nobody else holds: who waits for
 * one while it holds others could wait for ever.
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
