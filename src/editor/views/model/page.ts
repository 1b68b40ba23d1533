import * as vscode from 'vscode';
import type { Capabilities } from '../../../client/capabilities.ts';
import { ServiceError } from '../../../client/errors.ts';
import { isPending, type LocalFineTunedModel } from '../../../contract/resources.ts';
import type { App } from '../../app.ts';
import { allDatasets } from '../../connection/all-items.ts';
import { sessionOf } from '../../connection/connection.ts';
import { COMMANDS, MODEL_VIEW_TYPE, VIEWS } from '../../names.ts';
import { trainFurther } from '../../training/fine-tune.ts';
import { type HostServices, PageHost, WorkingPage } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { showJobData, showsJobData } from '../tree/sources.ts';
import { ACTIONS, modelView } from './model-view.ts';
import { ModelIntent, ModelRef, type ModelState } from './protocol.ts';

/** The pages of fine-tuned models, one for each. */
export const modelPages = (app: () => App, services: HostServices) =>
  new PageHost(
    {
      viewType: MODEL_VIEW_TYPE,
      bundle: 'model',
      ref: ModelRef,
      intent: ModelIntent,
      make: (ref: ModelRef, changed: () => void, model?: LocalFineTunedModel, title?: string) =>
        new ModelPage(app(), changed, { ref, model, title }),
    },
    services,
  );

class ModelPage extends WorkingPage<ModelState, ModelIntent> {
  /** Until it has a name. */
  readonly #title: string;
  #model: LocalFineTunedModel | undefined;
  #problem: string | undefined;
  #datasetNames: ReadonlyMap<string, string> = new Map();
  #offers: Capabilities | undefined;

  constructor(
    app: App,
    changed: () => void,
    { ref, model, title }: { ref: ModelRef; model: LocalFineTunedModel | undefined; title: string | undefined },
  ) {
    const start = title ?? vscode.l10n.t('Model {0}', ref.modelId.slice(-6));
    super(app, changed, { ref, title: start, shown: { type: 'empty', title: start, actions: [] } });
    this.#title = start;
    this.disposables.push(
      app.connection.onDidChange(() => {
        if (!this.#model || isPending(this.#model.status)) this.start(this.#load());
      }),
    );
    this.#show({ model });
    this.start(this.#load(model));
  }

  readonly intents: Handlers<ModelIntent> = { action: ({ id }) => this.start(this.#act(id)) };

  async #load(known?: LocalFineTunedModel): Promise<void> {
    const signal = this.loading.begin();
    const { serviceId, modelId } = this.state.ref;
    const { connection, log } = this.app;
    if (this.#problem !== undefined) this.#show({ problem: undefined });
    try {
      if (known && !connection.session(serviceId)) return;
      const { client, info, models } = sessionOf(connection, serviceId);
      const offers = await client.capabilities();
      const made = this.app.madeModels.of(serviceId).map(({ model }) => model);
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
        signal.addEventListener('abort', models.watch(modelId, { onChange: (now) => this.#show({ model: now }) }));
      }
      if (!this.#model?.input_config?.dataset_ids?.length) return;
      const { items: datasets } = await allDatasets(client, signal, true);
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
    const { serviceId, modelId } = this.state.ref;
    const { connection, trees } = this.app;
    if (id === ACTIONS.retry) await this.#load();
    else if (id === ACTIONS.forecast) await vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId });
    else if (id.startsWith(ACTIONS.dataset)) await showDataset(this.app, id.slice(ACTIONS.dataset.length));
    else if (id === ACTIONS.stop) {
      await connection.session(serviceId)?.client.do('stopFineTunedModel', { id: modelId });
      await trees.get(VIEWS.models)?.refresh();
    } else if (this.#model && id === ACTIONS.further) await trainFurther(this.app, serviceId, this.#model);
  }

  #show(change: { readonly model?: LocalFineTunedModel | undefined; readonly problem?: string | undefined }): void {
    const { model } = change;
    if (model) {
      const input = model.input_config?.series ? undefined : this.#model?.input_config;
      this.#model = input ? { ...model, input_config: input } : model;
      this.#problem = undefined;
    }
    if ('problem' in change) this.#problem = change.problem;
    this.set(this.#stateNow());
  }

  #stateNow(): Omit<ModelState, 'ref'> {
    const { serviceId, modelId } = this.state.ref;
    const { memory } = this.app;
    const [now, problem] = [this.#model, this.#problem];
    const title = memory.recall(serviceId, modelId)?.label ?? now?.name ?? this.#title;
    const retry = problem === undefined ? [] : [{ id: ACTIONS.retry, label: vscode.l10n.t('Try Again') }];
    if (!now) return { title, shown: { type: 'empty', title, problem, actions: retry } };
    const view = modelView(now, {
      label: title,
      datasetNames: this.#datasetNames,
      startLabel: memory.recall(serviceId, String(now.config?.['start_model'] ?? ''))?.label,
      offers: this.#offers,
    });
    const why = [view.problem, problem].filter(Boolean).join(' ');
    const failed = why === '' ? {} : { problem: why, actions: [...view.actions, ...retry] };
    return { title, shown: { type: 'show', model: { ...view, ...failed } } };
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
