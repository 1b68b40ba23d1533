import * as vscode from 'vscode';
import { chartView } from '../../chart/chart-view.ts';
import { ServiceError } from '../../client/errors.ts';
import { operations } from '../../contract/operations.ts';
import type { CreatePrediction } from '../../contract/requests.ts';
import type { LocalPrediction } from '../../contract/resources.ts';
import { isBinary } from '../../reading/binary/binary-files.ts';
import type { OutgoingPoint } from '../../reading/points.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { insertionOf } from '../../reading/writing/insertion.ts';
import type { WritableSeries } from '../../reading/writing/write.ts';
import type { App } from '../app.ts';
import { fileNameOf, openAsBefore } from '../files/document.ts';
import { say, showFileFailure, withProgress } from '../ui/say.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { exportAs, type Exported, forecastFileOf, requestOf, sayBriefly, tableOf } from '../views/chart/export.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { noteOf } from '../request/forecaster.ts';

async function readStored(app: App, ref: PredictionRef): Promise<Exported & { readonly prediction: LocalPrediction }> {
  const session = app.connection.session(ref.serviceId);
  const note = app.memory.recall(ref.serviceId, ref.predictionId);
  const { label, valueLabel, source } = noteOf(app, ref);
  const [prediction] = await withProgress(vscode.l10n.t('Reading {0}', label), async (signal) =>
    session ? (await session.client.findPredictions(new Set([ref.predictionId]), signal)).jobs : [],
  );
  if (!prediction) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer exists.', label));
  const context = { label: note?.label, valueLabel, timeZone: 'file', fileZone: source?.timeZone };
  const chart = chartView(prediction, context);
  return { chart, prediction, source, file: () => forecastFileOf(prediction, note) };
}

export type Language = 'curl' | 'python' | 'typescript';

const formats = (): readonly (vscode.QuickPickItem & { readonly format: 'xlsx' | 'file' | Language })[] => {
  const description = vscode.l10n.t('its request, copied');
  return [
    { format: 'xlsx', label: vscode.l10n.t('Excel Workbook…'), description: '.xlsx' },
    { format: 'file', label: vscode.l10n.t('Forecast File…'), description: '.forecast.json' },
    { format: 'curl', label: 'curl', description },
    { format: 'python', label: vscode.l10n.t('Python (requests)'), description },
    { format: 'typescript', label: 'TypeScript (fetch)', description },
  ];
};

export async function exportForecast(app: App, ref: PredictionRef): Promise<void> {
  const place = alone(vscode.l10n.t('Export Forecast'));
  const { format } = await pickOne({ place, placeholder: vscode.l10n.t('Choose a format'), items: formats() });
  const stored = await readStored(app, ref);
  if (format === 'xlsx' || format === 'file') await exportAs(app, stored, format);
  else await copyRequest(app, ref, stored.prediction, format);
}

/** Copies the request of a prediction as code; the token is a variable in it. @throws ServiceError */
async function copyRequest(app: App, ref: PredictionRef, prediction: LocalPrediction, language: Language) {
  if (!prediction.input_series)
    throw new ServiceError('not-found', vscode.l10n.t('The service no longer has the series of this prediction.'));
  const offers = await app.connection.session(ref.serviceId)?.client.capabilities();
  const { ai_model_id, series, ...others } = { ...requestOf(prediction), name: prediction.name };
  const taken = Object.entries(others).filter(([field]) => offers?.takes('createPrediction', field));
  const body = { ai_model_id, ...Object.fromEntries(taken), series };
  const url = ref.serviceId === 'local' ? undefined : ref.serviceId;
  await vscode.env.clipboard.writeText(requestCode(language, url, body));
  sayBriefly(vscode.l10n.t('Request copied'));
}

/** Adds the rows of a forecast to its file, as an edit that can be undone. Steps that the file has by now are left out. */
export async function insertForecast(app: App, ref: PredictionRef): Promise<void> {
  const stored = await readStored(app, ref);
  const { source } = stored;
  if (source?.uri === undefined || source.isPart) {
    await say.info(
      vscode.l10n.t('This forecast was not made from a file, so there is no file to insert its rows into.'),
    );
    return;
  }
  const uri = vscode.Uri.parse(source.uri);
  if (isBinary(source.fileName)) {
    const text = vscode.l10n.t('{0} is not a text file, so rows cannot be inserted into it.', source.fileName);
    if (await say.info(text, vscode.l10n.t('Save as Excel…'))) await exportAs(app, stored, 'xlsx');
    return;
  }
  try {
    const opened = await openAsBefore(app, uri, 'treat-as-missing');
    const document = await vscode.workspace.openTextDocument(uri);
    const { columns, format, series, lines, isNewestFirst } = opened.document;
    const own = series.find(({ id }) => id === source.id);
    const written = after(tableOf(stored).series, own);
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
    sayBriefly(vscode.l10n.t('{0} rows inserted', rows));
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}

function after(forecast: WritableSeries, series: ReadSeries | undefined): WritableSeries {
  const last = series?.times[series.values.findLastIndex(Number.isFinite)] ?? -Infinity;
  const steps = Array.from(forecast.times, (_, step) => step).filter((step) => forecast.times[step] > last);
  const kept = (all: ArrayLike<number>) => steps.map((step) => all[step]);
  return { ...forecast, times: kept(forecast.times), values: kept(forecast.values) };
}

/** Of a text in a heredoc, a line that would end it. */
const END = 'END_OF_REQUEST';

/**
 * A request as code that sends it. The token is never in it: it is read from the environment variable `FORECASTS_TOKEN`, and
 * where there is no base URL that one from `FORECASTS_URL`, as the local service has one only while it is served.
 */
export function requestCode(
  language: Language,
  url: string | undefined,
  { series, ...fields }: Omit<CreatePrediction, 'series'> & { readonly series: readonly OutgoingPoint[] },
): string {
  const { path } = operations.createPrediction;
  const address = url === undefined ? undefined : url.replace(/\/$/, '') + path;
  const points = series.map((point) => `    ${JSON.stringify(point)}`).join(',\n');
  const head = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`],
  );
  const json = `{\n${head.join('')}  "series": [\n${points}\n  ]\n}`;
  return {
    curl: `curl -sS ${address === undefined ? `"$FORECASTS_URL${path}"` : quoted(address)} \\
  -H "Authorization: Bearer $FORECASTS_TOKEN" \\
  -H 'Content-Type: application/json' --data-binary @- <<'${END}'
${json}
${END}
`,
    python: `import os

import requests

body = ${pythonOf(json)}
answer = requests.post(
    ${address === undefined ? `os.environ["FORECASTS_URL"] + "${path}"` : JSON.stringify(address)},
    headers={"Authorization": "Bearer " + os.environ["FORECASTS_TOKEN"]},
    json=body,
)
answer.raise_for_status()
for point in answer.json()["prediction_series"] or []:
    print(point["timestamp"], point["value"])
`,
    typescript: `const body = ${json};
const answer = await fetch(${address === undefined ? `\`\${process.env.FORECASTS_URL}${path}\`` : JSON.stringify(address)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.FORECASTS_TOKEN}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(body),
});
if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
const { prediction_series } = (await answer.json()) as {
  prediction_series?: { timestamp: string; value: number }[];
};
console.table(prediction_series);
`,
  }[language];
}

/** A text as one word of a POSIX shell, in which nothing is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON as Python says it: its three words differ, and only outside of texts. */
const pythonOf = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g, (token) =>
    token.startsWith('"') ? token : { null: 'None', true: 'True', false: 'False' }[token]!,
  );
