import { type RawBuilder, sql } from 'kysely';
import type { Sum } from '../../engine/totals/structure.ts';
import { JobError } from '../errors.ts';
import type { Threads } from '../tasks/pool.ts';
import type { JobKind, Write } from '../jobs/queue.ts';
import type { SharedGrid, SumBase, TaskEvents, TaskProgress } from '../tasks/tasks.ts';
import type { Datasets } from '../store/datasets.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Home } from '../database/home.ts';
import { json, text } from '../database/list.ts';
import type { Models } from './models.ts';
import { readOptions } from './prediction-options.ts';
import type { Db } from '../database/tables.ts';

/** Forecasts that are made together, so that they add up; kept until they are. */
export interface SumGroup {
  /** The predictions, in the order of the series. */
  readonly ids: readonly string[];
  /** Series by their places. */
  readonly sums: readonly Sum[];
}

/** Series that go to a thread at a time: others that wait for one have their turn between. */
const AT_ONCE = 12;
/** The part of the work that is done when each series is forecast by itself. */
const BY_THEMSELVES = 0.85;
const NOTHING = { onStart: () => undefined, onProgress: () => undefined };

/** The job that makes the predictions of a group: each by itself, then all of them so that they add up. */
export class SumJobs implements JobKind {
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

  /** Keeps a group in the transaction that adds its job. */
  static async add(db: Db, name: string, kept: SumGroup): Promise<void> {
    await db
      .insertInto('meta')
      .values({ name, value: JSON.stringify(kept) })
      .execute();
  }

  /** Forgets groups in the transaction that forgets their jobs. */
  static async forget(db: Db, groups: readonly string[]): Promise<void> {
    for (const group of groups) await db.deleteFrom('meta').where('name', '=', group).execute();
  }

  /** How many of a group are told to be under way. */
  readonly #told = new Map<string, number>();

  async mark(db: Db, group: string, status: 'IN_PROGRESS' | 'QUEUED'): Promise<void> {
    // those that are forecast by themselves are told one by one
    if (status === 'QUEUED') await update(db, await this.#idsOf(db, group), sql`status = 'QUEUED', progress = null`);
  }

  async progress(db: Db, group: string, { fraction }: TaskProgress): Promise<void> {
    const ids = await this.#idsOf(db, group);
    const done = Math.round(Math.min(1, fraction / BY_THEMSELVES) * ids.length);
    const told = this.#told.get(group) ?? 0;
    this.#told.set(group, Math.max(told, done));
    if (done > told) await update(db, ids.slice(told, done), sql`status = 'IN_PROGRESS', progress = null`);
  }

  async run(group: string, signal: AbortSignal, { onStart, onProgress }: TaskEvents): Promise<Write> {
    const { ids, sums } = await this.#groupOf(this.#db, group);
    const { rows } = await sql<MemberRow>`
      select predictions.id id, ai_model_id, options, predictions.name as name, input_series_id, series.rows as rows,
        predictions.space as space
      from predictions join series on series.id = input_series_id
      where ${dialectOf(this.#db).isOneOf('predictions.id', ids)} order by predictions.seq`.execute(this.#db);
    if (rows.length < ids.length)
      throw new JobError('Some of the series were deleted before the forecasts were made, so that they cannot add up.');
    const [{ ai_model_id: modelId, space }] = rows;
    const quiet = { ...NOTHING, space };
    if (!(await this.#models.has(modelId))) {
      throw new JobError(
        `The model “${modelId}” was deleted before the predictions were made. Forecast again with another model.`,
      );
    }
    const { base: model, parameters, contextLength } = await this.#models.usable(modelId);
    const options = readOptions(rows[0].options);
    onStart();
    this.#told.delete(group);
    const pointsOf = async (place: number) => (await this.#datasets.points(rows[place].input_series_id)).json;
    const longest = rows.reduce((best, { rows: count }, place) => (count > rows[best].rows ? place : best), 0); // prettier-ignore
    const question = { kind: 'shared-grid', points: await pointsOf(longest), horizon: options?.horizon, count: ids.length } as const; // prettier-ignore
    const first = await this.#threads.run<'shared-grid'>(question, signal, quiet);
    const bases = new Array<SumBase>(ids.length);
    const forecast = async (places: readonly number[], shared: SharedGrid): Promise<void> => {
      const points: string[] = [];
      for (const place of places) points.push(await pointsOf(place));
      const task = { kind: 'bases', points, model, parameters, contextLength, shared } as const;
      const made = await this.#threads.run<'bases'>(task, signal, quiet);
      places.forEach((place, i) => (bases[place] = made[i]));
    };
    let done = 0;
    const all = async (places: readonly number[], shared: SharedGrid): Promise<void> => {
      const queue = chunksOf(places).values();
      const work = async (): Promise<void> => {
        for (const some of queue) {
          await forecast(some, shared);
          done += some.length;
          onProgress({ fraction: (BY_THEMSELVES * Math.min(done, ids.length)) / ids.length });
        }
      };
      await Promise.all(Array.from({ length: this.#threads.size }, work));
    };
    await all([...ids.keys()], first);
    const end = bases.reduce((latest, base) => Math.max(latest, base.end), -Infinity);
    if (end > first.end)
      await all(
        [...ids.keys()].filter((place) => bases[place].end < end),
        { ...first, end },
      );
    const names = rows.map(({ name }, place) => text(name) ?? `${place + 1}`);
    const task = { kind: 'sums', bases, sums, names, levels: options?.levels ?? [] } as const;
    const summed = await this.#threads.run<'sums'>(task, signal, {
      ...quiet,
      onProgress: ({ fraction }) => {
        onProgress({ fraction: BY_THEMSELVES + (1 - BY_THEMSELVES) * fraction });
      },
    });
    return async (db) => {
      for (const [place, id] of ids.entries()) {
        const { stored, details } = summed[place];
        const isThere = (await sql`select 1 from predictions where id = ${id}`.execute(db)).rows.length > 0;
        if (!isThere) continue;
        const prediction_series_id = await this.#datasets.addSeries(db, stored, { space: rows[place].space });
        const made = { status: 'COMPLETED', progress: null, prediction_series_id, details };
        await db.updateTable('predictions').set(made).where('id', '=', id).execute();
      }
      await SumJobs.forget(db, [group]);
    };
  }

  async fail(db: Db, group: string, message: string): Promise<void> {
    await update(db, await this.#idsOf(db, group), sql`status = 'FAILED', progress = null, error = ${message}`);
    await SumJobs.forget(db, [group]);
  }

  async #groupOf(db: Db, group: string): Promise<SumGroup> {
    const row = await db.selectFrom('meta').select('value').where('name', '=', group).executeTakeFirst();
    return json<SumGroup>(row?.value) ?? { ids: [], sums: [] };
  }

  async #idsOf(db: Db, group: string): Promise<readonly string[]> {
    return (await this.#groupOf(db, group)).ids;
  }
}

/** A prediction of a group, with the length of its series. */
interface MemberRow {
  readonly id: string;
  readonly ai_model_id: string;
  readonly options: string;
  readonly name: string | null;
  readonly input_series_id: string;
  readonly rows: number;
  readonly space: string;
}

async function update(db: Db, ids: readonly string[], what: RawBuilder<unknown>): Promise<void> {
  await sql`update predictions set ${what} where ${dialectOf(db).isOneOf('id', ids)}`.execute(db);
}

function chunksOf(places: readonly number[]): number[][] {
  const chunks: number[][] = [];
  for (let from = 0; from < places.length; from += AT_ONCE) chunks.push(places.slice(from, from + AT_ONCE));
  return chunks;
}
