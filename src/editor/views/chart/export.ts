import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { forecastDecimals, inSignificant } from '../../../calendar/digits.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import { type ChartView, chartView } from '../../../chart/chart-view.ts';
import { ServiceError } from '../../../client/errors.ts';
import { FORECAST_ENDING, FORECAST_FILE, ForecastFile } from '../../../contract/forecast-file.ts';
import { operations } from '../../../contract/operations.ts';
import type { CreatePrediction } from '../../../contract/requests.ts';
import { type LocalPrediction, PointQuantiles } from '../../../contract/resources.ts';
import { isBinary } from '../../../reading/binary/binary-files.ts';
import type { OutgoingPoint } from '../../../reading/points.ts';
import type { DocumentFormat, ReadSeries } from '../../../reading/types.ts';
import { insertionOf } from '../../../reading/writing/insertion.ts';
import {
  PLAIN_FORMAT,
  type WritableSeries,
  writeSeries,
  type WritingOptions,
  writtenForecast,
} from '../../../reading/writing/write.ts';
import type { App } from '../../app.ts';
import type { Note, Source } from '../../connection/memory.ts';
import { setting } from '../../names.ts';
import { fileNameOf, openAsBefore, openLines } from '../../files/document.ts';
import { inBackground, MessageError, say, sentenceOf, showFileFailure, withProgress } from '../../ui/say.ts';
import { alone, pickOne } from '../../ui/steps.ts';
import type { Handlers } from '../shared/protocol.ts';
import { quantileLevels } from './controls.ts';
import type { DataExport, PredictionRef, SeriesIntent } from './protocol.ts';

export interface Exported {
  readonly chart: ChartView;
  readonly source?: Source | undefined;
  readonly beside?: string | undefined;
  readonly file?: () => ForecastFile;
}

type Services = Pick<App, 'log' | 'reader'>;
const LIMITS: WritingOptions = { names: 'limits', withHistory: false };

export const writingOptions = (): WritingOptions => ({
  names: setting('exportColumns').startsWith('limits') ? 'limits' : 'quantiles',
  withHistory: setting('exportColumns').endsWith('+history'),
});

/** The rows of a series or a forecast in the columns and digits of its file; plain rows if it is not from a file. */
export function tableOf({ chart, source }: Exported, { names, withHistory } = LIMITS) {
  const { history, valueLabel, forecast } = chart;
  const { id = valueLabel, valueColumn = valueLabel, timeKind = 'instant', idColumn } = source ?? {};
  const { timeZone, format = PLAIN_FORMAT } = source ?? {};
  const timeColumn = source?.timeColumn ?? (timeKind === 'row' ? undefined : 'timestamp');
  const columns = { id, valueColumn, timeColumn, idColumn, timeKind, timeZone };
  if (!forecast) return { series: { ...columns, ...history, quantiles: {} }, format };
  const { times, ...values } = forecast;
  const written = writtenForecast(values, forecastDecimals(history.values, forecast.intervals));
  const more = { names, ...(withHistory ? { history } : {}) };
  return { series: { ...columns, times, ...written, forecast: more }, format };
}

const ENDINGS = { csv: ['csv', 'tsv', 'txt'], json: ['json'], ndjson: ['ndjson', 'jsonl'] } as const;
const LANGUAGES = { csv: 'csv', json: 'json', ndjson: 'jsonl' } as const;

/** In the format of its file. @param form `same`: as its file; CSV if it is not from a file */
export function textOf(exported: Exported, form: 'csv' | 'json' | 'same', options = LIMITS) {
  const { series, format: own } = tableOf(exported, options);
  const format = formatOf(own, form);
  const ending = /\.(\w+)$/.exec(exported.source?.fileName ?? '')?.[1]?.toLowerCase();
  const [first, ...others] = ENDINGS[format.kind];
  const extension = others.find((each) => each === ending) ?? first;
  return { text: writeSeries([series], format), extension, language: LANGUAGES[format.kind] };
}

export function formatOf(format: DocumentFormat, form: 'csv' | 'json' | 'same'): DocumentFormat {
  const isText = format.kind === 'csv';
  const { dateFormat, encoding, decimal } = format;
  if (form === 'same' || isText === (form === 'csv')) {
    return format.delimiter === '' ? { ...format, delimiter: decimal === ',' ? ';' : ',' } : format;
  }
  const common = { dateFormat, encoding, decimal: '.', skippedLines: 0 } as const;
  return isText ? { ...common, kind: 'json', header: false } : { ...common, kind: 'csv', header: true, delimiter: ',' };
}

async function exportAs({ log, reader }: Services, exported: Exported, kind: DataExport): Promise<void> {
  const { file } = exported;
  const save = (extension: string, content: string | Uint8Array) => saveData(log, exported, extension, content);
  if (kind === 'file') return file && save(FORECAST_ENDING, forecastFileText(file()));
  if (kind === 'xlsx') {
    const { series, format } = tableOf(exported, writingOptions());
    return save(kind, await reader.write([series], format, true));
  }
  const form = kind === 'csv' || kind === 'json' ? kind : 'same';
  const { text, extension, language } = textOf(exported, form, writingOptions());
  if (kind === 'untitled') {
    const document = await vscode.workspace.openTextDocument({ content: text, language });
    await vscode.window.showTextDocument(document, { preview: false });
    return;
  }
  if (kind !== 'copy') return save(extension, text);
  await vscode.env.clipboard.writeText(text);
  sayBriefly(vscode.l10n.t('Data copied'));
}

const saveData = (
  log: Services['log'],
  { chart, source, beside = source?.uri }: Exported,
  extension: string,
  content: string | Uint8Array,
) => saveAs(log, { title: chart.title, extension, what: chart.forecast ? 'forecast' : 'series' }, content, beside);

export const sayBriefly = (words: string) => vscode.window.setStatusBarMessage(words, 3000);

export function exportIntents(
  services: Services,
  current: () => Exported | undefined,
  start: (work: () => unknown) => void,
): Omit<Handlers<SeriesIntent>, 'action'> {
  const using = (work: (exported: Exported) => unknown) => {
    const exported = current();
    if (exported) start(() => work(exported));
  };
  return {
    export: ({ kind }) => using((exported) => exportAs(services, exported, kind)),
    picture: ({ kind, data }) => using((exported) => saveData(services.log, exported, kind, data)),
    copied: () => sayBriefly(vscode.l10n.t('Image copied')),
    lines: (lines) => using(({ source }) => source?.uri && openLines(vscode.Uri.parse(source.uri), lines)),
  };
}

export const nameParts = (title: string): readonly string[] =>
  title.replace(/\.(?:csv|tsv|txt|json|jsonl|ndjson|xlsx|xlsm|parquet)(?=$| · )/gi, '').match(/[\p{L}\p{N}._]+/gu) ??
  [];

export async function saveAs(
  log: Pick<vscode.LogOutputChannel, 'error'>,
  { title, extension, what = 'forecast' }: { title: string; extension: string; what?: 'forecast' | 'series' },
  content: string | Uint8Array,
  beside?: string,
): Promise<void> {
  const source = beside === undefined ? undefined : vscode.Uri.parse(beside);
  const isFile = source !== undefined && source.scheme !== 'untitled';
  const folder = isFile ? vscode.Uri.joinPath(source, '..') : vscode.workspace.workspaceFolders?.[0]?.uri;
  const parts = nameParts(title);
  const words = parts.length > 0 || what === 'series' ? parts : ['series'];
  const name = `${[...words, ...(extension === FORECAST_ENDING ? [] : [what])].join('-')}.${extension}`;
  const ending = extension.split('.').pop() ?? extension;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Data'),
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    // dialogs do not know endings of two parts, and would add them again
    filters: { [ending.toUpperCase()]: [ending] },
  });
  if (!target) return;
  const saved = target.path.split('/').pop() ?? vscode.l10n.t('The file');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    inBackground(log, say.error(vscode.l10n.t('{0} could not be written: {1}', saved, sentenceOf(error))));
    return;
  }
  const within = vscode.workspace.asRelativePath(vscode.Uri.joinPath(target, '..'));
  const said = say.info(vscode.l10n.t('{0} is saved in {1}.', saved, within), vscode.l10n.t('Open'));
  const open = (answer?: string) => answer && vscode.commands.executeCommand('vscode.open', target);
  inBackground(log, said.then(open));
}

export function requestOf(prediction: LocalPrediction) {
  const { input_series = [], ai_model_id, prediction_length, prediction_series, details } = prediction;
  const levels = quantileLevels(prediction);
  return {
    ai_model_id,
    prediction_length: prediction_length ?? prediction_series?.length,
    quantile_levels: levels.length > 0 ? levels : undefined,
    bounds: details?.bounds,
    series: input_series.map(({ timestamp, value, metadata }) => ({
      timestamp,
      value: value ?? null,
      ...(metadata ? { metadata } : {}),
    })),
  };
}

export const resultOf = ({ ai_model_id, created_at, details, prediction_series }: LocalPrediction) => ({
  ai_model_id,
  created_at,
  details,
  prediction_series,
});

export const noteOf = ({ memory }: Pick<App, 'memory'>, { serviceId, predictionId }: PredictionRef): Note =>
  memory.recall(serviceId, predictionId) ?? { label: vscode.l10n.t('Prediction {0}', predictionId.slice(-6)) };

export const forecastFileOf = (prediction: LocalPrediction, note: Note | undefined): ForecastFile => ({
  name: (note?.label ?? prediction.name ?? prediction.id).replace(FORECAST_FILE, ''),
  value_name: note?.valueLabel,
  time_zone: note?.source?.timeZone,
  request: requestOf(prediction) as ForecastFile['request'],
  prediction: resultOf(prediction),
});

/** @throws MessageError */
export function readForecastFile(text: string, fileName: string): ForecastFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MessageError(vscode.l10n.t('{0} is not valid JSON: {1}', fileName, (error as Error).message));
  }
  const parsed = z.safeParse(ForecastFile, value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0].path.map(String).join('.') || 'request';
  const sentence = vscode.l10n.t(
    '{0} is not a forecast: “{1}” is missing or not valid. Open it as JSON to see its problems.',
    fileName,
    where,
  );
  throw new MessageError(sentence);
}

/** Lists with a line for each point, so that a diff shows which ones changed. */
const LISTS = new Set(['series', 'prediction_series']);

export const forecastFileText = (file: ForecastFile): string => `${jsonOf(file, '', '')}\n`;

function jsonOf(value: unknown, indent: string, key: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (LISTS.has(key)) return `[\n${value.map((one) => inner + JSON.stringify(one)).join(',\n')}\n${indent}]`;
    const isPlain = value.every((one) => typeof one !== 'object');
    const items = value.map((one) => jsonOf(one, inner, ''));
    return isPlain ? `[${items.join(', ')}]` : `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  const lines = fields.map(([name, field]) => `${inner}${JSON.stringify(name)}: ${jsonOf(field, inner, name)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

export const predictionOf = ({ name, request, prediction }: ForecastFile): LocalPrediction => ({
  id: name,
  name,
  status: prediction?.prediction_series ? 'COMPLETED' : 'PLOTTED',
  input_series: request.series,
  ...(request.prediction_length === undefined ? {} : { prediction_length: request.prediction_length }),
  ...prediction,
});

type Made = NonNullable<LocalPrediction['prediction_series']>;

const SAME = 1e-9; // smaller differences come from the arithmetic of another machine

export function differenceOf(name: string, before: Made, now: Made): { isSame: boolean; sentence: string } {
  const isSameTime = (step: number) => parseTimestamp(before[step].timestamp) === parseTimestamp(now[step].timestamp);
  if (before.length !== now.length || !before.every((_, step) => isSameTime(step)))
    return { isSame: false, sentence: vscode.l10n.t('The forecast of {0} has different steps now.', name) };
  const shares = before.map((point, step) => {
    const [a, b] = [numbersOf(point), numbersOf(now[step])];
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return Math.max(0, ...[...names].map((quantile) => shareOf(a[quantile], b[quantile])));
  });
  const steps = shares.filter((share) => share > SAME).length;
  const most = inSignificant(Math.max(...shares) * 100, 2);
  const sentence =
    steps === 0
      ? vscode.l10n.t('{0} was reproduced: the numbers are the same.', name)
      : vscode.l10n.t('{0} of {1} steps of {2} differ, by up to {3}%.', steps, before.length, name, most);
  return { isSame: steps === 0, sentence };
}

const numbersOf = ({ value, metadata }: Made[number]): Partial<Record<string, number>> => ({
  value,
  ...PointQuantiles.safeParse(metadata).data?.quantiles,
});

const shareOf = (before: number | undefined, now: number | undefined): number => {
  if (before === now) return 0;
  if (before === undefined || now === undefined) return 1;
  return Math.abs(now - before) / (Math.abs(before) || Math.abs(now));
};

async function readStored(app: App, ref: PredictionRef): Promise<Exported & { readonly prediction: LocalPrediction }> {
  const session = app.connection.session(ref.serviceId);
  const note = app.memory.recall(ref.serviceId, ref.predictionId);
  const { label, valueLabel, source } = noteOf(app, ref);
  const [prediction] = await withProgress(vscode.l10n.t('Reading {0}', label), async ({ signal }) =>
    session ? (await session.client.findPredictions(new Set([ref.predictionId]), signal)).jobs : [],
  );
  if (!prediction) throw new ServiceError('not-found', vscode.l10n.t('{0} no longer exists.', label));
  const context = { label: note?.label, valueLabel, timeZone: 'file', fileZone: source?.timeZone };
  const chart = chartView(prediction, context);
  return { chart, prediction, source, file: () => forecastFileOf(prediction, note) };
}

export type Language = 'curl' | 'python' | 'typescript';

const AS_CODE = vscode.l10n.t('its request, copied');
const FORMATS = [
  { format: 'xlsx', label: vscode.l10n.t('Excel Workbook…'), description: '.xlsx' },
  { format: 'file', label: vscode.l10n.t('Forecast File…'), description: '.forecast.json' },
  { format: 'curl', label: 'curl', description: AS_CODE },
  { format: 'python', label: vscode.l10n.t('Python (requests)'), description: AS_CODE },
  { format: 'typescript', label: 'TypeScript (fetch)', description: AS_CODE },
] as const;

export async function exportForecast(app: App, ref: PredictionRef): Promise<void> {
  const place = alone(vscode.l10n.t('Export Forecast'));
  const { format } = await pickOne({ place, placeholder: vscode.l10n.t('Choose a format'), items: FORMATS });
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

const END = 'END_OF_REQUEST';

/** Code that sends a request, with token and (where none is given) base URL from `FORECASTS_TOKEN` and `FORECASTS_URL`. */
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
