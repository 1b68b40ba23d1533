import * as l10n from '@vscode/l10n';
import type {
  BaseModel,
  DatasetPredictions,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
  Storage,
  StoredSeries,
} from '../contract/local.ts';
import type { Backtest, CovariateTest, OddPoints, Parts } from '../contract/analysis.ts';
import type { ItemOf, ListName, QueryOf } from '../contract/operations.ts';
import type {
  CreateDataset,
  CreateFineTunedModel,
  LocalCreatePrediction,
  PredictDataset,
  FindOddPoints,
  TestCovariates,
} from '../contract/requests.ts';
import type { Key } from '../contract/resources.ts';
import type { AddedSeries, DatasetForecast } from '../contract/streams.ts';
import type { Capabilities } from './capabilities.ts';
import { Description } from './description.ts';
import { isGone, isPassing, ServiceError } from './errors.ts';
import { type Creation, fitPoints } from './fit.ts';
import { Learning, type LearnedStore } from './learned.ts';
import { type Found, type Reading, Lists, SERIES } from './lists.ts';
import { RecentPredictions } from './recent.ts';
import type { ListPage, ListQuery } from './page.ts';
import { type Call, Transport, type TransportOptions } from './transport.ts';
import { Creations } from './creations.ts';
import { LONG, NDJSON, Operations } from './operations.ts';
import { SentSeries } from './sent-series.ts';

export interface ClientOptions extends TransportOptions {
  /** Whether predictions are asked for with `is_async`, so that no proxy on the way cuts a long request. */
  readonly isAsync?: boolean | undefined;
  /** Keeps what the use of the service teaches; of this client alone where absent. */
  readonly learned?: LearnedStore | undefined;
  /** Is told what a refusal has taught, in a sentence. */
  readonly onLearned?: ((sentence: string) => void) | undefined;
}

type Signal = AbortSignal | undefined;
type DatasetQuery = ListQuery & {
  readonly status?: string;
  readonly createdAt?: string | undefined;
  readonly withSeries?: boolean;
  readonly withInput?: boolean;
  readonly withSketch?: boolean;
};
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
  readonly #description: Description;
  readonly #operations: Operations;
  readonly #creations: Creations;
  readonly #lists: Lists;
  readonly #learning: Learning;
  readonly #sent = new SentSeries();
  readonly #recent = new RecentPredictions();

  constructor(options: ClientOptions) {
    this.#options = options;
    const learning = (this.#learning = new Learning(options.learned));
    const transport = (this.#transport = new Transport(options, learning));
    const description = (this.#description = new Description(transport, options.baseUrl));
    const operations = (this.#operations = new Operations(transport, description));
    const lists = (this.#lists = new Lists(transport, description, learning));
    const { onLearned } = options;
    const sent = this.#sent;
    this.#creations = new Creations({ transport, description, operations, lists, learning, sent, onLearned });
  }

  /** What the use of the service has taught so far. */
  get learned(): Learning['now'] {
    return this.#learning.now;
  }

  get baseUrl(): URL {
    return this.#options.baseUrl;
  }

  /** One exchange as it is, for checking a service. @returns the parsed JSON of the answer */
  call(call: Call): Promise<unknown> {
    return this.#transport.call(call);
  }

  /** What the service announces; asked for once, and again after a failure to get it. */
  capabilities(): Promise<Capabilities> {
    return this.#description.get();
  }

  /** Where the description has the operations of the interface, if not below the base URL; always of its origin. */
  async elsewhere(): Promise<string | undefined> {
    const { elsewhere } = await this.capabilities();
    return elsewhere === undefined ? undefined : this.baseUrl.origin + elsewhere;
  }

  /** Asks anew at the next use, as with another token. */
  forgetCapabilities(): void {
    this.#description.forget();
  }

  /** Whether a request must name a model, as far as the description or a refusal has told. */
  requiresModel(name: Creation): Promise<boolean> {
    return this.#creations.requiresModel(name);
  }

  /** The ids of models that the description allows. */
  describedModels(name: Creation): Promise<readonly string[]> {
    return this.#creations.describedModels(name);
  }

  /** How many of these points cannot be sent, as they have no value and the service does not announce that it takes such. */
  async unsendable(
    points: readonly { readonly value?: unknown }[],
    name: Creation = 'createPrediction',
  ): Promise<number> {
    return points.length - fitPoints(points, await this.capabilities(), name).length;
  }

  /** A page of a list as the service sends it, for checking a service. */
  listBody(name: ListName, query: ListQuery): Promise<unknown> {
    return this.#lists.body(name, query);
  }

  /** @param withJobs whether also those are wanted that were stored for jobs; other services know no such difference */
  async listDatasets(query: ListQuery = {}, withJobs = false): Promise<ListPage<LocalDataset>> {
    const isAsked = withJobs && (await this.capabilities()).asks('listDatasets', 'for_jobs');
    return this.list('listDatasets', query, isAsked ? { for_jobs: 'true' } : {});
  }

  listKeys(query: ListQuery = {}): Promise<ListPage<Key>> {
    return this.list('listKeys', query);
  }

  /** @param withSeries whether the two series are wanted; what a service sends of them all the same is passed over */
  async listPredictions(query: ListQuery = {}, withSeries = true): Promise<ListPage<LocalPrediction>> {
    if (withSeries) return this.#lists.page('listPredictions', query);
    const isLean = (await this.capabilities()).asks('listPredictions', 'include_series');
    const reading: Reading = isLean ? { further: { include_series: 'false' } } : { drop: SERIES };
    return this.#lists.page('listPredictions', query, reading);
  }

  /**
   * Looks for predictions, each with its series: by its id where the service can, else in the list where it must be. What
   * ended and was just read is not asked for.
   * @throws ServiceError
   */
  async findPredictions(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalPrediction>> {
    const recent = [...ids].flatMap((id) => this.#recent.get(id) ?? []);
    const others = new Set([...ids].filter((id) => !recent.some((one) => one.id === id)));
    if (others.size === 0) return { jobs: recent, isAll: true };
    const canRead = await this.#canRead(others, signal);
    const { jobs, isAll } = canRead ? await this.#readEach(others, signal) : await this.#lists.find(others, signal);
    for (const one of jobs) this.#recent.add(one);
    return { jobs: [...recent, ...jobs], isAll };
  }

  /** Whether a prediction can be read by its id though nothing announces it: said by a `Location`, or found out with one that is there. */
  async #canRead(ids: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    const { reads } = this.#learning.now;
    if (reads !== undefined || (await this.capabilities()).isDescribed) return reads ?? false;
    const id = [...ids].find((one) => this.#creations.hasMade(one));
    if (id === undefined) return false;
    try {
      const found = await this.getPrediction(id, signal);
      this.#learning.set({ reads: found.id === id });
    } catch (error) {
      const isOfThis = error instanceof ServiceError && error.kind !== 'unauthorized' && !isPassing(error);
      if (!isOfThis) throw error;
      this.#learning.set({ reads: false });
    }
    return this.#learning.now.reads ?? false;
  }

  async #readEach(ids: Iterable<string>, signal: AbortSignal): Promise<Found<LocalPrediction>> {
    const jobs: LocalPrediction[] = [];
    for (const id of ids) {
      try {
        jobs.push(await this.getPrediction(id, signal));
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    return { jobs, isAll: true };
  }

  /**
   * Fields that the service does not announce are not sent. Never sent twice: where the answer was lost, what it made is
   * looked for in the list. A {@link ServiceError} with `outcomeUnknown` means that it is not there (yet).
   */
  createPrediction(request: LocalCreatePrediction, signal?: Signal): Promise<LocalPrediction> {
    return this.#creations.prediction({ is_async: this.#options.isAsync, ...request }, signal);
  }

  /** As {@link createPrediction}; what was made can only be looked for where the service announces a list of models. */
  createFineTunedModel(
    request: CreateFineTunedModel & { name?: string | undefined; start_model?: string | undefined },
    signal?: Signal,
  ): Promise<LocalFineTunedModel> {
    return this.#creations.model(request, signal);
  }

  /** Stops a training; the best epoch so far is kept. For services that announce it. */
  stopFineTunedModel(id: string, signal?: Signal): Promise<LocalFineTunedModel> {
    return this.#operations.do('stopFineTunedModel', { id, signal });
  }

  /** The series of one that was just asked for is the one that was sent, where the service can leave it out. */
  async getPrediction(id: string, signal?: Signal): Promise<LocalPrediction> {
    const isLean = this.#sent.has(id) && (await this.capabilities()).asks('getPrediction', 'include_input');
    const query = isLean ? { query: { include_input: 'false' } } : {};
    const isTried = this.#learning.now.reads ?? this.#creations.hasMade(id);
    return this.#sent.whole(await this.#operations.do('getPrediction', { id, signal, isTried, ...query }));
  }

  /** The prediction made again from times in the past. For services that announce it. */
  getBacktest(
    id: string,
    query: Partial<Record<QueryOf<'getBacktest'>, number>> = {},
    signal?: Signal,
  ): Promise<Backtest> {
    const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.#operations.do('getBacktest', { id, query: texts, signal, timeout: LONG });
  }

  /** What the series and its forecast add up from. For services that announce it. */
  getParts(id: string, signal?: Signal): Promise<Parts> {
    return this.#operations.do('getParts', { id, signal, timeout: LONG });
  }

  getFineTunedModel(id: string, signal?: Signal): Promise<LocalFineTunedModel> {
    return this.#operations.do('getFineTunedModel', { id, signal });
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

  getSeries(id: string, signal?: Signal): Promise<StoredSeries> {
    return this.#operations.do('getSeries', { id, signal });
  }

  createDataset(request: CreateDataset, signal?: Signal): Promise<LocalDataset> {
    return this.#operations.do('createDataset', { body: request, signal, timeout: LONG });
  }

  getDataset(id: string, signal?: Signal): Promise<LocalDataset> {
    return this.#operations.do('getDataset', { id, signal });
  }

  /** As {@link createDataset}, of a request that is JSON already. */
  createDatasetFrom(text: Uint8Array<ArrayBuffer>, signal?: Signal): Promise<LocalDataset> {
    return this.#operations.do('createDataset', { text, signal, timeout: LONG });
  }

  /** Adds series to a dataset. @param lines NDJSON */
  addSeries(
    id: string,
    lines: Uint8Array<ArrayBuffer>,
    call: Pick<Call, 'signal' | 'timeout' | 'patience'> = {},
  ): Promise<AddedSeries> {
    return this.#operations.do('addSeries', { id, text: lines, type: NDJSON, ...call });
  }

  /** The newest forecasts of the series of a dataset, as a stream. @throws ServiceError also where it breaks off */
  datasetForecasts(id: string, signal?: Signal): AsyncGenerator<DatasetForecast> {
    return this.#operations.lines('listForecasts', id, signal);
  }

  /** Predictions of all series of a dataset; they are QUEUED. */
  predictDataset(
    id: string,
    request: PredictDataset,
    call: Pick<Call, 'signal' | 'idempotencyKey'> = {},
  ): Promise<DatasetPredictions> {
    return this.#operations.do('predictDataset', { id, body: request, timeout: LONG, ...call });
  }

  /** Cancels the predictions of a dataset that have not ended. @param createdAt those of one request, for services that announce it */
  async cancelDatasetPredictions(id: string, createdAt?: string): Promise<void> {
    await this.#operations.do('cancelDatasetPredictions', { id, query: { created_at: createdAt } });
  }

  /**
   * Predictions of the series of a dataset, newest first, without their input unless it is asked for with the series.
   * @param withSketch for a service that announces it, as is `createdAt`
   */
  async listDatasetPredictions(
    datasetId: string,
    { status, createdAt, withSeries = true, withInput = false, withSketch, ...query }: DatasetQuery,
  ): Promise<ListPage<LocalPrediction>> {
    const offers = await this.capabilities();
    if (!offers.asks('listPredictions', 'dataset_id')) {
      throw new ServiceError('refused', l10n.t('This service cannot list the predictions of a dataset.'));
    }
    return this.list('listPredictions', query, {
      dataset_id: datasetId,
      status,
      ...(withSeries ? (withInput ? {} : { include_input: 'false' }) : { include_series: 'false' }),
      ...(offers.asks('listPredictions', 'created_at') ? { created_at: createdAt } : {}),
      ...(withSketch && offers.asks('listPredictions', 'include_sketch') ? { include_sketch: 'true' } : {}),
    });
  }

  /** Which covariates of the points help; for services that announce it. */
  testCovariates(body: TestCovariates, signal?: Signal): Promise<CovariateTest> {
    return this.#operations.do('testCovariates', { body, signal });
  }

  /** Sent as often as it takes: it makes nothing. */
  findOddPoints(body: FindOddPoints, signal?: Signal): Promise<OddPoints> {
    return this.#operations.do('findOddPoints', { body, signal });
  }

  createKey(name: string | undefined, signal?: Signal): Promise<Key> {
    return this.#operations.do('createKey', { body: { name }, signal });
  }

  /** How much is stored. For services that announce it. */
  storage(signal?: Signal): Promise<Storage> {
    return this.#operations.do('getStorage', { signal });
  }

  async delete(name: Deletion, id: string, signal?: Signal): Promise<void> {
    this.#recent.delete(id);
    await this.#operations.do(name, { id, signal });
  }

  /** A page of any list; the named methods above say what each is. */
  list<K extends ListName>(
    name: K,
    query: ListQuery = {},
    further: Partial<Record<QueryOf<K>, string | undefined>> = {},
    id = '',
  ): Promise<ListPage<ItemOf<K>>> {
    return this.#lists.page(name, query, { further, id });
  }
}
