import type { DatabaseSync } from 'node:sqlite';
import { JobError } from '../errors.ts';
import type { Threads } from '../jobs/pool.ts';
import type { JobKind, Queue } from '../jobs/queue.ts';
import type { TaskEvents, TaskProgress } from '../jobs/tasks.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import type { Models } from './models.ts';
import { prepareSeries } from './points.ts';
import { jobOf, readOptions } from './prediction-options.ts';
import type { Predictions } from './predictions.ts';

/** The job that makes a prediction. */
export class PredictionJobs implements JobKind {
  readonly #database: DatabaseSync;
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #predictions: Predictions;
  readonly #threads: Threads;

  constructor(database: DatabaseSync, datasets: Datasets, models: Models, predictions: Predictions, threads: Threads) {
    this.#database = database;
    this.#datasets = datasets;
    this.#models = models;
    this.#predictions = predictions;
    this.#threads = threads;
  }

  /** Queues anew what is pending and has no job, as an older version could leave it on a full disk or a stopped machine. */
  heal(queue: Queue): void {
    const lost = this.#database
      .prepare(
        `select id, options from predictions where status in ('QUEUED', 'IN_PROGRESS')
         and not exists (select 1 from jobs where target = predictions.id)`,
      )
      .all();
    for (const { id, options } of lost) {
      transaction(this.#database, () => {
        if (queue.has(String(id))) return; // another program was faster
        const known = readOptions(options) ?? { levels: [] };
        if (known.group !== undefined) return; // one job makes them all
        const { kind } = jobOf(known, 'panel');
        queue.add(kind, String(id), 'panel');
        this.mark(String(id), 'QUEUED');
      });
    }
  }

  mark(id: string, status: 'IN_PROGRESS' | 'QUEUED'): void {
    this.#database.prepare('update predictions set status = ?, progress = null where id = ?').run(status, id);
  }

  progress(id: string, { fraction }: TaskProgress): void {
    this.#database.prepare('update predictions set progress = ? where id = ?').run(fraction, id);
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<() => void> {
    const model = this.#predictions.modelOf(id);
    if (!this.#models.has(model)) {
      throw new JobError(
        `The model “${model}” was deleted before the prediction was made. Forecast again with another model.`,
      );
    }
    const { series, details } = await this.#threads.run(this.#predictions.question(id), signal, events);
    const stored = prepareSeries(series);
    return () => {
      const output = this.#datasets.addSeries(stored);
      this.#database
        .prepare(
          `update predictions set status = 'COMPLETED', progress = null, prediction_series_id = ?, details = ? where id = ?`,
        )
        .run(output, JSON.stringify(details), id);
    };
  }

  fail(id: string, message: string): void {
    this.#database
      .prepare(`update predictions set status = 'FAILED', progress = null, error = ? where id = ?`)
      .run(message, id);
  }
}
