import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { isoInstant } from '../../calendar/format.ts';
import { failure, type Failure, type FailureCode } from '../../contract/failures.ts';
import { CreateFineTunedModel } from '../../contract/requests.ts';
import { type BaseModel, InputConfig, ModelConfig, type Page, type SeriesPoint } from '../../contract/resources.ts';
import { baseModels, isNeural } from '../../engine/models.ts';
import { isReadable } from '../../engine/neural/weights.ts';
import { leastContext, type SeriesGain } from '../../engine/tuning/hold-outs.ts';
import type { TunedParameters } from '../../engine/types.ts';
import { json, newId, orDamaged, pick, Repository, type Row } from '../database/repository.ts';
import { type Store, type Tenant, transaction } from '../database/store.ts';
import { JobError, RequestError } from '../errors.ts';
import { change, type JobKind, type Queue } from '../jobs/queue.ts';
import type { Note } from '../store/creations.ts';
import { Datasets } from '../store/datasets.ts';
import { toNumbers } from '../store/points.ts';
import type { Threads } from '../tasks/pool.ts';
import type { ForecastOptions } from '../tasks/series.ts';

/** What a forecast is made with; `model` is the base model beneath, the same as `id` for a base model. */
export type UsableModel = { readonly id: string } & Pick<
  ForecastOptions,
  'model' | 'parameters' | 'contextLength' | 'horizon' | 'samples'
>;

type StoredParameters = Pick<UsableModel, 'contextLength' | 'horizon' | 'samples'> & {
  readonly tuned: Omit<TunedParameters, 'weights'>;
};

type ModelRow = Row<'fine_tuned_models'> & { readonly weights_head: string | null };

const defaultModel = (baseModels.find((model) => model.isDefault) ?? baseModels[0]).id;
const KNOWN = baseModels.map((model) => model.id).join(', ');

export class Models extends Repository<ModelRow, ReturnType<typeof readModel>> {
  protected readonly table = 'fine_tuned_models';
  protected readonly missing = 'no_fine_tuned_model';
  protected override readonly columns = sql`seq, id, status, name, requested_by, base_model, config, input_config,
    null input_series, parameters, scores, warnings, progress, error, training, created_at, updated_at,
    substr(weights, 1, 16) weights_head`;
  protected override readonly single = sql`*, substr(weights, 1, 16) weights_head`;
  readonly #datasets: Datasets;

  constructor(store: Store, tenant?: Tenant) {
    super(store, tenant);
    this.#datasets = new Datasets(store, tenant);
  }

  protected read(rows: readonly ModelRow[]) {
    return rows.map(readModel);
  }

  /** @param id absent: the default model @throws RequestError 404; 409 where it is not trained; 422 unreadable */
  async usable(id: string = defaultModel): Promise<UsableModel> {
    if (baseModels.some((model) => model.id === id)) return { id, model: id };
    const row = await this.find(id);
    const loc = ['body', 'ai_model_id'];
    if (!row) throw RequestError.field(loc, failure('no_model', id, KNOWN), 404);
    const stored = json<StoredParameters>(row.parameters);
    const name = row.name ?? id;
    if (!stored)
      throw RequestError.field(loc, failure(row.status === 'FAILED' ? 'model_failed' : 'model_in_training', name), 409);
    const { tuned, ...rest } = stored;
    const weights = row.weights ?? undefined;
    if (!isReadable(tuned.version, weights)) throw RequestError.field(loc, failure('model_of_other_version', name));
    return { id, model: row.base_model, parameters: { ...tuned, weights }, ...rest };
  }

  listBase(): Page<z.input<typeof BaseModel>> {
    const items = baseModels.map(({ id, name, minPoints, isDefault }) => ({
      id,
      name,
      description: failure(`model_${id.replaceAll('-', '_')}` as FailureCode),
      is_default: isDefault,
      min_points: minPoints,
      min_context_length: leastContext(id),
    }));
    return { items, total: items.length };
  }

  /** Stores the model as QUEUED, and its job. @throws RequestError 404, 422 with the field at fault, 429 */
  async create(request: z.output<typeof CreateFineTunedModel>, queue: Queue, note?: Note) {
    const start =
      request.start_model === undefined ? undefined : await this.#startOf(request.start_model, request.base_model);
    const base = start?.base ?? request.base_model ?? defaultModel;
    if (!baseModels.some((model) => model.id === base))
      throw RequestError.field(['body', 'base_model'], failure('no_model', base, KNOWN), 404);
    const input = request.input_config ?? start?.input ?? {};
    const { series: points, ...selection } = input;
    const config = { ...(request.config ?? start?.config), ...(start && { start_model: start.id }) };
    checkConfig(config, base);
    const loc = ['body', 'input_config'];
    const selected = await this.#selected(input, (gone, place) => RequestError.field([...loc, ...place], gone, 404));
    if (input.series) toNumbers(input.series, [...loc, 'series']);
    if (selected.size + (input.series?.length ?? 0) === 0) throw RequestError.field(loc, failure('no_selection'));
    const id = newId('model');
    const now = isoInstant(Date.now());
    const tenant = this.owner;
    const row = {
      id,
      tenant,
      status: 'QUEUED',
      name: request.name ?? null,
      requested_by: request.requested_by ?? null,
      base_model: base,
      config: JSON.stringify(config),
      input_config: JSON.stringify(selection),
      input_series: points ? JSON.stringify(points) : null,
      warnings: JSON.stringify(warningsOf(request, base)),
      created_at: now,
      updated_at: now,
    };
    return transaction(this.db, async (db) => {
      await db.insertInto('fine_tuned_models').values(row).execute();
      await queue.add(db, { kind: 'fine_tuned_model', targets: [id], lane: 'training', tenant });
      await note?.(db, id);
      return this.get(id, db);
    });
  }

  async #startOf(id: string, base: string | undefined) {
    const loc = ['body', 'start_model'];
    const row = await this.find(id);
    if (!row) throw RequestError.field(loc, failure('no_fine_tuned_model', id), 404);
    const { model } = await this.usable(id);
    if (base !== undefined && base !== model)
      throw RequestError.field(loc, failure('other_base_model', model, base), 409);
    if (!isNeural(model)) throw RequestError.field(loc, failure('nothing_to_go_on_from', model), 409);
    return { id, base: model, config: json<ModelConfig>(row.config), input: inputOf(row) };
  }

  /** Asks the program that trains a model, this one or another, to end with the best so far; a training that waits fails. */
  async stop(id: string, queue: Queue): Promise<void> {
    const { status } = await this.row(id);
    if (status === 'QUEUED') await queue.cancel(id, failure('stopped'));
    else if (status === 'IN_PROGRESS')
      await this.db.updateTable('fine_tuned_models').set({ stopping: 1 }).where('id', '=', id).execute();
  }

  async remove(id: string, queue: Queue): Promise<void> {
    await this.row(id);
    await this.db.deleteFrom('fine_tuned_models').where('id', '=', id).execute();
    queue.changed();
  }

  /** What a thread is asked to train, and what is kept of it. @throws RequestError 404; JobError where something selected was deleted */
  async training(id: string) {
    const row = await this.row(id);
    const config = json<ModelConfig>(row.config) ?? {};
    const input = inputOf(row);
    const [names, dataset]: string[][] = [[], []];
    for (const one of await this.#selected(input, (gone) => new JobError(failure('selection_deleted', gone)))) {
      names.push((await this.#datasets.series.row(one)).name ?? one);
      dataset.push(await this.#datasets.series.points(one));
    }
    if (input.series && input.series.length > 0) {
      names.push('the series sent along');
      dataset.push(JSON.stringify(input.series));
    }
    const { start_model: from, prediction_length: horizon, context_length: contextLength } = config;
    const start = typeof from === 'string' ? (await this.usable(from)).parameters : undefined;
    const asked = { kind: 'tune', model: row.base_model, dataset, horizon, contextLength, start } as const;
    return { ...asked, maxEpochs: config.max_epochs, samples: config.num_samples, names };
  }

  /** The ids of the stored series that are selected, each once. @throws what `missing` makes of the first that is not there */
  async #selected(
    { series_ids = [], dataset_ids = [], dataset_tags = [] }: InputConfig,
    missing: (gone: Failure, place: readonly [string, number]) => Error,
  ): Promise<ReadonlySet<string>> {
    const datasets = this.#datasets;
    const idOf = (all: Pick<Datasets, 'has'>) => async (id: string) => ((await all.has(id)) ? [id] : []);
    const found: Record<string, string[]> = {};
    for (const [field, values, find, gone] of [
      ['series_ids', series_ids, idOf(datasets.series), 'no_stored_series'],
      ['dataset_ids', dataset_ids, idOf(datasets), 'no_dataset'],
      ['dataset_tags', dataset_tags, (tag: string) => datasets.tagged(tag), 'no_tag'],
    ] as const) {
      found[field] = [];
      for (const [index, value] of values.entries()) {
        const ids = await find(value);
        if (ids.length === 0) throw missing(failure(gone, value), [field, index]);
        found[field].push(...ids);
      }
    }
    return new Set([...found.series_ids, ...(await datasets.seriesOf([...found.dataset_ids, ...found.dataset_tags]))]);
  }
}

const inputOf = (row: ModelRow): InputConfig => {
  const series = json<SeriesPoint[]>(row.input_series);
  return { ...json<InputConfig>(row.input_config), ...(series && { series }) };
};

/** A damaged record is given as far as it can be read, and says so in its `error`. */
const readModel = (row: ModelRow) => ({
  ...pick(row, 'id', 'base_model', 'created_at', 'updated_at', 'name', 'requested_by', 'progress'),
  status: (row.status as string | undefined) ?? 'FAILED',
  ...orDamaged(() => {
    const warnings = json<Failure[]>(row.warnings) ?? [];
    const parameters = json<StoredParameters>(row.parameters);
    if (parameters && !isReadable(parameters.tuned.version, row.weights_head ?? undefined))
      warnings.unshift(failure('model_of_other_version', row.name ?? row.id));
    return {
      config: json<ModelConfig>(row.config),
      input_config: inputOf(row),
      horizon: parameters?.horizon,
      error: json<Failure>(row.error),
      warnings: warnings.length > 0 ? warnings : undefined,
      scores: json<unknown>(row.scores),
      training: json<unknown>(row.training),
    };
  }),
});

/** @throws RequestError 422 where a setting cannot work with the base model */
function checkConfig(config: ModelConfig, base: string): void {
  const refused = (field: string, why: Failure) => RequestError.field(['body', 'config', field], why);
  const least = leastContext(base);
  if (config.use_rope_scaling && isNeural(base)) throw refused('use_rope_scaling', failure('rope_scaling', base));
  if ((config.context_length ?? least) < least) throw refused('context_length', failure('least_context', least, base));
}

/** What a person must know of a request that is accepted: fields that are not known, settings without effect. */
function warningsOf(request: z.output<typeof CreateFineTunedModel>, base: string): Failure[] {
  const { config, input_config } = request;
  const unknown = (given: object | undefined, shape: object, path = ''): Failure[] =>
    Object.keys(given ?? {})
      .filter((name) => !Object.hasOwn(shape, name))
      .map((name) => failure('unknown_field', path + name));
  const unused: readonly [unknown, FailureCode][] = [
    [config?.max_epochs !== undefined, 'epochs_unused'],
    [config?.num_samples !== undefined, 'samples_unused'],
    [config?.use_rope_scaling, 'rope_scaling_unused'],
  ];
  return [
    ...unknown(request, CreateFineTunedModel.shape),
    ...unknown(config, ModelConfig.shape, 'config.'),
    ...unknown(input_config, InputConfig.shape, 'input_config.'),
    ...(isNeural(base) ? [] : unused.filter(([isSet]) => isSet).map(([, code]) => failure(code, base))),
  ];
}

export const trainingJobs = (models: Models, threads: Threads): JobKind => ({
  run: async ([id], signal, events) => {
    const { samples, names, ...task } = await models.in(events.tenant).training(id);
    const stop = new AbortController();
    const asked = models.db.selectFrom('fine_tuned_models').select('stopping').where('id', '=', id);
    const { parameters, horizon, training, ...result } = await threads.run<'tune'>(task, signal, {
      ...events,
      stop: stop.signal,
      onProgress: (progress) => {
        events.onProgress(progress);
        asked.executeTakeFirst().then(
          (row) => row?.stopping === 1 && stop.abort(),
          () => undefined,
        );
      },
    });
    const { weights = null, ...tuned } = parameters;
    const stored: StoredParameters = { tuned, horizon, contextLength: task.contextLength, samples };
    const scoreOf = (gain: SeriesGain | undefined) =>
      gain && { name: names[gain.index], base_mase: gain.baseMase, mase: gain.mase };
    const { series, baseMase: base_mase, mase } = result;
    const scores = { series, base_mase, mase, best: scoreOf(result.best), worst: scoreOf(result.worst) };
    const written = { parameters: JSON.stringify(stored), weights, scores: JSON.stringify(scores) };
    const ended = { status: 'COMPLETED', progress: null, training: training ? JSON.stringify(training) : null };
    return async (db) => new Map((await change(db, id, { ...ended, ...written })) ? [[id, {}]] : []);
  },
});
