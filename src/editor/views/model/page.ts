import * as vscode from 'vscode';
import type { Capabilities } from '../../../client/capabilities.ts';
import { ServiceError } from '../../../client/errors.ts';
import { isPending, type LocalFineTunedModel } from '../../../contract/resources.ts';
import type { App } from '../../app.ts';
import { sessionOf } from '../../connection/connection.ts';
import { COMMANDS, VIEWS } from '../../names.ts';
import { trainFurther } from '../../training/fine-tune.ts';
import { sentenceOf } from '../../ui/say.ts';
import { allItems } from '../../ui/paged-list.ts';
import { type Owner, Page, PageHost } from '../shared/page-host.ts';
import type { Handlers } from '../shared/protocol.ts';
import { showJobData, showsJobData } from '../tree/sources.ts';
import { DATASET, ModelIntent, ModelRef, type ModelState, modelView } from './view.ts';

interface Known {
  readonly model?: LocalFineTunedModel | undefined;
  readonly problem?: string | undefined;
  readonly offers?: Capabilities;
  readonly datasetNames: ReadonlyMap<string, string>;
}

class ModelPage extends Page<ModelState, ModelIntent> {
  #known: Known = { datasetNames: new Map() };

  constructor(owner: Owner, ref: ModelRef, model?: LocalFineTunedModel, title?: string) {
    const start = title ?? vscode.l10n.t('Model {0}', ref.modelId.slice(-6));
    super(owner, { ref, title: start, model: modelView(undefined, { datasetNames: new Map() }) });
    this.disposables.push(
      this.app.connection.onDidChange(() => {
        const { model: now } = this.#known;
        if (!now || isPending(now.status)) this.start(() => this.#load());
      }),
    );
    this.#show({ model });
    this.start(() => this.#load(model));
  }

  readonly intents: Handlers<ModelIntent> = { action: ({ id }) => this.start(() => this.#act(id)) };

  async #load(known?: LocalFineTunedModel): Promise<void> {
    if (this.#known.problem !== undefined) this.#show({ problem: undefined });
    await this.latest(
      'loading',
      (signal) => this.#read(signal, known),
      (error) => this.#show({ problem: sentenceOf(error) }),
    );
  }

  async #read(signal: AbortSignal, known?: LocalFineTunedModel): Promise<void> {
    const { serviceId, modelId } = this.state.ref;
    const { connection } = this.app;
    if (known && !connection.session(serviceId)) return;
    const { client, info, models } = sessionOf(connection, serviceId);
    const offers = await client.capabilities();
    const made = this.app.madeModels.of(serviceId).map(({ model }) => model);
    const found = known
      ? [known]
      : offers.tellsOfModels
        ? (await client.findModels(new Set([modelId]), signal)).jobs
        : made.filter(({ id }) => id === modelId);
    signal.throwIfAborted();
    const [model] = found;
    if (!model) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer has this model.', info.name));
    this.#show({ model, offers });
    const whole = offers.has('getFineTunedModel')
      ? await client.do('getFineTunedModel', { id: modelId, signal })
      : undefined;
    signal.throwIfAborted();
    if (whole) this.#show({ model: whole });
    if (isPending(model.status))
      signal.addEventListener('abort', models.watch(modelId, { onChange: (now) => this.#show({ model: now }) }));
    if (!this.#known.model?.input_config?.dataset_ids?.length) return;
    const datasets = await allItems((cursor) => client.listDatasets({ size: 200, cursor, signal }, true));
    signal.throwIfAborted();
    this.#show({ datasetNames: new Map(datasets.flatMap(({ id, name }) => (name ? [[id, name]] : []))) });
  }

  async #act(id: string): Promise<void> {
    const { serviceId, modelId } = this.state.ref;
    const { connection, trees } = this.app;
    if (id === 'retry') await this.#load();
    else if (id === 'forecast') await vscode.commands.executeCommand(COMMANDS.forecast, { serviceId, modelId });
    else if (id.startsWith(DATASET)) await showDataset(this.app, id.slice(DATASET.length));
    else if (id === 'stop') {
      await connection.session(serviceId)?.client.do('stopFineTunedModel', { id: modelId });
      await trees.get(VIEWS.models)?.refresh();
    } else if (this.#known.model && id === 'further') await trainFurther(this.app, serviceId, this.#known.model);
  }

  #show(change: Partial<Known>): void {
    const { model: before } = this.#known;
    const { model: now = before } = change;
    const input = now?.input_config?.series ? undefined : before?.input_config;
    const model = now && input ? { ...now, input_config: input } : now;
    this.#known = { ...this.#known, ...(change.model && { problem: undefined }), ...change, model };
    const { serviceId, modelId } = this.state.ref;
    const labelOf = (id: string) => this.app.memory.recall(serviceId, id)?.label;
    const startLabel = labelOf(String(model?.config?.['start_model'] ?? ''));
    const title = labelOf(modelId) ?? model?.name ?? this.state.title;
    this.set({ title, model: modelView(model, { ...this.#known, startLabel }) });
  }
}

export const modelPages = (app: () => App) =>
  new PageHost(
    { viewType: 'forecasts.model', bundle: 'model', ref: ModelRef, intent: ModelIntent, page: ModelPage },
    app,
  );

async function showDataset(app: App, id: string): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  const tree = app.trees.get(VIEWS.datasets);
  if ((await tree?.reveal(id)) !== false || showsJobData(app)) return;
  await showJobData(app, true);
  await tree?.reveal(id);
}
