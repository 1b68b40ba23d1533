import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import { MANY_VIEW_TYPE } from '../../names.ts';
import { ManyPanel, type ManyServices, titleOf } from './panel.ts';
import { readSetRef, type SetRef } from './protocol.ts';

/** The open pages of many forecasts: one for each dataset or file. Brings them back after a reload of the window. */
export class ManyPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: ManyServices;
  readonly #panels = new Set<ManyPanel>();
  readonly #serializer: vscode.Disposable;

  constructor(services: ManyServices) {
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(MANY_VIEW_TYPE, this);
  }

  /** Shows forecasts: in the page of their dataset or file where there is one. */
  open(ref: SetRef, predictions: readonly LocalPrediction[]): void {
    const known = this.#panelOf(ref);
    if (known) {
      known.show(ref, predictions);
      return;
    }
    const webview = vscode.window.createWebviewPanel(MANY_VIEW_TYPE, titleOf(ref), vscode.ViewColumn.Active, {});
    this.#add(ref, webview, predictions);
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const ref = readSetRef(saved);
    const shown = ref && this.#panelOf(ref);
    // opened anew before this tab of it was seen
    shown?.reveal();
    if (ref && !shown) this.#add(ref, panel, undefined);
    else panel.dispose();
    await Promise.resolve();
  }

  /** Leaves the pages alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
  }

  #panelOf(ref: SetRef): ManyPanel | undefined {
    return [...this.#panels].find((panel) => keyOf(panel.ref) === keyOf(ref));
  }

  #add(ref: SetRef, webview: vscode.WebviewPanel, known: readonly LocalPrediction[] | undefined): void {
    const panel = new ManyPanel(ref, webview, this.#services, known);
    this.#panels.add(panel);
    webview.onDidDispose(() => {
      this.#panels.delete(panel);
    });
  }
}

const keyOf = ({ serviceId, label, datasetId }: SetRef): string => `${serviceId} ${datasetId ?? label}`;
