import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import { ServiceError } from '../../client/errors.ts';
import { type LocalPrediction, PointQuantiles } from '../../contract/local.ts';
import { isBinary } from '../../reading/binary/binary-files.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { insertionOf } from '../../reading/writing/insertion.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';
import type { App } from '../app.ts';
import type { Note } from '../connection/memory.ts';
import { fileNameOf, openAsBefore } from '../files/document.ts';
import { showFileFailure } from '../ui/failure.ts';
import { withPatience } from '../ui/progress.ts';
import { say } from '../ui/say.ts';
import { type Exported, nameParts, saveAs, tableOf, writingOptions } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { type Language, requestCode } from './request-code.ts';

/** A stored prediction and its known source. */
export interface Stored {
  readonly prediction: LocalPrediction;
  readonly note: Note | undefined;
  readonly label: string;
}

/** A stored prediction with its series and its known source. @throws ServiceError */
export async function readStored(app: App, { serviceId, predictionId }: PredictionRef): Promise<Stored> {
  const session = app.connection.session(serviceId);
  const note = app.memory.recall(serviceId, predictionId);
  const label = note?.label ?? vscode.l10n.t('Prediction {0}', predictionId.slice(-6));
  const found = await withPatience(vscode.l10n.t('Reading {0}', label), async (signal) =>
    session ? (await session.client.findPredictions(new Set([predictionId]), signal)).jobs : [],
  );
  const [prediction] = found;
  if (prediction) return { prediction, note, label: note?.label ?? prediction.name ?? label };
  throw new ServiceError('not-found', vscode.l10n.t('{0} no longer exists.', label));
}

/** The request of a prediction, as far as the prediction contains it. */
export function askedOf(prediction: LocalPrediction) {
  const { input_series = [], ai_model_id, prediction_length, prediction_series, name, details } = prediction;
  const quantiles = PointQuantiles.safeParse(prediction_series?.[0]?.metadata).data?.quantiles ?? {};
  const levels = Object.keys(quantiles)
    .map(Number)
    .sort((a, b) => a - b);
  return {
    ai_model_id,
    prediction_length: prediction_length ?? prediction_series?.length,
    quantile_levels: levels.length > 0 ? levels : undefined,
    bounds: details?.bounds,
    name,
    series: input_series.map(({ timestamp, value, metadata }) => ({
      timestamp,
      value: value ?? null,
      ...(metadata ? { metadata } : {}),
    })),
  };
}

/** Copies the request that made a prediction as code; the token is a variable in it. @throws ServiceError */
export async function copyRequest(app: App, ref: PredictionRef, language: Language): Promise<void> {
  const { prediction } = await readStored(app, ref);
  if (!prediction.input_series)
    throw new ServiceError('not-found', vscode.l10n.t('The service no longer has the series of this prediction.'));
  const offers = await app.connection.session(ref.serviceId)?.client.capabilities();
  const { ai_model_id, series, ...others } = askedOf(prediction);
  const taken = Object.entries(others).filter(([field]) => offers?.takes('createPrediction', field));
  const body = { ai_model_id, ...Object.fromEntries(taken), series };
  const url = ref.serviceId === 'local' ? undefined : ref.serviceId;
  await vscode.env.clipboard.writeText(requestCode(language, { url, body }));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Request copied'), 3000);
}

function exportedOf({ prediction, note, label }: Stored): Exported {
  const { source, valueLabel } = note ?? {};
  const chart = chartView(prediction, { label, valueLabel, timeZone: 'file', fileZone: source?.timeZone });
  return { what: 'forecast', chart, prediction, source };
}

/** Saves a forecast as an Excel workbook. @throws ServiceError */
export async function saveWorkbook(app: App, ref: PredictionRef): Promise<void> {
  const stored = await readStored(app, ref);
  const { series, format } = tableOf(exportedOf(stored), writingOptions());
  const bytes = await app.reader.write([series], format, true);
  await saveAs(app.log, { parts: nameParts(stored.label), extension: 'xlsx' }, bytes, stored.note?.source?.uri);
}

/**
 * Puts the rows of a forecast at the end of the file that it was made from, as an edit that can be undone. Steps of which
 * the file has a value by now are left out.
 */
export async function insertForecast(app: App, ref: PredictionRef): Promise<void> {
  const stored = await readStored(app, ref);
  const source = stored.note?.source;
  if (source?.uri === undefined || source.isPart) {
    await say.info(
      vscode.l10n.t('This forecast was not made from a file, so there is no file to insert its rows into.'),
    );
    return;
  }
  const uri = vscode.Uri.parse(source.uri);
  if (isBinary(source.fileName)) {
    const text = vscode.l10n.t('{0} is not a text file, so rows cannot be inserted into it.', source.fileName);
    if (await say.info(text, vscode.l10n.t('Save as Excel…'))) await saveWorkbook(app, ref);
    return;
  }
  try {
    const opened = await openAsBefore(app, uri, 'treat-as-missing');
    const document = await vscode.workspace.openTextDocument(uri);
    const { columns, format, series, lines, isNewestFirst } = opened.document;
    const own = series.find(({ id }) => id === source.id);
    const written = after(tableOf(exportedOf(stored)).series, own);
    if (written.times.length === 0) {
      await say.info(vscode.l10n.t('{0} already has a value for each step of this forecast.', source.fileName));
      return;
    }
    const target = { text: document.getText(), fileName: fileNameOf(uri), columns, format, lines, isNewestFirst };
    const { offset, text, rows } = insertionOf(target, written);
    const start = document.positionAt(offset);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, start, text);
    if (!(await vscode.workspace.applyEdit(edit))) return;
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    editor.revealRange(new vscode.Range(start, start.translate(rows)));
    vscode.window.setStatusBarMessage(vscode.l10n.t('{0} rows inserted', rows), 3000);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}

/** The steps of a forecast after the last value that its series has. */
function after(forecast: WritableSeries, series: ReadSeries | undefined): WritableSeries {
  const last = series?.times[series.values.findLastIndex(Number.isFinite)] ?? -Infinity;
  const steps = Array.from(forecast.times, (_, step) => step).filter((step) => forecast.times[step] > last);
  const kept = (all: ArrayLike<number>) => steps.map((step) => all[step]);
  return { ...forecast, times: kept(forecast.times), values: kept(forecast.values) };
}
