import * as vscode from 'vscode';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { Note } from '../../connection/memory.ts';
import { CHART_VIEW_TYPE } from '../../names.ts';
import { panelTitle, seriesKey } from './status.ts';
import { titleOf } from '../../../chart/chart-view.ts';
import type { PanelServices } from './deeds.ts';
import { ChartPanel } from './panel.ts';
import { type PredictionRef, readPanelState } from './protocol.ts';
import { UnseenCharts } from './unseen.ts';

/** The open chart panels: one for each series, made again in place. Brings them back after a reload of the window. */
export class ChartPanels implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #services: PanelServices;
  readonly #panels = new Set<ChartPanel>();
  readonly #serializer: vscode.Disposable;
  readonly #unseen: UnseenCharts;

  constructor(services: PanelServices) {
    this.#services = services;
    this.#unseen = new UnseenCharts(services.state, services.log);
    this.#serializer = vscode.window.registerWebviewPanelSerializer(CHART_VIEW_TYPE, this);
  }

  /**
   * Shows the chart of a prediction: in the panel of its series where there is one, else in a new one.
   * @param preserveFocus whether the focus stays where it is
   * @param former whose chart it takes the place of, where that is open
   * @param viewColumn where a new one comes
   */
  open(
    ref: PredictionRef,
    known?: LocalPrediction,
    preserveFocus = false,
    former?: PredictionRef,
    viewColumn = vscode.ViewColumn.Active,
  ): void {
    const panel = this.#panelOf(ref) ?? (former && this.#panelOf(former)) ?? this.#panelOfSeries(ref, known);
    if (panel) {
      this.#turn(panel, ref, known);
      panel.reveal(preserveFocus);
      return;
    }
    const label = this.#note(ref)?.label;
    const title = known ? panelTitle(titleOf(known, label), true) : vscode.l10n.t('Forecast');
    this.#unseen.replace(
      keyOf(ref),
      title,
      [...this.#panels].map((one) => one.title),
    );
    const webview = vscode.window.createWebviewPanel(CHART_VIEW_TYPE, title, { viewColumn, preserveFocus }, {});
    this.#add(ref, webview, known);
  }

  /** Shows the chart of a prediction with others of its series laid over it. */
  async compare(ref: PredictionRef, known: LocalPrediction, others: readonly LocalPrediction[]): Promise<void> {
    this.open(ref, known);
    await this.#panelOf(ref)?.compareWith(others);
  }

  /** Turns the chart of the series, where it is open, to a newer forecast of it; nothing comes to the front. */
  follow(ref: PredictionRef, known: LocalPrediction): void {
    const panel = this.#panelOfSeries(ref, known);
    if (panel) this.#turn(panel, ref, known);
  }

  async deserializeWebviewPanel(webview: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const state = readPanelState(saved);
    const shown = state && this.#panelOf(state);
    // opened anew before this tab of it was seen
    if (shown) shown.reveal(false);
    if (state && !shown) this.#add(state, webview, undefined, state.former);
    else webview.dispose();
    await Promise.resolve();
  }

  /** The prediction of the chart in front. */
  get front(): PredictionRef | undefined {
    return [...this.#panels].find((panel) => panel.isActive)?.ref;
  }

  /** Whether the chart of a prediction is open and visible. */
  isInSight(ref: PredictionRef): boolean {
    return this.#panelOf(ref)?.isVisible ?? false;
  }

  /** Closes the chart of a prediction that was deleted. @returns whether it was open */
  close(ref: PredictionRef): boolean {
    const panel = this.#panelOf(ref);
    panel?.dispose();
    return panel !== undefined;
  }

  /** Leaves the panels alone: what is closed while the window reloads does not come back. */
  dispose(): void {
    this.#serializer.dispose();
    for (const panel of this.#panels) panel.rest();
  }

  #turn(panel: ChartPanel, ref: PredictionRef, known: LocalPrediction | undefined): void {
    if (isSame(panel.ref, ref)) return;
    this.#unseen.closed(keyOf(panel.ref));
    panel.turnTo(ref, known);
    this.#unseen.seen(keyOf(ref), () => panel.title);
  }

  #add(
    { predictionId, serviceId }: PredictionRef,
    webview: vscode.WebviewPanel,
    known: LocalPrediction | undefined,
    former?: readonly string[],
  ): void {
    const panel = new ChartPanel({ predictionId, serviceId }, webview, this.#services, {
      known,
      former,
      turn: (one, ref, prediction) => {
        this.#turn(one, ref, prediction);
      },
    });
    this.#panels.add(panel);
    this.#unseen.seen(keyOf(panel.ref), () => panel.title);
    webview.onDidDispose(() => {
      this.#panels.delete(panel);
      this.#unseen.closed(keyOf(panel.ref));
    });
  }

  #note({ serviceId, predictionId }: PredictionRef): Note | undefined {
    return this.#services.memory.recall(serviceId, predictionId);
  }

  #panelOf(ref: PredictionRef): ChartPanel | undefined {
    return [...this.#panels].find((panel) => isSame(panel.ref, ref));
  }

  #panelOfSeries(ref: PredictionRef, known: LocalPrediction | undefined): ChartPanel | undefined {
    const key = seriesKey(this.#note(ref), known);
    if (key === undefined) return undefined;
    return [...this.#panels].find((panel) => seriesKey(this.#note(panel.ref), panel.prediction) === key);
  }
}

const keyOf = ({ serviceId, predictionId }: PredictionRef) => `${serviceId} ${predictionId}`;

const isSame = (a: PredictionRef, b: PredictionRef): boolean =>
  a.predictionId === b.predictionId && a.serviceId === b.serviceId;
