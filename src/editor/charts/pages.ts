import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/resources.ts';
import type { App, Charts } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { CHART_VIEW_TYPE } from '../names.ts';
import { ChartIntent, ChartRef, type ChartState, type PredictionRef } from '../views/chart/protocol.ts';
import { seriesKey } from '../views/chart/state.ts';
import { type HostServices, PageHost } from '../views/shared/page-host.ts';
import { ChartPage } from './page.ts';

const keyOf = ({ serviceId, predictionId }: PredictionRef) => JSON.stringify([serviceId, predictionId]);
const refOf = ({ serviceId, predictionId }: PredictionRef): ChartRef => ({ serviceId, predictionId, former: [] });

/** The pages of predictions: one for each series, which shows the newest forecast of it. */
export class ChartPages implements Charts, vscode.Disposable {
  readonly #app: () => App;
  readonly host: PageHost<ChartState<ChartRef>, ChartIntent, ChartPage>;

  constructor(app: () => App, services: HostServices) {
    this.#app = app;
    const kind = { viewType: CHART_VIEW_TYPE, bundle: 'webview', ref: ChartRef, intent: ChartIntent, keyOf } as const;
    const make = (ref: ChartRef, changed: () => void, title?: string) => new ChartPage(app(), ref, changed, { title });
    this.host = new PageHost({ ...kind, make }, services);
  }

  open(ref: PredictionRef, known?: LocalPrediction, { former, ...showing }: Parameters<Charts['open']>[2] = {}): void {
    const page = this.#find(ref) ?? (former && this.#find(former)) ?? this.#ofSeries(ref, known);
    page?.show(ref, known);
    const make = (own: ChartRef, changed: () => void) => new ChartPage(this.#app(), own, changed, { known });
    this.host.open(refOf(ref), make, showing);
  }

  expect(note: Note): vscode.Disposable | undefined {
    const series = seriesKey(note, undefined);
    if (this.host.pages.some((page) => page.series === series)) return undefined;
    return this.host.expect(vscode.l10n.t('Forecast'));
  }

  compare(ref: PredictionRef, known: LocalPrediction, others: readonly LocalPrediction[]): void {
    this.open(ref, known);
    this.#find(ref)?.compareWith(others);
  }

  follow(ref: PredictionRef, known: LocalPrediction): void {
    this.#ofSeries(ref, known)?.show(ref, known);
  }

  get front(): PredictionRef | undefined {
    return this.host.front?.ref;
  }

  isInSight(ref: PredictionRef): boolean {
    return this.host.isInSight(refOf(ref));
  }

  close(ref: PredictionRef): boolean {
    return this.host.close(refOf(ref));
  }

  dispose(): void {
    this.host.dispose();
  }

  #find(ref: PredictionRef): ChartPage | undefined {
    return this.host.find(refOf(ref));
  }

  #ofSeries(ref: PredictionRef, known: LocalPrediction | undefined): ChartPage | undefined {
    const series = seriesKey(this.#app().memory.recall(ref.serviceId, ref.predictionId), known);
    return series === undefined ? undefined : this.host.pages.find((page) => page.series === series);
  }
}
