import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails, type LocalPrediction } from '../../contract/local.ts';
import type { LocalCreatePrediction, PredictDataset } from '../../contract/requests.ts';
import type { Page, SeriesPoint } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { isNeural } from '../../engine/models.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import { JobError, RequestError } from '../errors.ts';
import { json, listTable, newId, number, type PageRequest, type SqlRow, text } from './list.ts';
import type { Models, UsableModel } from './models.ts';
import type { JobKind, Queue } from '../jobs/queue.ts';
import type { Threads } from '../jobs/pool.ts';
import type { TaskEvents, TaskProgress } from '../jobs/tasks.ts';

/** The options of a request that the job needs when its turn comes. */
interface StoredOptions {
  readonly horizon?: number | undefined;
  readonly levels: readonly number[];
  readonly fineTuningEpochs?: number | undefined;
  /** Rolling origins of the backtest; the engine's own number where absent. */
  readonly origins?: number | undefined;
}

/** Which series of a prediction are read along with it. */
export interface Shown {
  readonly input: boolean;
  readonly output: boolean;
}

/** Which predictions are listed: those of the series of a dataset, those of a status. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
}

const OF_DATASET = 'input_series_id in (select id from series where dataset_id = ?)';

const optionsOf = (request: z.output<typeof PredictDataset>, model: UsableModel): StoredOptions => ({
  horizon: request.prediction_length ?? model.horizon,
  levels: [...new Set(request.quantile_levels ?? DEFAULT_QUANTILE_LEVELS)].sort((a, b) => a - b),
  fineTuningEpochs: request.fine_tuning_epochs,
});

/** The kind and the turn of a prediction's job: one that trains before it holds a thread as long as a training does. */
const jobOf = ({ fineTuningEpochs }: StoredOptions, turn: 'forecast' | 'panel') =>
  fineTuningEpochs
    ? ({ kind: 'tuned_prediction', turn: turn === 'panel' ? 'panel' : 'training' } as const)
    : ({ kind: 'prediction', turn } as const);

/** Predictions, and the job that makes one. */
export class Predictions implements JobKind {
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

  list(page: PageRequest, shown: Shown, { datasetId, status }: PredictionFilter = {}): Page<LocalPrediction> {
    const conditions = [
      ...(datasetId === undefined ? [] : [OF_DATASET]),
      ...(status === undefined ? [] : ['predictions.status = ?']),
    ];
    const query = {
      table: 'predictions',
      where: conditions.join(' and ') || '1',
      parameters: [datasetId, status].filter((parameter) => parameter !== undefined),
    };
    return listTable(this.#database, query, page, (row) => this.#read(row, shown));
  }

  get(id: string): LocalPrediction {
    return this.#read(this.#row(id), { input: true, output: true });
  }

  /** Stores the series and the prediction as QUEUED, and its job. @throws RequestError 422 */
  create(request: z.output<typeof LocalCreatePrediction>, queue: Queue): string {
    const { series, series_id } = request;
    if ((series === undefined) === (series_id === undefined)) {
      throw RequestError.field(
        ['body', 'series'],
        series ? 'Give either series or series_id, not both.' : 'Give a series, or the series_id of a stored one.',
      );
    }
    if (series?.length === 0) throw RequestError.field(['body', 'series'], 'The series has no points.');
    if (series_id !== undefined && !this.#datasets.hasSeries(series_id)) {
      throw RequestError.field(['body', 'series_id'], `There is no series “${series_id}”.`);
    }
    const model = this.#modelFor(request);
    const options = optionsOf(request, model);
    const { kind, turn } = jobOf(options, 'forecast');
    const id = newId('prediction');
    transaction(this.#database, () => {
      const input = series_id ?? this.#datasets.addSeries(series ?? [], { name: request.name });
      const name = request.name ?? this.#datasets.seriesName(input);
      this.#database
        .prepare(
          `insert into predictions (id, ai_model_id, status, name, input_series_id, options, created_at)
           values (?, ?, 'QUEUED', ?, ?, ?, ?)`,
        )
        .run(id, model.id, name ?? null, input, JSON.stringify(options), isoInstant(Date.now()));
      queue.add(kind, id, turn);
    });
    return id;
  }

  /**
   * Stores a prediction of each series of a dataset as QUEUED, all or none. They wait behind predictions of single series.
   * @returns the ids, in the order of the series
   * @throws RequestError 404, 422
   */
  createOfDataset(datasetId: string, request: z.output<typeof PredictDataset>, queue: Queue): string[] {
    this.#datasets.get(datasetId);
    const model = this.#modelFor(request);
    // one origin tells enough to compare thousands of series, at half the time
    const options: StoredOptions = { ...optionsOf(request, model), origins: 1 };
    const { kind, turn } = jobOf(options, 'panel');
    const stored = JSON.stringify(options);
    const created = isoInstant(Date.now());
    const series = this.#database
      .prepare('select id, name from series where dataset_id = ? order by seq desc')
      .all(datasetId);
    const insert = this.#database.prepare(
      `insert into predictions (id, ai_model_id, status, name, input_series_id, options, created_at)
       values (?, ?, 'QUEUED', ?, ?, ?, ?)`,
    );
    return transaction(this.#database, () =>
      series.map((one) => {
        const id = newId('prediction');
        insert.run(id, model.id, one.name, one.id, stored, created);
        queue.add(kind, id, turn);
        return id;
      }),
    );
  }

  /** Deletes those predictions of a dataset that have not ended; those that run are cancelled. @throws RequestError 404 */
  removePending(datasetId: string, queue: Queue): void {
    this.#datasets.get(datasetId);
    transaction(this.#database, () => {
      const pending = this.#database
        .prepare(`select predictions.id from predictions join jobs on target = predictions.id where ${OF_DATASET}`)
        .all(datasetId);
      const remove = this.#database.prepare('delete from predictions where id = ?');
      for (const { id } of pending) {
        queue.forget(String(id));
        remove.run(id);
      }
    });
  }

  /** Deletes a prediction; one that is not done yet is cancelled by that. */
  remove(id: string, queue: Queue): void {
    this.#row(id);
    transaction(this.#database, () => {
      queue.forget(id);
      this.#database.prepare('delete from predictions where id = ?').run(id);
      this.#datasets.removeUnused();
    });
  }

  mark(id: string, status: 'IN_PROGRESS' | 'QUEUED'): void {
    this.#database.prepare('update predictions set status = ?, progress = null where id = ?').run(status, id);
  }

  progress(id: string, { fraction }: TaskProgress): void {
    this.#database.prepare('update predictions set progress = ? where id = ?').run(fraction, id);
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<() => void> {
    const row = this.#row(id);
    const options = json<StoredOptions>(row.options) ?? { levels: DEFAULT_QUANTILE_LEVELS };
    const modelId = String(row.ai_model_id);
    if (!this.#models.has(modelId)) {
      throw new JobError(
        `The model “${modelId}” was deleted before the prediction was made. Forecast again with another model.`,
      );
    }
    const model = this.#models.usable(modelId);
    const { series, details } = await this.#threads.run(
      {
        kind: 'forecast',
        points: this.#datasets.points(String(row.input_series_id)),
        model: model.base,
        parameters: model.parameters,
        contextLength: model.contextLength,
        horizon: options.horizon,
        levels: options.levels,
        samples: model.samples,
        fineTuningEpochs: options.fineTuningEpochs,
        origins: options.origins,
      },
      signal,
      events,
    );
    return () => {
      const output = this.#datasets.addSeries(series);
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

  /** @throws RequestError 422 */
  #modelFor(request: z.output<typeof PredictDataset>): UsableModel {
    const model = this.#models.usable(request.ai_model_id);
    if (request.fine_tuning_epochs && !isNeural(model.base)) {
      throw RequestError.field(
        ['body', 'fine_tuning_epochs'],
        `The model “${model.base}” does not learn in epochs. Leave fine_tuning_epochs out, or choose neural or hybrid.`,
      );
    }
    return model;
  }

  #row(id: string): SqlRow {
    const row = this.#database.prepare('select * from predictions where id = ?').get(id);
    if (!row) throw RequestError.notFound('prediction', id);
    return row as SqlRow;
  }

  #read(row: SqlRow, shown: Shown): LocalPrediction {
    const input = String(row.input_series_id);
    const output = text(row.prediction_series_id);
    const points = (id: string | undefined, isShown: boolean): SeriesPoint[] | undefined =>
      isShown && id !== undefined ? this.#datasets.points(id) : undefined;
    return {
      id: String(row.id),
      ai_model_id: text(row.ai_model_id),
      status: String(row.status),
      input_series: points(input, shown.input),
      prediction_series: points(output, shown.output),
      input_series_id: input,
      prediction_series_id: output,
      created_at: text(row.created_at),
      name: text(row.name),
      progress: number(row.progress),
      error: text(row.error),
      prediction_length: this.#length(row, output),
      details: json<ForecastDetails>(row.details),
    };
  }

  #length(row: SqlRow, output: string | undefined): number | undefined {
    return output ? this.#datasets.seriesRows(output) : json<StoredOptions>(row.options)?.horizon;
  }
}
