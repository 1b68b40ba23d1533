/** The jobs that make predictions: of one series, of many at once, and of a batch that adds up. */
import { sql } from 'kysely';
import { failure } from '../../contract/failures.ts';
import { DEFAULT_TENANT, dialectOf, type Home } from '../database/home.ts';
import { newId, orDamaged } from '../database/list.ts';
import type { Db } from '../database/tables.ts';
import { JobError, RequestError } from '../errors.ts';
import { type Ended, pendingOf, type Write } from '../jobs/pending.ts';
import type { JobKind, Kinds, ReadyTogether, Together } from '../jobs/queue.ts';
import { sumsOfBatch } from '../store/batches.ts';
import { StoredPoints } from '../store/packed.ts';
import { insertSeries, seriesRow } from '../store/series.ts';
import type { Threads } from '../tasks/pool.ts';
import type { ForecastTask, ReadyForecast } from '../tasks/predict.ts';
import type { TaskProgress } from '../tasks/series.ts';
import type { SharedGrid, SumBase } from '../tasks/sums.ts';
import type { TaskEvents } from '../tasks/tasks.ts';
import type { Models, UsableModel } from './models.ts';
import { askedOf, readOptions, type StoredOptions } from './prediction-rows.ts';

/** A prediction that is to be made, with its series. */
interface Work {
  readonly id: string;
  readonly tenant: string;
  readonly ai_model_id: string;
  readonly options: string;
  readonly name: string | null;
  /** Of its series, in JSON, and how many they are. */
  readonly points: string;
  readonly rows: number;
}

/** @param which of the predictions @param isWhole whether with the points of their series */
async function worksOf(db: Db, which: ReturnType<typeof sql>, isWhole = true): Promise<readonly Work[]> {
  const { rows } = await sql<Work>`
    select predictions.id, predictions.tenant, ai_model_id, options, predictions.name, series.rows,
      ${isWhole ? sql.ref('points') : sql.ref('input_series_id')} points
    from predictions join series on series.id = input_series_id
    where ${which} order by predictions.seq`.execute(db);
  return rows;
}

/** What a thread is asked for a prediction. @throws JobError where its model was deleted since */
export const taskOf = async (models: Models, work: Omit<Work, 'id' | 'name' | 'rows'>): Promise<ForecastTask> => ({
  kind: 'forecast',
  points: work.points,
  ...askedOf(await modelOf(models, work), readOptions(work.options)),
});

/** @throws JobError where the model was deleted since */
const modelOf = (
  models: Models,
  { ai_model_id: id, tenant }: Pick<Work, 'ai_model_id' | 'tenant'>,
): Promise<UsableModel> =>
  models
    .in(tenant)
    .usable(id)
    .catch((error: unknown) => {
      const isGone = error instanceof RequestError && error.status === 404;
      throw isGone ? new JobError(failure('model_deleted', id)) : error;
    });

type Stored = Made & { readonly series: string };
type Made = ReadyForecast & Pick<Work, 'id' | 'tenant'>;

/**
 * Stores forecasts, and that their predictions are done, where they are all to be: few statements, however many they are.
 * @returns them with the ids of their series; nothing where some were not to be done any more
 */
async function complete(db: Db, all: readonly Made[]): Promise<readonly Stored[]> {
  const named = all.map((one) => ({ ...one, series: newId('series') }));
  const rows = named.map(({ series: id, tenant, stored }) => seriesRow(stored, { id, dataset_id: null, tenant }));
  await insertSeries(db, rows);
  let changed = 0n;
  for (let from = 0; from < named.length; from += STATEMENT) {
    const values = sql.join(
      named.slice(from, from + STATEMENT).map(({ id, series, details }) => sql`(${id}, ${series}, ${details})`),
    );
    const { numAffectedRows = 0n } = await sql`update predictions
    set status = 'COMPLETED', progress = null, prediction_series_id = made.column2, details = made.column3
    from (values ${values}) made where predictions.id = made.column1 and status in ('QUEUED', 'IN_PROGRESS')`.execute(
      db,
    );
    changed += numAffectedRows;
  }
  return changed < all.length ? [] : named;
}

/** What is told of a prediction that was done just now. */
const toldOf = ({ series, stored, details }: Stored): Ended => ({
  status: 'COMPLETED',
  prediction_series_id: series,
  prediction_series: new StoredPoints(stored.points),
  prediction_length: stored.rows,
  details: JSON.parse(details) as unknown,
});

/** Predictions that are told in one statement. */
const STATEMENT = 500;

/** The kinds of jobs over predictions. */
export function predictionKinds(home: Home, models: Models, threads: Threads): Kinds {
  const one: JobKind = {
    run: async (id, signal, events, task) => {
      const read = async () => {
        const [work] = (await worksOf(home.db, sql`predictions.id = ${id}`)) as (Work | undefined)[];
        if (!work) throw new JobError(failure('no_prediction', id));
        return taskOf(models, work);
      };
      const made = await threads.run(await (task ?? read)(), signal, events);
      return async (db) => {
        const [stored] = await complete(db, [{ id, tenant: events.tenant ?? DEFAULT_TENANT, ...made }]);
        return stored && toldOf(stored);
      };
    },
  };
  return {
    prediction: { ...one, together: new PredictionsTogether(home, models, threads) },
    tuned_prediction: one,
    sums: new SumJobs(home, models, threads),
  };
}

/** What is read and written together at most. */
const PART = { series: 50, points: 3_000 };
/** What a thread is given of it at a time, so that a single forecast waits for no more than this. */
const SLICE = { series: 8, points: 500 };
/** So many parts each thread gets of a job at least: then none is idle for long while others do the last ones. */
const PARTS = 3;

/** Makes many predictions at once: a part of them is read in one statement and written in three. */
export class PredictionsTogether implements Together {
  readonly #db: Db;
  readonly #models: Models;
  readonly #threads: Threads;

  constructor({ db }: Home, models: Models, threads: Threads) {
    this.#db = db;
    this.#models = models;
    this.#threads = threads;
  }

  async parts(ids: readonly string[]): Promise<string[][]> {
    const { rows } = await sql<{ id: string; rows: number }>`
      select predictions.id, coalesce(series.rows, 0) as rows
      from predictions left join series on series.id = input_series_id
      where ${dialectOf(this.#db).isOneOf('predictions.id', ids)} and status in ('QUEUED', 'IN_PROGRESS')
      order by predictions.seq`.execute(this.#db);
    const most = Math.min(PART.series, Math.ceil(rows.length / (PARTS * this.#threads.size)));
    return [...cutBy(rows, most, PART.points)].map((part) => part.map(({ id }) => id));
  }

  async run(part: readonly string[], signal: AbortSignal): Promise<ReadyTogether> {
    const works = await worksOf(this.#db, dialectOf(this.#db).isOneOf('predictions.id', part));
    const cache = new Map<string, Promise<UsableModel | undefined>>();
    const asked: (Work & { readonly task: ForecastTask })[] = [];
    for (const work of works) {
      const key = `${work.tenant} ${work.ai_model_id}`;
      // one that is not there any more is told of each prediction by itself
      const found = cache.get(key) ?? modelOf(this.#models, work).catch(() => undefined);
      cache.set(key, found);
      const [model, options] = [
        await found,
        orDamaged<StoredOptions | undefined>(
          () => readOptions(work.options),
          () => undefined,
        ),
      ];
      if (model && options)
        asked.push({ ...work, task: { kind: 'forecast', points: work.points, ...askedOf(model, options) } });
    }
    const made: Made[] = [];
    for (const slice of cutBy(asked, SLICE.series, SLICE.points)) {
      const { tenant } = slice[0]; // a job is of one dataset
      const results = await this.#threads.run({ kind: 'forecasts', tasks: slice.map(({ task }) => task) }, signal, {
        tenant,
      });
      results.forEach((result, i) => {
        if (result) made.push({ id: slice[i].id, tenant: slice[i].tenant, ...result });
      });
    }
    const write: ReadyTogether['write'] = async (db, wanted) => {
      await complete(
        db,
        made.filter(({ id }) => wanted.has(id)),
      );
    };
    return { ids: made.map(({ id }) => id), write };
  }
}

/** Parts of at most so many, and so many points together; one by itself may have more. */
function* cutBy<T extends { readonly rows: number }>(all: readonly T[], most: number, points: number): Generator<T[]> {
  let part: T[] = [];
  let left = points;
  for (const one of all) {
    if (part.length > 0 && (part.length === most || one.rows > left)) {
      yield part;
      [part, left] = [[], points];
    }
    part.push(one);
    left -= one.rows;
  }
  if (part.length > 0) yield part;
}

/** Series that go to a thread at a time: others that wait for one have their turn between. */
const AT_ONCE = 12;
/** The part of the work that is done when each series is forecast by itself. */
const BY_THEMSELVES = 0.85;

/** The job that makes the predictions of a batch: each by itself, then all of them so that they add up. */
class SumJobs implements JobKind {
  readonly #db: Db;
  readonly #models: Models;
  readonly #threads: Threads;

  constructor({ db }: Home, models: Models, threads: Threads) {
    this.#db = db;
    this.#models = models;
    this.#threads = threads;
  }

  async progress(db: Db, batch: string, { fraction }: TaskProgress): Promise<void> {
    const done = sql<number>`round(${Math.min(1, fraction / BY_THEMSELVES)} * (select series from batches where id = ${batch}))`;
    await sql`update predictions set status = 'IN_PROGRESS' where batch_id = ${batch} and status = 'QUEUED'
      and (select count(*) from predictions before where before.batch_id = ${batch} and before.seq < predictions.seq) < ${done}`.execute(
      db,
    );
  }

  async run(batch: string, signal: AbortSignal, { onStart, onProgress }: TaskEvents): Promise<Write> {
    const { series, sums } = await sumsOfBatch(this.#db, batch);
    const works = await worksOf(this.#db, sql`predictions.batch_id = ${batch}`, false);
    if (works.length < series) throw new JobError(failure('sums_series_deleted'));
    const { base: model, parameters, contextLength } = await modelOf(this.#models, works[0]);
    const { horizon, levels } = readOptions(works[0].options);
    const of = { tenant: works[0].tenant };
    onStart();
    const pointsOf = async (place: number): Promise<string> => {
      const found = this.#db.selectFrom('series').select('points').where('id', '=', works[place].points);
      const row = await found.executeTakeFirst();
      if (!row) throw new JobError(failure('sums_series_deleted'));
      return row.points;
    };
    const longest = works.reduce((best, { rows }, place) => (rows > works[best].rows ? place : best), 0);
    const question = { kind: 'shared-grid', model, points: await pointsOf(longest), horizon, count: series } as const;
    const first = await this.#threads.run<'shared-grid'>(question, signal, of);
    const bases = new Array<SumBase>(series);
    let done = 0;
    const forecast = async (places: readonly number[], shared: SharedGrid): Promise<void> => {
      const parts = Array.from({ length: Math.ceil(places.length / AT_ONCE) }, (_, i) =>
        places.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
      ).values();
      const work = async (): Promise<void> => {
        for (const some of parts) {
          const points: string[] = [];
          for (const place of some) points.push(await pointsOf(place));
          const task = { kind: 'bases', points, model, parameters, contextLength, shared } as const;
          const made = await this.#threads.run<'bases'>(task, signal, of);
          some.forEach((place, i) => (bases[place] = made[i]));
          done += some.length;
          onProgress({ fraction: (BY_THEMSELVES * Math.min(done, series)) / series });
        }
      };
      await Promise.all(Array.from({ length: this.#threads.size }, work));
    };
    await forecast([...works.keys()], first);
    const end = bases.reduce((latest, base) => Math.max(latest, base.end), -Infinity);
    // one that ends later than the longest makes the others end with it
    if (end > first.end)
      await forecast(
        [...works.keys()].filter((place) => bases[place].end < end),
        { ...first, end },
      );
    const names = works.map(({ name }, place) => name ?? `${place + 1}`);
    const task = { kind: 'sums', bases, sums, names, levels } as const;
    const summed = await this.#threads.run<'sums'>(task, signal, {
      ...of,
      onProgress: ({ fraction }) => {
        onProgress({ fraction: BY_THEMSELVES + (1 - BY_THEMSELVES) * fraction });
      },
    });
    return async (db) => {
      const there = await pendingOf(db, batch).modifyEnd(dialectOf(db).locking).execute();
      const isThere = new Set(there.map(({ id }) => id));
      const all = works.map(({ id, tenant }, place) => ({ id, tenant, ...summed[place] }));
      const ended = await complete(
        db,
        all.filter(({ id }) => isThere.has(id)),
      );
      return ended.length > 0 ? {} : undefined;
    };
  }
}
