import * as l10n from '@vscode/l10n';
import type { AnswerOf, ItemOf, ListName, QueryOf } from '../contract/operations.ts';
import type { CreatePrediction } from '../contract/requests.ts';
import { isPending, type LocalDataset, type LocalFineTunedModel, type LocalPrediction } from '../contract/resources.ts';
import { Creations, MODEL_FIELD, type ModelRequest } from './creations.ts';
import { isGone, isPassing, ServiceError } from './errors.ts';
import type { Creation } from './fit.ts';
import { KnownPredictions } from './known-predictions.ts';
import type { Learned } from './learned.ts';
import { type Found, Lists, SERIES } from './lists.ts';
import { Operations } from './operations.ts';
import type { ListPage, ListQuery } from './page.ts';
import type { ClientOptions } from './transport.ts';

type Signal = AbortSignal | undefined;
type DatasetQuery = ListQuery & { readonly status?: string; readonly batchId?: string | undefined } & Readonly<
    Partial<Record<'withSeries' | 'withInput' | 'withSketch', boolean>>
  >;
type Deletion = 'deletePrediction' | 'deleteFineTunedModel' | 'deleteDataset' | 'deleteKey';

/**
 * Talks to any service that speaks the interface: with its five operations, and others that its description announces.
 * Every method throws {@link ServiceError}, or the signal’s reason when aborted.
 */
export class ServiceClient extends Operations {
  readonly lists = new Lists(this);
  readonly #isAsync: boolean | undefined;
  readonly #creations: Creations;
  readonly #known = new KnownPredictions();

  constructor(options: ClientOptions) {
    super(options);
    this.#isAsync = options.isAsync;
    this.#creations = new Creations(this.lists, this.#known, options.onLearned);
  }

  get learned(): Learned {
    return this.learning.now;
  }

  async requiresModel(name: Creation): Promise<boolean> {
    if (this.#creations.needsModel(name)) return true;
    return (await this.capabilities()).rules(name, MODEL_FIELD[name])?.required ?? false;
  }

  async describedModels(name: Creation): Promise<readonly string[]> {
    return (await this.capabilities()).rules(name, MODEL_FIELD[name])?.choices ?? [];
  }

  /** A page of a list, newest first. @param further those parameters are sent that the service announces */
  async list<K extends ListName>(
    name: K,
    query: ListQuery = {},
    further: Partial<Record<QueryOf<K>, string | undefined>> = {},
    id?: string,
  ): Promise<ListPage<ItemOf<K>>> {
    const offers = await this.capabilities();
    const entries = Object.entries<string | undefined>(further);
    const taken = Object.fromEntries(
      entries.filter(([key, value]) => value !== undefined && offers.asks(name, key as QueryOf<K>)),
    );
    // series that cannot be left out are dropped as they arrive
    const isUnwanted = entries.some(([key, value]) => key === 'include_series' && value === 'false' && !(key in taken));
    return this.lists.page(name, query, { further: taken, id, drop: isUnwanted ? SERIES : undefined });
  }

  listDatasets(query: ListQuery = {}, withJobs = false): Promise<ListPage<LocalDataset>> {
    return this.list('listDatasets', query, withJobs ? { for_jobs: 'true' } : {});
  }

  listPredictions(query: ListQuery = {}, withSeries = true): Promise<ListPage<LocalPrediction>> {
    return this.list('listPredictions', query, withSeries ? {} : { include_series: 'false' });
  }

  /** Predictions of the series of a dataset, newest first, without their input unless it is asked for with the series. */
  async listDatasetPredictions(
    datasetId: string,
    { status, batchId, withSeries = true, withInput = false, withSketch = false, ...query }: DatasetQuery,
  ): Promise<ListPage<LocalPrediction>> {
    if (!(await this.capabilities()).asks('listPredictions', 'dataset_id')) {
      throw new ServiceError('refused', l10n.t('This service cannot list the predictions of a dataset.'));
    }
    return this.list('listPredictions', query, {
      dataset_id: datasetId,
      status,
      batch_id: batchId,
      include_series: withSeries ? undefined : 'false',
      include_input: withSeries && !withInput ? 'false' : undefined,
      include_sketch: withSketch ? 'true' : undefined,
    });
  }

  /** Reads predictions, those that have ended with their series: each by its ID where the service can, else in its list. */
  async findPredictions(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalPrediction>> {
    const recent = [...ids].flatMap((id) => this.#known.recent(id) ?? []);
    const left = new Set([...ids].filter((id) => !recent.some((one) => one.id === id)));
    if (left.size === 0) return { jobs: recent, isAll: true };
    const found = (await this.#canRead(left, signal))
      ? await this.#readPredictions(left, signal)
      : await this.lists.find(left, signal);
    for (const one of found.jobs) this.#known.keep(one);
    return { ...found, jobs: [...recent, ...found.jobs] };
  }

  async #readPredictions(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalPrediction>> {
    const isLean = (await this.capabilities()).asks('listPredictions', 'include_series');
    // mostly finds all, as jobs that have not ended are new
    const look = () => this.listPredictions({ size: Math.min(20, ids.size), signal }, false);
    const listed = isLean ? (await look()).items : [];
    const pending = listed.filter(({ id, status }) => ids.has(id) && isPending(status));
    const others = [...ids].filter((id) => !pending.some((one) => one.id === id));
    const { jobs } = await readEach(others, (id) => this.getPrediction(id, signal));
    return { jobs: [...pending, ...jobs], isAll: true };
  }

  /** Whether a prediction can be read by its ID: announced, known from a `Location`, or tried with one that exists. */
  async #canRead(ids: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    const offers = await this.capabilities();
    if (offers.has('getPrediction') || this.learned.reads === true) return true;
    const id = [...ids].find((one) => this.#creations.made.has(one));
    if (this.learned.reads === false || offers.isDescribed || id === undefined) return false;
    const found = await this.getPrediction(id, signal).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.kind === 'unauthorized' || isPassing(error)) throw error;
      return undefined;
    });
    this.learning.set({ reads: found?.id === id });
    return found?.id === id;
  }

  /** Reads fine-tuned models where the service offers that: with the interface alone, a model cannot be read after it is made. */
  async findModels(ids: ReadonlySet<string>, signal: AbortSignal): Promise<Found<LocalFineTunedModel>> {
    const offers = await this.capabilities();
    if (offers.has('getFineTunedModel')) return readEach(ids, (id) => this.do('getFineTunedModel', { id, signal }));
    if (!offers.has('listFineTunedModels')) return { jobs: [], isAll: true };
    const { items, next } = await this.list('listFineTunedModels', { signal });
    return { jobs: items.filter(({ id }) => ids.has(id)), isAll: next === undefined };
  }

  /** Never sent twice: where the answer was lost, what it made is looked for; `outcomeUnknown` of an error: it is not there (yet). */
  createPrediction(request: CreatePrediction, signal?: Signal): Promise<LocalPrediction> {
    return this.#creations.prediction({ is_async: this.#isAsync, ...request }, signal);
  }

  createFineTunedModel(request: ModelRequest, signal?: Signal): Promise<AnswerOf<'createFineTunedModel'>> {
    return this.#creations.model(request, signal);
  }

  /** A series that was just sent is not read again, where the service can leave it out. */
  async getPrediction(id: string, signal?: Signal): Promise<LocalPrediction> {
    const isLean = this.#known.has(id) && (await this.capabilities()).asks('getPrediction', 'include_input');
    const query = isLean ? { query: { include_input: 'false' } } : {};
    const isTried = this.learned.reads ?? this.#creations.made.has(id);
    return this.#known.keep(await this.do('getPrediction', { id, signal, isTried, ...query }));
  }

  async delete(name: Deletion, id: string, signal?: Signal): Promise<void> {
    this.#known.delete(id);
    await this.do(name, { id, signal });
  }
}

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
