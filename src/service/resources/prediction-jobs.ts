import { sql } from 'kysely';
import { JobError } from '../errors.ts';
import type { Threads } from '../tasks/pool.ts';
import type { JobKind, Together, Write } from '../jobs/queue.ts';
import type { EmbeddedQueue } from '../jobs/embedded-queue.ts';
import type { TaskEvents, TaskProgress } from '../tasks/tasks.ts';
import type { Datasets } from '../store/datasets.ts';
import type { Home } from '../database/home.ts';
import type { Models } from './models.ts';
import { prepareSeries } from '../store/points.ts';
import { jobOf, readOptions } from './prediction-options.ts';
import type { Predictions } from './predictions.ts';
import { type Db, transaction } from '../database/tables.ts';

/** The job that makes a prediction. */
export class PredictionJobs implements JobKind {
  readonly #db: Db;
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #predictions: Predictions;
  readonly #threads: Threads;
  readonly together: Together | undefined;

  /** @param together does many at once */
  constructor(
    { db }: Home,
    datasets: Datasets,
    models: Models,
    predictions: Predictions,
    threads: Threads,
    together?: Together,
  ) {
    this.#db = db;
    this.#datasets = datasets;
    this.#models = models;
    this.#predictions = predictions;
    this.#threads = threads;
    this.together = together;
  }

  /** Queues anew what is pending and has no job, as an older version could leave it on a full disk or a stopped machine. */
  async heal(queue: EmbeddedQueue): Promise<void> {
    const { rows: lost } = await sql<{ id: string; options: string }>`
      select id, options from predictions where status in ('QUEUED', 'IN_PROGRESS')
      and not exists (select 1 from jobs where target = predictions.id)`.execute(this.#db);
    for (const { id, options } of lost) {
      await transaction(this.#db, async (db) => {
        if (await queue.has(db, id)) return; // another program was faster
        const known = readOptions(options) ?? { levels: [] };
        if (known.group !== undefined) return; // one job makes them all
        const { kind } = jobOf(known, 'dataset');
        await queue.add(db, kind, id, 'dataset');
        await this.mark(db, id, 'QUEUED');
      });
    }
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
    const { series, details } = await this.#threads.run(await this.#predictions.question(id), signal, events);
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
