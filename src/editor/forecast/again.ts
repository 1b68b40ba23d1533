import * as vscode from 'vscode';
import { defaultHorizon } from '../../calendar/frequency.ts';
import { parseTimestamp } from '../../calendar/timestamp.ts';
import type { LocalPrediction } from '../../contract/resources.ts';
import { SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import { sessionInUse } from '../connection/connection.ts';
import { remark, type KeptForecast } from '../connection/memory.ts';
import type { OpenedDocument } from '../files/document.ts';
import { onFile, openAsBefore, openSettled, fileNameOf, SERIES_ENDINGS } from '../files/document.ts';
import { chooseModel, chooseUsualModel, waysAfter } from '../request/pick-model.ts';
import { say, showFailure, withProgress, inBackground } from '../ui/say.ts';
import { alone } from '../ui/steps.ts';
import { noteOf, sayBriefly } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { reduce, startOf, stepsFor } from '../views/file-reading/view.ts';
import type { ResourceNode } from '../views/tree/kinds.ts';
import type { Charts, Wanted } from './forecast.ts';
import { forecastSeries, forecastWithProgress, optionsOf, sentOf, forecastFiles } from './forecast.ts';
import { fingerprintOf } from '../files/series-file.ts';
import { VIEWS } from '../names.ts';
import { outcomeOf } from '../views/chart/comparison.ts';

const TITLE_AGAIN = vscode.l10n.t('Forecast Again');

export async function forecastStoredSeries(app: App, id: string, label: string): Promise<void> {
  try {
    const session = await app.connection.ready();
    const options = await optionsOf(app, session, {});
    const source = { kind: 'sent', data: { series_id: id }, options, note: { label } } as const;
    await forecastWithProgress(app, label, source, { isAnew: true, session });
  } catch (error) {
    await showFailure(app, error, ...waysAfter(app, error, () => forecastStoredSeries(app, id, label)));
  }
}

export interface Changes extends Omit<Wanted, 'isAnew' | 'bounds' | 'show' | 'session'> {
  readonly isOtherModel?: boolean | undefined;
  readonly areColumnsChosen?: boolean | undefined;
}

const inPlaceOf = (former: PredictionRef): Charts => ({ opened: 0, former, since: performance.now() });

/** Of its series as the file has it now, else of what was sent, in the chart of the former. @throws Cancelled, ServiceError */
export async function forecastAgain(
  app: App,
  ref: PredictionRef,
  { isOtherModel = false, areColumnsChosen = false, ...wanted }: Changes = {},
): Promise<void> {
  const session = sessionInUse(app.connection, ref.serviceId);
  const show = inPlaceOf(ref);
  const { label, source, scenario } = noteOf(app, ref);
  const model = isOtherModel ? ((await otherModel(app)) ?? '') : wanted.model;
  const { jobs } = await withProgress(vscode.l10n.t('Reading {0}', label), ({ signal }) =>
    session.client.findPredictions(new Set([ref.predictionId]), signal),
  );
  const before = jobs.at(0);
  const isAnew = wanted.horizon === undefined;
  const change = { ...wanted, model: model ?? before?.ai_model_id, isAnew, show, session };
  const asSent = async () => {
    const sent = sentOf(app, ref, before ?? { id: ref.predictionId, status: 'FAILED' });
    await forecastWithProgress(app, label, sent, change);
  };
  if (source?.uri === undefined || source.isPart || scenario !== undefined) return asSent();
  const uri = vscode.Uri.parse(source.uri);
  const isTotal = before?.details?.totals && before.input_series;
  await onFile(app, uri, async (unreadable) => {
    const opened = await openSettled(app, uri, TITLE_AGAIN, { missing: unreadable });
    const series = opened.document.series.find(({ id }) => id === source.id);
    if (!series && isTotal) return asSent();
    if (!series)
      throw new SeriesError(
        'unknown-column',
        vscode.l10n.t(
          '{0} no longer has a series “{1}”. Forecast the file to choose another.',
          opened.fileName,
          source.id,
        ),
      );
    app.problems.show(opened);
    if (areColumnsChosen && wanted.covariates)
      app.choices.change(uri, opened.document.shape, { covariates: [...wanted.covariates] });
    const horizon = wanted.horizon ?? before?.prediction_length ?? before?.prediction_series?.length;
    return forecastSeries(app, opened, [series], { ...change, horizon });
  });
}

const askForModel = (app: App) => chooseModel(app, { place: alone(vscode.l10n.t('Forecast Again With…')) });

/** Asks for another model, which is remembered for a remote service. @throws Cancelled, ServiceError */
const otherModel = async (app: App): Promise<string | undefined> =>
  app.connection.current.kind === 'local' ? (await askForModel(app)).id : chooseUsualModel(app);

export async function forecastAgainWith(app: App, nodes: readonly ResourceNode[]): Promise<void> {
  const chosen = nodes.filter(({ kind }) => kind === 'prediction');
  if (chosen.length === 0) return;
  const { id: model } = await askForModel(app);
  for (const { serviceId, id } of chosen) await forecastAgain(app, { serviceId, predictionId: id }, { model });
}

/** Lets the person choose other steps where they check how the file is read, and makes its forecast again. @throws Cancelled */
export async function changeSteps(app: App, ref: PredictionRef, file: vscode.Uri): Promise<void> {
  const change = await onFile(app, file, async (unreadable) => {
    const opened = await openAsBefore(app, file, unreadable);
    if (stepsFor(reduce(startOf(opened.layout), { ...opened, type: 'read' })).length === 0) {
      await say.info(vscode.l10n.t('The rows of {0} cannot be combined into longer steps.', opened.fileName));
      return undefined;
    }
    const { document } = await app.readings.settle(opened, TITLE_AGAIN);
    const { id } = noteOf(app, ref).source ?? {};
    const series = document.series.find((one) => one.id === id);
    return series ? { horizon: defaultHorizon(series.frequency, series.points) } : {};
  });
  if (change) await forecastAgain(app, ref, change);
}

export async function forecastWithout(
  app: App,
  ref: PredictionRef,
  prediction: LocalPrediction,
  times: ReadonlySet<number>,
): Promise<void> {
  const series = (prediction.input_series ?? []).map(({ value, ...point }) => ({
    ...point,
    value: times.has(parseTimestamp(point.timestamp)) ? null : (value ?? null),
  }));
  const text =
    times.size === 1
      ? vscode.l10n.t('1 anomaly was treated as missing')
      : vscode.l10n.t('{0} anomalies were treated as missing', times.size);
  const source = sentOf(app, ref, prediction, { series, remark: remark('missing', times.size, text) });
  await forecastWithProgress(app, noteOf(app, ref).label, source, { isAnew: true, show: inPlaceOf(ref) });
}

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
  const { serviceId, model, horizon, intervals } = kept.get(address)?.made ?? {};
  const change = serviceId === app.connection.current.id ? { model, horizon, intervals } : {};
  kept.keep(address, true);
  try {
    if (as) await forecastAgain(app, { serviceId: as.serviceId, predictionId: as.id });
    else await forecastFiles(app, [uri], change);
  } catch (error) {
    kept.keep(address, false);
    throw error;
  }
  const read = kept.get(address)?.made ? undefined : await app.files.read(uri).catch(() => undefined);
  if (!kept.has(address)) return;
  if (read && read.document.series.length > 1) {
    kept.keep(address, false);
    const text = vscode.l10n.t('Only one series of a file is kept up to date. Forecast one series of {0} first.', name);
    inBackground(log, say.info(text));
  } else sayBriefly(vscode.l10n.t('{0} is forecast again whenever it is saved', name));
}

const DEBOUNCE = 400;
const MOST_CHECKED = 20;
const MOST_SEARCHED = 50;

/** Compares the forecasts of saved files with new values, and forecasts again those that are kept up to date. */
export function watchSaves(app: App): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const onChange = (uri: vscode.Uri) => {
    const address = uri.toString();
    clearTimeout(timers.get(address));
    const compare = () => inBackground(app.log, update(app, uri));
    if (isForecast(app, address)) timers.set(address, setTimeout(compare, DEBOUNCE));
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
    if (kept.has(uri.toString())) await forecastSaved(app, opened, kept.get(uri.toString())?.made);
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
