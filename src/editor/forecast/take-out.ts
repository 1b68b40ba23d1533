import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import { ServiceError } from '../../client/errors.ts';
import { isBinary } from '../../reading/binary/binary-files.ts';
import { insertionOf } from '../../reading/writing/insertion.ts';
import type { ReadSeries } from '../../reading/types.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';
import type { App } from '../app.ts';
import { fileNameOf, openAsBefore } from '../files/document.ts';
import { showFileFailure } from '../ui/failure.ts';
import { say } from '../ui/say.ts';
import { type Exported, nameParts, saveAs, tableOf, writingOptions } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { askedOf, readStored, type Stored } from './stored.ts';
import { type Language, requestCode } from './request-code.ts';

/** Copies the request that made a prediction as code; the token is a variable in it. @throws ServiceError */
export async function copyRequest(app: App, ref: PredictionRef, language: Language): Promise<void> {
  const { prediction } = await readStored(app, ref);
  const { ai_model_id, prediction_length, quantile_levels, bounds, name, series } = askedOf(prediction);
  if (!prediction.input_series)
    throw new ServiceError(
      'not-found',
      vscode.l10n.t('The service does not have the series of this prediction any more.'),
    );
  const offers = await app.connection.session(ref.serviceId)?.client.capabilities();
  const takes = (field: string) => offers?.takes('createPrediction', field) ?? false;
  const body = {
    ai_model_id,
    ...(takes('prediction_length') ? { prediction_length } : {}),
    ...(takes('quantile_levels') && quantile_levels ? { quantile_levels } : {}),
    ...(takes('bounds') && bounds ? { bounds } : {}),
    ...(takes('name') && name !== undefined ? { name } : {}),
    series,
  };
  const url = ref.serviceId === 'local' ? undefined : ref.serviceId;
  await vscode.env.clipboard.writeText(requestCode(language, { url, body }));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Request copied'), 3000);
}

/** A stored forecast as it is taken out of its chart. */
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
    await say.info(vscode.l10n.t('This forecast was not made from a file, so there is none to insert its rows into.'));
    return;
  }
  const uri = vscode.Uri.parse(source.uri);
  if (isBinary(source.fileName)) {
    const text = vscode.l10n.t('{0} is no text, so no rows can be inserted into it.', source.fileName);
    if (await say.info(text, vscode.l10n.t('Save as Excel…'))) await saveWorkbook(app, ref);
    return;
  }
  try {
    const { opened } = await openAsBefore(app, uri, 'treat-as-missing');
    const document = await vscode.workspace.openTextDocument(uri);
    const { columns, format, series, lines, isNewestFirst } = opened.document;
    const own = series.find(({ id }) => id === source.id);
    const written = after(tableOf(exportedOf(stored)).series, own);
    if (written.times.length === 0) {
      await say.info(vscode.l10n.t('{0} has a value for each step of this forecast already.', source.fileName));
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
