import * as vscode from 'vscode';
import { forecastDecimals } from '../../../calendar/digits.ts';
import type { ChartView, Forecast } from '../../../chart/types.ts';
import { FORECAST_ENDING } from '../../../contract/forecast-file.ts';
import type { LocalPrediction } from '../../../contract/local.ts';
import type { DocumentFormat } from '../../../reading/types.ts';
import { writtenForecast, type WritingOptions } from '../../../reading/writing/forecast-columns.ts';
import { PLAIN_FORMAT } from '../../../reading/writing/plain.ts';
import { type WritableSeries, writeSeries } from '../../../reading/writing/write.ts';
import type { App } from '../../app.ts';
import type { Source } from '../../connection/memory.ts';
import { setting } from '../../connection/settings.ts';
import { inBackground } from '../../ui/background.ts';
import { showFailure } from '../../ui/failure.ts';
import { say } from '../../ui/say.ts';
import type { Handlers } from '../shared/protocol.ts';
import type { ChartIntent, DataExport } from './protocol.ts';

/** What is taken out of a chart: its forecast, or a series by itself. */
export interface Exported {
  readonly what: 'forecast' | 'series';
  readonly chart: ChartView;
  /** Of the forecast, for the points of the interface. */
  readonly prediction?: LocalPrediction;
  /** How its file is written; absent for one from elsewhere. */
  readonly source?: Source | undefined;
  /** Saves it as a forecast file, where it is a forecast. */
  readonly saveFile?: () => PromiseLike<unknown>;
}

/** One series as it is written, and how. */
export interface Table {
  readonly series: WritableSeries;
  readonly format: DocumentFormat;
}

type Logged = Pick<vscode.LogOutputChannel, 'error'>;
const NOTHING: Forecast = { times: new Float64Array(), values: new Float64Array(), intervals: [] };
const LIMITS: WritingOptions = { names: 'limits', withHistory: false };

/** What the settings say about saved forecasts. */
export const writingOptions = (): WritingOptions => ({
  names: setting('exportColumns').startsWith('limits') ? 'limits' : 'quantiles',
  withHistory: setting('exportColumns').endsWith('+history'),
});

/**
 * A series as its file has its rows, or the forecast with the limits of each interval or its quantiles, in the digits of
 * the history; of one from elsewhere plain rows.
 */
export function tableOf({ what, chart, source }: Exported, { names, withHistory } = LIMITS): Table {
  const { history, valueLabel, forecast = NOTHING } = chart;
  const { id = valueLabel, valueColumn = valueLabel, timeColumn = 'timestamp', idColumn } = source ?? {};
  const { timeKind = 'instant', timeZone, format = PLAIN_FORMAT } = source ?? {};
  const columns = { id, valueColumn, timeColumn, idColumn, timeKind, timeZone };
  if (what === 'series') return { series: { ...columns, ...history, quantiles: {} }, format };
  const { times, ...values } = forecast;
  const written = writtenForecast(values, forecastDecimals(history.values, forecast.intervals));
  const more = { names, ...(withHistory ? { history } : {}) };
  return { series: { ...columns, times, ...written, forecast: more }, format };
}

/** A series or forecast as text, and what such a text is called. */
export interface Written {
  readonly text: string;
  /** Ending of a file of it, such as `tsv`. */
  readonly extension: string;
  /** As the editor calls its language. */
  readonly language: string;
}

/**
 * In the shape of its file: delimiter, date format, decimal sign and column names. Of one from elsewhere in plain rows, or
 * as the points of the interface.
 * @param form `same`: as the file it was made from; CSV for one from elsewhere
 */
export function textOf(exported: Exported, form: 'csv' | 'json' | 'same', options = LIMITS): Written {
  const { prediction, source } = exported;
  if (prediction && !source && form === 'json') {
    const text = `${JSON.stringify(prediction.prediction_series ?? [], undefined, 2)}\n`;
    return { text, extension: 'json', language: 'json' };
  }
  const { series, format: own } = tableOf(exported, options);
  const format = formatOf(own, form);
  const ending = /\.(\w+)$/.exec(source?.fileName ?? '')?.[1]?.toLowerCase();
  const [first, ...others] = ENDINGS[format.kind];
  const extension = others.find((each) => each === ending) ?? first;
  return { text: writeSeries([series], format), extension, language: LANGUAGES[format.kind] };
}

const ENDINGS = { csv: ['csv', 'tsv', 'txt'], json: ['json'], ndjson: ['ndjson', 'jsonl'] } as const;
const LANGUAGES = { csv: 'csv', json: 'json', ndjson: 'jsonl' } as const;

/** The format of the file, or the nearest of the other kind: its date format and column names. */
function formatOf(format: DocumentFormat, form: 'csv' | 'json' | 'same'): DocumentFormat {
  const isText = format.kind === 'csv';
  const { dateFormat, encoding, decimal } = format;
  if (form === 'same' || isText === (form === 'csv')) {
    // a file of one column says nothing about how several would stand side by side
    return format.delimiter === '' ? { ...format, delimiter: decimal === ',' ? ';' : ',' } : format;
  }
  const common = { dateFormat, encoding, decimal: '.', skippedLines: 0 } as const;
  return isText ? { ...common, kind: 'json', header: false } : { ...common, kind: 'csv', header: true, delimiter: ',' };
}

/** What every chart does with its data, its pictures and the lines of its file. */
export function exportIntents(
  { log, reader }: Pick<App, 'log' | 'reader'>,
  now: () => Exported | undefined,
): Pick<Handlers<ChartIntent>, 'export' | 'picture' | 'copied' | 'lines'> {
  const say = (words: string) => vscode.window.setStatusBarMessage(words, 3000);
  const save = (exported: Exported, extension: string, bytes: Uint8Array) => {
    const name = { parts: nameParts(exported.chart.title), extension, what: exported.what };
    return saveAs(log, name, bytes, exported.source?.uri);
  };
  const take = async (exported: Exported, kind: DataExport): Promise<unknown> => {
    if (kind === 'file') return exported.saveFile?.();
    if (kind === 'xlsx') {
      const { series, format } = tableOf(exported, writingOptions());
      return save(exported, kind, await reader.write([series], format, true));
    }
    const form = kind === 'csv' || kind === 'json' ? kind : 'same';
    const { text, extension, language } = textOf(exported, form, writingOptions());
    if (kind === 'untitled') return openUntitled(text, language);
    if (kind !== 'copy') return save(exported, extension, new TextEncoder().encode(text));
    await vscode.env.clipboard.writeText(text);
    return say(exported.what === 'series' ? vscode.l10n.t('Series copied') : vscode.l10n.t('Forecast copied'));
  };
  /** Does something with the shown prediction; failures are shown. */
  const start = (work: (exported: Exported) => PromiseLike<unknown> | undefined) => {
    const exported = now();
    const begun = exported && work(exported);
    inBackground(
      log,
      begun?.then(undefined, (error: unknown) => showFailure({ log }, error)),
    );
  };
  return {
    export: ({ kind }) => start((exported) => take(exported, kind)),
    picture: ({ kind, data }) => start((exported) => save(exported, kind, data)),
    copied: () => say(vscode.l10n.t('Image copied')),
    lines: ({ first, last }) =>
      start(({ source }) => {
        const selection = new vscode.Range(first - 1, 0, last, 0);
        if (source?.uri === undefined) return undefined;
        return vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(source.uri), { selection });
      }),
  };
}

/** The words of a file's name, without its ending and without what some file systems refuse: `sales`, `store`, `12`. */
export const nameParts = (...titles: readonly (string | undefined)[]): string[] =>
  titles.flatMap(
    (title = '') =>
      title
        .replace(/\.(?:csv|tsv|txt|json|jsonl|ndjson|xlsx|xlsm|parquet)(?=$| · )/gi, '')
        .match(/[\p{L}\p{N}._]+/gu) ?? [],
  );

/** What a file is to be called. */
export interface FileName {
  /** As {@link nameParts} gives them. */
  readonly parts: readonly string[];
  readonly extension: string;
  readonly what?: 'forecast' | 'series';
}

/**
 * Asks where, and writes there; the dialog itself asks before it replaces a file. Says where the file is.
 * @param beside the file whose folder is offered; else that of the workspace
 */
export async function saveAs(
  log: Logged,
  { parts, extension, what = 'forecast' }: FileName,
  bytes: Uint8Array,
  beside?: string,
): Promise<void> {
  const source = beside === undefined ? undefined : vscode.Uri.parse(beside);
  const isFile = source !== undefined && source.scheme !== 'untitled';
  const folder = isFile ? vscode.Uri.joinPath(source, '..') : vscode.workspace.workspaceFolders?.[0]?.uri;
  const words = parts.length > 0 || what === 'series' ? parts : ['series'];
  const name = `${[...words, ...(extension === FORECAST_ENDING ? [] : [what])].join('-')}.${extension}`;
  const ending = extension.split('.').pop() ?? extension;
  const target = await vscode.window.showSaveDialog({
    title: what === 'series' ? vscode.l10n.t('Save Series') : vscode.l10n.t('Save Forecast'),
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    // dialogs know no endings of two parts, and would add such a one again
    filters: { [ending.toUpperCase()]: [ending] },
  });
  if (!target) return;
  const saved = target.path.split('/').pop() ?? vscode.l10n.t('The file');
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    inBackground(log, say.error(vscode.l10n.t('{0} could not be written: {1}', saved, why)));
    return;
  }
  inBackground(log, tellSaved(target, saved));
}

async function tellSaved(target: vscode.Uri, name: string): Promise<void> {
  const folder = vscode.workspace.asRelativePath(vscode.Uri.joinPath(target, '..'));
  if (await say.info(vscode.l10n.t('{0} is saved in {1}.', name, folder), vscode.l10n.t('Open')))
    await vscode.commands.executeCommand('vscode.open', target);
}

/** Opens text in an editor of its own that is no file yet. A language that this editor does not know becomes plain text. */
async function openUntitled(content: string, language: string): Promise<void> {
  const known = await vscode.languages.getLanguages();
  const document = await vscode.workspace.openTextDocument({
    content,
    language: known.includes(language) ? language : 'plaintext',
  });
  await vscode.window.showTextDocument(document, { preview: false });
}
