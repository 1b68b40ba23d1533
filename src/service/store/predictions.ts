import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails } from '../../contract/local.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import type { Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { isNeural } from '../../engine/models.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import { RequestError } from '../errors.ts';
import { json, listTable, needed, newId, type PageRequest, type SqlRow, text } from './list.ts';
import type { Models, UsableModel } from './models.ts';
import type { NewPrediction } from './new.ts';
import { prepareSeries } from './points.ts';
import { readPrediction, type Shown, type StoredPrediction } from './stored-prediction.ts';
import { jobOf, optionsOf, readOptions, type StoredOptions } from './prediction-options.ts';
import { SumJobs } from './sum-jobs.ts';
import { sumsOf } from './sums.ts';
import type { Queue } from '../jobs/queue.ts';
import type { ForecastTask, PartsTask } from '../jobs/tasks.ts';

/** Which predictions are listed: those of the series of a dataset, those of a status. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
}

/** The most points that a page of predictions holds: about 20 MB. */
export const MOST_POINTS = 200_000;

const OF_DATASET = 'input_series_id in (select id from series where dataset_id = ?)';

/** Predictions: what is stored of them, and what a thread is asked for them. */
export class Predictions {
  readonly #database: DatabaseSync;
  readonly #datasets: Datasets;
  readonly #models: Models;

  constructor(database: DatabaseSync, datasets: Datasets, models: Models) {
    this.#database = database;
    this.#datasets = datasets;
    this.#models = models;
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
    const group = request.sums && newId('sums');
    const options: StoredOptions = { ...optionsOf(request, model), origins: 1, group };
    const { kind, turn } = jobOf(options, 'panel');
    queue.checkRoom(turn);
    const sums = request.sums && sumsOf(request.sums, this.#datasets.namesOf(datasetId));
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
      if (group === undefined) queue.addAll(kind, ids, turn);
      else {
        SumJobs.add(this.#database, group, { ids, sums: sums ?? [] });
        queue.add('sums', group, turn);
      }
      return ids;
    });
  }

  /** Deletes those predictions of a dataset that have not ended; those that run are cancelled. @throws RequestError 404 */
  removePending(datasetId: string, queue: Queue): void {
    this.#datasets.get(datasetId);
    transaction(this.#database, () => {
      const pending = this.#database
        .prepare(`select id, options from predictions where ${OF_DATASET} and status in ('QUEUED', 'IN_PROGRESS')`)
        .all(datasetId);
      const ids = pending.map(({ id }) => String(id));
      const groups = new Set(
        pending.map(({ options }) => readOptions(options)?.group).filter((one) => one !== undefined),
      );
      queue.forget([...ids, ...groups]);
      SumJobs.forget(this.#database, [...groups]);
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

  /** The id of the model that makes it. @throws RequestError 404 */
  modelOf(id: string): string {
    return String(this.#row(id).ai_model_id);
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
    const details = json<ForecastDetails>(row.details);
    return {
      kind: 'parts',
      id,
      points: this.#datasets.points(needed(row.input_series_id)).json,
      forecast: this.#datasets.points(output).json,
      periods: details?.seasonal_periods ?? [],
      made: details?.covariates?.used.length ? this.question(id) : undefined,
    };
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
    if (request.fine_tuning_epochs && request.sums) {
      throw RequestError.field(
        ['body', 'fine_tuning_epochs'],
        'Forecasts that are to add up are not fine-tuned each by itself. Leave fine_tuning_epochs out.',
      );
    }
    return model;
  }

  #read(row: SqlRow, shown: Shown): StoredPrediction {
    return readPrediction(this.#database, this.#datasets, row, shown);
  }

  #row(id: string): SqlRow {
    const row = this.#database.prepare('select * from predictions where id = ?').get(id);
    if (!row) throw RequestError.notFound('prediction', id);
    return row as SqlRow;
  }
}

const LEFT_OUT = `The page would hold more than ${MOST_POINTS} points. Read this prediction by itself, or ask for include_series=false.`;
