/** Predictions: what is stored of them, how they are answered, and what a thread is asked about them. */
import { nextTurn } from '#platform/turn';
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { type Failure, failure } from '../../contract/failures.ts';
import type { ForecastDetails, Page, Sketch } from '../../contract/resources.ts';
import { isNeural } from '../../engine/models.ts';
import {
  type Filter,
  json,
  matching,
  newId,
  orDamaged,
  type PageRequest,
  pick,
  Repository,
  type Row,
} from '../database/repository.ts';
import { DamagedRowError, isReferenceGone, RequestError } from '../errors.ts';
import { type Db, ofTenant, snapshot, type Store, type Tenant, transaction } from '../database/store.ts';
import type { Queue } from '../jobs/queue.ts';
import { type BatchRequest, Batches, sumsOf } from '../store/batches.ts';
import type { Steps } from '../store/creations.ts';
import { Datasets } from '../store/datasets.ts';
import { type Prepared, StoredPoints } from '../store/points.ts';
import { keepDataset, pointsOfAll, removeUnused } from '../store/series.ts';
import type { ForecastTask } from '../tasks/predict.ts';
import type { Task } from '../tasks/pool-thread.ts';
import { Models, type UsableModel } from './models.ts';
import { jobOf, optionsOf, type StoredOptions, taskOf, taskWith } from './prediction-jobs.ts';

export type Shown = Readonly<Partial<Record<'input' | 'output' | 'sketch', boolean>>>;

export type StoredPrediction = ReturnType<typeof readPrediction> & { readonly series_left_out?: Failure };

type PredictionRow = Row<'predictions'> & Readonly<Partial<Record<'input_rows' | 'output_rows', number | null>>>;

/** A damaged record, or one whose series are damaged, is given as far as it can be read, and says so in its `error`. */
function readPrediction(row: PredictionRow, shown: Shown, points: ReadonlyMap<string, StoredPoints>) {
  const { input_series_id: input, prediction_series_id: output } = row;
  const pointsOf = (id: string): StoredPoints => {
    const stored = points.get(id);
    if (!stored) throw new DamagedRowError();
    return stored;
  };
  const options = orDamaged(() => json<Partial<StoredOptions>>(row.options) ?? {});
  return {
    ...pick(row, 'id', 'ai_model_id', 'input_series_id', 'prediction_series_id', 'created_at', 'name', 'batch_id'),
    ...pick(row, 'requested_by', 'progress'),
    status: (row.status as string | undefined) ?? 'FAILED',
    prediction_length: output === null ? options.horizon : row.output_rows,
    ...orDamaged(() => ({
      input_series: shown.input ? pointsOf(input) : undefined,
      prediction_series: shown.output && output !== null ? pointsOf(output) : undefined,
      sketch: shown.sketch ? json<Sketch>(row.sketch) : undefined,
      details: json<ForecastDetails>(row.details),
      error: json<Failure>(row.error),
    })),
  };
}

const MOST_POINTS = 200_000;

const WHOLE: Shown = { input: true, output: true };

export class Predictions extends Repository<PredictionRow, StoredPrediction> {
  protected readonly table = 'predictions';
  protected readonly missing = 'no_prediction';
  protected override readonly columns = sql`predictions.*,
    (select rows from series where series.id = input_series_id) input_rows,
    (select rows from series where series.id = prediction_series_id) output_rows`;
  readonly batches: Batches;
  readonly #datasets: Datasets;
  readonly #models: Models;

  constructor(store: Store, tenant?: Tenant) {
    super(store, tenant);
    this.batches = new Batches(store, tenant);
    this.#datasets = new Datasets(store, tenant);
    this.#models = new Models(store, tenant);
  }

  listWith(page: PageRequest, shown: Shown, filter?: Filter): Promise<Page<StoredPrediction>> {
    return this.list(page, filter, (rows, db) => this.read(rows, db, shown, MOST_POINTS));
  }

  withSeries(id: string, input: boolean): Promise<StoredPrediction> {
    return snapshot(this.db, async (db) => {
      const [only] = await this.read([await this.row(id, db)], db, { input, output: true });
      return only;
    });
  }

  /** @param most points that are read of all of them together: the series of those beyond are left out */
  protected async read(all: readonly PredictionRow[], db: Db, shown: Shown = WHOLE, most = Infinity) {
    let left = most;
    const full = all.filter((row) => {
      const size = (shown.input ? (row.input_rows ?? 0) : 0) + (shown.output ? (row.output_rows ?? 0) : 0);
      if (size > left) return false;
      left -= size;
      return true;
    });
    const ids = full.flatMap((row) => [shown.input && row.input_series_id, shown.output && row.prediction_series_id]);
    const points = await pointsOfAll(db, [...new Set(ids.filter((id) => typeof id === 'string'))]);
    const without = { series_left_out: failure('page_too_large', MOST_POINTS) };
    return all.map((row) =>
      full.includes(row)
        ? readPrediction(row, shown, points)
        : { ...readPrediction(row, { sketch: shown.sketch ?? false }, points), ...without },
    );
  }

  /** Stores it as QUEUED, and its job. @returns it with its series, to be answered whatever fails after the commit */
  async create(request: Prepared<'createPrediction'>, queue: Queue, { note, count }: Steps = {}) {
    const { series, series_id } = request;
    const missing = () => RequestError.field(['body', 'series_id'], failure('no_stored_series', series_id ?? ''), 404);
    const model = await this.#modelFor(request);
    const options = optionsOf(request, model);
    const { owner: tenant } = this;
    const id = newId('prediction');
    return transaction(this.db, async (db) => {
      await note?.(db, id);
      const input = series
        ? { id: await this.#datasets.series.add(db, series, request.name), name: null, dataset_id: null }
        : await this.#datasets.series.find(series_id!, db);
      if (!input) throw missing();
      const prediction = {
        id,
        ai_model_id: model.id,
        status: 'QUEUED',
        name: request.name ?? input.name,
        input_series_id: input.id,
        dataset_id: input.dataset_id,
        options: JSON.stringify(options),
        requested_by: request.requested_by ?? null,
        created_at: isoInstant(Date.now()),
        tenant,
      };
      const insert = db.insertInto('predictions').values(prediction).returningAll();
      const row = await insert.executeTakeFirstOrThrow().catch((error: unknown) => {
        throw series_id !== undefined && isReferenceGone(error) ? missing() : error;
      });
      const given = series && new Map([[input.id, new StoredPoints(series.points)]]);
      const points = given ?? (await pointsOfAll(db, [input.id]));
      const { stored = '' } = points.get(input.id) ?? {};
      // one that is long is read again when its turn comes
      const isAtHand = stored !== '' && stored.length < LARGE;
      const task = isAtHand ? () => taskOf(this.#models, prediction, stored) : undefined;
      await queue.add(db, { ...jobOf(options, 'forecast'), targets: [id], tenant, task });
      await count?.(db, 1);
      return readPrediction(row, WHOLE, points);
    });
  }

  /** Stores one of each series as QUEUED, all or none, in slices. @returns the batch, and their ids in the order of the series */
  async createOfDataset(datasetId: string, request: BatchRequest, queue: Queue, { note, count }: Steps = {}) {
    await this.#datasets.row(datasetId);
    const model = await this.#modelFor(request);
    const sums = request.sums && sumsOf(request.sums, await this.#datasets.series.namesOf(datasetId));
    // two origins are the fewest that scores are claimed from, and enough to compare thousands of series
    const options: StoredOptions = { ...optionsOf(request, model), origins: 2 };
    const id = newId('batch');
    const created_at = isoInstant(Date.now());
    const { owner: tenant } = this;
    try {
      await this.#addSlices(id, datasetId, model.id, options);
      const ids = await this.batches.predictions(id);
      await transaction(this.db, async (db) => {
        await note?.(db, id);
        // it may have been deleted between two slices
        const { series_count } = await this.#datasets.row(datasetId, db);
        if (series_count > 0 && ids.length === 0) throw new RequestError(404, failure('no_dataset', datasetId));
        const asked = { request: JSON.stringify(request), sums: sums ? JSON.stringify(sums) : null };
        const batch = { id, tenant, dataset_id: datasetId, series: ids.length, created_at, ...asked };
        await db.insertInto('batches').values(batch).execute();
        const { kind, lane } = jobOf(options, 'dataset');
        const jobs = sums ? { kind: 'sums', targets: [id] } : { kind, targets: ids };
        await queue.add(db, { ...jobs, lane, tenant });
        await count?.(db, ids.length);
      });
      return { id, ids };
    } catch (error) {
      // where even that cannot be written, the maintenance does it later
      const left = this.db.deleteFrom('predictions').where('batch_id', '=', id);
      await left.execute().catch(() => undefined);
      throw error;
    }
  }

  async #addSlices(batch: string, dataset: string, model: string, options: StoredOptions): Promise<void> {
    const [stored, created] = [JSON.stringify(options), isoInstant(Date.now())];
    for (let before = Number.MAX_SAFE_INTEGER; ; await nextTurn()) {
      // one connection has one statement at a time: the slices of others come between these
      const slice = sql<{ of: number }>`
        insert into predictions (id, ai_model_id, status, name, input_series_id, dataset_id, batch_id, options, created_at,
          tenant)
        select cast(${batch.replace('batch', 'prediction')} as text) || seq, ${model}, 'QUEUED', name, id, dataset_id, ${batch},
          ${stored}, ${created}, tenant
        from series where dataset_id = ${dataset} and seq < ${before} order by seq desc limit ${SLICE}
        returning (select series.seq from series where series.id = input_series_id) of`;
      const { rows } = await slice.execute(this.db).catch((error: unknown) => {
        throw isReferenceGone(error) ? new RequestError(404, failure('no_dataset', dataset)) : error;
      });
      before = rows.reduce((least, { of }) => Math.min(least, of), before);
      if (rows.length < SLICE) return;
    }
  }

  /** Deletes the predictions of a dataset, or of one of its batches, that have not ended. @throws RequestError 404 */
  async removePending(datasetId: string, queue: Queue, batchId?: string): Promise<void> {
    await this.#datasets.row(datasetId);
    await transaction(this.db, async (db) => {
      await keepDataset(db, datasetId);
      const isAsked = matching({ dataset_id: datasetId, batch_id: batchId });
      const pending = db.deleteFrom('predictions').where('status', 'in', ['QUEUED', 'IN_PROGRESS']);
      await pending.where(ofTenant(this.tenant)).where(isAsked).execute();
    });
    queue.changed();
  }

  async remove(id: string, queue: Queue): Promise<void> {
    await this.row(id);
    await transaction(this.db, async (db) => {
      const deleted = db.deleteFrom('predictions').where('id', '=', id);
      // as it was at its end, with the output of who was just done
      const rows = await deleted.returning(['input_series_id', 'prediction_series_id']).execute();
      const series = rows.flatMap((row) => [row.input_series_id, row.prediction_series_id]);
      await removeUnused(db, series);
    });
    queue.changed();
  }

  /** What a thread is asked for a prediction. @throws RequestError 404, 409, where its model is not there any more too */
  async task(id: string): Promise<ForecastTask> {
    const row = await this.row(id);
    const points = await this.#datasets.series.points(row.input_series_id);
    return taskWith(await this.#models.usable(row.ai_model_id), row.options, points);
  }

  async decompositionTask(id: string): Promise<Task & { kind: 'decomposition' }> {
    const { input_series_id: input, prediction_series_id: output, ...row } = await this.row(id);
    if (output === null) throw new RequestError(409, failure('no_forecast'));
    const details = json<ForecastDetails>(row.details);
    return {
      kind: 'decomposition',
      id,
      points: await this.#datasets.series.points(input),
      forecast: await this.#datasets.series.points(output),
      periods: details?.seasonal_periods ?? [],
      made: details?.covariates?.used.length ? await this.task(id) : undefined,
    };
  }

  async #modelFor(request: BatchRequest): Promise<UsableModel> {
    const model = await this.#models.usable(request.ai_model_id);
    if (!request.fine_tuning_epochs) return model;
    const loc = ['body', 'fine_tuning_epochs'];
    if (!isNeural(model.model)) throw RequestError.field(loc, failure('no_epochs', model.model));
    if (request.sums) throw RequestError.field(loc, failure('sums_not_tuned'));
    return model;
  }
}

const SLICE = 500;

const LARGE = 200_000;
