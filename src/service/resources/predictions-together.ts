import { sql } from 'kysely';
import type { Threads } from '../tasks/pool.ts';
import type { ReadyTogether, Together } from '../jobs/queue.ts';
import type { ForecastTask, ReadyForecast } from '../tasks/tasks.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Home } from '../database/home.ts';
import { newId } from '../database/list.ts';
import type { Models, UsableModel } from './models.ts';
import { readOptions, taskOf } from './prediction-options.ts';
import { seriesRow, statementsOf } from '../store/series-rows.ts';
import type { Db } from '../database/tables.ts';

/** What is read and written together at most. */
const PART = { series: 50, points: 3_000 };
/** What a thread is given of it at a time, so that a single forecast waits for no more than this. */
const SLICE = { series: 8, points: 500 };
/** So many parts each thread gets of a job at least: then none is idle for long while others do the last ones. */
const PARTS = 3;

interface Row {
  readonly id: string;
  readonly space: string;
  readonly ai_model_id: string;
  readonly options: string;
  readonly points: string;
  readonly rows: number;
}

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
    const { rows } = await sql<{ id: string; size: number }>`
      select predictions.id, coalesce(series.rows, 0) size
      from predictions left join series on series.id = input_series_id
      where ${dialectOf(this.#db).isOneOf('predictions.id', ids)} and status in ('QUEUED', 'IN_PROGRESS')
      order by predictions.seq`.execute(this.#db);
    const most = Math.min(PART.series, Math.ceil(rows.length / (PARTS * this.#threads.size)));
    const parts: string[][] = [];
    let points = Infinity;
    for (const { id, size } of rows) {
      const last = parts.at(-1);
      if (last && last.length < most && points + size <= PART.points) last.push(id);
      else {
        parts.push([id]);
        points = 0;
      }
      points += size;
    }
    return parts;
  }

  async run(part: readonly string[], signal: AbortSignal): Promise<ReadyTogether> {
    const { rows } = await sql<Row>`
      select predictions.id, predictions.space, ai_model_id, options, points, series.rows
      from predictions join series on series.id = input_series_id
      where ${dialectOf(this.#db).isOneOf('predictions.id', part)}`.execute(this.#db);
    const asked = await this.#tasksOf(rows);
    const nothing = () => undefined;
    const results: (ReadyForecast | undefined)[] = [];
    for (const slice of slicesOf(asked)) {
      const tasks = slice.map(({ task }) => task);
      const { space } = slice[0].row; // a job is of one dataset
      const some = await this.#threads.run({ kind: 'forecasts', tasks }, signal, {
        onStart: nothing,
        onProgress: nothing,
        space,
      });
      results.push(...some);
    }
    const made = asked.flatMap(({ row: { id, space } }, i) => {
      const result = results[i];
      return result ? [{ id, space, ...result }] : [];
    });
    return {
      ids: made.map(({ id }) => id),
      write: (db, wanted) =>
        write(
          db,
          made.filter(({ id }) => wanted.has(id)),
        ),
    };
  }

  async #tasksOf(rows: readonly Row[]): Promise<Asked[]> {
    const models = new Map<string, UsableModel | undefined>();
    const asked: Asked[] = [];
    for (const row of rows) {
      const { ai_model_id: name, points } = row;
      // one that is not there any more is told of each prediction by itself
      if (!models.has(name)) models.set(name, await this.#models.usable(name).catch(() => undefined));
      const [model, options] = [models.get(name), readOptions(row.options)];
      if (model && options) asked.push({ row, task: taskOf(points, model, options) });
    }
    return asked;
  }
}

interface Asked {
  readonly row: Row;
  readonly task: ForecastTask;
}

function* slicesOf(asked: readonly Asked[]): Generator<readonly Asked[]> {
  for (let from = 0, to = 0; from < asked.length; from = to) {
    let points = asked[to++].row.rows;
    while (to < asked.length && to - from < SLICE.series && points + asked[to].row.rows <= SLICE.points) {
      points += asked[to++].row.rows;
    }
    yield asked.slice(from, to);
  }
}

type Made = ReadyForecast & Pick<Row, 'id' | 'space'>;

async function write(db: Db, all: readonly Made[]): Promise<void> {
  if (all.length === 0) return;
  const named = all.map((one) => ({ ...one, series: newId('series') }));
  const rows = named.map(({ series: id, space, stored }) => seriesRow(stored, { id, dataset_id: null, space }));
  for (const some of statementsOf(rows)) await db.insertInto('series').values(some).execute();
  const values = sql.join(named.map(({ id, series, details }) => sql`(${id}, ${series}, ${details})`));
  await sql`update predictions
    set status = 'COMPLETED', progress = null, prediction_series_id = made.column2, details = made.column3
    from (values ${values}) made where predictions.id = made.column1`.execute(db);
}
