import * as l10n from '@vscode/l10n';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { readAs } from '../contract/failures.ts';
import { isObject } from '../contract/json.ts';
import type { ItemOf, ListName, QueryOf } from '../contract/operations.ts';
import type { CreateFineTunedModel, CreatePrediction } from '../contract/requests.ts';
import { isPending, type LocalDataset, type LocalFineTunedModel, LocalPrediction } from '../contract/resources.ts';
import { isGone, isRefusal, ServiceError, unless } from './errors.ts';
import { type Creation, fitBody, fitPoints, NEUTRAL_FIELDS, shapeOf } from './fit.ts';
import { type Found, Lists, SERIES } from './lists.ts';
import { type Exchange, LONG, Operations } from './operations.ts';
import { type ListPage, type ListQuery, namesIn } from './page.ts';

type Signal = AbortSignal | undefined;
type DatasetQuery = ListQuery & { readonly status?: string; readonly batchId?: string | undefined } & Readonly<
    Partial<Record<'withSeries' | 'withInput' | 'withSparkline', boolean>>
  >;
type Deletion = 'deletePrediction' | 'deleteFineTunedModel' | 'deleteDataset' | 'deleteKey';
type Made = LocalPrediction | LocalFineTunedModel;
type Fields = Readonly<Record<string, unknown>>;

const MODEL_FIELD = { createPrediction: 'ai_model_id', createFineTunedModel: 'base_model' } as const;
const LISTS = { createPrediction: 'listPredictions', createFineTunedModel: 'listFineTunedModels' } as const;

const LEAN = { query: { include_input: 'false' } };
/** For so many milliseconds a prediction that has ended is not read again. */
const FRESH = 60_000;
const MOST_KNOWN = { predictions: 20, points: 500_000 };

/** Predictions with their series, so that nothing that was just sent or read is read again. */
class KnownPredictions extends Map<string, { readonly at: number; readonly prediction: LocalPrediction }> {
  keep(prediction: LocalPrediction): LocalPrediction {
    const { id } = prediction;
    const input_series = prediction.input_series ?? this.get(id)?.prediction.input_series;
    if (!input_series) return prediction;
    const whole = { ...prediction, input_series };
    this.delete(id);
    this.set(id, { at: performance.now(), prediction: whole });
    const points = () => [...this.values()].reduce((sum, one) => sum + one.prediction.input_series!.length, 0);
    const isFull = () => this.size > MOST_KNOWN.predictions || points() > MOST_KNOWN.points;
    for (const oldest of this.keys()) if (isFull()) this.delete(oldest);
    return whole;
  }

  recent(id: string): LocalPrediction | undefined {
    const { at = 0, prediction } = this.get(id) ?? {};
    const hasEnded = prediction?.status === 'COMPLETED' && prediction.prediction_series !== undefined;
    return hasEnded && performance.now() - at < FRESH ? prediction : undefined;
  }
}

/** Talks to any service that speaks the interface. Methods throw {@link ServiceError}, or the signal’s reason. */
export class ServiceClient extends Operations {
  readonly lists = new Lists(this);
  readonly #known = new KnownPredictions();
  readonly #made = new Set<string>();

  async requiresModel(name: Creation): Promise<boolean> {
    if (this.learned.required[name]?.includes(MODEL_FIELD[name])) return true;
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
    const isTaken = ([key, value]: [string, unknown]) => value !== undefined && offers.asks(name, key as QueryOf<K>);
    const taken = Object.fromEntries(Object.entries<string | undefined>(further).filter(isTaken));
    const isUnwanted =
      'include_series' in further && further.include_series === 'false' && !('include_series' in taken);
    return this.lists.page(name, { ...query, further: taken, id, drop: isUnwanted ? SERIES : undefined });
  }

  listDatasets(query: ListQuery = {}, withJobs = false): Promise<ListPage<LocalDataset>> {
    return this.list('listDatasets', query, withJobs ? { for_jobs: 'true' } : {});
  }

  listPredictions(query: ListQuery = {}, withSeries = true): Promise<ListPage<LocalPrediction>> {
    return this.list('listPredictions', query, withSeries ? {} : { include_series: 'false' });
  }

  async listDatasetPredictions(
    datasetId: string,
    { status, batchId, withSeries = true, withInput = false, withSparkline = false, ...query }: DatasetQuery,
  ): Promise<ListPage<LocalPrediction>> {
    if (!(await this.capabilities()).asks('listPredictions', 'dataset_id'))
      throw new ServiceError('refused', l10n.t('This service cannot list the predictions of a dataset.'));
    return this.list('listPredictions', query, {
      dataset_id: datasetId,
      status,
      batch_id: batchId,
      include_series: withSeries ? undefined : 'false',
      include_input: withSeries && !withInput ? 'false' : undefined,
      include_sparkline: withSparkline ? 'true' : undefined,
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
    const look = () => this.listPredictions({ size: Math.min(20, ids.size), signal }, false);
    const listed = isLean ? (await look()).items : [];
    const pending = listed.filter(({ id, status }) => ids.has(id) && isPending(status));
    const others = [...ids].filter((id) => !pending.some((one) => one.id === id));
    const { jobs } = await readEach(others, (id) => this.getPrediction(id, signal));
    return { jobs: [...pending, ...jobs], isAll: true };
  }

  async #canRead(ids: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    const offers = await this.capabilities();
    if (offers.has('getPrediction') || this.learned.reads === true) return true;
    const id = [...ids].find((one) => this.#made.has(one));
    if (this.learned.reads === false || offers.isDescribed || id === undefined) return false;
    const isAnswer = (error: unknown) => isRefusal(error) && error.kind !== 'unauthorized';
    const found = await this.getPrediction(id, signal).catch(unless(isAnswer));
    this.learn('reads', found?.id === id);
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

  /** A series that was just sent is not read again, where the service can leave it out. */
  async getPrediction(id: string, signal?: Signal): Promise<LocalPrediction> {
    const isLean = this.#known.has(id) && (await this.capabilities()).asks('getPrediction', 'include_input');
    const isTried = this.learned.reads ?? this.#made.has(id);
    return this.#known.keep(await this.do('getPrediction', { id, signal, isTried, ...(isLean ? LEAN : {}) }));
  }

  async delete(name: Deletion, id: string, signal?: Signal): Promise<void> {
    this.#known.delete(id);
    await this.do(name, { id, signal });
  }

  /** Never sent twice: where the answer was lost, what it made is looked for; `outcomeUnknown` of an error: it is not there (yet). */
  async createPrediction(given: CreatePrediction, signal?: Signal): Promise<LocalPrediction> {
    const name = 'createPrediction';
    const offers = await this.capabilities();
    const series = given.series && fitPoints(given.series, offers, name);
    const isAsync = given.is_async ?? this.options.isAsync;
    const is_async = isAsync && (await this.#canFollow(series?.length ?? 0, signal));
    const { ai_model_id, prediction_length, series_id: input_series_id } = given;
    const input_series = series?.map(barePoint);
    const like = { ai_model_id, name: given.name, prediction_length, input_series_id, input_series };
    const isLike = (item: Made) => {
      const { input_series: points = [], input_series_id: id } = item as LocalPrediction;
      const isSaid = input_series_id ? id !== undefined : points.length > 0;
      return isSaid && agree(like, { ...item, input_series: points.map(barePoint) });
    };
    const lean = offers.asks(name, 'include_input') && series != null ? LEAN : {};
    const exchange = { signal, timeout: is_async ? undefined : LONG, ...lean };
    const making = this.#once(name, { ...given, series, is_async }, isLike, exchange) as Promise<LocalPrediction>;
    const made = await making.catch((error: unknown) => {
      const isRefused = error instanceof ServiceError && error.kind === 'refused' && given.series;
      throw isRefused ? error.with({ sent: shapeOf(given.series!) }) : error;
    });
    this.lists.see(made.id, parseTimestamp(made.created_at ?? '') || this.clock());
    const isWhole = made.input_series !== undefined || !series;
    const whole = isWhole ? undefined : readAs(LocalPrediction, { ...made, input_series: series });
    return this.#known.keep(whole?.success ? whole.data : made);
  }

  /** As {@link createPrediction}; what was made can only be looked for where the service announces a list of models. */
  async createFineTunedModel(given: CreateFineTunedModel, signal?: Signal): Promise<LocalFineTunedModel> {
    const name = 'createFineTunedModel';
    const { base_model, config, input_config: input } = given;
    const series = input?.series && fitPoints(input.series, await this.capabilities(), name);
    const sent = series ? { ...given, input_config: { ...input, series } } : given;
    const like = { base_model, name: given.name, config: { prediction_length: config?.prediction_length } };
    const isLike = (item: Made) => agree({ ...like, input_config: { ...input, series: undefined } }, item);
    return this.#once(name, sent, isLike, { signal });
  }

  /** Creates; a creation whose answer was lost is found by being like the request, new, and not made by another one from here. */
  async #once(name: Creation, request: Fields, isLike: (item: Made) => boolean, exchange: Exchange): Promise<Made> {
    // the header `Date`, which tells the clock of the service, has whole seconds
    const start = Date.now() - 1000;
    try {
      const made = await this.#create(name, request, exchange);
      this.#made.add(made.id);
      return made;
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const since = this.clock(start);
      const isMeant = (item: Made): boolean => {
        const isNew = !this.#made.has(item.id) && parseTimestamp(item.created_at ?? '') >= since;
        if (isNew && isLike(item)) this.#made.add(item.id);
        return isNew && this.#made.has(item.id);
      };
      const search = this.lists.search(LISTS[name], { since, wanted: 1, isMeant, signal: exchange.signal });
      const { jobs, looked } = await search.catch(() => ({ jobs: [], looked: undefined }));
      if (jobs.length === 0) throw error.with({ looked });
      return jobs[0];
    }
  }

  /** Whether a prediction can be followed at little cost. Else its answer is waited for, unless a proxy has cut one before. */
  async #canFollow(points: number, signal: Signal): Promise<boolean> {
    const { reads, cuts } = this.learned;
    if ((await this.capabilities()).has('getPrediction') || reads === true || cuts === true) return true;
    return this.lists.isCheap(points, signal).catch(() => true);
  }

  async #create(name: Creation, request: Fields, exchange: Exchange): Promise<Made> {
    const offers = await this.capabilities();
    for (;;) {
      const body = fitBody(request, offers, name, this.learned.required[name]);
      try {
        const { made, location } = await this.made(name, { body, ...exchange });
        const isOfOne = location?.pathname.endsWith(`/predictions/${encodeURIComponent(made.id)}`);
        if (isOfOne) this.learn('reads', true);
        return made;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.kind === 'timeout' && request.is_async === false) this.learn('cuts', true);
        if (!this.#learn(name, body, error)) throw this.#aboutModel(error, name, body);
      }
    }
  }

  /** @returns whether to send it again: a field with a neutral value was missing */
  #learn(name: Creation, body: Fields, error: ServiceError): boolean {
    if (error.kind !== 'refused' || error.outcomeUnknown) return false;
    const known = this.learned.required[name] ?? [];
    const missing = [...NEUTRAL_FIELDS, MODEL_FIELD[name]].filter((one) => !known.includes(one) && body[one] == null);
    const [field] = namesIn(error, missing);
    if (field === undefined) return false;
    this.learn('required', { [name]: [...known, field] });
    if (field === MODEL_FIELD[name]) return false;
    this.options.onLearned?.(l10n.t('The service requires the field {0}. From now on it is sent empty.', field));
    return true;
  }

  /** A refusal of the model as one that is about its field, in whatever way the service says it. */
  #aboutModel(error: ServiceError, name: Creation, body: Fields): ServiceError {
    const { kind, status, faults } = error;
    if (faults.length > 0 || error.outcomeUnknown) return error;
    const field = MODEL_FIELD[name];
    const ids = typeof body[field] === 'string' ? [body[field]] : [];
    const about = { faults: [{ place: [field] }] };
    const isAddressRight = this.learned.lists.listPredictions?.bytes !== undefined;
    if (kind === 'not-offered' && ids.length > 0 && isAddressRight) {
      const sentence = l10n.t('The service does not have the model {0}.', ids[0]);
      return new ServiceError('not-found', sentence, { status, ...about });
    }
    const isOfModel = (kind === 'not-found' && body.series_id === undefined) || status === 409;
    const isNamed = kind === 'refused' && namesIn(error, [field, ...ids]).length > 0;
    return isOfModel || isNamed ? error.with(about) : error;
  }
}

async function readEach<T>(ids: Iterable<string>, read: (id: string) => Promise<T>): Promise<Found<T>> {
  const jobs: (T | undefined)[] = [];
  for (const id of ids) jobs.push(await read(id).catch(unless(isGone)));
  return { jobs: jobs.filter((job) => job !== undefined), isAll: true };
}

const barePoint = ({ timestamp, value }: { timestamp: string; value?: unknown }) => ({
  timestamp,
  value: value ?? false,
});

/** Whether an answer contradicts nothing that was sent: what is absent or empty in either says nothing. */
function agree(sent: unknown, answered: unknown): boolean {
  if (sent == null || answered == null) return true;
  if (Array.isArray(sent) && Array.isArray(answered)) {
    const [some, others] = [sent, answered].map((list: unknown[]) =>
      typeof sent[0] === 'string' ? list.toSorted() : list,
    );
    const isSame = some.length === others.length && some.every((one, index) => agree(one, others[index]));
    return isSame || others.length === 0;
  }
  if (isObject(sent) && isObject(answered))
    return Object.entries(sent).every(([field, value]) => agree(value, answered[field]));
  return sent === answered || parseTimestamp(String(sent)) === parseTimestamp(String(answered));
}
