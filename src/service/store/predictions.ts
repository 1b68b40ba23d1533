import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails } from '../../contract/local.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import type { Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { isNeural } from '../../engine/models.ts';
import { transaction } from './database.ts';
import type { Datasets, StoredPoints } from './datasets.ts';
import { JobError, RequestError } from '../errors.ts';
import {
  DamagedRowError,
  json,
  listTable,
  needed,
  newId,
  number,
  orDamaged,
  type PageRequest,
  type SqlRow,
  text,
} from './list.ts';
import type { Models, UsableModel } from './models.ts';
import type { NewPrediction } from './new.ts';
import { prepareSeries } from './points.ts';
import { readSketch } from './sketches.ts';
import type { JobKind, Queue } from '../jobs/queue.ts';
import type { Threads } from '../jobs/pool.ts';
import type { ForecastTask, PartsTask, TaskEvents, TaskProgress } from '../jobs/tasks.ts';
import { storeTrouble } from './trouble.ts';

/** The options of a request that the job needs when its turn comes. */
interface StoredOptions {
  readonly horizon?: number | undefined;
  readonly levels: readonly number[];
  readonly fineTuningEpochs?: number | undefined;
  /** Rolling origins of the backtest; the engine's own number where absent. */
  readonly origins?: number | undefined;
  /** Who asked for it. */
  readonly origin?: string | undefined;
}

/** Which series of a prediction are read along with it. */
export interface Shown {
  readonly input: boolean;
  readonly output: boolean;
  readonly sketch?: boolean;
}

/** Which predictions are listed: those of the series of a dataset, those of a status. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
}

/** A prediction as it is answered, `LocalPrediction` in JSON: its series as they are stored. */
export interface StoredPrediction {
  readonly id: string;
  readonly status: string;
  readonly error?: string | undefined;
  readonly input_series?: StoredPoints | undefined;
  readonly prediction_series?: StoredPoints | undefined;
  readonly [field: string]: unknown;
}

/** The most points that a page of predictions holds: about 20 MB. */
export const MOST_POINTS = 200_000;

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

  list(page: PageRequest, shown: Shown, { datasetId, status }: PredictionFilter = {}): Page<StoredPrediction> {
    const conditions = [
      ...(datasetId === undefined ? [] : [OF_DATASET]),
      ...(status === undefined ? [] : ['predictions.status = ?']),
    ];
    const query = {
      table: 'predictions',
      where: conditions.join(' and ') || '1',
      parameters: [datasetId, status].filter((parameter) => parameter !== undefined),
    };
    let points = 0;
    return listTable(this.#database, query, page, (row) => {
      const ids = [shown.input ? row.input_series_id : null, shown.output ? row.prediction_series_id : null];
      const rows = ids.reduce((sum: number, id) => sum + (this.#datasets.seriesRows(text(id) ?? '') ?? 0), 0);
      const fits = points + rows <= MOST_POINTS;
      if (fits) points += rows;
      return fits
        ? this.#read(row, shown)
        : { ...this.#read(row, { ...shown, input: false, output: false }), series_left_out: LEFT_OUT };
    });
  }

  get(id: string): StoredPrediction {
    return this.#read(this.#row(id), { input: true, output: true });
  }

  /**
   * Stores the series and the prediction as QUEUED, and its job.
   * @param isAwaited whether a client waits for its end
   * @throws RequestError 404, 409, 422, 429
   */
  create(request: NewPrediction, queue: Queue, isAwaited = false): string {
    const { series, series_id } = request;
    if ((series === undefined) === (series_id === undefined)) {
      throw RequestError.field(
        ['body', 'series'],
        series ? 'Give either series or series_id, not both.' : 'Give a series, or the series_id of a stored one.',
      );
    }
    if (series_id !== undefined && !this.#datasets.hasSeries(series_id)) {
      throw RequestError.missing(['body', 'series_id'], `There is no series “${series_id}”.`);
    }
    const model = this.#modelFor(request);
    const options: StoredOptions = { ...optionsOf(request, model), origin: request.origin };
    const { kind, turn } = jobOf(options, 'forecast');
    const id = newId('prediction');
    transaction(this.#database, () => {
      const input = series_id ?? this.#datasets.addSeries(series ?? prepareSeries([]), { name: request.name });
      const name = request.name ?? this.#datasets.seriesName(input);
      this.#database
        .prepare(
          `insert into predictions (id, ai_model_id, status, name, input_series_id, options, created_at)
           values (?, ?, 'QUEUED', ?, ?, ?, ?)`,
        )
        .run(id, model.id, name ?? null, input, JSON.stringify(options), isoInstant(Date.now()));
      queue.add(kind, id, turn, isAwaited);
    });
    return id;
  }

  /**
   * Stores a prediction of each series of a dataset as QUEUED, all or none. They wait behind predictions of single series.
   * @returns the ids, in the order of the series
   * @throws RequestError 404, 409, 422, 429
   */
  createOfDataset(datasetId: string, request: z.output<typeof PredictDataset>, queue: Queue): string[] {
    this.#datasets.get(datasetId);
    const model = this.#modelFor(request);
    // one origin tells enough to compare thousands of series, at half the time
    const options: StoredOptions = { ...optionsOf(request, model), origins: 1 };
    const { kind, turn } = jobOf(options, 'panel');
    queue.checkRoom(turn);
    const stored = JSON.stringify(options);
    const created = isoInstant(Date.now());
    // one statement for all: others wait meanwhile
    return transaction(this.#database, () => {
      const last = this.#database.prepare('select max(seq) seq from predictions').get()?.seq ?? 0;
      this.#database
        .prepare(
          `insert into predictions (id, ai_model_id, status, name, input_series_id, options, created_at)
           select 'prediction_' || lower(hex(randomblob(16))), ?, 'QUEUED', name, id, ?, ? from series
           where dataset_id = ? order by seq desc`,
        )
        .run(model.id, stored, created, datasetId);
      const made = this.#database.prepare('select id from predictions where seq > ? order by seq').all(last);
      const ids = made.map(({ id }) => String(id));
      queue.addAll(kind, ids, turn);
      return ids;
    });
  }

  /** Deletes those predictions of a dataset that have not ended; those that run are cancelled. @throws RequestError 404 */
  removePending(datasetId: string, queue: Queue): void {
    this.#datasets.get(datasetId);
    transaction(this.#database, () => {
      const pending = this.#database
        .prepare(`select predictions.id from predictions join jobs on target = predictions.id where ${OF_DATASET}`)
        .all(datasetId);
      const ids = pending.map(({ id }) => String(id));
      queue.forget(ids);
      this.#database
        .prepare('delete from predictions where id in (select value from json_each(?))')
        .run(JSON.stringify(ids));
    });
  }

  /** Deletes a prediction; one that is not done yet is cancelled by that. */
  remove(id: string, queue: Queue): void {
    this.#remove(this.#row(id), queue);
  }

  #remove({ id, input_series_id, prediction_series_id }: SqlRow, queue?: Queue): void {
    transaction(this.#database, () => {
      queue?.forget([String(id)]);
      this.#database.prepare('delete from predictions where id = ?').run(id);
      this.#datasets.removeUnused([text(input_series_id), text(prediction_series_id)]);
    });
  }

  /** Deletes predictions that ended and were made before an instant, at most `most` of them. @returns how many */
  removeBefore(time: number, most: number): number {
    const old = this.#database
      .prepare(
        `select * from predictions where created_at < ? and status in ('COMPLETED', 'FAILED') order by created_at limit ?`,
      )
      .all(isoInstant(time), most);
    for (const row of old) this.#remove(row as SqlRow);
    return old.length;
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
        const { kind } = jobOf(
          orDamaged(
            () => json<StoredOptions>(options),
            () => undefined,
          ) ?? { levels: [] },
          'panel',
        );
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

  /** What a thread is asked for a prediction. @throws RequestError 404, 409, where its model is not there any more too */
  question(id: string): ForecastTask {
    const row = this.#row(id);
    const options = json<StoredOptions>(row.options) ?? { levels: DEFAULT_QUANTILE_LEVELS };
    const model = this.#models.usable(String(row.ai_model_id));
    return {
      kind: 'forecast',
      points: this.#datasets.points(needed(row.input_series_id)).json,
      model: model.base,
      parameters: model.parameters,
      contextLength: model.contextLength,
      horizon: options.horizon,
      levels: options.levels,
      samples: model.samples,
      fineTuningEpochs: options.fineTuningEpochs,
      origins: options.origins,
    };
  }

  /** What a thread is asked for the parts of a prediction. @throws RequestError 404, 409 where there is no forecast */
  partsQuestion(id: string): PartsTask {
    const row = this.#row(id);
    const output = text(row.prediction_series_id);
    if (output === undefined) throw new RequestError(409, 'This prediction has no forecast that could be split.');
    return {
      kind: 'parts',
      id,
      points: this.#datasets.points(needed(row.input_series_id)).json,
      forecast: this.#datasets.points(output).json,
      periods: json<ForecastDetails>(row.details)?.seasonal_periods ?? [],
    };
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<() => void> {
    const { ai_model_id: model } = this.#row(id);
    if (!this.#models.has(String(model))) {
      throw new JobError(
        `The model “${model}” was deleted before the prediction was made. Forecast again with another model.`,
      );
    }
    const { series, details } = await this.#threads.run(this.question(id), signal, events);
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

  /** A damaged record, or one whose series are damaged, is given as far as it can be read, and says so in its `error`. */
  #read(row: SqlRow, shown: Shown): StoredPrediction {
    const output = text(row.prediction_series_id);
    const { details, input_series, prediction_series, sketch, error } = orDamaged(
      () => ({
        input_series: shown.input ? this.#points(needed(row.input_series_id)) : undefined,
        prediction_series: shown.output && output !== undefined ? this.#points(output) : undefined,
        sketch:
          shown.sketch && output !== undefined
            ? readSketch(this.#database, needed(row.input_series_id), output)
            : undefined,
        details: json<ForecastDetails>(row.details),
        error: text(needed(row.status) && row.error),
      }),
      (reason) => ({
        details: undefined,
        input_series: undefined,
        prediction_series: undefined,
        sketch: undefined,
        error: reason,
      }),
    );
    return {
      id: text(row.id) ?? `damaged_${row.seq}`,
      ai_model_id: text(row.ai_model_id),
      status: text(row.status) ?? 'FAILED',
      input_series,
      prediction_series,
      input_series_id: text(row.input_series_id),
      prediction_series_id: output,
      created_at: text(row.created_at),
      name: text(row.name),
      origin: readOptions(row)?.origin,
      progress: number(row.progress),
      error,
      prediction_length: output === undefined ? readOptions(row)?.horizon : this.#datasets.seriesRows(output),
      details,
      sketch,
    };
  }

  /** @throws DamagedRowError where the series cannot be read, though its prediction is there */
  #points(id: string): StoredPoints {
    try {
      return this.#datasets.points(id);
    } catch (cause) {
      if (cause instanceof RequestError || storeTrouble(cause)?.isDamaged) throw new DamagedRowError(cause);
      throw cause;
    }
  }
}

const LEFT_OUT = `The page would hold more than ${MOST_POINTS} points. Read this prediction by itself, or ask for include_series=false.`;

const readOptions = (row: SqlRow): StoredOptions | undefined =>
  orDamaged(
    () => json<StoredOptions>(row.options),
    () => undefined,
  );
