/** What is stored of resources whose jobs are to be done. */
import type { Db } from '../../../../src/service/database/store.ts';
import { change, type Ended } from '../../../../src/service/jobs/queue.ts';
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
export const kindOf = (
  run: (id: string, ...args: Tail<Parameters<JobKind['run']>>) => Promise<void> = () => Promise.resolve(),
): JobKind => ({
  run: async (ids, ...args) => {
    for (const id of ids) await run(id, ...args);
    return async (db) => {
      const ended = new Map<string, Ended>();
      for (const id of ids) if (await change(db, id, { status: 'COMPLETED' })) ended.set(id, {});
      return ended;
    };
  },
});

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;
