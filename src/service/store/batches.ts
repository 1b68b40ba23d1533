/** Runs over many series: their predictions are made, counted, listed and called off together, by the id of the batch. */
import type { Insertable } from 'kysely';
import type { Sum } from '../../engine/totals/structure.ts';
import { isoInstant } from '../../calendar/format.ts';
import { json, newId } from '../database/list.ts';
import type { Db, Tables } from '../database/tables.ts';

export const newBatch = (): string => newId('batch');

export interface Batch {
  readonly series: number;
  /** What its forecasts add up to, by the places of the series; empty where each is made by itself. */
  readonly sums: readonly Sum[];
}

/** Stores a batch, in the transaction that stores its predictions. */
export async function addBatch(
  db: Db,
  { series, sums }: Batch,
  belongs: Pick<Insertable<Tables['batches']>, 'id' | 'tenant' | 'dataset_id'>,
): Promise<void> {
  const created_at = isoInstant(Date.now());
  const row = { ...belongs, series, sums: sums.length > 0 ? JSON.stringify(sums) : null, created_at };
  await db.insertInto('batches').values(row).execute();
}

/** @throws DamagedRowError */
export async function batchOf(db: Db, id: string): Promise<Batch> {
  const row = await db.selectFrom('batches').select(['series', 'sums']).where('id', '=', id).executeTakeFirst();
  return { series: row?.series ?? 0, sums: json<Sum[]>(row?.sums) ?? [] };
}

/** The predictions of a batch that are still there, in the order of its series. */
export async function predictionsOf(db: Db, batch: string): Promise<string[]> {
  const rows = await db.selectFrom('predictions').select('id').where('batch_id', '=', batch).orderBy('seq').execute();
  return rows.map(({ id }) => id);
}

/** Deletes predictions of batches that a program began to store before an instant, and did not finish. */
export async function removeLeft(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('predictions')
    .where('batch_id', 'is not', null)
    .where('status', '=', 'QUEUED')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('batches').select('batches.id').whereRef('batches.id', '=', 'predictions.batch_id'))),
    )
    .execute();
}

/** Forgets batches that no prediction is of any more. */
export async function forgetEmpty(db: Db): Promise<void> {
  await db
    .deleteFrom('batches')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('predictions').select('predictions.id').whereRef('batch_id', '=', 'batches.id'))),
    )
    .execute();
}
