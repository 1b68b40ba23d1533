/** Datasets that were stored for forecasts or a training, and that nobody asked for. */
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { dialectOf } from '../database/dialect.ts';
import type { NewDataset } from './new.ts';
import type { Db } from '../database/tables.ts';

/** Each tag once, as JSON. */
export const tagsOf = ({ tags }: Pick<NewDataset, 'tags'>): string => JSON.stringify([...new Set(tags ?? [])]);

/**
 * The dataset of the same series, where there is one that serves: for a job any; for a person the one that was stored for a
 * job, which becomes theirs. Either is new again from now on.
 * @returns its id
 */
export async function storedAgain(db: Db, request: NewDataset, space: string): Promise<string | undefined> {
  const { name, digest, for_job: isForJob = false } = request;
  if (digest === undefined) return undefined;
  const row = await db
    .selectFrom('datasets')
    .select(['id', 'for_job'])
    .where('digest', '=', digest)
    .where('space', '=', space)
    .where('complete', '=', 1)
    .where('for_job', '>=', isForJob ? 0 : 1)
    .orderBy('for_job')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const created_at = isoInstant(Date.now());
  const renew = db.updateTable('datasets').where('id', '=', row.id);
  if (!isForJob) await renew.set({ for_job: 0, name: name ?? null, tags: tagsOf(request), created_at }).execute();
  else if (row.for_job === 1) await renew.set({ created_at }).execute();
  return row.id;
}

/** One dataset of a job, stored before this instant, that no prediction is of and no model was trained on. */
export async function unneeded(db: Db, before: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from datasets where for_job = 1 and complete = 1 and tags = '[]' and created_at < ${isoInstant(before)}
    and not exists (
      select 1 from series join predictions on input_series_id = series.id where series.dataset_id = datasets.id)
    and not exists (
      select 1 from fine_tuned_models where ${dialectOf(db).listHas('input_config', 'dataset_ids', 'datasets.id')})
    limit 1`.execute(db);
  return rows[0]?.id;
}
