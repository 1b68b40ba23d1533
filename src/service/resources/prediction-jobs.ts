/** The jobs that make predictions: of one series, of many at once, and of a batch that adds up. */
import { sql } from 'kysely';
import { failure } from '../../contract/failures.ts';
import type { BodyOf } from '../../contract/operations.ts';
import { DEFAULT_QUANTILE_LEVELS } from '../../contract/resources.ts';
import type { Sum } from '../../engine/totals/structure.ts';
import { json, type Row } from '../database/repository.ts';
import { type Db, DEFAULT_TENANT, dialectOf, type Store } from '../database/store.ts';
import { JobError, RequestError } from '../errors.ts';
import { type Ended, type JobKind, type Kinds, pendingOf } from '../jobs/queue.ts';
import { slicesOf, StoredPoints } from '../store/points.ts';
import { insertSeries, seriesRow } from '../store/series.ts';
import type { Threads } from '../tasks/pool.ts';
import type { ForecastTask, ReadyForecast } from '../tasks/predict.ts';
import type { ForecastOptions } from '../tasks/series.ts';
import type { SharedGrid, SumBase } from '../tasks/sums.ts';
import type { Models, UsableModel } from './models.ts';

export type StoredOptions = Pick<ForecastOptions, 'horizon' | 'levels' | 'fineTuningEpochs' | 'origins' | 'bounds'>;

export const optionsOf = (
  request: BodyOf<'predictDataset'> & Pick<BodyOf<'createPrediction'>, 'bounds'>,
  model: UsableModel,
): StoredOptions => ({
  horizon: request.prediction_length ?? model.horizon,
  levels: [...new Set(request.quantile_levels ?? DEFAULT_QUANTILE_LEVELS)].sort((a, b) => a - b),
  fineTuningEpochs: request.fine_tuning_epochs,
  bounds: request.bounds,
});

/** The kind and the lane of a prediction's job: one that trains before it holds a thread as long as a training does. */
export const jobOf = ({ fineTuningEpochs }: StoredOptions, lane: 'forecast' | 'dataset') =>
  fineTuningEpochs
    ? ({ kind: 'tuned_prediction', lane: lane === 'dataset' ? 'dataset' : 'training' } as const)
    : ({ kind: 'prediction', lane } as const);

/** What a thread is asked for a prediction. @throws DamagedRowError */
export const taskWith = ({ id: _, ...model }: UsableModel, options: string, points: string): ForecastTask => ({
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
export async function taskOf(
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
    const rows = some.map(({ id, row, details, sketch }) => sql`(${id}, ${row.id}, ${details}, ${sketch})`);
    const { numAffectedRows } = await sql`update predictions
      set status = 'COMPLETED', progress = null, prediction_series_id = made.column2, details = made.column3,
        sketch = made.column4
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

const SLICE = { series: 50, points: 3_000 };
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
  const most = Math.min(SLICE.series, Math.ceil(rows.length / (SLICES_PER_THREAD * threads)));
  return [...slicesOf(rows, most, SLICE.points, ({ rows }) => rows)].map((slice) => slice.map(({ id }) => id));
}

const forecasts = ({ db }: Store, models: Models, threads: Threads): JobKind => ({
  run: async (ids, signal, events, task) => {
    const { isOneOf } = dialectOf(db);
    const { tenant = DEFAULT_TENANT } = events;
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

/** Series that go to a thread at a time: other tasks begin between. */
const AT_ONCE = 12;
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
    const forecast = async (places: readonly number[], shared: SharedGrid): Promise<void> => {
      const slices = slicesOf(places, AT_ONCE);
      const work = async (): Promise<void> => {
        for (const some of slices) {
          const points: string[] = [];
          for (const place of some) points.push(await pointsOf(all[place]));
          const task = { kind: 'bases', points, model, parameters, contextLength, shared } as const;
          const made = await threads.run<'bases'>(task, signal, { tenant });
          some.forEach((place, i) => (bases[place] = made[i]));
          done += some.length;
          onProgress({ fraction: (BASES * Math.min(done, series)) / series });
        }
      };
      await Promise.all(Array.from({ length: threads.size }, work));
    };
    const places = [...all.keys()];
    await forecast(places, first);
    const end = bases.reduce((latest, base) => Math.max(latest, base.end), -Infinity);
    // one that ends later than the longest makes the others end with it
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
