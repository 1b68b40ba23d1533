import type { InputConfig, ModelConfig } from '../../contract/resources.ts';
import type { SeriesGain } from '../../engine/tuning/choosing.ts';
import { JobError } from '../errors.ts';
import type { Threads } from '../tasks/pool.ts';
import type { JobKind } from '../jobs/queue.ts';
import { change, type Write } from '../jobs/pending.ts';
import type { TaskEvents } from '../tasks/tasks.ts';
import type { Datasets } from '../store/datasets.ts';
import type { Home } from '../database/home.ts';
import { json } from '../database/list.ts';
import type { Models, StoredParameters } from './models.ts';
import type { Db } from '../database/tables.ts';
import { missingOf, trainingSeries } from '../store/training-series.ts';

/** The job that trains a model. */
export class ModelJobs implements JobKind {
  readonly #db: Db;
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #threads: Threads;

  constructor({ db }: Home, datasets: Datasets, models: Models, threads: Threads) {
    this.#db = db;
    this.#datasets = datasets;
    this.#models = models;
    this.#threads = threads;
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<Write> {
    const row = await this.#models.row(id);
    const config = json<ModelConfig>(row.config) ?? {};
    const input = json<InputConfig>(row.input_config) ?? {};
    const missing = await missingOf(this.#datasets, input);
    if (missing) {
      throw new JobError(missing.deleted);
    }
    const contextLength = config.context_length ?? undefined;
    const start =
      typeof config.start_model === 'string' ? (await this.#models.usable(config.start_model)).parameters : undefined;
    const dataset = await trainingSeries(this.#datasets, input);
    const stop = new AbortController();
    const result = await this.#threads.run(
      {
        kind: 'tune',
        model: String(row.base_model),
        dataset: dataset.map(({ points }) => points),
        horizon: config.prediction_length ?? undefined,
        contextLength,
        maxEpochs: config.max_epochs ?? undefined,
        start,
      },
      signal,
      {
        ...events,
        stop: stop.signal,
        onProgress: (progress) => {
          events.onProgress(progress);
          // a look that fails is made again with the next progress
          this.#isStopped(id).then(
            (isStopped) => {
              if (isStopped) stop.abort();
            },
            () => undefined,
          );
        },
      },
    );
    const { parameters: tuned, horizon, training } = result;
    const stored: StoredParameters = { tuned, horizon, contextLength, samples: config.num_samples ?? undefined };
    const scoreOf = (gain: SeriesGain | undefined) =>
      gain && { name: dataset[gain.index].name, base_mase: gain.baseMase, mase: gain.mase };
    const scores = {
      series: result.series,
      base_mase: result.baseMase,
      mase: result.mase,
      best: scoreOf(result.best),
      worst: scoreOf(result.worst),
    };
    const told = {
      status: 'COMPLETED',
      progress: null,
      parameters: JSON.stringify(stored),
      scores: JSON.stringify(scores),
      training: training ? JSON.stringify(training) : null,
    };
    return async (db) => ((await change(db, id, told)) ? {} : undefined);
  }

  async #isStopped(id: string): Promise<boolean> {
    const asked = this.#db.selectFrom('fine_tuned_models').select('stopping').where('id', '=', id);
    return (await asked.executeTakeFirst())?.stopping === 1;
  }
}
