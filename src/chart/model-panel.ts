import * as vscode from 'vscode';
import { isPending } from '../client/poller.ts';
import type { LocalFineTunedModel } from '../contract/local.ts';
import { COMMANDS } from '../connection/names.ts';
import { modelPage } from './model-page.ts';
import type { PanelServices } from './panel.ts';

/** The open pages of fine-tuned models: one for each. A page follows its model while it is trained. */
export class ModelPanels {
  readonly #services: PanelServices;
  readonly #panels = new Map<string, vscode.WebviewPanel>();

  constructor(services: PanelServices) {
    this.#services = services;
  }

  /** @param isUsableAnyway whether its service tells no more of it, so that it may be tried */
  open(serviceId: string, model: LocalFineTunedModel, isUsableAnyway = false): void {
    const key = `${serviceId} ${model.id}`;
    const known = this.#panels.get(key);
    if (known) {
      known.reveal();
      return;
    }
    const { extensionUri, connection, memory } = this.#services;
    const label = memory.recall(serviceId, model.id)?.label ?? model.name ?? `Model ${model.id.slice(-6)}`;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const panel = vscode.window.createWebviewPanel('forecasts.model', label, vscode.ViewColumn.Active, {
      enableCommandUris: [COMMANDS.forecastWithModel],
      localResourceRoots: [dist],
    });
    this.#panels.set(key, panel);
    const session = connection.session(serviceId);
    let names: ReadonlyMap<string, string> = new Map();
    let now = model;
    const paint = () => {
      const isUsable = isUsableAnyway || now.status === 'COMPLETED';
      const argument = encodeURIComponent(JSON.stringify([{ serviceId, modelId: model.id }]));
      panel.webview.html = modelPage(now, {
        label,
        cspSource: panel.webview.cspSource,
        styleUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, 'model.css')).toString(),
        forecastUri: isUsable ? `command:${COMMANDS.forecastWithModel}?${argument}` : undefined,
        datasetNames: names,
      });
    };
    paint();
    void session?.client.listDatasets({ size: 200 }).then(
      ({ items }) => {
        names = new Map(items.flatMap((item) => (item.name ? [[item.id, item.name]] : [])));
        if (this.#panels.has(key)) paint();
      },
      (error: unknown) => {
        this.#services.log.warn(`Names of datasets: ${String(error)}`);
      },
    );
    const onChange = (changed: LocalFineTunedModel) => {
      now = changed;
      paint();
    };
    const end = isPending(model.status) ? session?.models.watch(model.id, { onChange }) : undefined;
    panel.onDidDispose(() => {
      this.#panels.delete(key);
      end?.();
    });
  }

  /** Closes the page of a model that was deleted. */
  close(serviceId: string, id: string): void {
    this.#panels.get(`${serviceId} ${id}`)?.dispose();
  }
}
