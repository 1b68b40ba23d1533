import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { fileNameOf, type OpenedDocument, SERIES_ENDINGS } from '../files/document.ts';
import type { KeptForecast } from '../connection/memory.ts';
import { fingerprintOf } from '../files/series-file.ts';
import { VIEWS } from '../names.ts';
import { inBackground, say } from '../ui/say.ts';
import { outcomeOf } from '../views/chart/comparison.ts';
import { sayBriefly } from '../views/chart/export.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import { forecastAgain } from './again.ts';
import { forecastFiles, forecastSeries } from './forecast.ts';

/** Forecasts a file again at each save, or stops that. @param as a prediction whose model and horizon are used @throws Cancelled, ServiceError */
export async function toggleKept(app: App, uri: vscode.Uri, as?: ResourceNode): Promise<void> {
  const { kept, log } = app;
  const address = uri.toString();
  const name = fileNameOf(uri);
  if (kept.has(address)) {
    kept.keep(address, false);
    inBackground(log, say.info(vscode.l10n.t('{0} is no longer kept up to date.', name)));
    return;
  }
  const { serviceId, model, horizon, intervals } = kept.made(address) ?? {};
  const change = serviceId === app.connection.current.id ? { model, horizon, intervals } : {};
  kept.keep(address, true);
  try {
    if (as) await forecastAgain(app, { serviceId: as.serviceId, predictionId: as.id });
    else await forecastFiles(app, [uri], change);
  } catch (error) {
    kept.keep(address, false);
    throw error;
  }
  const isUnclear = kept.made(address) === undefined && (await hasSeveralSeries(app, uri));
  if (!kept.has(address)) return;
  if (isUnclear) {
    kept.keep(address, false);
    const text = vscode.l10n.t('Only one series of a file is kept up to date. Forecast one series of {0} first.', name);
    inBackground(log, say.info(text));
  } else sayBriefly(vscode.l10n.t('{0} is forecast again whenever it is saved', name));
}

const hasSeveralSeries = async ({ files }: App, uri: vscode.Uri): Promise<boolean> =>
  files.read(uri).then(
    ({ document }) => document.series.length > 1,
    () => false,
  );

const DEBOUNCE = 400;
const MOST_CHECKED = 20;
const MOST_SEARCHED = 50;

/** Compares the forecasts of saved files with new values, and forecasts again those that are kept up to date. */
export function watchSaves(app: App): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const onChange = (uri: vscode.Uri) => {
    const address = uri.toString();
    clearTimeout(timers.get(address));
    if (isForecast(app, address))
      timers.set(
        address,
        setTimeout(() => inBackground(app.log, update(app, uri)), DEBOUNCE),
      );
  };
  const watcher = vscode.workspace.createFileSystemWatcher(`**/*.{${SERIES_ENDINGS.join(',')}}`, true, false, true);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidChange(onChange),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => onChange(uri)),
    new vscode.Disposable(() => timers.forEach((timer) => clearTimeout(timer))),
  );
}

function isForecast({ memory, trees, kept }: App, address: string): boolean {
  const entries = trees.get(VIEWS.predictions)?.entries ?? [];
  const isOfFile = (entry: ResourceNode) => entry.kind === 'prediction' && entry.note?.source?.uri === address;
  return memory.hasForecast(address) || kept.has(address) || entries.some(isOfFile);
}

async function update(app: App, uri: vscode.Uri): Promise<void> {
  const { files, choices, kept, log } = app;
  try {
    const opened = await files.read(uri);
    const isSheetGone = choices.latest(uri)?.layout.sheet !== undefined && opened.layout.sheet === undefined;
    if (isSheetGone) throw new Error('the sheet that was chosen is gone');
    await keepOutcomes(app, opened);
    if (kept.has(uri.toString())) await forecastSaved(app, opened, kept.made(uri.toString()));
  } catch (error) {
    log.warn(`${uri.path} was saved, and its forecasts are as before: ${String(error)}`);
  }
}

/** Of the forecasts of a file, if the service lists them without their series; otherwise their charts show the outcome. */
async function keepOutcomes({ memory, connection, trees }: App, { uri, document }: OpenedDocument): Promise<void> {
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

async function forecastSaved(app: App, opened: OpenedDocument, made: KeptForecast | undefined): Promise<void> {
  const { series: all } = opened.document;
  const series = made ? all.find(({ id }) => id === made.series) : all.length === 1 ? all[0] : undefined;
  const isOther = made && made.serviceId !== app.connection.current.id;
  if (!series || isOther || fingerprintOf(series) === made?.fingerprint) return;
  const { model, horizon, intervals } = made ?? {};
  const show = { opened: 0, isFollowing: true };
  await forecastSeries(app, opened, [series], { model, horizon, intervals, isAnew: true, show });
  sayBriefly(vscode.l10n.t('{0} was saved and forecast again', opened.fileName));
}
