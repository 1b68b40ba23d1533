import * as vscode from 'vscode';
import type { LocalFineTunedModel } from '../../../contract/local.ts';
import { MODEL_VIEW_TYPE } from '../../names.ts';
import { ModelPanel, type ModelServices } from './panel.ts';
import { type ModelRef, readModelRef } from './protocol.ts';

/** The open pages of fine-tuned models: one for each. Brings them back after a reload of the window. */
export class ModelPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: ModelServices;
  readonly #panels = new Set<ModelPanel>();
  readonly #serializer: vscode.Disposable;

  constructor(services: ModelServices) {
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(MODEL_VIEW_TYPE, this);
  }

  /** @param isUsableAnyway whether its service tells no more of it, so that it may be tried */
  open(serviceId: string, model: LocalFineTunedModel, isUsableAnyway = false): void {
    const known = this.#panelOf(serviceId, model.id);
    if (known) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      MODEL_VIEW_TYPE,
      vscode.l10n.t('Model'),
      vscode.ViewColumn.Active,
      {},
    );
    this.#add({ serviceId, modelId: model.id, isUsableAnyway }, panel, model);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const ref = readModelRef(saved);
    const shown = ref && this.#panelOf(ref.serviceId, ref.modelId);
    // opened anew before this tab of it was seen
    shown?.reveal();
    if (ref && !shown) this.#add(ref, panel, undefined);
    else panel.dispose();
    await Promise.resolve();
  }

  /** Closes the page of a model that was deleted. @returns whether it was open */
  close(serviceId: string, id: string): boolean {
    const panel = this.#panelOf(serviceId, id);
    panel?.dispose();
    return panel !== undefined;
  }

  /** Leaves the pages alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
  }

  #panelOf(serviceId: string, id: string): ModelPanel | undefined {
    return [...this.#panels].find(({ ref }) => ref.serviceId === serviceId && ref.modelId === id);
  }

  #add(ref: ModelRef, webview: vscode.WebviewPanel, known: LocalFineTunedModel | undefined): void {
    const panel = new ModelPanel(ref, webview, this.#services, known);
    this.#panels.add(panel);
    webview.onDidDispose(() => {
      this.#panels.delete(panel);
    });
  }
}
