import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails, type LocalPrediction } from '../contract/local.ts';
import type { LocalCreatePrediction } from '../contract/requests.ts';
import type { Page, SeriesPoint } from '../contract/resources.ts';
import { formatTimestamp } from '../contract/timestamp.ts';
import { isNeural } from '../engine/models.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import { RequestError } from './errors.ts';
import { json, listTable, newId, number, type PageRequest, type SqlRow, text } from './list.ts';
import type { Models } from './models.ts';
import type { JobKind, Queue } from './queue.ts';
import type { Threads } from './threads.ts';
import type { TaskProgress } from './work.ts';

/** The options of a request that the job needs when its turn comes. */
interface StoredOptions {
  readonly horizon?: number | undefined;
  readonly levels: readonly number[];
  readonly fineTuningEpochs?: number | undefined;
}

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

  list(page: PageRequest, withSeries: boolean): Page<LocalPrediction> {
    return listTable(this.#database, { table: 'predictions' }, page, (row) => this.#read(row, withSeries));
  }

  get(id: string): LocalPrediction {
    return this.#read(this.#row(id), true);
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
    const model = this.#models.usable(request.ai_model_id);
    if (request.fine_tuning_epochs && !isNeural(model.base)) {
      throw RequestError.field(
        ['body', 'fine_tuning_epochs'],
        `The model “${model.base}” does not learn in epochs. Leave fine_tuning_epochs out, or choose neural or hybrid.`,
      );
    }
    const options: StoredOptions = {
      horizon: request.prediction_length ?? model.horizon,
      levels: [...new Set(request.quantile_levels ?? DEFAULT_QUANTILE_LEVELS)].sort((a, b) => a - b),
      fineTuningEpochs: request.fine_tuning_epochs,
    };
    const id = newId('prediction');
    transaction(this.#database, () => {
      const input = series_id ?? this.#datasets.addSeries(series ?? [], { name: request.name });
      const name = request.name ?? this.#datasets.seriesName(input);
      this.#database
        .prepare(
          `insert into predictions (id, ai_model_id, status, name, input_series_id, options, created_at)
           values (?, ?, 'QUEUED', ?, ?, ?, ?)`,
        )
        .run(id, model.id, name ?? null, input, JSON.stringify(options), formatTimestamp(Date.now()));
      queue.add('prediction', id);
    });
    return id;
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

  async run(id: string, signal: AbortSignal, onProgress: (progress: TaskProgress) => void): Promise<() => void> {
    const row = this.#row(id);
    const options = json<StoredOptions>(row.options) ?? { levels: DEFAULT_QUANTILE_LEVELS };
    const model = this.#models.usable(String(row.ai_model_id));
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
      },
      signal,
      onProgress,
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

  #row(id: string): SqlRow {
    const row = this.#database.prepare('select * from predictions where id = ?').get(id);
    if (!row) throw RequestError.notFound('prediction', id);
    return row as SqlRow;
  }

  #read(row: SqlRow, withSeries: boolean): LocalPrediction {
    const input = String(row.input_series_id);
    const output = text(row.prediction_series_id);
    const points = (id: string | undefined): SeriesPoint[] | undefined =>
      withSeries && id !== undefined ? this.#datasets.points(id) : undefined;
    return {
      id: String(row.id),
      ai_model_id: text(row.ai_model_id),
      status: String(row.status),
      input_series: points(input),
      prediction_series: points(output),
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
