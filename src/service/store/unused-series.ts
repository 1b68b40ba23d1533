/** Series that go with the last that they belonged to, whoever else deletes or forecasts at the same time. */
import { sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { Db } from '../database/tables.ts';

/**
 * Deletes those of these series that belong to no dataset and no prediction.
 * @param db a transaction
 */
export async function removeUnused(db: Db, ids: readonly (string | null | undefined)[]): Promise<void> {
  const known = ids.filter((id) => typeof id === 'string');
  if (known.length === 0) return;
  const areThese = dialectOf(db).isOneOf('id', known);
  if (dialectOf(db).locksRows) {
    // each a statement of its own: the next sees what those have committed that were waited for
    await sql`select 1 from series where ${areThese} and dataset_id is not null
      order by id for no key update`.execute(db);
    // who makes a prediction of one is waited for only here: others hold those of a dataset in another order
    await sql`select 1 from series where ${areThese} and dataset_id is null order by id for update`.execute(db);
  }
  await sql`delete from series where ${areThese} and dataset_id is null
    and not exists (select 1 from predictions where input_series_id = series.id)
    and not exists (select 1 from predictions where prediction_series_id = series.id)`.execute(db);
}

/**
 * Waits for those who delete predictions of the series of a dataset.
 * @param db a transaction
 * @returns the series that have no prediction any more
 */
export async function withoutPredictions(db: Db, datasetId: string): Promise<string[]> {
  if (!dialectOf(db).locksRows) return []; // nobody else writes, and these are deleted already
  await sql`select 1 from series where dataset_id = ${datasetId} order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from series where dataset_id = ${datasetId}
    and not exists (select 1 from predictions where input_series_id = series.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Has whoever deletes a dataset wait, and then see which of its series have no prediction any more.
 * @param db a transaction
 */
export async function keepDataset(db: Db, id: string): Promise<void> {
  if (dialectOf(db).locksRows) await sql`select 1 from datasets where id = ${id} for share`.execute(db);
}
