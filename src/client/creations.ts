import * as l10n from '@vscode/l10n';
import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import type { AnswerOf } from '../contract/operations.ts';
import type { CreateFineTunedModel, LocalCreatePrediction } from '../contract/requests.ts';
import type { Capabilities } from './capabilities.ts';
import type { Description } from './description.ts';
import { ServiceError } from './errors.ts';
import { type Creation, fitBody, fitPoints, NEUTRAL_FIELDS, shapeOf } from './fit.ts';
import type { Learning } from './learned.ts';
import type { Lists } from './lists.ts';
import { createOnce, isModelOf, isPredictionOf } from './lost-answer.ts';
import { type Exchange, LONG, type Operations } from './operations.ts';
import type { SentSeries } from './sent-series.ts';
import type { Transport } from './transport.ts';

type Signal = AbortSignal | undefined;

/** The field that names the model. */
const MODEL_FIELD = { createPrediction: 'ai_model_id', createFineTunedModel: 'base_model' } as const;

/** What {@link Creations} is made of. */
export interface CreationParts {
  readonly transport: Transport;
  readonly description: Description;
  readonly operations: Operations;
  readonly lists: Lists;
  readonly learning: Learning;
  readonly sent: SentSeries;
  /** Is told what a refusal has taught, in a sentence. */
  readonly onLearned?: ((sentence: string) => void) | undefined;
}

/** What creates a prediction or a model at one service: never twice, and with nothing that it does not take. */
export class Creations {
  readonly #parts: CreationParts;
  /** Ids of what was made from here. */
  readonly #made = { predictions: new Set<string>(), models: new Set<string>() };

  constructor(parts: CreationParts) {
    this.#parts = parts;
  }

  /** Whether a prediction was made from here. */
  hasMade(id: string): boolean {
    return this.#made.predictions.has(id);
  }

  /** Whether a request must name a model, as far as the description or a refusal has told. */
  async requiresModel(name: Creation): Promise<boolean> {
    if (this.#learned(name).includes(MODEL_FIELD[name])) return true;
    return (await this.#parts.description.get()).rules(name, MODEL_FIELD[name])?.required ?? false;
  }

  /** The ids of models that the description allows. */
  async describedModels(name: Creation): Promise<readonly string[]> {
    return (await this.#parts.description.get()).rules(name, MODEL_FIELD[name])?.choices ?? [];
  }

  /** @throws ServiceError; with `outcomeUnknown` where the answer was lost and what it made is not in the list (yet) */
  async prediction(request: LocalCreatePrediction, signal: AbortSignal = new AbortController().signal) {
    const name = 'createPrediction';
    const { description, transport, lists, learning, sent: held } = this.#parts;
    const offers = await description.get();
    const isWaitedFor =
      request.is_async === true && !(await this.#canFollow(offers, request.series?.length ?? 0, signal));
    const series = request.series && fitPoints(request.series, offers, name);
    const sent = { ...request, series, ...(isWaitedFor ? { is_async: false } : {}) };
    const isLean = offers.asks(name, 'include_input');
    const timeout = sent.is_async === true ? undefined : LONG;
    const made = await createOnce<LocalPrediction>(
      transport,
      this.#made.predictions,
      async () => {
        try {
          const query = isLean && series ? { query: { include_input: 'false' } } : {};
          return await this.#create(name, sent, { signal, timeout, ...query });
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          if (isWaitedFor && error.kind === 'timeout') learning.set({ cuts: true });
          throw error.kind === 'refused' && request.series ? error.with({ sent: shapeOf(request.series) }) : error;
        }
      },
      {
        search: (since, isMeant) => lists.search(since, isMeant, signal),
        isLike: (item) => isPredictionOf(sent, item),
      },
    );
    const now = new Date(Date.now() + transport.clockDifference).toISOString();
    lists.made({ ...made, created_at: made.created_at ?? now });
    return isLean && series ? held.made(made, series) : made;
  }

  /** As {@link prediction}; what was made can only be looked for where the service announces a list of models. */
  async model(
    request: CreateFineTunedModel & { name?: string | undefined; start_model?: string | undefined },
    signal?: Signal,
  ) {
    const name = 'createFineTunedModel';
    const { description, transport, lists } = this.#parts;
    const offers = await description.get();
    const { input_config: input } = request;
    const series = input?.series && fitPoints(input.series, offers, name);
    const sent = input ? { ...request, input_config: { ...input, ...(series ? { series } : {}) } } : request;
    return createOnce<LocalFineTunedModel>(transport, this.#made.models, () => this.#create(name, sent, { signal }), {
      search: async (_, isMeant) => {
        if (!offers.has('listFineTunedModels')) return { item: undefined };
        const { items } = await lists.page('listFineTunedModels', { signal });
        return { item: items.find(isMeant), looked: items.length };
      },
      isLike: (item) => isModelOf(request, item),
    });
  }

  /**
   * Whether a prediction that is made can be followed at little cost: by itself, or in its list. Else
   * its answer is waited for, unless something on the way has cut one that was.
   */
  async #canFollow(offers: Capabilities, points: number, signal: AbortSignal): Promise<boolean> {
    const { learning, lists } = this.#parts;
    if (offers.has('getPrediction') || learning.now.reads === true || learning.now.cuts === true) return true;
    return lists.isCheap(points, signal).catch(() => true);
  }

  #learned(name: Creation): readonly string[] {
    return this.#parts.learning.now.required[name] ?? [];
  }

  /** Sends what creates something; and again with what a refusal says that it must have, where that says nothing. */
  async #create<K extends Creation>(name: K, request: object, exchange: Exchange): Promise<AnswerOf<K>> {
    const { operations, description, learning } = this.#parts;
    const offers = await description.get();
    for (;;) {
      const body = fitBody(request as Readonly<Record<string, unknown>>, offers, name, this.#learned(name));
      try {
        const { made, location } = await operations.made(name, { body, ...exchange });
        // it says where one can be read by its id
        const { id } = made as { readonly id: string };
        if (location?.pathname.endsWith(`/predictions/${encodeURIComponent(id)}`)) learning.set({ reads: true });
        return made;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (!this.#learn(name, body, error)) throw this.#aboutModel(error, name, body);
      }
    }
  }

  /** @returns whether to send it again: a field that says nothing was missing */
  #learn(name: Creation, body: Record<string, unknown>, error: ServiceError): boolean {
    if (error.kind !== 'refused') return false;
    const known = this.#learned(name);
    const isNamed = (field: string) =>
      error.faults.length > 0 ? error.isAbout(field) : new RegExp(`\\b${field}\\b`).test(error.reason ?? '');
    const field = [...NEUTRAL_FIELDS, MODEL_FIELD[name]].find(
      (one) => !known.includes(one) && body[one] === undefined && isNamed(one),
    );
    if (field === undefined) return false;
    const { learning, onLearned } = this.#parts;
    learning.set({ required: { ...learning.now.required, [name]: [...known, field] } });
    if (field === MODEL_FIELD[name]) return false;
    onLearned?.(l10n.t('The service requires the field {0}: it is sent without content from now on.', field));
    return true;
  }

  /** A refusal that speaks of the model, as one that is about its field, however the service says it. */
  #aboutModel(error: ServiceError, name: Creation, body: Record<string, unknown>): ServiceError {
    const field = MODEL_FIELD[name];
    const model = body[field];
    const { kind, status, reason = '', faults } = error;
    if (faults.length > 0 || error.outcomeUnknown) return error;
    const about = { faults: [{ place: [field] }] };
    // where the lists can be read, the address is right
    const isAddressRight = this.#parts.learning.list('listPredictions').bytes !== undefined;
    if (kind === 'not-offered' && typeof model === 'string' && isAddressRight)
      return new ServiceError('not-found', l10n.t('The service does not have the model {0}.', model), {
        status,
        ...about,
      });
    const isNamed = reason.includes(field) || (typeof model === 'string' && reason.includes(model));
    const isOfModel = (kind === 'not-found' && body.series_id === undefined) || status === 409;
    const isIt = isOfModel || (kind === 'refused' && isNamed);
    return isIt ? error.with(about) : error;
  }
}
