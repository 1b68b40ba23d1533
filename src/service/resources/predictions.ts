/** Predictions: what is stored of them, how they are answered, and what a thread is asked about them. */
import { nextTurn } from '#platform/turn';
import { sql } from 'kysely';
import { isoInstant } from '../../calendar/format.ts';
import { type Failure, failure } from '../../contract/failures.ts';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails, type Sparkline } from '../../contract/resources.ts';
import { isNeural } from '../../engine/models.ts';
import { json, newId, orDamaged, pick, Repository, type Row } from '../database/repository.ts';
import { DamagedRowError, isReferenceGone, JobError, RequestError } from '../errors.ts';
import { type Db, dialectOf, snapshot, type Store, type Tenant, transaction } from '../database/store.ts';
import { type Ended, type JobKind, type Kinds, pendingOf, eachOf, type Queue } from '../jobs/queue.ts';
import { Batches, type BatchRequest, sumsOf } from '../store/batches.ts';
import type { Steps } from '../store/creations.ts';
import { type Prepared, slicesOf, StoredPoints } from '../store/points.ts';
import { Datasets, insertSeries, keepDataset, pointsOfAll, removeUnused, seriesRow } from '../store/datasets.ts';
import type { ForecastTask, ReadyForecast } from '../tasks/predict.ts';
import type { Task } from '../tasks/pool-thread.ts';
import { Models, type UsableModel } from './models.ts';
import type { BodyOf, QueryValues } from '../../contract/operations.ts';
import type { Sum } from '../../engine/totals/structure.ts';
import type { Threads } from '../tasks/pool.ts';
import type { ForecastOptions } from '../tasks/series.ts';
import type { SharedGrid, SumBase } from '../tasks/sums.ts';

type Shown = Readonly<Partial<Record<'input' | 'output' | 'sparkline', boolean>>>;

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
      sparkline: shown.sparkline ? json<Sparkline>(row.sparkline) : undefined,
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

  listed({
    include_series: output,
    include_input,
    include_sparkline: sparkline,
    ...query
  }: QueryValues<'listPredictions'>) {
    const { dataset_id, status, batch_id } = query;
    const shown = { output, input: output && include_input, sparkline };
    return this.list(query, { dataset_id, status, batch_id }, (rows, db) => this.read(rows, db, shown, MOST_POINTS));
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
        : { ...readPrediction(row, { sparkline: shown.sparkline ?? false }, points), ...without },
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
      const pending = db.deleteFrom('predictions').where('status', 'in', ['QUEUED', 'IN_PROGRESS']);
      const asked = batchId === undefined ? pending : pending.where('batch_id', '=', batchId);
      await asked.where(this.isOurs).where('dataset_id', '=', datasetId).execute();
    });
    queue.changed();
  }

  async remove(id: string, queue: Queue): Promise<void> {
    await this.row(id);
    await transaction(this.db, async (db) => {
      const deleted = db.deleteFrom('predictions').where('id', '=', id);
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

type StoredOptions = Pick<ForecastOptions, 'horizon' | 'levels' | 'fineTuningEpochs' | 'origins' | 'bounds'>;

const optionsOf = (
  request: BodyOf<'predictDataset'> & Pick<BodyOf<'createPrediction'>, 'bounds'>,
  model: UsableModel,
): StoredOptions => ({
  horizon: request.prediction_length ?? model.horizon,
  levels: [...new Set(request.quantile_levels ?? DEFAULT_QUANTILE_LEVELS)].sort((a, b) => a - b),
  fineTuningEpochs: request.fine_tuning_epochs,
  bounds: request.bounds,
});

const jobOf = ({ fineTuningEpochs }: StoredOptions, lane: 'forecast' | 'dataset') =>
  fineTuningEpochs
    ? ({ kind: 'tuned_prediction', lane: lane === 'dataset' ? 'dataset' : 'training' } as const)
    : ({ kind: 'prediction', lane } as const);

/** What a thread is asked for a prediction. @throws DamagedRowError */
const taskWith = ({ id: _, ...model }: UsableModel, options: string, points: string): ForecastTask => ({
  kind: 'forecast',
  points,
  ...model,
  ...json<StoredOptions>(options)!,
});

const works = (db: Db) =>
  db
    .selectFrom('predictions')
    .innerJoin('series', 'series.id', 'input_series_id')
    .select(['predictions.id', 'predictions.tenant', 'ai_model_id', 'options', 'predictions.name', 'rows'])
    .orderBy('predictions.seq');

/** As {@link taskWith}. @throws JobError where its model was deleted since */
async function taskOf(
  models: Models,
  { tenant, ai_model_id: id, options }: Pick<Row<'predictions'>, 'tenant' | 'ai_model_id' | 'options'>,
  points: string,
): Promise<ForecastTask> {
  const usable = models.in(tenant).usable(id);
  const model = await usable.catch((error: unknown) => {
    const isGone = error instanceof RequestError && error.status === 404;
    throw isGone ? new JobError(failure('model_deleted', id)) : error;
  });
  return taskWith(model, options, points);
}

type Made = ReadyForecast & Pick<Row<'predictions'>, 'id' | 'tenant'>;

/** Stores forecasts of pending predictions in few statements. @param others as of {@link pendingOf} @returns what these have */
async function complete(db: Db, made: readonly Made[], others: 'wait' | 'skip'): Promise<ReadonlyMap<string, Ended>> {
  const ofMany = made.map(({ id }) => id);
  const pending = made.length > 1 ? await pendingOf(db, ofMany, others) : new Set(ofMany);
  const all = made
    .filter(({ id }) => pending.has(id))
    .map((one) => ({ ...one, row: seriesRow(one.stored, one.tenant) }));
  const outputs = all.map(({ row }) => row);
  await insertSeries(db, outputs);
  for (const some of slicesOf(all, 500)) {
    const rows = some.map(({ id, row, details, sparkline }) => sql`(${id}, ${row.id}, ${details}, ${sparkline})`);
    const { numAffectedRows } = await sql`update predictions
      set status = 'COMPLETED', progress = null, prediction_series_id = made.column2, details = made.column3,
        sparkline = made.column4
      from (values ${sql.join(rows)}) made
      where predictions.id = made.column1 and status in ('QUEUED', 'IN_PROGRESS')`.execute(db);
    if (numAffectedRows === 0n) return new Map();
  }
  const endOf = ({ stored, details, row }: (typeof all)[number]): Ended => ({
    status: 'COMPLETED',
    prediction_series_id: row.id,
    prediction_series: new StoredPoints(stored.points),
    prediction_length: stored.rows,
    details: JSON.parse(details) as unknown,
  });
  return new Map(all.map((one) => [one.id, endOf(one)]));
}

export function predictionKinds(store: Store, models: Models, threads: Threads): Kinds {
  const each = forecasts(store, models, threads);
  const slices: JobKind['slices'] = (ids) => pendingSlices(store.db, ids, threads.size);
  return {
    prediction: { ...each, slices },
    tuned_prediction: each,
    sums: hierarchical(store, models, threads),
  };
}

const JOB_SLICE = { series: 50, points: 3_000 };
/** What a thread is given of it at a time, so that a single forecast waits for no more than this. */
const THREAD_SLICE = { series: 8, points: 500 };
/** So many slices each thread gets of a job at least: then none is idle for long while others do the last ones. */
const SLICES_PER_THREAD = 3;

async function pendingSlices(db: Db, ids: readonly string[], threads: number): Promise<readonly (readonly string[])[]> {
  const { rows } = await sql<{ id: string; rows: number }>`
    select predictions.id, coalesce(series.rows, 0) as rows
    from predictions left join series on series.id = input_series_id
    where ${dialectOf(db).isOneOf('predictions.id', ids)} and status in ('QUEUED', 'IN_PROGRESS')
    order by predictions.seq`.execute(db);
  const most = Math.min(JOB_SLICE.series, Math.ceil(rows.length / (SLICES_PER_THREAD * threads)));
  return [...slicesOf(rows, most, JOB_SLICE.points, ({ rows }) => rows)].map((slice) => slice.map(({ id }) => id));
}

const forecasts = ({ db }: Store, models: Models, threads: Threads): JobKind => ({
  run: async (ids, signal, events, task) => {
    const { isOneOf } = dialectOf(db);
    const { tenant } = events;
    const all = task ? [] : await works(db).select('points').where(isOneOf('predictions.id', ids)).execute();
    if (!task && all.length === 0) throw new JobError(failure('no_prediction', ids[0]));
    // those of a job are of one batch, and so of one model with one set of options
    const asked = await (task?.() ?? taskOf(models, all[0], all[0].points));
    if (ids.length === 1) {
      const made = { id: ids[0], tenant, ...(await threads.run<'forecast'>(asked, signal, events)) };
      return (db) => complete(db, [made], 'skip');
    }
    const made: Made[] = [];
    for (const slice of slicesOf(all, THREAD_SLICE.series, THREAD_SLICE.points, ({ rows }) => rows)) {
      const tasks = slice.map(({ points }) => ({ ...asked, points }));
      const results = await threads.run<'forecasts'>({ kind: 'forecasts', tasks }, signal, events);
      results.forEach((result, i) => {
        if (result) made.push({ id: slice[i].id, tenant, ...result });
      });
    }
    return (db) => complete(db, made, 'skip');
  },
});

const AT_ONCE = 12; // series that go to a thread at a time: other tasks begin between
const BASES = 0.85;

const hierarchical = ({ db }: Store, models: Models, threads: Threads): JobKind => ({
  progress: async (db, batch, { fraction }) => {
    const done = sql<number>`round(${Math.min(1, fraction / BASES)} * (select series from batches where id = ${batch}))`;
    await sql`update predictions set status = 'IN_PROGRESS' where batch_id = ${batch} and status = 'QUEUED'
      and (select count(*) from predictions before where before.batch_id = ${batch} and before.seq < predictions.seq) < ${done}`.execute(
      db,
    );
  },
  run: async ([batch], signal, { onStart, onProgress }) => {
    const found = db.selectFrom('batches').select(['series', 'sums']).where('id', '=', batch);
    const row = await found.executeTakeFirst();
    const all = await works(db).select('input_series_id').where('batch_id', '=', batch).execute();
    if (!row || all.length < row.series) throw new JobError(failure('sums_series_deleted'));
    const { series } = row;
    const sums = json<Sum[]>(row.sums) ?? [];
    const { tenant } = all[0];
    const { model, parameters, contextLength, horizon, levels } = await taskOf(models, all[0], '');
    onStart();
    const pointsOf = async ({ input_series_id: id }: (typeof all)[number]): Promise<string> => {
      const row = await db.selectFrom('series').select('points').where('id', '=', id).executeTakeFirst();
      if (!row) throw new JobError(failure('sums_series_deleted'));
      return row.points;
    };
    const longest = all.reduce((best, work) => (work.rows > best.rows ? work : best));
    const question = { kind: 'shared-grid', model, points: await pointsOf(longest), horizon, count: series } as const;
    const first = await threads.run<'shared-grid'>(question, signal, { tenant });
    const bases = new Array<SumBase>(series);
    let done = 0;
    const forecast = (places: readonly number[], shared: SharedGrid) =>
      eachOf(slicesOf(places, AT_ONCE), threads.size, async (some) => {
        const points: string[] = [];
        for (const place of some) points.push(await pointsOf(all[place]));
        const task = { kind: 'bases', points, model, parameters, contextLength, shared } as const;
        const made = await threads.run<'bases'>(task, signal, { tenant });
        some.forEach((place, i) => (bases[place] = made[i]));
        done += some.length;
        onProgress({ fraction: (BASES * Math.min(done, series)) / series });
      });
    const places = [...all.keys()];
    await forecast(places, first);
    const end = bases.reduce((latest, base) => Math.max(latest, base.end), -Infinity);
    const early = places.filter((place) => bases[place].end < end);
    if (end > first.end) await forecast(early, { ...first, end });
    const names = all.map(({ name }, place) => name ?? `${place + 1}`);
    const task = { kind: 'sums', bases, sums, names, levels } as const;
    const summed = await threads.run<'sums'>(task, signal, {
      tenant,
      onProgress: ({ fraction }) => onProgress({ fraction: BASES + (1 - BASES) * fraction }),
    });
    return async (db) => {
      const made = all.map(({ id }, place) => ({ id, tenant, ...summed[place] }));
      const { size } = await complete(db, made, 'wait');
      return new Map(size > 0 ? [[batch, {}]] : []);
    };
  },
});
