import * as l10n from '@vscode/l10n';
import type {
  DatasetForecast,
  DatasetPredictions,
  LocalDataset,
  LocalFineTunedModel,
  LocalPrediction,
} from '../contract/local.ts';
import { isPending } from '../contract/operation.ts';
import type { AnswerOf, ItemOf, ListName, OperationName, QueryOf } from '../contract/operations.ts';
import type { LocalCreatePrediction, PredictDataset } from '../contract/requests.ts';
import type { Capabilities } from './capabilities.ts';
import { Creations, MODEL_FIELD, type ModelRequest } from './creations.ts';
import { isGone, isPassing, ServiceError } from './errors.ts';
import { type Creation, fitPoints } from './fit.ts';
import { KnownPredictions } from './known-predictions.ts';
import type { Learned, LearnedStore } from './learned.ts';
import { type Found, Lists, SERIES } from './lists.ts';
import { type Exchange, Operations } from './operations.ts';
import type { ListPage, ListQuery } from './page.ts';
import type { Call, TransportOptions } from './transport.ts';

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
  readonly batchId?: string | undefined;
  readonly withSeries?: boolean;
  readonly withInput?: boolean;
  readonly withSketch?: boolean;
};
type Deletion = 'deletePrediction' | 'deleteFineTunedModel' | 'deleteDataset' | 'deleteKey';

/** A first look at the list mostly finds all, as jobs that have not ended are new. */
const FIRST_LOOK = 20;

/**
 * Talks to any service that speaks the interface. The five operations of the interface are always there; of the others
 * only those that the service's own description announces ({@link capabilities}) may be called.
 *
 * Every method throws {@link ServiceError}, or the signal's reason when aborted.
 */
export class ServiceClient {
  readonly #options: ClientOptions;
  readonly #operations: Operations;
  readonly #creations: Creations;
  readonly #lists: Lists;
  readonly #known = new KnownPredictions();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#operations = new Operations(options);
    this.#lists = new Lists(this.#operations);
    const parts = { operations: this.#operations, lists: this.#lists, known: this.#known };
    this.#creations = new Creations({ ...parts, onLearned: options.onLearned });
  }

  /** What the use of the service has taught so far. */
  get learned(): Learned {
    return this.#operations.learning.now;
  }

  get baseUrl(): URL {
    return this.#options.baseUrl;
  }

  /** One exchange as it is, for checking a service. @returns the parsed JSON of the answer */
  call(call: Call): Promise<unknown> {
    return this.#operations.transport.call(call);
  }

  /** What the service announces; asked for once, and again after a failure to get it. */
  capabilities(): Promise<Capabilities> {
    return this.#operations.offers();
  }

  /** Where the description has the operations of the interface, if not below the base URL; always of its origin. */
  async elsewhere(): Promise<string | undefined> {
    const { elsewhere } = await this.capabilities();
    return elsewhere === undefined ? undefined : this.baseUrl.origin + elsewhere;
  }

  /** Asks anew at the next use, as with another token. */
  forgetCapabilities(): void {
    this.#operations.description.forget();
  }

  /** Whether a request must name a model, as far as the description or a refusal has told. */
  async requiresModel(name: Creation): Promise<boolean> {
    if (this.#creations.needsModel(name)) return true;
    return (await this.capabilities()).rules(name, MODEL_FIELD[name])?.required ?? false;
  }

  /** The ids of models that the description allows. */
  async describedModels(name: Creation): Promise<readonly string[]> {
    return (await this.capabilities()).rules(name, MODEL_FIELD[name])?.choices ?? [];
  }

  /** How many of these points cannot be sent, as they have no value and the service does not announce that it takes such. */
  async unsendable(
    points: readonly { readonly value?: unknown }[],
    name: Creation = 'createPrediction',
  ): Promise<number> {
    return points.length - fitPoints(points, await this.capabilities(), name).length;
  }

  /** An operation by its name in the contract; one beyond the five only where the service announces it. */
  do<K extends OperationName>(name: K, exchange?: Exchange): Promise<AnswerOf<K>> {
    return this.#operations.do(name, exchange);
  }

  /** A page of a list by its name in the contract. @param further parameters beyond those of paging @param id of what it is a list of */
  list<K extends ListName>(
    name: K,
    query: ListQuery = {},
    further: Partial<Record<QueryOf<K>, string | undefined>> = {},
    id?: string,
  ): Promise<ListPage<ItemOf<K>>> {
    return this.#lists.page(name, query, { further, id });
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

  /** @param withSeries whether the two series are wanted; what a service sends of them all the same is passed over */
  async listPredictions(query: ListQuery = {}, withSeries = true): Promise<ListPage<LocalPrediction>> {
    const isLean = !withSeries && (await this.capabilities()).asks('listPredictions', 'include_series');
    const drop = withSeries || isLean ? undefined : SERIES;
    const further = isLean ? { include_series: 'false' } : {};
    return this.#lists.page('listPredictions', query, { further, drop });
  }

  /** Reads predictions, those that have ended with their series: by its id where the service can, else in its list. */
  async findPredictions(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalPrediction>> {
    const offers = await this.capabilities();
    const read = (id: string) => this.getPrediction(id, signal);
    if (!offers.has('getPrediction')) return this.#findUnannounced(ids, signal);
    if (!offers.asks('listPredictions', 'include_series')) return readEach(ids, read);
    const { items } = await this.listPredictions({ size: Math.min(FIRST_LOOK, ids.size), signal }, false);
    const pending = items.filter(({ id, status }) => ids.has(id) && isPending(status));
    const others = [...ids].filter((id) => !pending.some((one) => one.id === id));
    return { jobs: [...pending, ...(await readEach(others, read)).jobs], isAll: true };
  }

  /** What ended and was just read is not asked for. */
  async #findUnannounced(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalPrediction>> {
    const recent = [...ids].flatMap((id) => this.#known.recent(id) ?? []);
    const others = new Set([...ids].filter((id) => !recent.some((one) => one.id === id)));
    if (others.size === 0) return { jobs: recent, isAll: true };
    const { jobs, isAll } = (await this.#canRead(others, signal))
      ? await readEach(others, (id) => this.getPrediction(id, signal))
      : await this.#lists.find(others, signal);
    for (const one of jobs) this.#known.read(one);
    return { jobs: [...recent, ...jobs], isAll };
  }

  /** Whether a prediction can be read by its id though nothing announces it: said by a `Location`, or found out with one that is there. */
  async #canRead(ids: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    const { learning } = this.#operations;
    if (learning.now.reads !== undefined || (await this.capabilities()).isDescribed) return learning.now.reads ?? false;
    const id = [...ids].find((one) => this.#creations.hasMade(one));
    if (id === undefined) return false;
    const reads = await this.getPrediction(id, signal).then(
      (found) => found.id === id,
      (error: unknown) => {
        const isOfThis = error instanceof ServiceError && error.kind !== 'unauthorized' && !isPassing(error);
        if (!isOfThis) throw error;
        return false;
      },
    );
    learning.set({ reads });
    return reads;
  }

  /** Reads fine-tuned models where the service offers that: to the interface alone a model is gone once it is made. */
  async findModels(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalFineTunedModel>> {
    const offers = await this.capabilities();
    if (offers.has('getFineTunedModel')) return readEach(ids, (id) => this.do('getFineTunedModel', { id, signal }));
    if (!offers.has('listFineTunedModels')) return { jobs: [], isAll: true };
    const { items, next } = await this.list('listFineTunedModels', { signal });
    return { jobs: items.filter(({ id }) => ids.has(id)), isAll: next === undefined };
  }

  /**
   * Fields that the service does not announce are not sent. Never sent twice: where the answer was lost, what it made is
   * looked for in the list. A {@link ServiceError} with `outcomeUnknown` means that it is not there (yet).
   */
  createPrediction(request: LocalCreatePrediction, signal?: Signal): Promise<LocalPrediction> {
    return this.#creations.prediction({ is_async: this.#options.isAsync, ...request }, signal);
  }

  /** As {@link createPrediction}; what was made can only be looked for where the service announces a list of models. */
  createFineTunedModel(request: ModelRequest, signal?: Signal): Promise<AnswerOf<'createFineTunedModel'>> {
    return this.#creations.model(request, signal);
  }

  /** The series of one that was just asked for is the one that was sent, where the service can leave it out. */
  async getPrediction(id: string, signal?: Signal): Promise<LocalPrediction> {
    const isLean = this.#known.hasSeriesOf(id) && (await this.capabilities()).asks('getPrediction', 'include_input');
    const query = isLean ? { query: { include_input: 'false' } } : {};
    const isTried = this.learned.reads ?? this.#creations.hasMade(id);
    return this.#known.whole(await this.do('getPrediction', { id, signal, isTried, ...query }));
  }

  /** The newest forecasts of the series of a dataset, as a stream. @throws ServiceError also where it breaks off */
  datasetForecasts(id: string, signal?: Signal): AsyncGenerator<DatasetForecast> {
    return this.#operations.lines('listForecasts', id, signal);
  }

  /** Predictions of all series of a dataset; they are QUEUED. */
  predictDataset(
    id: string,
    body: PredictDataset,
    call: Pick<Call, 'signal' | 'idempotencyKey'> = {},
  ): Promise<DatasetPredictions> {
    return this.do('predictDataset', { id, body, ...call });
  }

  /** Cancels the predictions of a dataset that have not ended. @param batchId those of one batch, for services that announce it */
  async cancelDatasetPredictions(id: string, batchId?: string): Promise<void> {
    await this.do('cancelDatasetPredictions', { id, query: { batch_id: batchId } });
  }

  /**
   * Predictions of the series of a dataset, newest first, without their input unless it is asked for with the series.
   * @param withSketch for a service that announces it, as is `batchId`
   */
  async listDatasetPredictions(
    datasetId: string,
    { status, batchId, withSeries = true, withInput = false, withSketch, ...query }: DatasetQuery,
  ): Promise<ListPage<LocalPrediction>> {
    const offers = await this.capabilities();
    if (!offers.asks('listPredictions', 'dataset_id')) {
      throw new ServiceError('refused', l10n.t('This service cannot list the predictions of a dataset.'));
    }
    return this.list('listPredictions', query, {
      dataset_id: datasetId,
      status,
      ...(withSeries ? (withInput ? {} : { include_input: 'false' }) : { include_series: 'false' }),
      ...(offers.asks('listPredictions', 'batch_id') ? { batch_id: batchId } : {}),
      ...(withSketch && offers.asks('listPredictions', 'include_sketch') ? { include_sketch: 'true' } : {}),
    });
  }

  async delete(name: Deletion, id: string, signal?: Signal): Promise<void> {
    this.#known.delete(id);
    await this.do(name, { id, signal });
  }
}

/** Reads resources one by one; those that are gone are left out. */
async function readEach<T>(ids: Iterable<string>, read: (id: string) => Promise<T>): Promise<Found<T>> {
  const jobs: T[] = [];
  for (const id of ids) {
    try {
      jobs.push(await read(id));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
  return { jobs, isAll: true };
}
