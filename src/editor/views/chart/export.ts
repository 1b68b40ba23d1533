import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { forecastDecimals, inSignificant } from '../../../calendar/digits.ts';
import { parseTimestamp } from '../../../calendar/timestamp.ts';
import type { ChartView } from '../../../chart/chart-view.ts';
import { FORECAST_ENDING, FORECAST_FILE, ForecastFile } from '../../../contract/forecast-file.ts';
import { type LocalPrediction, PointQuantiles } from '../../../contract/resources.ts';
import type { DocumentFormat } from '../../../reading/types.ts';
import { writtenForecast, type WritingOptions } from '../../../reading/writing/forecast-columns.ts';
import { PLAIN_FORMAT, writeSeries } from '../../../reading/writing/write.ts';
import type { App } from '../../app.ts';
import type { Note, Source } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { inBackground, MessageError, say, sentenceOf } from '../../ui/say.ts';
import type { Handlers } from '../shared/protocol.ts';
import { quantileLevels } from './controls.ts';
import type { DataExport, SeriesIntent } from './protocol.ts';

export interface Exported {
  readonly chart: ChartView;
  /** How its file is written; absent if it is not from a file. */
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
  const { id = valueLabel, valueColumn = valueLabel, timeColumn = 'timestamp', idColumn } = source ?? {};
  const { timeKind = 'instant', timeZone, format = PLAIN_FORMAT } = source ?? {};
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
    // the delimiter of a file with one column is unknown
    return format.delimiter === '' ? { ...format, delimiter: decimal === ',' ? ';' : ',' } : format;
  }
  const common = { dateFormat, encoding, decimal: '.', skippedLines: 0 } as const;
  return isText ? { ...common, kind: 'json', header: false } : { ...common, kind: 'csv', header: true, delimiter: ',' };
}

export async function exportAs({ log, reader }: Services, exported: Exported, kind: DataExport): Promise<void> {
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
    lines: ({ first, last }) =>
      using(({ source }) => {
        const selection = new vscode.Range(first - 1, 0, last, 0);
        const { uri } = source ?? {};
        return uri && vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri), { selection });
      }),
  };
}

/** The words of a file name, without endings and without what some file systems refuse: `sales`, `store`, `12`. */
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
  inBackground(
    log,
    said.then((answer) => (answer ? vscode.commands.executeCommand('vscode.open', target) : undefined)),
  );
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

/** The prediction of a file; only its series if it was not run yet. */
export const predictionOf = ({ name, request, prediction }: ForecastFile): LocalPrediction => ({
  id: name,
  name,
  status: prediction?.prediction_series ? 'COMPLETED' : 'PLOTTED',
  input_series: request.series,
  ...(request.prediction_length === undefined ? {} : { prediction_length: request.prediction_length }),
  ...prediction,
});

type Made = NonNullable<LocalPrediction['prediction_series']>;

/** Smaller differences come from the arithmetic of another machine. */
const SAME = 1e-9;

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
