import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { fileNameOf, type OpenedDocument, SERIES_ENDINGS } from '../files/document.ts';
import { fingerprintOf } from '../files/series-file.ts';
import { VIEWS } from '../names.ts';
import { inBackground, say } from '../ui/say.ts';
import { outcomeOf } from '../views/chart/comparison.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { forecastAgain, forecastFiles, forecastSeries } from './forecast.ts';

const MESSAGE_TIME = 5000;

/** Forecasts a file again at each save, or stops that. @param as a prediction whose model and horizon are used @throws Cancelled, ServiceError */
export async function toggleKept(app: App, uri: vscode.Uri, as?: ResourceNode): Promise<void> {
  const { kept, log } = app;
  const address = uri.toString();
  if (kept.has(address)) {
    await kept.keep(address, false);
    inBackground(log, say.info(vscode.l10n.t('{0} is no longer kept up to date.', fileNameOf(uri))));
    return;
  }
  const { serviceId, model, horizon, intervals } = kept.made(address) ?? {};
  const change = serviceId === app.connection.current.id ? { model, horizon, intervals } : {};
  await kept.keep(address, true, true);
  try {
    if (as) await forecastAgain(app, { serviceId: as.serviceId, predictionId: as.id });
    else await forecastFiles(app, [uri], change);
  } catch (error) {
    // after a cancel or a failure the person starts over; the earlier options stay
    await kept.keep(address, false);
    throw error;
  }
  if (kept.has(address)) sayKept(app, uri);
}

function sayKept({ kept }: App, uri: vscode.Uri): void {
  const sentence = vscode.l10n.t('{0} is forecast again whenever it is saved', fileNameOf(uri));
  const message = vscode.window.setStatusBarMessage(sentence, MESSAGE_TIME);
  const listener = kept.onDidChange(() => {
    message.dispose();
    listener.dispose();
  });
}

const DEBOUNCE = 400;
const MOST_CHECKED = 20;
const MOST_SEARCHED = 50;

/** Watches saved files: compares their forecasts with new values, and forecasts again those that are kept up to date. */
export class FileWatch implements vscode.Disposable {
  readonly #app: App;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #disposables: vscode.Disposable[];

  constructor(app: App) {
    this.#app = app;
    const watcher = vscode.workspace.createFileSystemWatcher(`**/*.{${SERIES_ENDINGS.join(',')}}`, true, false, true);
    this.#disposables = [
      watcher,
      watcher.onDidChange((uri) => this.#onChange(uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#onChange(uri)),
    ];
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #onChange(uri: vscode.Uri): void {
    const address = uri.toString();
    clearTimeout(this.#timers.get(address));
    if (!this.#isForecast(address)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(address);
      inBackground(this.#app.log, this.#update(uri));
    }, DEBOUNCE);
    this.#timers.set(address, timer);
  }

  #isForecast(address: string): boolean {
    const { memory, trees, kept } = this.#app;
    const isOfFile = (entry: ResourceNode) => entry.kind === 'prediction' && entry.note?.source?.uri === address;
    const entries = trees.get(VIEWS.predictions)?.entries ?? [];
    return memory.hasForecast(address) || kept.has(address) || entries.some(isOfFile);
  }

  async #update(uri: vscode.Uri): Promise<void> {
    const { files, choices, kept, log } = this.#app;
    try {
      const opened = await files.read(uri);
      const isSheetGone = choices.latest(uri)?.layout.sheet !== undefined && opened.layout.sheet === undefined;
      if (isSheetGone) throw new Error('the sheet that was chosen is gone');
      await this.#keepOutcomes(opened);
      if (kept.has(uri.toString())) await this.#forecast(opened);
    } catch (error) {
      log.warn(`${uri.path} was saved, and its forecasts are as before: ${String(error)}`);
    }
  }

  /** Of the forecasts of a file, if the service lists them without their series; otherwise their charts show the outcome. */
  async #keepOutcomes({ uri, document }: OpenedDocument): Promise<void> {
    const { memory, connection, trees } = this.#app;
    const { client, info } = await connection.ready();
    if (!(await client.capabilities()).asks('listPredictions', 'include_series')) return;
    const sourceOf = (id: string) => memory.recall(info.id, id)?.source;
    const { items } = await client.listPredictions({ size: MOST_SEARCHED }, false);
    const ids = items
      .filter(({ id, status }) => status === 'COMPLETED' && sourceOf(id)?.uri === uri.toString())
      .map(({ id }) => id)
      .slice(0, MOST_CHECKED);
    let isNew = false;
    for (const prediction of (await client.findPredictions(new Set(ids), new AbortController().signal)).jobs) {
      const series = document.series.find(({ id }) => id === sourceOf(prediction.id)?.id);
      const outcome = series && outcomeOf(prediction, series);
      if (outcome && memory.keepCoverage(info.id, prediction.id, outcome.coverage)) isNew = true;
    }
    if (isNew) await trees.get(VIEWS.predictions)?.refresh();
  }

  async #forecast(opened: OpenedDocument): Promise<void> {
    const { kept, connection } = this.#app;
    const made = kept.made(opened.uri.toString());
    const { series: all } = opened.document;
    // without an earlier forecast, as after a reload, a single series is unambiguous
    const series = made ? all.find(({ id }) => id === made.series) : all.length === 1 ? all[0] : undefined;
    const isOther = made && made.serviceId !== connection.current.id;
    if (!series || isOther || fingerprintOf(series) === made?.fingerprint) return;
    const { model, horizon, intervals } = made ?? {};
    const wanted = { model, horizon, intervals, isAnew: true, show: { opened: 0, isFollowing: true } };
    await forecastSeries(this.#app, opened, [series], wanted);
    vscode.window.setStatusBarMessage(vscode.l10n.t('{0} was saved and forecast again', opened.fileName), MESSAGE_TIME);
  }
}
