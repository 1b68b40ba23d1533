import { failure, type Failure, type FailureCode } from '../../contract/failures.ts';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import type { BaseModel } from '../../contract/local.ts';
import { LocalCreateFineTunedModel } from '../../contract/requests.ts';
import { InputConfig, ModelConfig, type Page } from '../../contract/resources.ts';
import { isoInstant } from '../../calendar/format.ts';
import { baseModels, isNeural } from '../../engine/models.ts';
import { isReadable } from '../../engine/neural/weights.ts';
import { leastContext } from '../../engine/tuning/hold-outs.ts';
import type { TunedParameters } from '../../engine/types.ts';
import type { Note } from '../store/creations.ts';
import type { Datasets } from '../store/datasets.ts';
import { dialectOf } from '../database/home.ts';
import { RequestError } from '../errors.ts';
import type { Home } from '../database/home.ts';
import {
  json,
  listTable,
  needed,
  newId,
  number,
  orDamaged,
  type PageRequest,
  type SqlRow,
  text,
} from '../database/list.ts';
import { DEFAULT_TENANT, ofTenant, type Tenant } from '../database/home.ts';
import { type Db, transaction } from '../database/tables.ts';
import { checkSelection } from '../store/training-series.ts';
import type { Queue } from '../jobs/queue.ts';
import { checkConfig, warningsOf } from '../tasks/training-config.ts';

/** A fine-tuned model as it is answered. */
export interface StoredModel {
  readonly id: string;
  readonly status: string;
  readonly warnings?: readonly Failure[] | undefined;
  readonly [field: string]: unknown;
}

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
export interface StoredParameters {
  readonly tuned: TunedParameters;
  readonly horizon: number;
  readonly contextLength?: number | undefined;
  readonly samples?: number | undefined;
}

/**
 * A model with what lists tell of its parameters, which are large themselves.
 * @param isListed without the points that it was trained on, all of which a list would carry each time
 */
function columnsOf(db: Db, isListed: boolean) {
  const { numberAt, textAt, without } = dialectOf(db);
  return sql`seq, id, status, name, requested_by, base_model, config,
    ${isListed ? without('input_config', 'series') : sql.ref('input_config')} input_config,
    scores, warnings, progress, error, training, created_at, updated_at,
    case when parameters is null then 0 else 1 end trained,
    ${numberAt('parameters', ['horizon'])} horizon, ${numberAt('parameters', ['tuned', 'version'])} version,
    ${textAt('parameters', ['tuned', 'weights'], 16)} weights_head`;
}

const defaultModel = (baseModels.find((model) => model.isDefault) ?? baseModels[0]).id;

/** Base models and fine-tuned models. */
export class Models {
  readonly #home: Home;
  readonly #db: Db;
  readonly #datasets: Datasets;
  readonly #tenant: Tenant;

  /** @param tenant all of its queries are bound to it */
  constructor(home: Home, datasets: Datasets, tenant?: Tenant) {
    this.#home = home;
    this.#db = home.in(tenant);
    this.#datasets = datasets;
    this.#tenant = tenant;
  }

  in(tenant: Tenant): Models {
    return new Models(this.#home, this.#datasets.in(tenant), tenant);
  }

  /**
   * @param id absent: the default model
   * @throws RequestError 404 where the model is unknown, 409 where it is not trained, 422 where its form cannot be read
   */
  async usable(id: string = defaultModel): Promise<UsableModel> {
    if (baseModels.some((model) => model.id === id)) return { id, base: id };
    const found = this.#db.selectFrom('fine_tuned_models').where('id', '=', id).where(ofTenant(this.#tenant));
    const row: SqlRow | undefined = await found.selectAll().executeTakeFirst();
    const loc = ['body', 'ai_model_id'];
    if (!row) throw RequestError.field(loc, failure('no_model', id, KNOWN), 404);
    const stored = json<StoredParameters>(row.parameters);
    const name = text(row.name) ?? id;
    if (!stored) {
      throw RequestError.field(loc, failure(row.status === 'FAILED' ? 'model_failed' : 'model_in_training', name), 409);
    }
    const { tuned, ...rest } = stored;
    if (!isReadable(tuned.version, tuned.weights)) {
      throw RequestError.field(loc, failure('model_of_other_version', name));
    }
    return { id, base: String(row.base_model), parameters: tuned, ...rest };
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

  list(page: PageRequest): Promise<Page<StoredModel>> {
    const where = ofTenant(this.#tenant);
    const query = { table: 'fine_tuned_models', columns: columnsOf(this.#db, true), where } as const;
    return listTable(this.#db, query, page, (rows) => rows.map(readModel));
  }

  async get(id: string): Promise<StoredModel> {
    return readModel(await this.row(id));
  }

  /** Stores the model as QUEUED, and its job. @returns it as it was stored. @throws RequestError 404, 422 with the field at fault, 429 */
  async create(request: z.output<typeof LocalCreateFineTunedModel>, queue: Queue, note?: Note): Promise<StoredModel> {
    const before =
      request.start_model === undefined ? undefined : await this.#before(request.start_model, request.base_model);
    const base = before?.base ?? request.base_model ?? defaultModel;
    if (!baseModels.some((model) => model.id === base)) {
      throw RequestError.field(['body', 'base_model'], failure('no_base_model', base, KNOWN), 404);
    }
    const input = request.input_config ?? before?.input ?? {};
    const config = { ...(request.config ?? before?.config), ...(before && { start_model: before.id }) };
    checkConfig(config, base);
    await checkSelection(this.#datasets, input);
    const id = newId('model');
    const now = isoInstant(Date.now());
    return transaction(this.#db, async (db) => {
      await db
        .insertInto('fine_tuned_models')
        .values({
          id,
          status: 'QUEUED',
          name: request.name ?? null,
          requested_by: request.requested_by ?? null,
          base_model: base,
          config: JSON.stringify(config),
          input_config: JSON.stringify(input),
          warnings: JSON.stringify(warningsOf(request, base)),
          created_at: now,
          updated_at: now,
          tenant: this.#tenant ?? DEFAULT_TENANT,
        })
        .execute();
      const tenant = this.#tenant ?? DEFAULT_TENANT;
      await queue.add(db, { kind: 'fine_tuned_model', target: id, turn: 'training', tenant });
      await note?.(db, id);
      return readModel(await this.row(id, db));
    });
  }

  /** What a training goes on from. @throws RequestError 404, 409 where it cannot */
  async #before(id: string, base: string | undefined) {
    const loc = ['body', 'start_model'];
    const row = await this.#find(id);
    if (!row) throw RequestError.field(loc, failure('no_fine_tuned_model', id), 404);
    const refused = (why: Failure) => RequestError.field(loc, why, 409);
    const start = await this.usable(id);
    if (base !== undefined && base !== start.base) {
      throw refused(failure('other_base_model', start.base, base));
    }
    if (!isNeural(start.base)) {
      throw refused(failure('nothing_to_go_on_from', start.base));
    }
    const config = json<ModelConfig>(row.config);
    return { id, base: start.base, config, input: json<InputConfig>(row.input_config) };
  }

  /** Asks the program that trains a model, this one or another, to end with the best so far; a training that waits fails. */
  async stop(id: string, queue: Queue): Promise<void> {
    const { status } = await this.row(id);
    if (status === 'QUEUED') await queue.cancel(id, failure('stopped'));
    else if (status === 'IN_PROGRESS') {
      await this.#db.updateTable('fine_tuned_models').set({ stopping: 1 }).where('id', '=', id).execute();
    }
  }

  /** Deletes a model; training that is not done yet is cancelled by that. Predictions made with it stay. */
  async remove(id: string, queue: Queue): Promise<void> {
    await this.row(id);
    await this.#db.deleteFrom('fine_tuned_models').where('id', '=', id).execute();
    queue.look();
  }

  /** What is stored of a model, but for its parameters. @throws RequestError 404 */
  async row(id: string, db = this.#db): Promise<SqlRow> {
    const row = await this.#find(id, db);
    if (!row) throw new RequestError(404, failure('no_fine_tuned_model', id));
    return row;
  }

  async #find(id: string, db = this.#db): Promise<SqlRow | undefined> {
    const columns = columnsOf(db, false);
    const { rows } = await sql<SqlRow>`select ${columns} from fine_tuned_models
      where id = ${id} and ${ofTenant(this.#tenant)}`.execute(db);
    return rows[0];
  }
}

const KNOWN = baseModels.map((model) => model.id).join(', ');

/** A damaged record is given as far as it can be read, and says so in its `error`. */
const readModel = (row: SqlRow): StoredModel => ({
  id: text(row.id) ?? `damaged_${row.seq}`,
  status: text(row.status) ?? 'FAILED',
  base_model: text(row.base_model),
  created_at: text(row.created_at),
  updated_at: text(row.updated_at),
  name: text(row.name),
  requested_by: text(row.requested_by),
  progress: number(row.progress),
  horizon: number(row.horizon),
  ...orDamaged<object>(
    () => {
      const warnings = json<Failure[]>(row.warnings) ?? [];
      if (row.trained === 1 && !isReadable(row.version, text(row.weights_head))) {
        warnings.unshift(failure('trained_by_other_version'));
      }
      return {
        config: json<ModelConfig>(needed(row.config)),
        input_config: json<InputConfig>(row.input_config),
        error: json<Failure>(row.error),
        warnings: warnings.length > 0 ? warnings : undefined,
        scores: json(row.scores),
        training: json(row.training),
      };
    },
    (error) => ({ error }),
  ),
});
