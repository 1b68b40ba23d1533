import type { LocalFineTunedModel, LocalPrediction } from '../contract/local.ts';
import type { AnswerOf } from '../contract/operations.ts';
import type { CreateFineTunedModel, LocalCreatePrediction } from '../contract/requests.ts';
import type { Description } from './description.ts';
import { ServiceError } from './errors.ts';
import { type Creation, fitBody, fitPoints } from './fit.ts';
import { createOnce, isModelOf, isPredictionOf } from './lost-answer.ts';
import { LONG, type Operations } from './operations.ts';
import type { SentSeries } from './sent-series.ts';
import type { Transport } from './transport.ts';

type Signal = AbortSignal | undefined;

/** The field that names the model. */
const MODEL_FIELD = { createPrediction: 'ai_model_id', createFineTunedModel: 'base_model' } as const;

/** What creates a prediction or a model at one service: never twice, and with nothing that it does not take. */
export class Creations {
  readonly #transport: Transport;
  readonly #description: Description;
  readonly #operations: Operations;
  readonly #sent: SentSeries;
  /** Creations of which the service has said that a model is missing. */
  readonly #needsModel = new Set<Creation>();
  /** Ids of what was made from here. */
  readonly #made = { predictions: new Set<string>(), models: new Set<string>() };

  constructor(transport: Transport, description: Description, operations: Operations, sent: SentSeries) {
    this.#transport = transport;
    this.#description = description;
    this.#operations = operations;
    this.#sent = sent;
  }

  /** Whether a request must name a model, as far as the description or a refusal has told. */
  async requiresModel(name: Creation): Promise<boolean> {
    if (this.#needsModel.has(name)) return true;
    return (await this.#description.get()).rules(name, MODEL_FIELD[name])?.required ?? false;
  }

  /** The ids of models that the description allows. */
  async describedModels(name: Creation): Promise<readonly string[]> {
    return (await this.#description.get()).rules(name, MODEL_FIELD[name])?.choices ?? [];
  }

  /** @throws ServiceError; with `outcomeUnknown` where the answer was lost and what it made is not in the list (yet) */
  async prediction(request: LocalCreatePrediction, signal?: Signal) {
    const name = 'createPrediction';
    const offers = await this.#description.get();
    const sent = { ...request, series: request.series && fitPoints(request.series, offers, name) };
    const body = fitBody(sent, offers, name);
    const isLean = sent.series !== undefined && offers.asks(name, 'include_input');
    const made = await createOnce<LocalPrediction>(
      this.#transport,
      this.#made.predictions,
      () => this.#create(name, body, signal, { timeout: body.is_async === true ? undefined : LONG, isLean }),
      async () => (await this.#operations.list('listPredictions', { signal })).items,
      (item) => isPredictionOf(sent, item),
    );
    return isLean ? this.#sent.made(made, sent.series ?? []) : made;
  }

  /** As {@link prediction}; what was made can only be looked for where the service announces a list of models. */
  async model(
    request: CreateFineTunedModel & { name?: string | undefined; start_model?: string | undefined },
    signal?: Signal,
  ) {
    const name = 'createFineTunedModel';
    const offers = await this.#description.get();
    const { input_config: input } = request;
    const series = input?.series && fitPoints(input.series, offers, name);
    const sent = input ? { ...request, input_config: { ...input, ...(series ? { series } : {}) } } : request;
    const body = fitBody(sent, offers, name);
    const list = () => this.#operations.list('listFineTunedModels', { signal });
    return createOnce<LocalFineTunedModel>(
      this.#transport,
      this.#made.models,
      () => this.#create(name, body, signal),
      async () => (offers.has('listFineTunedModels') ? (await list()).items : []),
      (item) => isModelOf(request, item),
    );
  }

  /** Sends what creates something, and learns from a refusal that a model must be named. */
  async #create<K extends Creation>(
    name: K,
    body: Record<string, unknown>,
    signal: Signal,
    { timeout, isLean = false }: { readonly timeout?: number | undefined; readonly isLean?: boolean } = {},
  ): Promise<AnswerOf<K>> {
    try {
      const query = isLean ? { query: { include_input: 'false' } } : {};
      return await this.#operations.do(name, { body, signal, timeout, ...query });
    } catch (error) {
      const field = MODEL_FIELD[name];
      const isMissing = error instanceof ServiceError && error.isAbout(field) && body[field] === undefined;
      if (isMissing) this.#needsModel.add(name);
      throw error;
    }
  }
}
