import type { DatabaseSync } from 'node:sqlite';
import { isoInstant } from '../../calendar/format.ts';
import type { InputConfig, ModelConfig } from '../../contract/resources.ts';
import type { SeriesGain } from '../../engine/tuning/extremes.ts';
import { JobError } from '../errors.ts';
import type { Threads } from '../jobs/pool.ts';
import type { JobKind, Queue } from '../jobs/queue.ts';
import type { TaskEvents, TaskProgress } from '../jobs/tasks.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import { json } from './list.ts';
import { type Models, stopOf, type StoredParameters } from './models.ts';
import { missingOf, trainingSeries } from './training-series.ts';

/** The job that trains a model. */
export class ModelJobs implements JobKind {
  readonly #database: DatabaseSync;
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #threads: Threads;

  constructor(database: DatabaseSync, datasets: Datasets, models: Models, threads: Threads) {
    this.#database = database;
    this.#datasets = datasets;
    this.#models = models;
    this.#threads = threads;
  }

  /** As that of predictions. */
  heal(queue: Queue): void {
    const lost = this.#database
      .prepare(
        `select id from fine_tuned_models where status in ('QUEUED', 'IN_PROGRESS')
         and not exists (select 1 from jobs where target = fine_tuned_models.id)`,
      )
      .all();
    for (const { id } of lost) {
      transaction(this.#database, () => {
        if (queue.has(String(id))) return; // another program was faster
        queue.add('fine_tuned_model', String(id), 'training');
        this.mark(String(id), 'QUEUED');
      });
    }
  }

  mark(id: string, status: 'IN_PROGRESS' | 'QUEUED'): void {
    this.#update(id, 'status = ?, progress = null', status);
  }

  progress(id: string, { fraction, training }: TaskProgress): void {
    if (training) this.#update(id, 'progress = ?, training = ?', fraction, JSON.stringify(training));
    else this.#update(id, 'progress = ?', fraction);
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<() => void> {
    const row = this.#models.row(id);
    const config = json<ModelConfig>(row.config) ?? {};
    const input = json<InputConfig>(row.input_config) ?? {};
    const missing = missingOf(this.#datasets, input);
    if (missing) {
      throw new JobError(
        `The ${missing.what} was deleted before the training was done. Create the model anew from series that are stored.`,
      );
    }
    const contextLength = config.context_length ?? undefined;
    const start =
      typeof config.start_model === 'string' ? this.#models.usable(config.start_model).parameters : undefined;
    const panel = trainingSeries(this.#datasets, input);
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const result = await this.#threads.run(
      {
        kind: 'tune',
        model: String(row.base_model),
        panel: panel.map(({ points }) => points),
        horizon: config.prediction_length ?? undefined,
        contextLength,
        maxEpochs: config.max_epochs ?? undefined,
        start,
        stop,
      },
      signal,
      {
        ...events,
        onProgress: (progress) => {
          events.onProgress(progress);
          if (this.#isStopped(id)) Atomics.store(new Int32Array(stop), 0, 1);
        },
      },
    );
    const { parameters: tuned, horizon, training } = result;
    const stored: StoredParameters = { tuned, horizon, contextLength, samples: config.num_samples ?? undefined };
    const scoreOf = (gain: SeriesGain | undefined) =>
      gain && { name: panel[gain.index].name, base_mase: gain.baseMase, mase: gain.mase };
    const scores = {
      series: result.series,
      base_mase: result.baseMase,
      mase: result.mase,
      best: scoreOf(result.best),
      worst: scoreOf(result.worst),
    };
    return () => {
      this.#database.prepare('delete from meta where name = ?').run(stopOf(id));
      this.#update(
        id,
        `status = 'COMPLETED', progress = null, parameters = ?, scores = ?, training = ?`,
        JSON.stringify(stored),
        JSON.stringify(scores),
        training ? JSON.stringify(training) : null,
      );
    };
  }

  fail(id: string, message: string): void {
    this.#database.prepare('delete from meta where name = ?').run(stopOf(id));
    this.#update(id, `status = 'FAILED', progress = null, error = ?`, message);
  }

  #isStopped(id: string): boolean {
    return this.#database.prepare('select 1 from meta where name = ?').get(stopOf(id)) !== undefined;
  }

  #update(id: string, assignments: string, ...values: (string | number | null)[]): void {
    this.#database
      .prepare(`update fine_tuned_models set ${assignments}, updated_at = ? where id = ?`)
      .run(...values, isoInstant(Date.now()), id);
  }
}
