import * as vscode from 'vscode';
import type { LocalPrediction } from '../../contract/local.ts';
import type { App } from '../app.ts';
import { fileNameOf, type OpenedDocument, SERIES_ENDINGS } from '../files/document.ts';
import { fingerprintOf } from '../files/series-file.ts';
import { VIEWS } from '../names.ts';
import { inBackground } from '../ui/background.ts';
import { say } from '../ui/say.ts';
import { outcomeOf } from '../views/chart/outcome.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { forecastAgain, forecastFiles, forecastSeries } from './forecast.ts';

/** Milliseconds that the status bar says what is done at each save. */
const MESSAGE_TIME = 5000;

/**
 * Forecasts a file again from now on whenever it is saved; where that is so already, no more.
 * @param as a prediction of it, whose model and horizon it is forecast with, from now on
 * @throws Cancelled, ServiceError
 */
export async function toggleKept(app: App, uri: vscode.Uri, as?: ResourceNode): Promise<void> {
  const address = uri.toString();
  if (app.kept.has(address)) {
    await app.kept.keep(address, false);
    inBackground(app.log, say.info(vscode.l10n.t('{0} is no longer kept up to date.', fileNameOf(uri))));
    return;
  }
  const before = app.kept.made(address);
  const { serviceId, model, horizon, intervals } = before ?? {};
  // as before, where it was kept up to date before
  const change = serviceId === app.connection.current.id ? { model, horizon, intervals } : {};
  await app.kept.begin(address);
  try {
    if (as) await forecastAgain(app, { serviceId: as.serviceId, predictionId: as.id });
    else await forecastFiles(app, [uri], change);
  } catch (error) {
    // after a cancel or a failure the person starts over; the earlier options stay
    await app.kept.keep(address, false);
    throw error;
  }
  if (app.kept.has(address)) sayKept(app, uri);
}

/** In the status bar, for a moment: no longer than it is so. */
function sayKept({ kept }: App, uri: vscode.Uri): void {
  const sentence = vscode.l10n.t('{0} is forecast again whenever it is saved', fileNameOf(uri));
  const message = vscode.window.setStatusBarMessage(sentence);
  const end = (): void => {
    clearTimeout(timer);
    message.dispose();
    listening.dispose();
  };
  const timer = setTimeout(end, MESSAGE_TIME);
  const listening = kept.onDidChange(() => {
    if (!kept.has(uri.toString())) end();
  });
}

/** A save often comes as several changes. */
const DEBOUNCE = 400;
/** Most forecasts of one file that are compared with its new values, newest first. */
const MOST_CHECKED = 20;
/** Predictions among which those of a file are looked for. */
const LOOKED_AT = 50;

/**
 * Watches saved files: compares their forecasts with new values, and forecasts files again that are kept up to date.
 */
export class FileWatch implements vscode.Disposable {
  readonly #app: App;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #disposables: vscode.Disposable[];

  constructor(app: App) {
    this.#app = app;
    const watcher = vscode.workspace.createFileSystemWatcher(`**/*.{${SERIES_ENDINGS.join(',')}}`, true, false, true);
    this.#disposables = [
      watcher,
      watcher.onDidChange((uri) => {
        this.#later(uri);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        this.#later(uri);
      }),
    ];
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #later(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    if (!this.#isKnown(uri)) return;
    const look = () => {
      this.#timers.delete(key);
      inBackground(this.#app.log, this.#look(uri));
    };
    this.#timers.set(key, setTimeout(look, DEBOUNCE));
  }

  /** Whether a file was forecast, as far as that is known without asking a service. */
  #isKnown(uri: vscode.Uri): boolean {
    const address = uri.toString();
    const { memory, trees } = this.#app;
    if (memory.hasForecast(address) || this.#app.kept.has(address)) return true;
    const entries = trees.get(VIEWS.predictions)?.entries ?? [];
    return entries.some((entry) => entry.kind === 'prediction' && entry.note?.source?.uri === address);
  }

  #note(id: string) {
    return this.#app.memory.recall(this.#app.connection.current.id, id);
  }

  async #look(uri: vscode.Uri): Promise<void> {
    const address = uri.toString();
    try {
      const opened = await this.#app.files.read(uri);
      const isSheetGone =
        this.#app.choices.latest(uri)?.layout.sheet !== undefined && opened.layout.sheet === undefined;
      if (isSheetGone) throw new Error('the sheet that was chosen is gone');
      await this.#hold(opened, await this.#ofFile(address));
      if (this.#app.kept.has(address)) await this.#forecast(opened);
    } catch (error) {
      this.#app.log.warn(`${uri.path} was saved, and its forecasts are as before: ${String(error)}`);
    }
  }

  /**
   * The forecasts of a file if its service lists them without their series; otherwise their charts show the outcome.
   */
  async #ofFile(address: string): Promise<readonly LocalPrediction[]> {
    const { client } = await this.#app.connection.ready();
    if (!(await client.capabilities()).asks('listPredictions', 'include_series')) return [];
    const { items } = await client.listPredictions({ size: LOOKED_AT }, false);
    const isOfFile = ({ id, status }: LocalPrediction) =>
      status === 'COMPLETED' && this.#note(id)?.source?.uri === address;
    const ids = items
      .filter(isOfFile)
      .map(({ id }) => id)
      .slice(0, MOST_CHECKED);
    return (await client.findPredictions(new Set(ids), new AbortController().signal)).jobs;
  }

  /** Keeps what has come of each forecast, for its row in the view. */
  async #hold({ document }: OpenedDocument, predictions: readonly LocalPrediction[]): Promise<void> {
    const { memory, connection, trees } = this.#app;
    let isNew = false;
    for (const prediction of predictions) {
      const id = this.#note(prediction.id)?.source?.id;
      const series = document.series.find((one) => one.id === id);
      const outcome = series && outcomeOf(prediction, series);
      if (outcome && memory.hold(connection.current.id, prediction.id, outcome.coverage)) isNew = true;
    }
    if (isNew) await trees.get(VIEWS.predictions)?.refresh();
  }

  /** As the chart that is kept was forecast, whatever became of it and was forecast beside it. */
  async #forecast(opened: OpenedDocument): Promise<void> {
    const made = this.#app.kept.made(opened.uri.toString());
    const { series: all } = opened.document;
    // where the window was closed before it was forecast first, there is nothing that it could be like
    const series = made ? all.find(({ id }) => id === made.series) : all.length === 1 ? all[0] : undefined;
    const isOther = made && made.serviceId !== this.#app.connection.current.id;
    if (!series || isOther || fingerprintOf(series) === made?.fingerprint) return;
    const { model, horizon, intervals } = made ?? {};
    const change = { model, horizon, intervals, isAnew: true };
    await forecastSeries(this.#app, opened, [series], { change, show: { opened: 0, isFollowing: true } });
    vscode.window.setStatusBarMessage(vscode.l10n.t('{0} was saved and forecast again', opened.fileName), 5000);
  }
}
