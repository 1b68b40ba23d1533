import { JobError } from '../errors.ts';
import type { Threads } from '../tasks/pool.ts';
import type { JobKind, Together, Write } from '../jobs/queue.ts';
import type { TaskEvents, TaskProgress } from '../tasks/tasks.ts';
import type { Datasets } from '../store/datasets.ts';
import type { Models } from './models.ts';
import { prepareSeries } from '../store/points.ts';
import type { Predictions } from './predictions.ts';
import type { Db } from '../database/tables.ts';

/** The job that makes a prediction. */
export class PredictionJobs implements JobKind {
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #predictions: Predictions;
  readonly #threads: Threads;
  readonly together: Together | undefined;

  /** @param together does many at once */
  constructor(datasets: Datasets, models: Models, predictions: Predictions, threads: Threads, together?: Together) {
    this.#datasets = datasets;
    this.#models = models;
    this.#predictions = predictions;
    this.#threads = threads;
    this.together = together;
  }

  async mark(db: Db, id: string, status: 'IN_PROGRESS' | 'QUEUED'): Promise<void> {
    await db.updateTable('predictions').set({ status, progress: null }).where('id', '=', id).execute();
  }

  async progress(db: Db, id: string, { fraction }: TaskProgress): Promise<void> {
    await db.updateTable('predictions').set({ progress: fraction }).where('id', '=', id).execute();
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<Write> {
    const { model, space } = await this.#predictions.placeOf(id);
    if (!(await this.#models.has(model))) {
      throw new JobError(
        `The model “${model}” was deleted before the prediction was made. Forecast again with another model.`,
      );
    }
    const { series, details } = await this.#threads.run(await this.#predictions.question(id), signal, {
      ...events,
      space,
    });
    const stored = prepareSeries(series);
    return async (db) => {
      const prediction_series_id = await this.#datasets.addSeries(db, stored, { space });
      await db
        .updateTable('predictions')
        .set({ status: 'COMPLETED', progress: null, prediction_series_id, details: JSON.stringify(details) })
        .where('id', '=', id)
        .execute();
    };
  }

  async fail(db: Db, id: string, error: string): Promise<void> {
    await db.updateTable('predictions').set({ status: 'FAILED', progress: null, error }).where('id', '=', id).execute();
  }
}
