import * as vscode from 'vscode';
import { PLOT_VIEW_TYPE } from '../../names.ts';
import { PlotPanel, type PlotServices } from './plot-panel.ts';
import { type Plot, plotOf, refOf } from './plot.ts';

/** The open plots: one for each series. Brings them back after a reload of the window. */
export class Plots implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: PlotServices;
  readonly #panels = new Map<string, PlotPanel>();
  readonly #serializer: vscode.Disposable;

  constructor(services: PlotServices) {
    this.#services = services;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(PLOT_VIEW_TYPE, this);
  }

  /** @param preserveFocus whether the focus stays where it is */
  open(plot: Plot, preserveFocus = false): void {
    const known = this.#panels.get(refOf(plot).predictionId);
    if (known) {
      known.reveal(preserveFocus);
      return;
    }
    const where = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    this.#add(plot, vscode.window.createWebviewPanel(PLOT_VIEW_TYPE, plot.label, where, {}));
  }

  async deserializeWebviewPanel(webview: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const plot = plotOf(saved);
    if (plot && !this.#panels.has(refOf(plot).predictionId)) this.#add(plot, webview);
    else webview.dispose();
    await Promise.resolve();
  }

  /** Leaves the panels alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
    for (const panel of this.#panels.values()) panel.rest();
  }

  #add(plot: Plot, webview: vscode.WebviewPanel): void {
    const ref = refOf(plot);
    this.#panels.set(ref.predictionId, new PlotPanel(plot, ref, webview, this.#services));
    webview.onDidDispose(() => {
      this.#panels.delete(ref.predictionId);
    });
  }
}
