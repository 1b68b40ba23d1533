/** Datasets that were stored for forecasts or a training, and that nobody asked for. */
import type { DatabaseSync } from 'node:sqlite';
import { isoInstant } from '../../calendar/format.ts';
import type { NewDataset } from './new.ts';

/** Each tag once, as JSON. */
export const tagsOf = ({ tags }: Pick<NewDataset, 'tags'>): string => JSON.stringify([...new Set(tags ?? [])]);

/**
 * The dataset of the same series, where there is one that serves: for a job any; for a person the one that was stored for a
 * job, which becomes theirs. Either is new again from now on.
 * @returns its id
 */
export function storedAgain(database: DatabaseSync, request: NewDataset): string | undefined {
  const { name, digest, for_job: isForJob = false } = request;
  const row = database
    .prepare(
      `select id, for_job from datasets where digest = ? and complete = 1 and (for_job = 1 or ?)
       order by for_job, seq desc`,
    )
    .get(digest, isForJob ? 1 : 0);
  if (!row) return undefined;
  const id = String(row.id);
  const now = isoInstant(Date.now());
  if (!isForJob) {
    const take = 'update datasets set for_job = 0, name = ?, tags = ?, created_at = ? where id = ?';
    database.prepare(take).run(name ?? null, tagsOf(request), now, id);
  } else if (row.for_job === 1) database.prepare('update datasets set created_at = ? where id = ?').run(now, id);
  return id;
}

/** One dataset of a job, stored before this instant, that no prediction is of and no model was trained on. */
export function unneeded(database: DatabaseSync, before: number): string | undefined {
  const row = database
    .prepare(
      `select id from datasets where for_job = 1 and complete = 1 and tags = '[]' and created_at < ?
       and not exists (select 1 from series join predictions on input_series_id = series.id where dataset_id = datasets.id)
       and not exists (
         select 1 from fine_tuned_models, json_each(iif(json_valid(input_config), input_config, '{}'), '$.dataset_ids') used
         where used.value = datasets.id)
       limit 1`,
    )
    .get(isoInstant(before));
  return row && String(row.id);
}
