import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import type { LocalFineTunedModel } from '../../../contract/local.ts';
import { isPending } from '../../../contract/operation.ts';
import type { App } from '../../app.ts';
import type { Session } from '../../connection/connection.ts';
import { allDatasets } from '../../connection/datasets.ts';
import { COMMANDS, MODEL_VIEW_TYPE, VIEWS } from '../../names.ts';
import { trainFurther } from '../../training/fine-tune.ts';
import { inBackground } from '../../ui/background.ts';
import { showFailure } from '../../ui/failure.ts';
import { Latest } from '../shared/latest.ts';
import { type Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { showJobData, showsJobData } from '../tree/sources.ts';
import { ACTIONS, modelView } from './model-view.ts';
import { ModelIntent, ModelRef, type ModelState } from './protocol.ts';

/** The pages of fine-tuned models, one for each. */
export class ModelPages extends PageHost<ModelState, ModelIntent, ModelPage> {
  readonly #app: () => App;

  constructor(app: () => App, services: Pick<App, 'extensionUri' | 'log'>) {
    const make = (ref: ModelRef, changed: () => void, title?: string) => new ModelPage(app(), ref, changed, title);
    const keyOf = ({ serviceId, modelId }: ModelRef): string => JSON.stringify([serviceId, modelId]);
    super({ viewType: MODEL_VIEW_TYPE, bundle: 'model', ref: ModelRef, intent: ModelIntent, keyOf, make }, services);
    this.#app = app;
  }

  /** @param isUsableAnyway whether it may be tried because its service does not report its status */
  show(serviceId: string, model: LocalFineTunedModel, isUsableAnyway = false): void {
    const ref = { serviceId, modelId: model.id, isUsableAnyway };
    this.open(ref, (_, changed) => new ModelPage(this.#app(), ref, changed, model));
  }
}

/** One page. It follows its model while that is trained, and only while it is open. */
export class ModelPage implements Page<ModelState, ModelIntent> {
  readonly #ref: ModelRef;
  readonly #changed: () => void;
  readonly #connection: vscode.Disposable;
  /** While its name is not known. */
  readonly #title: string;
  readonly #app: App;
  readonly #loading = new Latest();
  #model: LocalFineTunedModel | undefined;
  #problem: string | undefined;
  #names: ReadonlyMap<string, string> = new Map();
  #can = { stop: false, trainFurther: false };

  state: ModelState;

  /** @param known the model, where it is at hand, or what it was called before a reload of the window */
  constructor(app: App, ref: ModelRef, changed: () => void, known: LocalFineTunedModel | string = '') {
    this.#ref = ref;
    this.#app = app;
    this.#changed = changed;
    this.#model = typeof known === 'string' ? undefined : known;
    this.#title = (typeof known === 'string' && known) || vscode.l10n.t('Model {0}', ref.modelId.slice(-6));
    this.#connection = app.connection.onDidChange(() => {
      if (!this.#model || isPending(this.#model.status)) this.#start(this.#load());
    });
    this.state = this.#now();
    this.#start(this.#load(this.#model));
  }

  readonly intents: Handlers<ModelIntent> = {
    action: ({ id }) => {
      this.#start(this.#act(id));
    },
  };

  dispose(): void {
    this.#loading.end();
    this.#connection.dispose();
  }

  /** Shows failures. */
  #start(work: Promise<unknown>): void {
    inBackground(
      this.#app.log,
      work.catch((error: unknown) => showFailure(this.#app, error)),
    );
  }

  async #load(known?: LocalFineTunedModel): Promise<void> {
    const signal = this.#loading.begin();
    const { serviceId, modelId } = this.#ref;
    const { connection, log } = this.#app;
    if (this.#problem !== undefined) this.#show({ problem: undefined });
    try {
      const session = connection.session(serviceId);
      if (!session && known) return;
      if (!session) {
        const where = vscode.l10n.t('This model is from {0}, which is no longer set up.', serviceId);
        throw new ServiceError('not-found', vscode.l10n.t('{0} Add that service again to see it.', where));
      }
      const { client } = session;
      const model = known ?? (await this.#read(session, signal));
      if (signal.aborted) return;
      this.#take(model);
      const offers = await client.capabilities();
      // lists leave out what it was trained on
      const whole = offers.has('getFineTunedModel')
        ? await client.do('getFineTunedModel', { id: modelId, signal })
        : undefined;
      if (signal.aborted) return;
      if (whole) this.#take(whole);
      if (isPending(model.status)) {
        const onChange = (now: LocalFineTunedModel) => {
          this.#take(now);
        };
        signal.addEventListener('abort', session.models.watch(modelId, { onChange }));
      }
      this.#can = {
        stop: offers.has('stopFineTunedModel'),
        trainFurther: offers.takes('createFineTunedModel', 'start_model'),
      };
      if (this.#model?.input_config?.dataset_ids?.length) {
        const { datasets } = await allDatasets(client, signal, true);
        this.#names = new Map(datasets.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
      }
      if (!signal.aborted) this.#show({});
    } catch (error) {
      if (signal.aborted) return;
      log.warn(`Page of ${modelId}: ${String(error)}`);
      this.#show({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The model from its service, or as last known here if the service does not return models. */
  async #read({ client, info }: Session, signal: AbortSignal): Promise<LocalFineTunedModel> {
    const { serviceId, modelId } = this.#ref;
    const { tellsOfModels } = await client.capabilities();
    const [found] = tellsOfModels
      ? (await client.findModels(new Set([modelId]), signal)).jobs
      : this.#app.madeModels.of(serviceId).flatMap(({ model }) => (model.id === modelId ? [model] : []));
    if (found) return found;
    throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this model.', info.name));
  }

  #take(model: LocalFineTunedModel): void {
    const input = model.input_config?.series ? undefined : this.#model?.input_config;
    this.#model = input ? { ...model, input_config: input } : model;
    this.#show({ problem: undefined });
  }

  async #act(id: string): Promise<void> {
    const { serviceId, modelId } = this.#ref;
    const { connection, trees } = this.#app;
    if (id === ACTIONS.retry) await this.#load();
    else if (id === ACTIONS.forecast) await vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId });
    else if (id.startsWith(ACTIONS.dataset)) await showDataset(this.#app, id.slice(ACTIONS.dataset.length));
    else if (id === ACTIONS.stop) {
      await connection.session(serviceId)?.client.do('stopFineTunedModel', { id: modelId });
      await trees.get(VIEWS.models)?.refresh();
    } else if (this.#model && id === ACTIONS.further) await trainFurther(this.#app, serviceId, this.#model);
  }

  #show(change: { readonly problem?: string | undefined }): void {
    if ('problem' in change) this.#problem = change.problem;
    this.state = this.#now();
    this.#changed();
  }

  #now(): ModelState {
    const { serviceId, isUsableAnyway } = this.#ref;
    const { memory } = this.#app;
    const [model, problem] = [this.#model, this.#problem];
    const title = memory.recall(serviceId, this.#ref.modelId)?.label ?? model?.name ?? this.#title;
    const retry = problem === undefined ? [] : [{ id: ACTIONS.retry, label: vscode.l10n.t('Try Again') }];
    if (!model) return { ref: this.#ref, title, shown: { type: 'empty', title, problem, actions: retry } };
    const view = modelView(model, {
      label: title,
      datasetNames: this.#names,
      startLabel: memory.recall(serviceId, String(model.config?.['start_model'] ?? ''))?.label,
      canForecast: isUsableAnyway || model.status === 'COMPLETED',
      canStop: this.#can.stop,
      canTrainFurther: this.#can.trainFurther,
    });
    const why = [view.problem, problem].filter(Boolean).join(' ');
    const further = why === '' ? {} : { problem: why, actions: [...view.actions, ...retry] };
    return { ref: this.#ref, title, shown: { type: 'show', model: { ...view, ...further } } };
  }
}

/** Shows a dataset in its view, with those of jobs where it is one. */
async function showDataset(app: App, id: string): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  const tree = app.trees.get(VIEWS.datasets);
  if ((await tree?.reveal(id)) !== false || showsJobData(app)) return;
  await showJobData(app, true);
  await tree?.reveal(id);
}
