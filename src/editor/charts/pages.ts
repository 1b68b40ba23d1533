import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/resources.ts';
import type { App, Charts } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { CHART_VIEW_TYPE } from '../names.ts';
import { ChartIntent, ChartRef, type PredictionRef } from '../views/chart/protocol.ts';
import { seriesKey } from '../views/chart/state.ts';
import { type HostServices, PageHost } from '../views/shared/page-host.ts';
import { ChartPage } from './page.ts';

/** The pages of predictions: one for each series, which shows the newest forecast of it. */
export class ChartPages extends PageHost<ChartRef, ChartIntent, LocalPrediction, ChartPage> implements Charts {
  readonly #app: () => App;

  constructor(app: () => App, services: HostServices) {
    const kind = { viewType: CHART_VIEW_TYPE, bundle: 'webview', ref: ChartRef, intent: ChartIntent } as const;
    const keyOf = ({ serviceId, predictionId }: PredictionRef) => JSON.stringify([serviceId, predictionId]);
    const make = (ref: ChartRef, changed: () => void, known?: LocalPrediction, title?: string) =>
      new ChartPage(app(), changed, { ref, known, title });
    super({ ...kind, keyOf, make }, services);
    this.#app = app;
  }

  override open(
    ref: PredictionRef,
    known?: LocalPrediction,
    { former, ...showing }: Parameters<Charts['open']>[2] = {},
  ): ChartPage {
    const page = this.find(ref) ?? (former && this.find(former)) ?? this.#ofSeries(ref, known);
    page?.show(ref, known);
    return super.open(ref, known, showing);
  }

  expectFor(note: Note): vscode.Disposable | undefined {
    const series = seriesKey(note, undefined);
    if (this.pages.some((page) => page.series === series)) return undefined;
    return this.expect(vscode.l10n.t('Forecast'));
  }

  compare(ref: PredictionRef, known: LocalPrediction, others: readonly LocalPrediction[]): void {
    this.open(ref, known).compareWith(others);
  }

  follow(ref: PredictionRef, known: LocalPrediction): void {
    this.#ofSeries(ref, known)?.show(ref, known);
  }

  #ofSeries(ref: PredictionRef, known: LocalPrediction | undefined): ChartPage | undefined {
    const series = seriesKey(this.#app().memory.recall(ref.serviceId, ref.predictionId), known);
    return series === undefined ? undefined : this.pages.find((page) => page.series === series);
  }
}
