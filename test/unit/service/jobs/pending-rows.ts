/** What is stored of resources whose jobs are to be done. */
import type { Db } from '../../../../src/service/database/store.ts';
import { change } from '../../../../src/service/jobs/writes.ts';
import type { JobKind } from '../../../../src/service/jobs/queue.ts';

/** Stores resources that are QUEUED: models where their ids begin with `model_`, else predictions. */
export async function addPending(db: Db, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    if (id.startsWith('model_')) {
      const model = { id, status: 'QUEUED', base_model: 'theta', config: '{}', input_config: '{}' };
      await db
        .insertInto('fine_tuned_models')
        .values({ ...model, created_at: '', updated_at: '' })
        .execute();
      continue;
    }
    await db
      .insertInto('series')
      .values({ id: `series of ${id}`, rows: 0, points: '[]' })
      .execute();
    const prediction = {
      id,
      ai_model_id: 'theta',
      status: 'QUEUED',
      input_series_id: `series of ${id}`,
      options: '{}',
    };
    await db
      .insertInto('predictions')
      .values({ ...prediction, created_at: '' })
      .execute();
  }
}

/** A kind of job that brings such resources to their end. @param run before the result is written */
export const kindOf = (run: (...args: Parameters<JobKind['run']>) => Promise<void>): JobKind => ({
  run: async (...args) => {
    await run(...args);
    return async (db) => ((await change(db, args[0], { status: 'COMPLETED' })) ? {} : undefined);
  },
});
