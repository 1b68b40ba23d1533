import type { DatabaseSync } from 'node:sqlite';
import type { Sum } from '../../engine/totals/structure.ts';
import { JobError } from '../errors.ts';
import type { Threads } from '../jobs/pool.ts';
import type { JobKind, Queue } from '../jobs/queue.ts';
import type { SharedGrid, SumBase, TaskEvents, TaskProgress } from '../jobs/tasks.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import { json, text } from './list.ts';
import type { Models } from './models.ts';
import { readOptions } from './prediction-options.ts';

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

  /** Keeps a group in the transaction that adds its job. */
  static add(database: DatabaseSync, group: string, kept: SumGroup): void {
    database.prepare('insert into meta (name, value) values (?, ?)').run(group, JSON.stringify(kept));
  }

  /** Forgets groups in the transaction that forgets their jobs. */
  static forget(database: DatabaseSync, groups: readonly string[]): void {
    const remove = database.prepare('delete from meta where name = ?');
    for (const group of groups) remove.run(group);
  }

  /** Ends what is pending of a group and has no job. */
  heal(queue: Queue): void {
    const kept = this.#database.prepare(`select name from meta where name like 'sums\\_%' escape '\\'`).all();
    for (const { name } of kept) {
      transaction(this.#database, () => {
        if (!queue.has(String(name))) this.fail(String(name), 'The service ended before it was done.');
      });
    }
  }

  mark(group: string, status: 'IN_PROGRESS' | 'QUEUED'): void {
    // those that are forecast by themselves are told one by one
    if (status === 'QUEUED') this.#update(this.#idsOf(group), `status = 'QUEUED', progress = null`);
  }

  progress(group: string, { fraction }: TaskProgress): void {
    const ids = this.#idsOf(group);
    const done = Math.round(Math.min(1, fraction / BY_THEMSELVES) * ids.length);
    this.#update(ids.slice(0, done), `status = 'IN_PROGRESS', progress = ${fraction.toFixed(3)}`);
  }

  async run(group: string, signal: AbortSignal, { onStart, onProgress }: TaskEvents): Promise<() => void> {
    const { ids, sums } = this.#groupOf(group);
    const rows = this.#database
      .prepare(
        `select predictions.id id, ai_model_id, options, predictions.name name, input_series_id, rows
         from predictions join series on series.id = input_series_id
         where predictions.id in (select value from json_each(?)) order by predictions.seq`,
      )
      .all(JSON.stringify(ids));
    if (rows.length < ids.length)
      throw new JobError('Some of the series were deleted before the forecasts were made, so that they cannot add up.');
    const modelId = String(rows[0].ai_model_id);
    if (!this.#models.has(modelId)) {
      throw new JobError(
        `The model “${modelId}” was deleted before the predictions were made. Forecast again with another model.`,
      );
    }
    const { base: model, parameters, contextLength } = this.#models.usable(modelId);
    const options = readOptions(rows[0].options);
    onStart();
    const pointsOf = (place: number) => this.#datasets.points(String(rows[place].input_series_id)).json;
    const longest = rows.reduce((best, { rows: count }, place) => (Number(count) > Number(rows[best].rows) ? place : best), 0); // prettier-ignore
    const question = { kind: 'shared-grid', points: pointsOf(longest), horizon: options?.horizon, count: ids.length } as const; // prettier-ignore
    const first = await this.#threads.run<'shared-grid'>(question, signal, NOTHING);
    const bases = new Array<SumBase>(ids.length);
    const forecast = async (places: readonly number[], shared: SharedGrid): Promise<void> => {
      const points = places.map(pointsOf);
      const task = { kind: 'bases', points, model, parameters, contextLength, shared } as const;
      const made = await this.#threads.run<'bases'>(task, signal, NOTHING);
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
      ...NOTHING,
      onProgress: ({ fraction }) => {
        onProgress({ fraction: BY_THEMSELVES + (1 - BY_THEMSELVES) * fraction });
      },
    });
    return () => {
      const isThere = this.#database.prepare('select 1 from predictions where id = ?');
      const end = this.#database.prepare(
        `update predictions set status = 'COMPLETED', progress = null, prediction_series_id = ?, details = ? where id = ?`,
      );
      ids.forEach((id, place) => {
        const { stored, details } = summed[place];
        if (isThere.get(id)) end.run(this.#datasets.addSeries(stored), details, id);
      });
      SumJobs.forget(this.#database, [group]);
    };
  }

  fail(group: string, message: string): void {
    const ids = this.#idsOf(group);
    this.#database
      .prepare(
        `update predictions set status = 'FAILED', progress = null, error = ?
         where id in (select value from json_each(?))`,
      )
      .run(message, JSON.stringify(ids));
    SumJobs.forget(this.#database, [group]);
  }

  #update(ids: readonly string[], what: string): void {
    this.#database
      .prepare(`update predictions set ${what} where id in (select value from json_each(?))`)
      .run(JSON.stringify(ids));
  }

  #groupOf(group: string): SumGroup {
    const value = this.#database.prepare('select value from meta where name = ?').get(group)?.value;
    return json<SumGroup>(value ?? null) ?? { ids: [], sums: [] };
  }

  #idsOf(group: string): readonly string[] {
    return this.#groupOf(group).ids;
  }
}

function chunksOf(places: readonly number[]): number[][] {
  const chunks: number[][] = [];
  for (let from = 0; from < places.length; from += AT_ONCE) chunks.push(places.slice(from, from + AT_ONCE));
  return chunks;
}
