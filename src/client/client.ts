import * as z from 'zod/mini';
import type {
  BaseModel,
  DatasetPredictions,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
  OddPoints,
  StoredSeries,
} from '../contract/local.ts';
import {
  type AnswerOf,
  type ItemOf,
  type ListName,
  type Operation,
  type OperationName,
  operations,
  type QueryOf,
} from '../contract/operations.ts';
import type {
  CreateDataset,
  CreateFineTunedModel,
  LocalCreatePrediction,
  PredictDataset,
  FindOddPoints,
} from '../contract/requests.ts';
import type { Key } from '../contract/resources.ts';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { Capabilities } from './capabilities.ts';
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
type Deletion = 'deletePrediction' | 'deleteFineTunedModel' | 'deleteDataset' | 'deleteKey';

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
    return this.list('listDatasets', query);
  }

  listKeys(query: ListQuery = {}): Promise<ListPage<Key>> {
    return this.list('listKeys', query);
  }

  /** @param withSeries whether the two series are wanted; a service that cannot leave them out sends them always */
  async listPredictions(query: ListQuery = {}, withSeries = true): Promise<ListPage<LocalPrediction>> {
    const lean = !withSeries && (await this.capabilities()).asks('listPredictions', 'include_series');
    return this.list('listPredictions', query, lean ? { include_series: 'false' } : {});
  }

  /**
   * Fields that the service does not announce are not sent. Never sent twice: where the answer was lost, what it made is
   * looked for in the list. A {@link ServiceError} with `outcomeUnknown` means that it is not there (yet).
   */
  createPrediction(request: LocalCreatePrediction, signal?: Signal): Promise<LocalPrediction> {
    return this.#createOnce(
      async () => {
        const body = await this.#announced('createPrediction', request);
        return this.#do('createPrediction', { body, signal, timeout: LONG });
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
        const body = await this.#announced('createFineTunedModel', request);
        return this.#do('createFineTunedModel', { body, signal });
      },
      async () => {
        const isListed = (await this.capabilities()).has('listFineTunedModels');
        return isListed ? (await this.listFineTunedModels({ signal })).items : [];
      },
      (item) => isModelOf(request, item),
    );
  }

  getPrediction(id: string, signal?: Signal): Promise<LocalPrediction> {
    return this.#do('getPrediction', { id, signal });
  }

  getFineTunedModel(id: string, signal?: Signal): Promise<LocalFineTunedModel> {
    return this.#do('getFineTunedModel', { id, signal });
  }

  listBaseModels(query: ListQuery = {}): Promise<ListPage<BaseModel>> {
    return this.list('listBaseModels', query);
  }

  listFineTunedModels(query: ListQuery = {}): Promise<ListPage<LocalFineTunedModel>> {
    return this.list('listFineTunedModels', query);
  }

  listDatasetSeries(id: string, query: ListQuery = {}): Promise<ListPage<StoredSeries>> {
    return this.list('listDatasetSeries', query, {}, id);
  }

  createDataset(request: CreateDataset, signal?: Signal): Promise<LocalDataset> {
    return this.#do('createDataset', { body: request, signal, timeout: LONG });
  }

  /** As {@link createDataset}, of a request that is JSON already. */
  createDatasetFrom(text: Uint8Array<ArrayBuffer>, signal?: Signal): Promise<LocalDataset> {
    return this.#do('createDataset', { text, signal, timeout: LONG });
  }

  /** Predictions of all series of a dataset; they are QUEUED. */
  predictDataset(id: string, request: PredictDataset, signal?: Signal): Promise<DatasetPredictions> {
    return this.#do('predictDataset', { id, body: request, signal, timeout: LONG });
  }

  /** Cancels the predictions of a dataset that have not ended. */
  async cancelDatasetPredictions(id: string): Promise<void> {
    await this.#do('cancelDatasetPredictions', { id });
  }

  /** Predictions of the series of a dataset, newest first, without their input. */
  async listDatasetPredictions(
    datasetId: string,
    { status, withSeries = true, ...query }: ListQuery & { readonly status?: string; readonly withSeries?: boolean },
  ): Promise<ListPage<LocalPrediction>> {
    if (!(await this.capabilities()).asks('listPredictions', 'dataset_id')) {
      throw new ServiceError('refused', 'This service cannot list the predictions of a dataset.');
    }
    return this.list('listPredictions', query, {
      dataset_id: datasetId,
      status,
      ...(withSeries ? { include_input: 'false' } : { include_series: 'false' }),
    });
  }

  /** Sent as often as it takes: it makes nothing. */
  findOddPoints(body: FindOddPoints, signal?: Signal): Promise<OddPoints> {
    return this.#do('findOddPoints', { body, signal });
  }

  createKey(name: string | undefined, signal?: Signal): Promise<Key> {
    return this.#do('createKey', { body: { name }, signal });
  }

  async delete(name: Deletion, id: string, signal?: Signal): Promise<void> {
    await this.#do(name, { id, signal });
  }

  /** A page of any list; the named methods above say what each is. */
  async list<K extends ListName>(
    name: K,
    { cursor, size, signal }: ListQuery = {},
    further: Partial<Record<QueryOf<K>, string | undefined>> = {},
    id = '',
  ): Promise<ListPage<ItemOf<K>>> {
    const { cursorParameter = 'cursor', sizeParameter = 'size' } = this.#options;
    const query = {
      ...further,
      [cursorParameter]: cursor,
      [sizeParameter]: size === undefined ? undefined : String(size),
    };
    const answer = await this.#send(name, { id, query, signal });
    return readListPage(operations[name].item, answer) as ListPage<ItemOf<K>>;
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

  /** The request without what is not set, and without what the interface does not have and the service does not announce. */
  async #announced(name: OperationName, request: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { core }: Operation = operations[name];
    const set = Object.entries(request).filter(([, value]) => value !== undefined && value !== null);
    const isCore = (field: string): boolean => field in (core?.body?.shape ?? {});
    if (set.every(([field]) => isCore(field))) return Object.fromEntries(set);
    const offers = await this.capabilities();
    return Object.fromEntries(set.filter(([field]) => isCore(field) || offers.takes(name, field)));
  }

  /** Does an operation, one beyond the five only where the service announces it. @returns the JSON of the answer */
  async #send(name: OperationName, { id = '', ...call }: Exchange): Promise<unknown> {
    const { method, path, core }: Operation = operations[name];
    if (!core && !(await this.capabilities()).has(name)) {
      throw new ServiceError('refused', 'This service does not offer that.');
    }
    return this.#transport.call({ method, path: path.replace('{id}', encodeURIComponent(id)), ...call });
  }

  /** As {@link #send}, the answer read by its schema. */
  async #do<K extends OperationName>(name: K, exchange: Exchange): Promise<AnswerOf<K>> {
    const { answer: schema, noun = 'resource' }: Operation = operations[name];
    const answer = await this.#send(name, exchange);
    return (schema && parse(schema, answer, noun)) as AnswerOf<K>;
  }
}

/** A {@link Call} of an operation, `id` being the parameter of its path. */
type Exchange = Omit<Call, 'method' | 'path'> & { readonly id?: string };

/** Milliseconds for what may take long: synchronous predictions, large uploads. */
const LONG = 10 * 60_000;

/** The `Date` header, from which the service’s clock is known, has whole seconds. */
const CLOCK_TOLERANCE = 1000;

function parse<T extends z.core.$ZodType>(schema: T, body: unknown, what: string): z.core.output<T> {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue.path.length > 0 ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  throw new ServiceError('not-a-service', `The service’s answer is not a ${what} of the interface${place}.`);
}
