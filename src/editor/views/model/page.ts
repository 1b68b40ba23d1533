import * as vscode from 'vscode';
import type { Capabilities } from '../../../client/capabilities.ts';
import { ServiceError } from '../../../client/errors.ts';
import { isPending, type LocalFineTunedModel } from '../../../contract/resources.ts';
import type { App } from '../../app.ts';
import { allDatasets } from '../../connection/datasets.ts';
import { COMMANDS, MODEL_VIEW_TYPE, VIEWS } from '../../names.ts';
import { trainFurther } from '../../training/fine-tune.ts';
import { inBackground, showFailure } from '../../ui/say.ts';
import { Latest } from '../shared/latest.ts';
import { type Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { showJobData, showsJobData } from '../tree/sources.ts';
import { ACTIONS, modelView } from './model-view.ts';
import { ModelIntent, ModelRef, type ModelState } from './protocol.ts';

export class ModelPages extends PageHost<ModelState, ModelIntent, ModelPage> {
  readonly #app: () => App;

  constructor(app: () => App, services: Pick<App, 'extensionUri' | 'log'>) {
    const make = (ref: ModelRef, changed: () => void, title?: string) => new ModelPage(app(), ref, changed, title);
    const keyOf = ({ serviceId, modelId }: ModelRef): string => JSON.stringify([serviceId, modelId]);
    super({ viewType: MODEL_VIEW_TYPE, bundle: 'model', ref: ModelRef, intent: ModelIntent, keyOf, make }, services);
    this.#app = app;
  }

  show(serviceId: string, model: LocalFineTunedModel): void {
    const ref = { serviceId, modelId: model.id };
    this.open(ref, (_, changed) => new ModelPage(this.#app(), ref, changed, model));
  }
}

export class ModelPage implements Page<ModelState, ModelIntent> {
  readonly #ref: ModelRef;
  readonly #changed: () => void;
  readonly #connection: vscode.Disposable;
  readonly #title: string;
  readonly #app: App;
  readonly #loading = new Latest();
  #model: LocalFineTunedModel | undefined;
  #problem: string | undefined;
  #datasetNames: ReadonlyMap<string, string> = new Map();
  #offers: Capabilities | undefined;
  state: ModelState;

  /** @param known the model, or its title before a reload of the window */
  constructor(app: App, ref: ModelRef, changed: () => void, known: LocalFineTunedModel | string = '') {
    this.#ref = ref;
    this.#app = app;
    this.#changed = changed;
    this.#model = typeof known === 'string' ? undefined : known;
    this.#title = (typeof known === 'string' && known) || vscode.l10n.t('Model {0}', ref.modelId.slice(-6));
    this.#connection = app.connection.onDidChange(() => {
      if (!this.#model || isPending(this.#model.status)) this.#start(this.#load());
    });
    this.state = this.#stateNow();
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
      const { client, info, models } = session;
      const offers = await client.capabilities();
      const made = this.#app.madeModels.of(serviceId).map(({ model }) => model);
      const found = known
        ? [known]
        : offers.tellsOfModels
          ? (await client.findModels(new Set([modelId]), signal)).jobs
          : made.filter(({ id }) => id === modelId);
      if (signal.aborted) return;
      const [model] = found;
      if (!model) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this model.', info.name));
      this.#offers = offers;
      this.#show({ model });
      // lists leave out the training data
      const whole = offers.has('getFineTunedModel')
        ? await client.do('getFineTunedModel', { id: modelId, signal })
        : undefined;
      if (signal.aborted) return;
      if (whole) this.#show({ model: whole });
      if (isPending(model.status)) {
        const onChange = (now: LocalFineTunedModel) => {
          this.#show({ model: now });
        };
        signal.addEventListener('abort', models.watch(modelId, { onChange }));
      }
      if (!this.#model?.input_config?.dataset_ids?.length) return;
      const { datasets } = await allDatasets(client, signal, true);
      if (signal.aborted) return;
      this.#datasetNames = new Map(datasets.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
      this.#show({});
    } catch (error) {
      if (signal.aborted) return;
      log.warn(`Page of ${modelId}: ${String(error)}`);
      this.#show({ problem: error instanceof Error ? error.message : String(error) });
    }
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

  #show(change: { readonly model?: LocalFineTunedModel; readonly problem?: string | undefined }): void {
    const { model } = change;
    if (model) {
      const input = model.input_config?.series ? undefined : this.#model?.input_config;
      this.#model = input ? { ...model, input_config: input } : model;
      this.#problem = undefined;
    }
    if ('problem' in change) this.#problem = change.problem;
    this.state = this.#stateNow();
    this.#changed();
  }

  #stateNow(): ModelState {
    const { serviceId, modelId } = this.#ref;
    const { memory } = this.#app;
    const [ref, model, problem] = [this.#ref, this.#model, this.#problem];
    const title = memory.recall(serviceId, modelId)?.label ?? model?.name ?? this.#title;
    const retry = problem === undefined ? [] : [{ id: ACTIONS.retry, label: vscode.l10n.t('Try Again') }];
    if (!model) return { ref, title, shown: { type: 'empty', title, problem, actions: retry } };
    const view = modelView(model, {
      label: title,
      datasetNames: this.#datasetNames,
      startLabel: memory.recall(serviceId, String(model.config?.['start_model'] ?? ''))?.label,
      offers: this.#offers,
    });
    const why = [view.problem, problem].filter(Boolean).join(' ');
    const failed = why === '' ? {} : { problem: why, actions: [...view.actions, ...retry] };
    return { ref, title, shown: { type: 'show', model: { ...view, ...failed } } };
  }
}

/** Shows a dataset in its view; one that was stored for a job too. */
async function showDataset(app: App, id: string): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  const tree = app.trees.get(VIEWS.datasets);
  if ((await tree?.reveal(id)) !== false || showsJobData(app)) return;
  await showJobData(app, true);
  await tree?.reveal(id);
}
