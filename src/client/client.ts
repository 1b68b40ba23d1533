import * as z from 'zod/mini';
import {
  BaseModel,
  DatasetPredictions,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
  StoredSeries,
} from '../contract/local.ts';
import type {
  CreateDataset,
  CreateFineTunedModel,
  LocalCreatePrediction,
  PredictDataset,
} from '../contract/requests.ts';
import { Key } from '../contract/resources.ts';
import { parseTimestamp } from '../contract/timestamp.ts';
import { Capabilities, type Method } from './capabilities.ts';
import { ServiceError } from './errors.ts';
import { isModelOf, isPredictionOf } from './lost-answer.ts';
import { type ListPage, readListPage } from './page.ts';
import { type Call, Transport, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** Names of the two paging parameters, which the interface leaves open. */
  readonly cursorParameter?: string | undefined;
  readonly sizeParameter?: string | undefined;
}

/** What a list is asked for. Without a cursor: its first page. */
export interface ListQuery {
  readonly cursor?: string | undefined;
  readonly size?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Signal = AbortSignal | undefined;

/**
 * Talks to any service that speaks the interface. The five operations of the interface are always there; of the others
 * only those that the service's own description announces ({@link capabilities}) may be called.
 *
 * Every method throws {@link ServiceError}, or the signal's reason when aborted.
 */
export class ServiceClient {
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  #capabilities: Promise<Capabilities> | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
  }

  get baseUrl(): URL {
    return this.#options.baseUrl;
  }

  /** One exchange as it is, for checking a service. @returns the parsed JSON of the answer */
  call(call: Call): Promise<unknown> {
    return this.#transport.call(call);
  }

  /** What the service announces; asked for once, and again after a failure to reach it. */
  capabilities(): Promise<Capabilities> {
    return (this.#capabilities ??= this.#describe().catch((error: unknown) => {
      this.#capabilities = undefined;
      throw error;
    }));
  }

  /** Asks anew at the next use, as with another token. */
  forgetCapabilities(): void {
    this.#capabilities = undefined;
  }

  listDatasets(query: ListQuery = {}): Promise<ListPage<LocalDataset>> {
    return this.#list('/datasets', LocalDataset, query);
  }

  listKeys(query: ListQuery = {}): Promise<ListPage<Key>> {
    return this.#list('/keys', Key, query);
  }

  /** @param withSeries whether the two series are wanted; a service that cannot leave them out sends them always */
  async listPredictions(query: ListQuery = {}, withSeries = true): Promise<ListPage<LocalPrediction>> {
    const lean = !withSeries && (await this.capabilities()).asks('get', '/predictions', 'include_series');
    return this.#list('/predictions', LocalPrediction, query, lean ? { include_series: 'false' } : {});
  }

  /**
   * Fields that the service does not announce are not sent. Never sent twice: where the answer was lost, what it made is
   * looked for in the list. A {@link ServiceError} with `outcomeUnknown` means that it is not there (yet).
   */
  createPrediction(request: LocalCreatePrediction, signal?: Signal): Promise<LocalPrediction> {
    return this.#createOnce(
      async () => {
        const body = await this.#announced(request, '/predictions', ['prediction_length', 'quantile_levels', 'name']);
        const call: Call = { method: 'POST', path: '/predictions', body, signal, timeout: 10 * 60_000 };
        return parse(LocalPrediction, await this.#transport.call(call), 'prediction');
      },
      async () => (await this.listPredictions({ signal })).items,
      (item) => isPredictionOf(request, item),
    );
  }

  /** As {@link createPrediction}; what was made can only be looked for where the service announces a list of models. */
  createFineTunedModel(
    request: CreateFineTunedModel & { name?: string | undefined },
    signal?: Signal,
  ): Promise<LocalFineTunedModel> {
    return this.#createOnce(
      async () => {
        const body = await this.#announced(request, '/fine_tuned_models', ['name']);
        const call: Call = { method: 'POST', path: '/fine_tuned_models', body, signal };
        return parse(LocalFineTunedModel, await this.#transport.call(call), 'fine-tuned model');
      },
      async () => {
        const isListed = (await this.capabilities()).has('get', '/fine_tuned_models');
        return isListed ? (await this.listFineTunedModels({ signal })).items : [];
      },
      (item) => isModelOf(request, item),
    );
  }

  async getPrediction(id: string, signal?: Signal): Promise<LocalPrediction> {
    return parse(LocalPrediction, await this.#further('get', '/predictions/{}', id, signal), 'prediction');
  }

  async getFineTunedModel(id: string, signal?: Signal): Promise<LocalFineTunedModel> {
    return parse(
      LocalFineTunedModel,
      await this.#further('get', '/fine_tuned_models/{}', id, signal),
      'fine-tuned model',
    );
  }

  async listBaseModels(query: ListQuery = {}): Promise<ListPage<BaseModel>> {
    await this.#require('get', '/base_models');
    return this.#list('/base_models', BaseModel, query);
  }

  async listFineTunedModels(query: ListQuery = {}): Promise<ListPage<LocalFineTunedModel>> {
    await this.#require('get', '/fine_tuned_models');
    return this.#list('/fine_tuned_models', LocalFineTunedModel, query);
  }

  async listDatasetSeries(datasetId: string, query: ListQuery = {}): Promise<ListPage<StoredSeries>> {
    await this.#require('get', '/datasets/{}/series');
    return this.#list(`/datasets/${encodeURIComponent(datasetId)}/series`, StoredSeries, query);
  }

  async createDataset(request: CreateDataset, signal?: Signal): Promise<LocalDataset> {
    await this.#require('post', '/datasets');
    const call: Call = { method: 'POST', path: '/datasets', body: request, signal, timeout: 10 * 60_000 };
    return parse(LocalDataset, await this.#transport.call(call), 'dataset');
  }

  /** As {@link createDataset}, of a request that is JSON already. */
  async createDatasetFrom(body: Uint8Array<ArrayBuffer>, signal?: Signal): Promise<LocalDataset> {
    await this.#require('post', '/datasets');
    const call: Call = { method: 'POST', path: '/datasets', text: body, signal, timeout: 10 * 60_000 };
    return parse(LocalDataset, await this.#transport.call(call), 'dataset');
  }

  /** Predictions of all series of a dataset; they are QUEUED. */
  async predictDataset(id: string, request: PredictDataset, signal?: Signal): Promise<DatasetPredictions> {
    await this.#require('post', PREDICTIONS_OF);
    const path = `/datasets/${encodeURIComponent(id)}/predictions`;
    const call: Call = { method: 'POST', path, body: request, signal, timeout: 10 * 60_000 };
    return parse(DatasetPredictions, await this.#transport.call(call), 'predictions');
  }

  /** Cancels the predictions of a dataset that have not ended. */
  async cancelDatasetPredictions(id: string): Promise<void> {
    await this.#require('delete', PREDICTIONS_OF);
    await this.#transport.call({ method: 'DELETE', path: `/datasets/${encodeURIComponent(id)}/predictions` });
  }

  /** Predictions of the series of a dataset, newest first, without their input. */
  async listDatasetPredictions(
    datasetId: string,
    { status, withSeries = true, ...query }: ListQuery & { readonly status?: string; readonly withSeries?: boolean },
  ): Promise<ListPage<LocalPrediction>> {
    if (!(await this.capabilities()).asks('get', '/predictions', 'dataset_id')) {
      throw new ServiceError('refused', 'This service cannot list the predictions of a dataset.');
    }
    return this.#list('/predictions', LocalPrediction, query, {
      dataset_id: datasetId,
      ...(status === undefined ? {} : { status }),
      ...(withSeries ? { include_input: 'false' } : { include_series: 'false' }),
    });
  }

  async createKey(name: string | undefined, signal?: Signal): Promise<Key> {
    await this.#require('post', '/keys');
    return parse(Key, await this.#transport.call({ method: 'POST', path: '/keys', body: { name }, signal }), 'key');
  }

  async delete(
    kind: 'predictions' | 'fine_tuned_models' | 'datasets' | 'keys',
    id: string,
    signal?: Signal,
  ): Promise<void> {
    await this.#further('delete', `/${kind}/{}`, id, signal);
  }

  /** Creates, and where the answer was lost finds what was made: like the request, and not older than it. */
  async #createOnce<T extends { created_at?: string | undefined }>(
    create: () => Promise<T>,
    list: () => Promise<readonly T[]>,
    isLike: (item: T) => boolean,
  ): Promise<T> {
    const start = Date.now();
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const items = await list().catch((): readonly T[] => []);
      const earliest = start + this.#transport.clockDifference - CLOCK_TOLERANCE;
      const made = items.find((item) => parseTimestamp(item.created_at ?? '') >= earliest && isLike(item));
      if (made) return made;
      throw error;
    }
  }

  async #describe(): Promise<Capabilities> {
    const { pathname } = this.#options.baseUrl;
    try {
      const description = await this.#transport.call({ method: 'GET', path: '/openapi.json', timeout: 10_000 });
      return new Capabilities(description, pathname);
    } catch (error) {
      // a service without a description is within its rights; one that cannot be reached is asked again
      const asked = error instanceof ServiceError && error.kind !== 'unreachable' && error.kind !== 'unauthorized';
      if (asked) return new Capabilities(undefined);
      throw error;
    }
  }

  async #announced(
    request: Record<string, unknown>,
    path: string,
    further: readonly string[],
  ): Promise<Record<string, unknown>> {
    const set = Object.entries(request).filter(([, value]) => value !== undefined && value !== null);
    if (!set.some(([field]) => further.includes(field))) return Object.fromEntries(set);
    const capabilities = await this.capabilities();
    return Object.fromEntries(
      set.filter(([field]) => !further.includes(field) || capabilities.takes('post', path, field)),
    );
  }

  async #require(method: Method, path: string): Promise<void> {
    if (!(await this.capabilities()).has(method, path)) {
      throw new ServiceError('refused', 'This service does not offer that.');
    }
  }

  async #further(method: 'get' | 'delete', path: string, id: string, signal: Signal): Promise<unknown> {
    await this.#require(method, path);
    const call = {
      method: method === 'get' ? 'GET' : 'DELETE',
      path: path.replace('{}', encodeURIComponent(id)),
      signal,
    } as const;
    return this.#transport.call(call);
  }

  async #list<T extends z.core.$ZodType>(
    path: string,
    schema: T,
    { cursor, size, signal }: ListQuery,
    further: Record<string, string> = {},
  ): Promise<ListPage<z.core.output<T>>> {
    const { cursorParameter = 'cursor', sizeParameter = 'size' } = this.#options;
    const query = {
      [cursorParameter]: cursor,
      [sizeParameter]: size === undefined ? undefined : String(size),
      ...further,
    };
    return readListPage(schema, await this.#transport.call({ method: 'GET', path, query, signal }));
  }
}

const PREDICTIONS_OF = '/datasets/{}/predictions';

/** The `Date` header, from which the service’s clock is known, has whole seconds. */
const CLOCK_TOLERANCE = 1000;

function parse<T extends z.core.$ZodType>(schema: T, body: unknown, what: string): z.core.output<T> {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue.path.length > 0 ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  throw new ServiceError('not-a-service', `The service’s answer is not a ${what} of the interface${place}.`);
}
