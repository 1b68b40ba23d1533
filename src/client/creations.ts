import * as l10n from '@vscode/l10n';
import { parseTimestamp } from '../calendar/timestamp.ts';
import { isObject } from '../contract/json.ts';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/resources.ts';
import type { CreateFineTunedModel, CreatePrediction } from '../contract/requests.ts';
import { ServiceError } from './errors.ts';
import { type Creation, fitBody, fitPoints, NEUTRAL_FIELDS, shapeOf } from './fit.ts';
import type { KnownPredictions } from './known-predictions.ts';
import type { Lists } from './lists.ts';
import { type Exchange, LONG } from './operations.ts';
import { namesIn } from './page.ts';

type Signal = AbortSignal | undefined;

export const MODEL_FIELD = { createPrediction: 'ai_model_id', createFineTunedModel: 'base_model' } as const;
const LISTS = { createPrediction: 'listPredictions', createFineTunedModel: 'listFineTunedModels' } as const;

export type ModelRequest = CreateFineTunedModel & { name?: string | undefined; start_model?: string | undefined };
type Made = LocalPrediction | LocalFineTunedModel;
type Fields = Readonly<Record<string, unknown>>;

/** Creates predictions and models at one service: never twice, and with nothing that it does not take. */
export class Creations {
  readonly #lists: Lists;
  readonly #known: KnownPredictions;
  readonly #onLearned: ((sentence: string) => void) | undefined;
  readonly made = new Set<string>();

  constructor(lists: Lists, known: KnownPredictions, onLearned: ((sentence: string) => void) | undefined) {
    this.#lists = lists;
    this.#known = known;
    this.#onLearned = onLearned;
  }

  get #service() {
    return this.#lists.operations;
  }

  needsModel(name: Creation): boolean {
    return this.#required(name).includes(MODEL_FIELD[name]);
  }

  async prediction(request: CreatePrediction, signal: Signal): Promise<LocalPrediction> {
    const name = 'createPrediction';
    const offers = await this.#service.capabilities();
    const series = request.series && fitPoints(request.series, offers, name);
    const is_async = request.is_async && (await this.#canFollow(series?.length ?? 0, signal));
    const isLean = offers.asks(name, 'include_input') && series != null;
    const { ai_model_id, prediction_length, series_id: input_series_id } = request;
    const input_series = series?.map(barePoint);
    const like = { ai_model_id, name: request.name, prediction_length, input_series_id, input_series };
    const isLike = (item: Made) => {
      const { input_series: points = [], input_series_id: id } = item as LocalPrediction;
      const isSaid = input_series_id ? id !== undefined : points.length > 0;
      return isSaid && agree(like, { ...item, input_series: points.map(barePoint) });
    };
    const exchange = {
      signal,
      timeout: is_async ? undefined : LONG,
      ...(isLean ? { query: { include_input: 'false' } } : {}),
    };
    const making = this.#once(name, { ...request, series, is_async }, isLike, exchange) as Promise<LocalPrediction>;
    const made = await making.catch((error: unknown) => {
      const isRefused = error instanceof ServiceError && error.kind === 'refused' && request.series;
      throw isRefused ? error.with({ sent: shapeOf(request.series!) }) : error;
    });
    this.#lists.see(made.id, parseTimestamp(made.created_at ?? '') || this.#service.transport.clock());
    return this.#known.keep(made, series ?? undefined);
  }

  /** As {@link prediction}; what was made can only be looked for where the service announces a list of models. */
  async model(request: ModelRequest, signal: Signal): Promise<LocalFineTunedModel> {
    const name = 'createFineTunedModel';
    const offers = await this.#service.capabilities();
    const { base_model, config, input_config: input } = request;
    const series = input?.series && fitPoints(input.series, offers, name);
    const sent = series ? { ...request, input_config: { ...input, series } } : request;
    const like = { base_model, name: request.name, config: { prediction_length: config?.prediction_length } };
    const isLike = (item: Made) => agree({ ...like, input_config: { ...input, series: undefined } }, item);
    return this.#once(name, sent, isLike, { signal });
  }

  /** Creates; a creation whose answer was lost is found by being like the request, new, and not made by another one from here. */
  async #once(name: Creation, request: Fields, isLike: (item: Made) => boolean, exchange: Exchange): Promise<Made> {
    // the header `Date`, which tells the clock of the service, has whole seconds
    const start = Date.now() - 1000;
    try {
      const made = await this.#create(name, request, exchange);
      this.made.add(made.id);
      return made;
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.outcomeUnknown) throw error;
      const since = this.#service.transport.clock(start);
      // two lost requests may look at the same page
      const isMeant = (item: Made): boolean => {
        const isNew = !this.made.has(item.id) && parseTimestamp(item.created_at ?? '') >= since;
        if (isNew && isLike(item)) this.made.add(item.id);
        return isNew && this.made.has(item.id);
      };
      // a service without such a list refuses
      const search = this.#lists.search(LISTS[name], { since, wanted: 1, isMeant, signal: exchange.signal });
      const { jobs, looked } = await search.catch(() => ({ jobs: [], looked: undefined }));
      if (jobs.length === 0) throw error.with({ looked });
      return jobs[0];
    }
  }

  /** Whether a prediction can be followed at little cost. Else its answer is waited for, unless a proxy has cut one before. */
  async #canFollow(points: number, signal: Signal): Promise<boolean> {
    const { reads, cuts } = this.#service.learning.now;
    if ((await this.#service.capabilities()).has('getPrediction') || reads === true || cuts === true) return true;
    return this.#lists.isCheap(points, signal).catch(() => true);
  }

  #required(name: Creation): readonly string[] {
    return this.#service.learning.now.required[name] ?? [];
  }

  /** Sends a creation; and again with each field that a refusal asks for and that has a neutral value. */
  async #create(name: Creation, request: Fields, exchange: Exchange): Promise<Made> {
    const { learning } = this.#service;
    const offers = await this.#service.capabilities();
    for (;;) {
      const body = fitBody(request, offers, name, this.#required(name));
      try {
        const { made, location } = await this.#service.made(name, { body, ...exchange });
        if (location?.pathname.endsWith(`/predictions/${encodeURIComponent(made.id)}`)) learning.set({ reads: true });
        return made;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.kind === 'timeout' && request.is_async === false) learning.set({ cuts: true });
        if (!this.#learn(name, body, error)) throw this.#aboutModel(error, name, body);
      }
    }
  }

  /** @returns whether to send it again: a field with a neutral value was missing */
  #learn(name: Creation, body: Fields, error: ServiceError): boolean {
    if (error.kind !== 'refused' || error.outcomeUnknown) return false;
    const known = this.#required(name);
    const missing = [...NEUTRAL_FIELDS, MODEL_FIELD[name]].filter((one) => !known.includes(one) && body[one] == null);
    const [field] = namesIn(error, missing);
    if (field === undefined) return false;
    const { learning } = this.#service;
    learning.set({ required: { ...learning.now.required, [name]: [...known, field] } });
    if (field === MODEL_FIELD[name]) return false;
    this.#onLearned?.(l10n.t('The service requires the field {0}. From now on it is sent empty.', field));
    return true;
  }

  /** A refusal of the model as one that is about its field, in whatever way the service says it. */
  #aboutModel(error: ServiceError, name: Creation, body: Fields): ServiceError {
    const { kind, status, faults } = error;
    if (faults.length > 0 || error.outcomeUnknown) return error;
    const field = MODEL_FIELD[name];
    const ids = typeof body[field] === 'string' ? [body[field]] : [];
    const about = { faults: [{ place: [field] }] };
    // where the lists can be read, the address is right
    const isAddressRight = this.#service.learning.list('listPredictions').bytes !== undefined;
    if (kind === 'not-offered' && ids.length > 0 && isAddressRight) {
      const sentence = l10n.t('The service does not have the model {0}.', ids[0]);
      return new ServiceError('not-found', sentence, { status, ...about });
    }
    const isOfModel = (kind === 'not-found' && body.series_id === undefined) || status === 409;
    const isNamed = kind === 'refused' && namesIn(error, [field, ...ids]).length > 0;
    return isOfModel || isNamed ? error.with(about) : error;
  }
}

/** No value is not like any value; and a service may write metadata in its own way. */
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
