import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { DEFAULT_QUANTILE_LEVELS, type ForecastDetails } from '../../contract/local.ts';
import type { PredictDataset } from '../../contract/requests.ts';
import type { Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { isNeural } from '../../engine/models.ts';
import type { Steps } from '../store/creations.ts';
import type { Datasets } from '../store/datasets.ts';
import { dialectOf } from '../database/dialect.ts';
import { RequestError } from '../errors.ts';
import type { Home } from '../database/home.ts';
import { json, listTable, needed, newId, number, type PageRequest, type SqlRow, text } from '../database/list.ts';
import type { Models, UsableModel } from './models.ts';
import type { NewPrediction } from '../store/new.ts';
import { prepareSeries } from '../store/points.ts';
import {
  PREDICTION_COLUMNS,
  type PredictionFilter,
  readPrediction,
  type Shown,
  type StoredPrediction,
  whereOf,
} from './stored-prediction.ts';
import { jobOf, momentOfRun, optionsOf, readOptions, type StoredOptions, taskOf } from './prediction-options.ts';
import { pointsOfAll } from '../store/stored-points.ts';
import { sketchesOf } from '../store/sketches.ts';
import { HOME_SPACE, inSpace, type Space } from '../database/space.ts';
import { SumJobs } from './sum-jobs.ts';
import { sumsOf } from '../store/sums.ts';
import { type Db, snapshot, transaction } from '../database/tables.ts';
import { isReferenceGone } from '../database/trouble.ts';
import { keepDataset, removeUnused } from '../store/unused-series.ts';
import type { Queue } from '../jobs/queue.ts';
import type { ForecastTask, PartsTask } from '../tasks/tasks.ts';

/** The most points that a page of predictions holds: about 20 MB. */
export const MOST_POINTS = 200_000;

/** Predictions: what is stored of them, and what a thread is asked for them. */
export class Predictions {
  readonly #home: Home;
  readonly #db: Db;
  readonly #datasets: Datasets;
  readonly #models: Models;
  readonly #space: Space;

  /** @param space all of its queries are bound to it */
  constructor(home: Home, datasets: Datasets, models: Models, space?: Space) {
    this.#home = home;
    this.#db = home.in(space);
    this.#datasets = datasets;
    this.#models = models;
    this.#space = space;
  }

  in(space: Space): Predictions {
    return new Predictions(this.#home, this.#datasets.in(space), this.#models.in(space), space);
  }

  list(page: PageRequest, shown: Shown, filter: PredictionFilter = {}): Promise<Page<StoredPrediction>> {
    const where = whereOf(this.#space, filter);
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
    const isText = (id: string | undefined) => id !== undefined;
    const seriesOf = (row: SqlRow) =>
      [
        shown.input ? text(row.input_series_id) : undefined,
        shown.output ? text(row.prediction_series_id) : undefined,
      ].filter(isText);
    let left = most;
    const fitting = new Set(
      all.filter((row) => {
        const size =
          (shown.input ? (number(row.input_rows) ?? 0) : 0) + (shown.output ? (number(row.output_rows) ?? 0) : 0);
        if (size > left) return false;
        left -= size;
        return true;
      }),
    );
    const points = await pointsOfAll(db, unique([...fitting].flatMap(seriesOf)));
    const sketched = (shown.sketch ? all : []).flatMap((row) => {
      const [input, output] = [text(row.input_series_id), text(row.prediction_series_id)];
      return input === undefined || output === undefined ? [] : [{ input, output }];
    });
    const sketches = await sketchesOf(db, sketched);
    return all.map((row) => {
      if (fitting.has(row)) return readPrediction(row, shown, { points, sketches });
      const item = readPrediction(row, { ...shown, input: false, output: false }, { points, sketches });
      return { ...item, series_left_out: LEFT_OUT };
    });
  }

  /**
   * Stores the series and the prediction as QUEUED, and its job.
   * @param isAwaited whether a client waits for its end
   * @param steps are done in the same transaction, with its id
   * @param input whether what was stored is told with its series
   * @returns the id, and what was stored, unless it is waited for: to be told whatever fails after the commit
   * @throws RequestError 404, 409, 422, 429; what `steps` throw
   */
  async create(
    request: NewPrediction,
    queue: Queue,
    { isAwaited = false, input: withInput = true, ...steps }: Partial<Steps> & Creating = {},
  ): Promise<{ readonly id: string; readonly made: StoredPrediction | undefined }> {
    const { series, series_id } = request;
    if ((series === undefined) === (series_id === undefined)) {
      throw RequestError.field(
        ['body', 'series'],
        series ? 'Give either series or series_id, not both.' : 'Give a series, or the series_id of a stored one.',
      );
    }
    const missing = () => RequestError.missing(['body', 'series_id'], `There is no series “${series_id}”.`);
    if (series_id !== undefined && !(await this.#datasets.hasSeries(series_id))) throw missing();
    const model = await this.#modelFor(request);
    const options: StoredOptions = { ...optionsOf(request, model), bounds: request.bounds, origin: request.origin };
    const { kind, turn } = jobOf(options, 'forecast');
    const id = newId('prediction');
    const created_at = isoInstant(Date.now());
    const made = await transaction(this.#db, async (db) => {
      await steps.first?.(db, id, 1);
      const input =
        series_id ?? (await this.#datasets.addSeries(db, series ?? prepareSeries([]), { name: request.name }));
      const name = request.name ?? (await this.#datasets.seriesName(input, db));
      await db
        .insertInto('predictions')
        .values({
          id,
          ai_model_id: model.id,
          status: 'QUEUED',
          name: name ?? null,
          input_series_id: input,
          dataset_id: sql<string | null>`(select dataset_id from series where id = ${input})`,
          options: JSON.stringify(options),
          created_at,
          space: this.#space ?? HOME_SPACE,
        })
        .execute()
        .catch((error: unknown) => {
          throw series_id !== undefined && isReferenceGone(error) ? missing() : error;
        });
      await queue.add(db, { kind, target: id, turn, space: this.#space ?? HOME_SPACE }, isAwaited);
      await steps.last?.(db, 1);
      if (isAwaited) return undefined;
      return (await this.#readAll(db, [await this.#row(id, db)], { input: withInput, output: true }, Infinity))[0];
    });
    return { id, made };
  }

  /**
   * Stores a prediction of each series of a dataset as QUEUED, all or none. They wait behind predictions of single series.
   * @param steps are done in the same transaction
   * @returns the ids, in the order of the series, and the `created_at` by which {@link madeOfDataset} finds them again
   * @throws RequestError 404, 409, 422, 429
   */
  async createOfDataset(
    datasetId: string,
    request: z.output<typeof PredictDataset>,
    queue: Queue,
    steps?: Steps,
  ): Promise<{ readonly ids: string[]; readonly created: string }> {
    const { series_count = 0 } = await this.#datasets.get(datasetId);
    const model = await this.#modelFor(request);
    // two origins are the fewest that scores are claimed from, and enough to compare thousands of series
    const group = request.sums && newId('sums');
    const options: StoredOptions = { ...optionsOf(request, model), origins: 2, group };
    const { kind, turn } = jobOf(options, 'dataset');
    const line = { turn, space: this.#space ?? HOME_SPACE };
    const sums = request.sums && sumsOf(request.sums, await this.#datasets.namesOf(datasetId));
    const stored = JSON.stringify(options);
    const created = momentOfRun();
    return transaction(this.#db, async (db) => {
      await steps?.first(db, created, series_count);
      await queue.checkRoom(db, line);
      // one statement for all: others wait meanwhile
      const { rows } = await sql<{ id: string; seq: number }>`
        insert into predictions (id, ai_model_id, status, name, input_series_id, dataset_id, options, created_at, space)
        select ${dialectOf(db).newId('prediction_')}, ${model.id}, 'QUEUED', name, id, dataset_id, ${stored}, ${created},
          space
        from series where dataset_id = ${datasetId} order by seq desc returning id, seq`
        .execute(db)
        .catch((error: unknown) => {
          throw isReferenceGone(error) ? RequestError.notFound('dataset', datasetId) : error;
        });
      const ids = rows.sort((a, b) => a.seq - b.seq).map(({ id }) => id);
      if (group === undefined) await queue.addAll(db, kind, ids, line);
      else {
        await SumJobs.add(db, group, { ids, sums: sums ?? [] });
        await queue.add(db, { kind: 'sums', target: group, ...line });
      }
      await steps?.last(db, ids.length);
      return { ids, created };
    });
  }

  /** The ids of the predictions that were made of a dataset at once, in the order of its series. */
  async madeOfDataset(datasetId: string, created: string): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from predictions
      where ${inSpace(this.#space)} and dataset_id = ${datasetId} and created_at = ${created}
      order by seq`.execute(this.#db);
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes those predictions of a dataset that have not ended; those that run are cancelled.
   * @param createdAt only those that were made of it at once, then
   * @throws RequestError 404
   */
  async removePending(datasetId: string, queue: Queue, createdAt?: string): Promise<void> {
    await this.#datasets.get(datasetId);
    await transaction(this.#db, async (db) => {
      await keepDataset(db, datasetId);
      const { rows } = await sql<{ id: string; options: string }>`delete from predictions
        where ${whereOf(this.#space, { datasetId, createdAt })}
        and status in ('QUEUED', 'IN_PROGRESS') returning id, options`.execute(db);
      const groups = rows.map(({ options }) => readOptions(options)?.group).filter((one) => one !== undefined);
      const together = [...new Set(groups)];
      await queue.forget(db, [...rows.map(({ id }) => id), ...together]);
      await SumJobs.forget(db, together);
    });
  }

  /** Deletes a prediction; one that is not done yet is cancelled by that. */
  async remove(id: string, queue: Queue): Promise<void> {
    await this.#row(id);
    await transaction(this.#db, async (db) => {
      await queue.forget(db, [id]);
      const deleted = db.deleteFrom('predictions').where('id', '=', id);
      // as it was at its end, with the output of who was just done
      const rows = await deleted.returning(['input_series_id', 'prediction_series_id']).execute();
      await removeUnused(
        db,
        rows.flatMap((row) => [row.input_series_id, row.prediction_series_id]),
      );
    });
  }

  /** The id of the model that makes it, and the space that it belongs to. @throws RequestError 404 */
  async placeOf(id: string): Promise<{ readonly model: string; readonly space: string }> {
    const { ai_model_id, space } = await this.#row(id);
    return { model: String(ai_model_id), space: text(space) ?? HOME_SPACE };
  }

  /** What a thread is asked for a prediction. @throws RequestError 404, 409, where its model is not there any more too */
  async question(id: string): Promise<ForecastTask> {
    const row = await this.#row(id);
    const options = json<StoredOptions>(row.options) ?? { levels: DEFAULT_QUANTILE_LEVELS };
    const model = await this.#models.usable(String(row.ai_model_id));
    const { json: points } = await this.#datasets.points(needed(row.input_series_id));
    return taskOf(points, model, options);
  }

  /** What a thread is asked for the parts of a prediction. @throws RequestError 404, 409 where there is no forecast */
  async partsQuestion(id: string): Promise<PartsTask> {
    const row = await this.#row(id);
    const output = text(row.prediction_series_id);
    if (output === undefined) throw new RequestError(409, 'This prediction has no forecast that could be split.');
    const details = json<ForecastDetails>(row.details);
    return {
      kind: 'parts',
      id,
      points: (await this.#datasets.points(needed(row.input_series_id))).json,
      forecast: (await this.#datasets.points(output)).json,
      periods: details?.seasonal_periods ?? [],
      made: details?.covariates?.used.length ? await this.question(id) : undefined,
    };
  }

  /** @throws RequestError 422 */
  async #modelFor(request: z.output<typeof PredictDataset>): Promise<UsableModel> {
    const model = await this.#models.usable(request.ai_model_id);
    if (request.fine_tuning_epochs && !isNeural(model.base)) {
      throw RequestError.field(
        ['body', 'fine_tuning_epochs'],
        `The model “${model.base}” does not learn in epochs. Leave fine_tuning_epochs out, or choose hybrid.`,
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

  async #row(id: string, db = this.#db): Promise<SqlRow> {
    const { rows } = await sql<SqlRow>`select ${PREDICTION_COLUMNS} from predictions
      where id = ${id} and ${inSpace(this.#space)}`.execute(db);
    if (rows.length === 0) throw RequestError.notFound('prediction', id);
    return rows[0];
  }
}

interface Creating {
  readonly isAwaited?: boolean;
  readonly input?: boolean;
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

const LEFT_OUT = `The page would hold more than ${MOST_POINTS} points. Read this prediction by itself, or ask for include_series=false.`;
