import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod/mini';
import type { BaseModel, LocalFineTunedModel } from '../../contract/local.ts';
import { LocalCreateFineTunedModel } from '../../contract/requests.ts';
import { InputConfig, ModelConfig, type Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { baseModels, isNeural } from '../../engine/models.ts';
import { isReadable, leastContext } from '../../engine/tuning/parameters.ts';
import type { SeriesGain } from '../../engine/tuning/extremes.ts';
import type { TunedParameters } from '../../engine/tuning/statistical.ts';
import { transaction } from './database.ts';
import type { Datasets } from './datasets.ts';
import { JobError, RequestError } from '../errors.ts';
import { json, listTable, needed, newId, number, orDamaged, type PageRequest, type SqlRow, text } from './list.ts';
import { toNumbers } from './points.ts';
import type { JobKind, Queue } from '../jobs/queue.ts';
import type { Threads } from '../jobs/pool.ts';
import { checkConfig, warningsOf } from '../jobs/training-config.ts';
import type { TaskEvents, TaskProgress } from '../jobs/tasks.ts';

/** A model that a prediction can name. */
export interface UsableModel {
  readonly id: string;
  /** The base model beneath; the same as `id` for a base model. */
  readonly base: string;
  readonly parameters?: TunedParameters | undefined;
  readonly contextLength?: number | undefined;
  /** The horizon it was tuned for. */
  readonly horizon?: number | undefined;
  /** Sample paths behind its quantiles. */
  readonly samples?: number | undefined;
}

/** What a fine-tuned model is once its training is done. */
interface StoredParameters {
  readonly tuned: TunedParameters;
  readonly horizon: number;
  readonly contextLength?: number | undefined;
  readonly samples?: number | undefined;
}

/** A model with what lists tell of its parameters, which are large themselves. */
const COLUMNS = `seq, id, status, name, origin, base_model, config, input_config, scores, warnings, progress, error, training,
  created_at, updated_at, parameters is not null trained, 
  iif(json_valid(parameters), json_extract(parameters, '$.horizon'), null) horizon,
  iif(json_valid(parameters), json_extract(parameters, '$.tuned.version'), null) version,
  iif(json_valid(parameters), substr(json_extract(parameters, '$.tuned.weights'), 1, 16), null) weights_head`;

/** Of a list, which would carry all points that the models were trained on each time. */
const LEAN_COLUMNS = COLUMNS.replace(
  'input_config',
  "iif(json_valid(input_config), json_remove(input_config, '$.series'), null) input_config",
);

/** The entry in `meta` by which a training is asked to stop. */
const stopOf = (id: string): string => `stop ${id}`;

const OTHER_VERSION = 'was trained by another version, in a form that this one cannot use. Train it anew.';

const defaultModel = (baseModels.find((model) => model.isDefault) ?? baseModels[0]).id;

/** Base models and fine-tuned models, and the job that trains one. */
export class Models implements JobKind {
  readonly #database: DatabaseSync;
  readonly #datasets: Datasets;
  readonly #threads: Threads;

  constructor(database: DatabaseSync, datasets: Datasets, threads: Threads) {
    this.#database = database;
    this.#datasets = datasets;
    this.#threads = threads;
  }

  has(id: string): boolean {
    if (baseModels.some((model) => model.id === id)) return true;
    return this.#database.prepare('select 1 from fine_tuned_models where id = ?').get(id) !== undefined;
  }

  /**
   * @param id absent: the default model
   * @throws RequestError 404 where the model is unknown, 409 where it is not trained, 422 where its form cannot be read
   */
  usable(id: string = defaultModel): UsableModel {
    if (baseModels.some((model) => model.id === id)) return { id, base: id };
    const row = this.#database.prepare('select * from fine_tuned_models where id = ?').get(id);
    const loc = ['body', 'ai_model_id'];
    if (!row) throw RequestError.missing(loc, `There is no model “${id}”. ${KNOWN}`);
    const stored = json<StoredParameters>(row.parameters);
    if (!stored) {
      const state = row.status === 'FAILED' ? 'could not be trained' : 'is still being trained';
      const msg = `The model “${text(row.name) ?? id}” ${state}.`;
      throw new RequestError(409, [{ loc, msg, type: 'not_trained' }]);
    }
    const { tuned, ...rest } = stored;
    if (!isReadable(tuned.version, tuned.weights)) {
      throw RequestError.field(loc, `The model “${text(row.name) ?? id}” ${OTHER_VERSION}`);
    }
    return { id, base: String(row.base_model), parameters: tuned, ...rest };
  }

  listBase(): Page<BaseModel> {
    const items = baseModels.map(({ id, name, description, minPoints, isDefault }) => ({
      id,
      name,
      description,
      is_default: isDefault,
      min_points: minPoints,
      min_context_length: leastContext(id),
    }));
    return { items, total: items.length };
  }

  list(page: PageRequest): Page<LocalFineTunedModel> {
    return listTable(this.#database, { table: 'fine_tuned_models', columns: LEAN_COLUMNS }, page, readModel);
  }

  get(id: string): LocalFineTunedModel {
    return readModel(this.#row(id));
  }

  /** Stores the model as QUEUED, and its job. @throws RequestError 404, 422 with the field at fault, 429 */
  create(request: z.output<typeof LocalCreateFineTunedModel>, queue: Queue): LocalFineTunedModel {
    const before =
      request.start_model === undefined ? undefined : this.#before(request.start_model, request.base_model);
    const base = before?.base ?? request.base_model ?? defaultModel;
    if (!baseModels.some((model) => model.id === base)) {
      throw RequestError.missing(['body', 'base_model'], `There is no base model “${base}”. ${KNOWN}`);
    }
    const input = request.input_config ?? before?.input ?? {};
    const config = { ...(request.config ?? before?.config), ...(before && { start_model: before.id }) };
    checkConfig(config, base);
    this.#check(input);
    const id = newId('model');
    const now = isoInstant(Date.now());
    transaction(this.#database, () => {
      this.#database
        .prepare(
          `insert into fine_tuned_models
           (id, status, name, origin, base_model, config, input_config, warnings, created_at, updated_at)
           values (?, 'QUEUED', ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          id,
          request.name ?? null,
          request.origin ?? null,
          base,
          JSON.stringify(config),
          JSON.stringify(input),
          JSON.stringify(warningsOf(request, base)),
          now,
          now,
        );
      queue.add('fine_tuned_model', id, 'training');
    });
    return this.get(id);
  }

  /** What a training goes on from. @throws RequestError 404, 409 where it cannot */
  #before(id: string, base: string | undefined) {
    const loc = ['body', 'start_model'];
    const row = this.#database.prepare(`select ${COLUMNS} from fine_tuned_models where id = ?`).get(id);
    if (!row) throw RequestError.missing(loc, `There is no fine-tuned model “${id}”.`);
    const refused = (msg: string) => new RequestError(409, [{ loc, msg, type: 'other_model' }]);
    const start = this.usable(id);
    if (base !== undefined && base !== start.base) {
      throw refused(`This model was fine-tuned from ${start.base}, not from ${base}.`);
    }
    if (!isNeural(start.base)) {
      throw refused(`${start.base} does not learn in epochs, so there is nothing to go on from.`);
    }
    const config = json<ModelConfig>(row.config);
    return { id, base: start.base, config, input: json<InputConfig>(row.input_config) };
  }

  /** Asks the program that trains a model, this one or another, to end with the best so far; a training that waits fails. */
  async stop(id: string, queue: Queue): Promise<void> {
    const { status } = this.#row(id);
    if (status === 'QUEUED') await queue.cancel(id, 'Stopped before the training had begun.');
    else if (status === 'IN_PROGRESS') {
      this.#database.prepare('insert or ignore into meta (name, value) values (?, ?)').run(stopOf(id), '');
    }
  }

  #isStopped(id: string): boolean {
    return this.#database.prepare('select 1 from meta where name = ?').get(stopOf(id)) !== undefined;
  }

  /** Deletes a model; training that is not done yet is cancelled by that. Predictions made with it stay. */
  remove(id: string, queue: Queue): void {
    this.#row(id);
    transaction(this.#database, () => {
      queue.forget([id]);
      this.#database.prepare('delete from fine_tuned_models where id = ?').run(id);
    });
  }

  /** As that of predictions. */
  heal(queue: Queue): void {
    const lost = this.#database
      .prepare(
        `select id from fine_tuned_models where status in ('QUEUED', 'IN_PROGRESS')
         and not exists (select 1 from jobs where target = fine_tuned_models.id)`,
      )
      .all();
    for (const { id } of lost) {
      transaction(this.#database, () => {
        if (queue.has(String(id))) return; // another program was faster
        queue.add('fine_tuned_model', String(id), 'training');
        this.mark(String(id), 'QUEUED');
      });
    }
  }

  mark(id: string, status: 'IN_PROGRESS' | 'QUEUED'): void {
    this.#update(id, 'status = ?, progress = null', status);
  }

  progress(id: string, { fraction, training }: TaskProgress): void {
    if (training) this.#update(id, 'progress = ?, training = ?', fraction, JSON.stringify(training));
    else this.#update(id, 'progress = ?', fraction);
  }

  async run(id: string, signal: AbortSignal, events: TaskEvents): Promise<() => void> {
    const row = this.#row(id);
    const config = json<ModelConfig>(row.config) ?? {};
    const input = json<InputConfig>(row.input_config) ?? {};
    const missing = this.#missing(input);
    if (missing) {
      throw new JobError(
        `The ${missing.what} was deleted before the training was done. Create the model anew from series that are stored.`,
      );
    }
    const contextLength = config.context_length ?? undefined;
    const start = typeof config.start_model === 'string' ? this.usable(config.start_model).parameters : undefined;
    const panel = this.#panel(input);
    const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const result = await this.#threads.run(
      {
        kind: 'tune',
        model: String(row.base_model),
        panel: panel.map(({ points }) => points),
        horizon: config.prediction_length ?? undefined,
        contextLength,
        maxEpochs: config.max_epochs ?? undefined,
        start,
        stop,
      },
      signal,
      {
        ...events,
        onProgress: (progress) => {
          events.onProgress(progress);
          if (this.#isStopped(id)) Atomics.store(new Int32Array(stop), 0, 1);
        },
      },
    );
    const { parameters: tuned, horizon, training } = result;
    const stored: StoredParameters = { tuned, horizon, contextLength, samples: config.num_samples ?? undefined };
    const scoreOf = (gain: SeriesGain | undefined) =>
      gain && { name: panel[gain.index].name, base_mase: gain.baseMase, mase: gain.mase };
    const scores = {
      series: result.series,
      base_mase: result.baseMase,
      mase: result.mase,
      best: scoreOf(result.best),
      worst: scoreOf(result.worst),
    };
    return () => {
      this.#database.prepare('delete from meta where name = ?').run(stopOf(id));
      this.#update(
        id,
        `status = 'COMPLETED', progress = null, parameters = ?, scores = ?, training = ?`,
        JSON.stringify(stored),
        JSON.stringify(scores),
        training ? JSON.stringify(training) : null,
      );
    };
  }

  fail(id: string, message: string): void {
    this.#database.prepare('delete from meta where name = ?').run(stopOf(id));
    this.#update(id, `status = 'FAILED', progress = null, error = ?`, message);
  }

  /** The union of all that is selected: each stored series once, then the series given in the request itself. */
  #panel({ series, series_ids, dataset_ids, dataset_tags }: InputConfig): { points: string; name: string }[] {
    const ids = new Set([...(series_ids ?? []), ...this.#datasets.seriesOf(dataset_ids ?? [], dataset_tags ?? [])]);
    const stored = [...ids].map((id) => ({
      points: this.#datasets.points(id).json,
      name: this.#datasets.seriesName(id) ?? id,
    }));
    const own = series && series.length > 0 ? [{ points: JSON.stringify(series), name: 'the series sent along' }] : [];
    return [...stored, ...own];
  }

  #check(input: InputConfig): void {
    const loc = ['body', 'input_config'];
    const missing = this.#missing(input);
    if (missing) throw RequestError.missing([...loc, ...missing.place], `There is no ${missing.what}.`);
    if (input.series) toNumbers(input.series, [...loc, 'series']);
    const selected = this.#datasets.seriesOf(input.dataset_ids ?? [], input.dataset_tags ?? []).length;
    if (selected + (input.series_ids?.length ?? 0) + (input.series?.length ?? 0) === 0) {
      throw RequestError.field(
        loc,
        'No training series is selected. Give series, series_ids, dataset_ids or dataset_tags.',
      );
    }
  }

  /** The first that is selected and not stored: its place in `input_config`, and its name for the person. */
  #missing({ series_ids = [], dataset_ids = [], dataset_tags = [] }: InputConfig): Missing | undefined {
    const first = (field: string, values: readonly string[], isThere: (value: string) => boolean, what: string) => {
      const index = values.findIndex((value) => !isThere(value));
      return index < 0 ? undefined : { place: [field, index], what: `${what} “${values[index]}”` };
    };
    return (
      first('series_ids', series_ids, (id) => this.#datasets.hasSeries(id), 'series') ??
      first('dataset_ids', dataset_ids, (id) => this.#datasets.has(id), 'dataset') ??
      first('dataset_tags', dataset_tags, (tag) => this.#datasets.hasTag(tag), 'dataset with the tag')
    );
  }

  #update(id: string, assignments: string, ...values: (string | number | null)[]): void {
    this.#database
      .prepare(`update fine_tuned_models set ${assignments}, updated_at = ? where id = ?`)
      .run(...values, isoInstant(Date.now()), id);
  }

  #row(id: string): SqlRow {
    const row = this.#database.prepare(`select ${COLUMNS} from fine_tuned_models where id = ?`).get(id);
    if (!row) throw RequestError.notFound('fine-tuned model', id);
    return row as SqlRow;
  }
}

interface Missing {
  readonly place: readonly (string | number)[];
  readonly what: string;
}

const KNOWN = `Base models: ${baseModels.map((model) => model.id).join(', ')}.`;

/** A damaged record is given as far as it can be read, and says so in its `error`. */
const readModel = (row: SqlRow): LocalFineTunedModel => ({
  id: text(row.id) ?? `damaged_${row.seq}`,
  status: text(row.status) ?? 'FAILED',
  base_model: text(row.base_model),
  created_at: text(row.created_at),
  updated_at: text(row.updated_at),
  name: text(row.name),
  origin: text(row.origin),
  progress: number(row.progress),
  horizon: number(row.horizon),
  ...orDamaged<Partial<LocalFineTunedModel>>(
    () => {
      const warnings = json<string[]>(row.warnings) ?? [];
      if (row.trained === 1 && !isReadable(row.version, text(row.weights_head))) {
        warnings.unshift(`This model ${OTHER_VERSION}`);
      }
      return {
        config: json<ModelConfig>(needed(row.config)),
        input_config: json<InputConfig>(row.input_config),
        error: text(row.error),
        warnings: warnings.length > 0 ? warnings : undefined,
        scores: json<LocalFineTunedModel['scores']>(row.scores),
        training: json<LocalFineTunedModel['training']>(row.training),
      };
    },
    (error) => ({ error }),
  ),
});
