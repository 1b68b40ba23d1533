import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { readFineTunedModels } from '../../../client/poller.ts';
import { isPending } from '../../../contract/operation.ts';
import type { LocalFineTunedModel } from '../../../contract/local.ts';
import type { Connection, Session } from '../../connection/connection.ts';
import { allDatasets } from '../../connection/datasets.ts';
import type { MadeModels } from '../../connection/made-models.ts';
import type { Memory } from '../../connection/memory.ts';
import { COMMANDS } from '../../names.ts';
import { Latest } from '../shared/latest.ts';
import type { Page } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { ACTIONS, modelView } from './model-view.ts';
import type { ModelIntent, ModelRef, ModelState, ModelView, Shown } from './protocol.ts';
import type { Action } from '../../../chart/types.ts';
import { inBackground } from '../../ui/background.ts';

/** What can be done from the page of a model. Each tells of a failure by itself. */
export interface ModelDeeds {
  readonly stop: (serviceId: string, model: LocalFineTunedModel) => Promise<void>;
  readonly trainFurther: (serviceId: string, model: LocalFineTunedModel) => Promise<void>;
  readonly showDataset: (id: string) => Promise<void>;
}

export interface ModelServices {
  readonly connection: Connection;
  readonly memory: Memory;
  readonly madeModels: MadeModels;
  readonly log: vscode.LogOutputChannel;
  readonly deeds: ModelDeeds;
}

/** What is known of a model, with why there is no more. */
const withProblem = (model: ModelView, problem: string, actions: readonly Action[]): ModelView => ({
  ...model,
  problem: [model.problem, problem].filter(Boolean).join(' '),
  actions: [...model.actions, ...actions],
});

/** One page. It follows its model while that is trained, and only while it is open. */
export class ModelPage implements Page<ModelState, ModelIntent> {
  readonly #ref: ModelRef;
  readonly #changed: () => void;
  readonly #connection: vscode.Disposable;
  /** While its name is not known. */
  readonly #title: string;
  readonly #services: ModelServices;
  readonly #loading = new Latest();
  #model: LocalFineTunedModel | undefined;
  #problem: string | undefined;
  #names: ReadonlyMap<string, string> = new Map();
  #can = { stop: false, trainFurther: false };

  state: ModelState;

  /** @param known the model, where it is at hand, or what it was called before a reload of the window */
  constructor(ref: ModelRef, services: ModelServices, changed: () => void, known?: LocalFineTunedModel | string) {
    this.#ref = ref;
    this.#services = services;
    this.#changed = changed;
    const model = typeof known === 'string' ? undefined : known;
    this.#model = model;
    this.#title = typeof known === 'string' && known !== '' ? known : vscode.l10n.t('Model {0}', ref.modelId.slice(-6));
    this.#connection = services.connection.onDidChange(() => {
      if (!this.#model || isPending(this.#model.status)) inBackground(services.log, this.#load());
    });
    this.state = this.#now();
    inBackground(services.log, this.#load(model));
  }

  readonly intents: Handlers<ModelIntent> = {
    action: ({ id }) => {
      this.#act(id);
    },
  };

  dispose(): void {
    this.#loading.end();
    this.#connection.dispose();
  }

  #label(): string {
    const { serviceId, modelId } = this.#ref;
    const known = this.#services.memory.recall(serviceId, modelId)?.label ?? this.#model?.name;
    return known ?? this.#title;
  }

  async #load(known?: LocalFineTunedModel): Promise<void> {
    const signal = this.#loading.begin();
    const { serviceId, modelId } = this.#ref;
    const { connection, log } = this.#services;
    const isAgain = this.#problem !== undefined;
    this.#problem = undefined;
    if (isAgain) this.#show();
    try {
      const session = connection.session(serviceId);
      if (!session && known) return;
      if (!session) {
        const where = vscode.l10n.t('This model is from {0}, which is not set up any more.', serviceId);
        throw new ServiceError('not-found', vscode.l10n.t('{0} Add that service again to see it.', where));
      }
      const model = known ?? (await this.#read(session, signal));
      if (signal.aborted) return;
      this.#take(model);
      const offers = await session.client.capabilities();
      // lists leave out what it was trained on
      const whole = offers.has('getFineTunedModel')
        ? await session.client.getFineTunedModel(modelId, signal)
        : undefined;
      if (signal.aborted) return;
      if (whole) this.#take(whole);
      if (isPending(model.status)) this.#follow(session, signal);
      this.#can = {
        stop: offers.has('stopFineTunedModel'),
        trainFurther: offers.takes('createFineTunedModel', 'start_model'),
      };
      if (this.#model?.input_config?.dataset_ids?.length) {
        const { datasets } = await allDatasets(session.client, signal, true);
        this.#names = new Map(datasets.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
      }
      if (!signal.aborted) this.#show();
    } catch (error) {
      if (signal.aborted) return;
      log.warn(`Page of ${modelId}: ${String(error)}`);
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#show();
    }
  }

  #follow({ models }: Session, signal: AbortSignal): void {
    const end = models.watch(this.#ref.modelId, {
      onChange: (now) => {
        this.#take(now);
      },
    });
    signal.addEventListener('abort', end);
  }

  /** The model as its service tells it; where that tells nothing of models, as it was last known here. */
  async #read({ client, info }: Session, signal: AbortSignal): Promise<LocalFineTunedModel> {
    const { serviceId, modelId } = this.#ref;
    const offers = await client.capabilities();
    const [found] = offers.tellsOfModels
      ? (await readFineTunedModels(client, new Set([modelId]), signal)).jobs
      : this.#services.madeModels.of(serviceId).flatMap(({ model }) => (model.id === modelId ? [model] : []));
    if (found) return found;
    throw new ServiceError('not-found', vscode.l10n.t('{0} does not have this model any more.', info.name));
  }

  #take(model: LocalFineTunedModel): void {
    const input = model.input_config?.series ? undefined : this.#model?.input_config;
    this.#model = input ? { ...model, input_config: input } : model;
    this.#problem = undefined;
    this.#show();
  }

  #act(id: string): void {
    const { serviceId, modelId } = this.#ref;
    const { deeds, log } = this.#services;
    if (id === ACTIONS.retry) inBackground(log, this.#load());
    else if (id === ACTIONS.forecast) {
      inBackground(log, vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId }));
    } else if (id.startsWith(ACTIONS.dataset)) inBackground(log, deeds.showDataset(id.slice(ACTIONS.dataset.length)));
    else if (this.#model && id === ACTIONS.stop) inBackground(log, deeds.stop(serviceId, this.#model));
    else if (this.#model && id === ACTIONS.further) inBackground(log, deeds.trainFurther(serviceId, this.#model));
  }

  #show(): void {
    this.state = this.#now();
    this.#changed();
  }

  #now(): ModelState {
    const model = this.#view();
    const problem = this.#problem;
    const title = this.#label();
    const actions = problem === undefined ? [] : [{ id: ACTIONS.retry, label: vscode.l10n.t('Try Again') }];
    const shown: Shown = model
      ? { type: 'show', model: problem === undefined ? model : withProblem(model, problem, actions) }
      : { type: 'empty', title, problem, actions };
    return { ref: this.#ref, title, shown };
  }

  #view(): ModelView | undefined {
    const model = this.#model;
    return (
      model &&
      modelView(model, {
        label: this.#label(),
        datasetNames: this.#names,
        startLabel: this.#services.memory.recall(this.#ref.serviceId, String(model.config?.['start_model'] ?? ''))
          ?.label,
        canForecast: this.#ref.isUsableAnyway || model.status === 'COMPLETED',
        canStop: this.#can.stop,
        canTrainFurther: this.#can.trainFurther,
      })
    );
  }
}
