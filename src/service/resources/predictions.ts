/** Predictions: what is stored of them, how they are answered, and what a thread is asked about them. */
import { type RawBuilder, sql } from 'kysely';
import { type Failure, failure } from '../../contract/failures.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import type { ForecastDetails, Page, Sketch } from '../../contract/resources.ts';
import {
  type Db,
  DEFAULT_TENANT,
  ofTenant,
  snapshot,
  type Store,
  type Tenant,
  transaction,
} from '../database/store.ts';
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
} from '../database/list.ts';
import { type Prepared, StoredPoints } from '../store/points.ts';
import type { Models, UsableModel } from './models.ts';
import { nextTurn } from '#platform/turn';
import type * as z from 'zod/mini';
import { isoInstant } from '../../calendar/format.ts';
import { isNeural } from '../../engine/models.ts';
import { isReferenceGone } from '../database/trouble.ts';
import { RequestError } from '../errors.ts';
import type { Queue } from '../jobs/queue.ts';
import {
  addBatch,
  askedOfBatch,
  getBatch,
  listBatches,
  type NewBatch,
  predictionsOf,
  sumsOf,
} from '../store/batches.ts';
import type { Steps } from '../store/creations.ts';
import type { Datasets } from '../store/datasets.ts';
import { keepDataset, pointsOfAll, removeUnused } from '../store/series.ts';
import type { ForecastTask } from '../tasks/predict.ts';
import type { Task } from '../tasks/pool-thread.ts';
import {
  forecastOptions,
  jobOf,
  modelOf,
  optionsOf,
  readOptions,
  type StoredOptions,
  taskOf,
} from './prediction-jobs.ts';

/** Which predictions are meant: those of the series of a dataset, those of a status, those of a batch. */
export interface PredictionFilter {
  readonly datasetId?: string | undefined;
  readonly status?: string | undefined;
  readonly batchId?: string | undefined;
}

/** What a filter says, of the predictions of a tenant. */
export const whereOf = (tenant: Tenant, { datasetId, status, batchId }: PredictionFilter): RawBuilder<boolean> => {
  const columns = { dataset_id: datasetId, 'predictions.status': status, batch_id: batchId };
  const asked = Object.entries(columns).filter(([, value]) => value !== undefined);
  const conditions = asked.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql.join([ofTenant(tenant), ...conditions], sql` and `).$castTo<boolean>();
};

/** Which series of a prediction are read along with it. */
export interface Shown {
  readonly input: boolean;
  readonly output: boolean;
  readonly sketch?: boolean;
}

/** A prediction as it is answered, `LocalPrediction` in JSON: its series as they are stored. */
export interface StoredPrediction {
  readonly id: string;
  readonly status: string;
  readonly error?: Failure | undefined;
  readonly input_series?: StoredPoints | undefined;
  readonly prediction_series?: StoredPoints | undefined;
  readonly [field: string]: unknown;
}

/** Columns of a prediction: with how many points its series have. */
export const PREDICTION_COLUMNS = sql`predictions.*,
  (select rows from series where series.id = input_series_id) input_rows,
  (select rows from series where series.id = prediction_series_id) output_rows`;

/** A damaged record, or one whose series are damaged, is given as far as it can be read, and says so in its `error`. */
export function readPrediction(row: SqlRow, shown: Shown, points: ReadonlyMap<string, StoredPoints>): StoredPrediction {
  const output = text(row.prediction_series_id);
  const pointsOf = (id: string): StoredPoints => {
    const stored = points.get(id);
    if (!stored) throw new DamagedRowError();
    return stored;
  };
  const options = orDamaged<Partial<StoredOptions>>(
    () => readOptions(row.options),
    () => ({}),
  );
  return {
    id: text(row.id) ?? `damaged_${row.seq}`,
    ai_model_id: text(row.ai_model_id),
    status: text(row.status) ?? 'FAILED',
    input_series_id: text(row.input_series_id),
    prediction_series_id: output,
    created_at: text(row.created_at),
    name: text(row.name),
    batch_id: text(row.batch_id),
    requested_by: options.requestedBy,
    progress: number(row.progress),
    prediction_length: output === undefined ? options.horizon : number(row.output_rows),
    ...orDamaged<Partial<StoredPrediction>>(
      () => ({
        input_series: shown.input ? pointsOf(needed(row.input_series_id)) : undefined,
        prediction_series: shown.output && output !== undefined ? pointsOf(output) : undefined,
        sketch: shown.sketch ? json<Sketch>(row.sketch) : undefined,
        details: json<ForecastDetails>(row.details),
        error: json<Failure>(needed(row.status) && row.error),
      }),
      (error) => ({ error }),
    ),
  };
}

/** The most points that a page of predictions holds: about 20 MB. */
export const MOST_POINTS = 200_000;

/** Of the predictions of a batch, in the order of the series, and of the batch. */
interface NewIds {
  readonly ids: string[];
  readonly batch: string;
}

export class Predictions {
  readonly #store: Store;
  readonly #db: Db;
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #tenant: Tenant;

  constructor(store: Store, datasets: Datasets, models: Models, tenant?: Tenant) {
    this.#store = store;
    this.#db = store.in(tenant);
    this.#datasets = datasets;
    this.#models = models;
    this.#tenant = tenant;
  }

  in(tenant: Tenant): Predictions {
    return new Predictions(this.#store, this.#datasets.in(tenant), this.#models.in(tenant), tenant);
  }

  list(page: PageRequest, shown: Shown, filter: PredictionFilter = {}): Promise<Page<StoredPrediction>> {
    const where = whereOf(this.#tenant, filter);
    const query = { table: 'predictions', columns: PREDICTION_COLUMNS, where } as const;
    return listTable(this.#db, query, page, (rows, db) => this.#readAll(db, rows, shown));
  }

  get(id: string, input = true): Promise<StoredPrediction> {
    return snapshot(this.#db, async (db) => {
      const [only] = await this.#readAll(db, [await this.#row(id, db)], { input, output: true }, Infinity);
      return only;
    });
  }

  /** @param most points that are read of all of them together: the series of those beyond are left out */
  async #readAll(db: Db, all: readonly SqlRow[], shown: Shown, most = MOST_POINTS): Promise<StoredPrediction[]> {
    let left = most;
    const fitting = new Set(
      all.filter((row) => {
        const [input, output] = [shown.input ? row.input_rows : 0, shown.output ? row.output_rows : 0];
        const size = (number(input) ?? 0) + (number(output) ?? 0);
        const isFitting = size <= left;
        if (isFitting) left -= size;
        return isFitting;
      }),
    );
    const theirs = [...fitting].flatMap((row) => [
      shown.input ? text(row.input_series_id) : undefined,
      shown.output ? text(row.prediction_series_id) : undefined,
    ]);
    const points = await pointsOfAll(
      db,
      [...new Set(theirs)].filter((id) => id !== undefined),
    );
    return all.map((row) => {
      if (fitting.has(row)) return readPrediction(row, shown, points);
      const item = readPrediction(row, { ...shown, input: false, output: false }, points);
      return { ...item, series_left_out: LEFT_OUT };
    });
  }

  /**
   * Stores the series and the prediction as QUEUED, and its job.
   * @param steps are done in the same transaction, with its id
   * @returns it as it was stored, with its series: to be told whatever fails after the commit
   * @throws RequestError 404, 409, 422, 429; what `steps` throw
   */
  async create(
    request: Prepared<'createPrediction'>,
    queue: Queue,
    steps: Partial<Steps> = {},
  ): Promise<StoredPrediction> {
    const { series, series_id } = request;
    const missing = () => RequestError.field(['body', 'series_id'], failure('no_stored_series', series_id ?? ''), 404);
    const model = await this.#modelFor(request);
    const options = optionsOf(request, model);
    const id = newId('prediction');
    const tenant = this.#tenant ?? DEFAULT_TENANT;
    return transaction(this.#db, async (db) => {
      await steps.first?.(db, id, 1);
      const input = series
        ? { id: await this.#datasets.addSeries(db, series, request.name), name: null, dataset_id: null }
        : await this.#inputOf(db, series_id!);
      if (!input) throw missing();
      const row = await db
        .insertInto('predictions')
        .values({
          id,
          ai_model_id: model.id,
          status: 'QUEUED',
          name: request.name ?? input.name,
          input_series_id: input.id,
          dataset_id: input.dataset_id,
          options: JSON.stringify(options),
          created_at: isoInstant(Date.now()),
          tenant,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch((error: unknown) => {
          throw series_id !== undefined && isReferenceGone(error) ? missing() : error;
        });
      const points = series
        ? new Map([[input.id, new StoredPoints(series.points)]])
        : await pointsOfAll(db, [input.id]);
      const work = { tenant, ai_model_id: model.id, options: row.options, points: points.get(input.id)?.stored ?? '' };
      const isAtHand = work.points !== '' && work.points.length < LARGE;
      const task = isAtHand ? () => taskOf(modelOf(this.#models, work), work) : undefined;
      await queue.add(db, { ...jobOf(options, 'forecast'), target: id, tenant, task });
      await steps.last?.(db, 1);
      return readPrediction(row, { input: true, output: true }, points);
    });
  }

  #inputOf(db: Db, id: string) {
    const found = db.selectFrom('series').select(['id', 'name', 'dataset_id']).where('id', '=', id);
    return found.where(ofTenant(this.#tenant)).executeTakeFirst();
  }

  /**
   * Stores a prediction of each series of a dataset as QUEUED, all or none, in slices between which others get their turn.
   * They wait behind predictions of single series.
   * @param steps are done in the transaction that makes them a batch with jobs
   * @returns the id of the batch, and those of its predictions in the order of the series
   * @throws RequestError 404, 409, 422, 429
   */
  async createOfDataset(
    datasetId: string,
    request: z.output<typeof PredictDataset>,
    queue: Queue,
    steps?: Steps,
  ): Promise<NewIds> {
    await this.#datasets.get(datasetId);
    const model = await this.#modelFor(request);
    const sums = request.sums && sumsOf(request.sums, await this.#datasets.namesOf(datasetId));
    // two origins are the fewest that scores are claimed from, and enough to compare thousands of series
    const options: StoredOptions = { ...optionsOf(request, model), origins: 2 };
    const batch = newId('batch');
    try {
      const ids = await this.#addSlices(datasetId, { batch, model, options });
      await this.#addBatch(datasetId, { batch, ids, request, options, sums }, queue, steps);
      return { ids, batch };
    } catch (error) {
      // where even that cannot be written, the maintenance does it later
      const left = this.#db.deleteFrom('predictions').where('batch_id', '=', batch);
      await left.execute().catch(() => undefined);
      throw error;
    }
  }

  async #addSlices(
    datasetId: string,
    { batch, model, options }: { batch: string; model: UsableModel; options: StoredOptions },
  ): Promise<string[]> {
    const [stored, created] = [JSON.stringify(options), isoInstant(Date.now())];
    const ids: string[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
      // one connection has one statement at a time: the slices of others come between these
      const slice = sql<{ id: string; seq: number; of: number }>`
        insert into predictions (id, ai_model_id, status, name, input_series_id, dataset_id, batch_id, options, created_at,
          tenant)
        select cast(${batch.replace('batch', 'prediction')} as text) || seq, ${model.id}, 'QUEUED', name, id, dataset_id, ${batch},
          ${stored}, ${created}, tenant
        from series where dataset_id = ${datasetId} and seq < ${before} order by seq desc limit ${SLICE}
        returning id, seq, (select series.seq from series where series.id = input_series_id) of`;
      const { rows } = await slice.execute(this.#db).catch((error: unknown) => {
        throw isReferenceGone(error) ? new RequestError(404, failure('no_dataset', datasetId)) : error;
      });
      for (const { id } of rows.toSorted((a, b) => a.seq - b.seq)) ids.push(id);
      before = rows.reduce((least, { of }) => Math.min(least, of), before);
      if (rows.length < SLICE) return ids;
    }
  }

  #addBatch(
    datasetId: string,
    { batch, ids, options, ...asked }: Pick<NewBatch, 'request' | 'sums'> & NewIds & { options: StoredOptions },
    queue: Queue,
    steps?: Steps,
  ): Promise<void> {
    const { kind, lane } = jobOf(options, 'dataset');
    const tenant = this.#tenant ?? DEFAULT_TENANT;
    return transaction(this.#db, async (db) => {
      await steps?.first(db, batch, ids.length);
      // it may have been deleted between two slices
      const { series_count = 0 } = await this.#datasets.get(datasetId, db);
      if (series_count > 0 && ids.length === 0) throw new RequestError(404, failure('no_dataset', datasetId));
      await addBatch(db, { ...asked, id: batch, tenant, dataset_id: datasetId, series: ids.length });
      if (asked.sums) await queue.add(db, { kind: 'sums', target: batch, lane, tenant });
      else await queue.addAll(db, kind, ids, { lane, tenant });
      await steps?.last(db, ids.length);
    });
  }

  listBatches(page: PageRequest, datasetId?: string) {
    return listBatches(this.#db, this.#tenant, page, datasetId);
  }

  getBatch(id: string) {
    return getBatch(this.#db, this.#tenant, id);
  }

  askedOfBatch(id: string) {
    return askedOfBatch(this.#db, this.#tenant, id);
  }

  /** The ids of the predictions of a batch, in the order of its series. */
  ofBatch(batch: string): Promise<string[]> {
    return predictionsOf(this.#db, batch);
  }

  /** Deletes the predictions of a dataset, or of one of its batches, that have not ended. @throws RequestError 404 */
  async removePending(datasetId: string, queue: Queue, batchId?: string): Promise<void> {
    await this.#datasets.get(datasetId);
    await transaction(this.#db, async (db) => {
      await keepDataset(db, datasetId);
      const deleted = db.deleteFrom('predictions').where(whereOf(this.#tenant, { datasetId, batchId }));
      await deleted.where('status', 'in', ['QUEUED', 'IN_PROGRESS']).execute();
    });
    queue.changed();
  }

  /** Deletes a prediction; one that is not done yet is cancelled by that. */
  async remove(id: string, queue: Queue): Promise<void> {
    await this.#row(id);
    await transaction(this.#db, async (db) => {
      const deleted = db.deleteFrom('predictions').where('id', '=', id);
      // as it was at its end, with the output of who was just done
      const rows = await deleted.returning(['input_series_id', 'prediction_series_id']).execute();
      await removeUnused(
        db,
        rows.flatMap((row) => [row.input_series_id, row.prediction_series_id]),
      );
    });
    queue.changed();
  }

  /** What a thread is asked for a prediction. @throws RequestError 404, 409, where its model is not there any more too */
  async task(id: string): Promise<ForecastTask> {
    const row = await this.#row(id);
    const asked = forecastOptions(await this.#models.usable(String(row.ai_model_id)), readOptions(row.options));
    const { stored: points } = await this.#datasets.points(needed(row.input_series_id));
    return { ...asked, kind: 'forecast', points };
  }

  /** What a thread is asked for its decomposition. @throws RequestError 404, 409 where there is no forecast */
  async decompositionTask(id: string): Promise<Task & { kind: 'decomposition' }> {
    const row = await this.#row(id);
    const output = text(row.prediction_series_id);
    if (output === undefined) throw new RequestError(409, failure('no_forecast'));
    const details = json<ForecastDetails>(row.details);
    return {
      kind: 'decomposition',
      id,
      points: (await this.#datasets.points(needed(row.input_series_id))).stored,
      forecast: (await this.#datasets.points(output)).stored,
      periods: details?.seasonal_periods ?? [],
      made: details?.covariates?.used.length ? await this.task(id) : undefined,
    };
  }

  async #modelFor(request: z.output<typeof PredictDataset>): Promise<UsableModel> {
    const model = await this.#models.usable(request.ai_model_id);
    if (request.fine_tuning_epochs && !isNeural(model.base)) {
      throw RequestError.field(['body', 'fine_tuning_epochs'], failure('no_epochs', model.base));
    }
    if (request.fine_tuning_epochs && request.sums) {
      throw RequestError.field(['body', 'fine_tuning_epochs'], failure('sums_not_tuned'));
    }
    return model;
  }

  async #row(id: string, db = this.#db): Promise<SqlRow> {
    const { rows } = await sql<SqlRow>`select ${PREDICTION_COLUMNS} from predictions
      where id = ${id} and ${ofTenant(this.#tenant)}`.execute(db);
    if (rows.length === 0) throw new RequestError(404, failure('no_prediction', id));
    return rows[0];
  }
}

/** Predictions of a dataset that are stored before others get their turn: about a hundredth of a second. */
const SLICE = 500;

/** Letters of a series that is read from the store again when its turn comes. */
const LARGE = 200_000;

const LEFT_OUT = failure('page_too_large', MOST_POINTS);
