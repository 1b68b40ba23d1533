import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import { CHART_VIEW_TYPE } from '../../connection/names.ts';
import { titleOf } from './chart-view.ts';
import { ChartPanel, type PanelServices } from './panel.ts';
import { type PredictionRef, readPanelState } from './protocol.ts';
import { UnseenCharts } from './unseen.ts';

/** The open chart panels: one for each prediction. Brings them back after a reload of the window. */
export class ChartPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: PanelServices;
  readonly #panels = new Map<string, ChartPanel>();
  readonly #serializer: vscode.Disposable;
  readonly #unseen: UnseenCharts;

  constructor(services: PanelServices) {
    this.#services = services;
    this.#unseen = new UnseenCharts(services.state);
    this.#serializer = vscode.window.registerWebviewPanelSerializer(CHART_VIEW_TYPE, this);
  }

  /**
   * Shows the chart of a prediction, in the panel that it already has or in a new one.
   * @param preserveFocus whether the focus stays where it is
   */
  open(ref: PredictionRef, known?: LocalPrediction, preserveFocus = false): void {
    const panel = this.#panels.get(keyOf(ref));
    if (panel) {
      panel.reveal(preserveFocus);
      return;
    }
    const title = known
      ? titleOf(known, this.#services.memory.recall(ref.serviceId, ref.predictionId)?.label)
      : 'Forecast';
    this.#unseen.replace(
      keyOf(ref),
      title,
      [...this.#panels.values()].map((one) => one.title),
    );
    const webview = vscode.window.createWebviewPanel(
      CHART_VIEW_TYPE,
      title,
      { viewColumn: vscode.ViewColumn.Active, preserveFocus },
      {},
    );
    this.#add(ref, webview, known);
  }

  async deserializeWebviewPanel(webview: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = readPanelState(saved);
    const shown = state && this.#panels.get(keyOf(state));
    // opened anew before this tab of it was seen
    if (shown) shown.reveal(false);
    if (state && !shown) this.#add(state, webview, undefined);
    else webview.dispose();
    await Promise.resolve();
  }

  /** Whether the chart of a prediction is open and visible. */
  isInSight(ref: PredictionRef): boolean {
    return this.#panels.get(keyOf(ref))?.isVisible ?? false;
  }

  /** Closes the chart of a prediction that was deleted. */
  close(ref: PredictionRef): void {
    this.#panels.get(keyOf(ref))?.dispose();
  }

  /** Leaves the panels alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
  }

  #add(
    { predictionId, serviceId }: PredictionRef,
    webview: vscode.WebviewPanel,
    known: LocalPrediction | undefined,
  ): void {
    const ref = { predictionId, serviceId };
    const panel = new ChartPanel(ref, webview, this.#services, known);
    this.#panels.set(keyOf(ref), panel);
    this.#unseen.seen(keyOf(ref), () => panel.title);
    webview.onDidDispose(() => {
      this.#panels.delete(keyOf(ref));
      this.#unseen.closed(keyOf(ref));
    });
  }
}

const keyOf = ({ serviceId, predictionId }: PredictionRef) => `${serviceId} ${predictionId}`;
