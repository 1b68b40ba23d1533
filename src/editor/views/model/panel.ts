import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
import { isPending, readFineTunedModels } from '../../../client/poller.ts';
import type { Session } from '../../connection/connection.ts';
import { allDatasets } from '../../connection/datasets.ts';
import type { MadeModels } from '../../connection/made-models.ts';
import { COMMANDS, MODEL_VIEW_TYPE } from '../../connection/names.ts';
import type { LocalFineTunedModel } from '../../../contract/local.ts';
import { modelBody, type ModelRef, modelShell, problemBody, readModelRef } from './page.ts';
import type { PanelServices } from '../chart/panel.ts';

type Services = PanelServices & { readonly madeModels: MadeModels };

const keyOf = (serviceId: string, modelId: string) => `${serviceId} ${modelId}`;

/** The open pages of fine-tuned models: one for each. Brings them back after a reload of the window. */
export class ModelPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: Services;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #serializer: vscode.Disposable;

  constructor(services: Services) {
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(MODEL_VIEW_TYPE, this);
  }

  /** @param isUsableAnyway whether its service tells no more of it, so that it may be tried */
  open(serviceId: string, model: LocalFineTunedModel, isUsableAnyway = false): void {
    const known = this.#panels.get(keyOf(serviceId, model.id));
    if (known) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(MODEL_VIEW_TYPE, 'Model', vscode.ViewColumn.Active, {});
    this.#add({ serviceId, modelId: model.id, isUsableAnyway }, panel, model);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const ref = readModelRef(saved);
    if (ref) this.#add(ref, panel, undefined);
    else panel.dispose();
    await Promise.resolve();
  }

  /** Closes the page of a model that was deleted. */
  close(serviceId: string, id: string): void {
    this.#panels.get(keyOf(serviceId, id))?.dispose();
  }

  /** Leaves the pages alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
  }

  #add(ref: ModelRef, panel: vscode.WebviewPanel, known: LocalFineTunedModel | undefined): void {
    const key = keyOf(ref.serviceId, ref.modelId);
    new ModelPanel(ref, panel, this.#services, known);
    this.#panels.set(key, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(key);
    });
  }
}

/** One page. It follows its model while that is trained, and only while it is open. */
class ModelPanel {
  readonly #ref: ModelRef;
  readonly #panel: vscode.WebviewPanel;
  readonly #services: Services;
  readonly #closed = new AbortController();
  #model: LocalFineTunedModel | undefined;
  #problem = '';
  #names: ReadonlyMap<string, string> = new Map();

  constructor(ref: ModelRef, panel: vscode.WebviewPanel, services: Services, known: LocalFineTunedModel | undefined) {
    this.#ref = ref;
    this.#panel = panel;
    this.#services = services;
    this.#model = known;
    const dist = vscode.Uri.joinPath(services.extensionUri, 'dist');
    const { webview } = panel;
    webview.options = {
      enableScripts: true,
      enableCommandUris: [COMMANDS.forecastWithModel],
      localResourceRoots: [dist],
    };
    const disposables = [
      webview.onDidReceiveMessage(() => {
        // the page has only one thing to say: that it is there, at first or after it was hidden
        this.#show();
      }),
      services.connection.onDidChange(() => {
        if (!this.#model || isPending(this.#model.status)) void this.#load();
      }),
    ];
    panel.onDidDispose(() => {
      this.#closed.abort();
      for (const disposable of disposables) disposable.dispose();
    });
    const label = this.#label();
    if (known) panel.title = label;
    webview.html = modelShell({
      label,
      nonce: randomBytes(16).toString('base64url'),
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'model.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'model.css')).toString(),
      ref,
      body: this.#body(),
    });
    void this.#load(known);
  }

  #label(): string {
    const { serviceId, modelId } = this.#ref;
    const known = this.#services.memory.recall(serviceId, modelId)?.label ?? this.#model?.name;
    return known ?? (this.#model ? `Model ${modelId.slice(-6)}` : this.#panel.title);
  }

  async #load(known?: LocalFineTunedModel): Promise<void> {
    const { signal } = this.#closed;
    const { serviceId, modelId } = this.#ref;
    const { connection, log } = this.#services;
    try {
      const session = connection.session(serviceId);
      if (!session && known) return;
      if (!session) {
        const where = `This model is from ${serviceId}, which is not set up any more.`;
        throw new ServiceError('not-found', `${where} Add that service again to see it.`);
      }
      const model = known ?? (await this.#read(session));
      if (signal.aborted) return;
      this.#take(model);
      // lists leave out what it was trained on
      const isWhole = !(await session.client.capabilities()).has('getFineTunedModel');
      if (!isWhole) this.#take(await session.client.getFineTunedModel(modelId, signal));
      if (isPending(model.status)) {
        const end = session.models.watch(modelId, {
          onChange: (now) => {
            this.#take(now);
          },
        });
        signal.addEventListener('abort', end);
      }
      if (!model.input_config?.dataset_ids?.length) return;
      const { datasets } = await allDatasets(session.client, signal);
      this.#names = new Map(datasets.flatMap(({ id, name }) => (name ? [[id, name]] : [])));
      if (!signal.aborted) this.#show();
    } catch (error) {
      if (signal.aborted) return;
      log.warn(`Page of ${modelId}: ${String(error)}`);
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#show();
    }
  }

  /** The model as its service tells it; where that tells nothing of models, as it was last known here. */
  async #read({ client, info }: Session): Promise<LocalFineTunedModel> {
    const { serviceId, modelId } = this.#ref;
    const offers = await client.capabilities();
    const isTold = offers.tellsOfModels;
    const [found] = isTold
      ? (await readFineTunedModels(client, new Set([modelId]), this.#closed.signal)).jobs
      : this.#services.madeModels.of(serviceId).flatMap(({ model }) => (model.id === modelId ? [model] : []));
    if (found) return found;
    throw new ServiceError('not-found', `${info.name} does not have this model any more.`);
  }

  #take(model: LocalFineTunedModel): void {
    const input = model.input_config?.series ? undefined : this.#model?.input_config;
    this.#model = input ? { ...model, input_config: input } : model;
    this.#problem = '';
    this.#panel.title = this.#label();
    this.#show();
  }

  /** To a page in sight; one that was hidden asks by itself. */
  #show(): void {
    void this.#panel.webview.postMessage({ body: this.#body() });
  }

  #body(): string {
    const model = this.#model;
    if (!model) return problemBody(this.#label(), this.#problem);
    const { serviceId, modelId, isUsableAnyway } = this.#ref;
    const argument = encodeURIComponent(JSON.stringify([{ serviceId, modelId }]));
    const isUsable = isUsableAnyway || model.status === 'COMPLETED';
    return modelBody(model, {
      label: this.#label(),
      forecastUri: isUsable ? `command:${COMMANDS.forecastWithModel}?${argument}` : undefined,
      datasetNames: this.#names,
    });
  }
}
