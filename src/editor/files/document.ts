import * as vscode from 'vscode';
import type { ThreadReader } from '../../reading/thread/reader.ts';
import { type LayoutChoice, type ReadOptions, type SeriesDocument, SeriesError } from '../../reading/types.ts';
import { setting } from '../connection/settings.ts';
import { Cancelled, showFileFailure, type Way, withProgress } from '../ui/say.ts';
import type { Choices, Chosen } from './choices.ts';

export const SERIES_ENDINGS = ['csv', 'tsv', 'txt', 'json', 'jsonl', 'ndjson', 'xlsx', 'xlsm', 'parquet'] as const;

const SERIES_FILE = new RegExp(`\\.(?:${SERIES_ENDINGS.join('|')})$`, 'i');
export const isSeriesFile = (uri: vscode.Uri) => SERIES_FILE.test(uri.path);

export type Reading = Pick<ReadOptions, 'layout' | 'missing'>;

export interface OpenedDocument {
  readonly uri: vscode.Uri;
  readonly fileName: string;
  readonly document: SeriesDocument;
  readonly layout: LayoutChoice;
  readonly missing: ReadOptions['missing'];
  readonly isPart?: boolean;
  readonly again: (reading: Reading) => Promise<OpenedDocument>;
}

export const fileNameOf = (uri: vscode.Uri): string => uri.path.split('/').pop() ?? uri.path;

/** With unsaved edits. Shows progress with Cancel, unless the caller passes a signal. @throws SeriesError, Cancelled */
export async function openDocument(reader: ThreadReader, uri: vscode.Uri, reading: Reading = {}, signal?: AbortSignal) {
  const fileName = fileNameOf(uri);
  if (/\.(?:xlsb|xls|ods|numbers)$/i.test(fileName))
    throw new SeriesError(
      'binary',
      vscode.l10n.t(
        '{0} is a spreadsheet in an unsupported format. Save it as .xlsx or CSV (in Excel: File > Save As) and forecast that file.',
        fileName,
      ),
    );
  if (/\.(?:feather|arrow)$/i.test(fileName))
    throw new SeriesError(
      'binary',
      vscode.l10n.t(
        '{0} is an Arrow file. Save it as CSV first, for example with pandas: {1}.',
        fileName,
        'pd.read_feather("in.feather").to_csv("out.csv")',
      ),
    );
  const source = await sourceOf(uri);
  const options = { fileName, timeZone: setting('timeZone'), ...reading };
  const document = await (signal
    ? reader.read(source, options, signal)
    : withProgress(vscode.l10n.t('Reading {0}', fileName), (cancel) => reader.read(source, options, cancel)));
  const again = (other: Reading) => openDocument(reader, uri, { ...reading, ...other });
  return { uri, fileName, layout: reading.layout ?? {}, missing: reading.missing, document, again };
}

/** With the layout chosen for its header, unless that cannot be read any more. @throws SeriesError, Cancelled */
export async function openAsBefore(
  { reader, choices }: { readonly reader: ThreadReader; readonly choices: Choices },
  uri: vscode.Uri,
  missing?: Reading['missing'],
  signal?: AbortSignal,
): Promise<OpenedDocument> {
  const readAs = async ({ layout, shape }: Chosen): Promise<OpenedDocument | undefined> => {
    try {
      const opened = await openDocument(reader, uri, { layout, missing }, signal);
      return opened.document.shape === shape ? opened : undefined;
    } catch (error) {
      if (error instanceof SeriesError && Object.keys(layout).length > 0) return undefined;
      throw error;
    }
  };
  const latest = choices.latest(uri);
  const before = latest && (await readAs(latest));
  if (before) return before;
  const opened = await openDocument(reader, uri, { missing }, signal);
  const chosen = choices.recall(uri, opened.document.shape);
  return (chosen && chosen !== latest && (await readAs(chosen))) || opened;
}

export function editedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open && (open.isDirty || open.isUntitled) ? open : undefined;
}

/** Files of this machine are streamed; those of other file systems come through the editor. */
async function sourceOf(uri: vscode.Uri) {
  const edited = editedDocument(uri);
  if (edited) return { content: edited.getText() };
  return uri.scheme === 'file' ? { path: uri.fsPath } : { content: await vscode.workspace.fs.readFile(uri) };
}

/** The files a command was called for: the selected ones of the explorer, that of the editor title, or the active editor's if it is a series file. */
export function targets(uri: unknown, selected: unknown): vscode.Uri[] {
  if (Array.isArray(selected) && selected.length > 0) return selected.filter((one) => one instanceof vscode.Uri);
  if (uri instanceof vscode.Uri) return [uri];
  const active = vscode.window.activeTextEditor?.document.uri;
  // large files have no text editor, but a tab
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown =
    active ?? (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined);
  return shown && !isOwn(shown) && (shown.scheme === 'untitled' || isSeriesFile(shown)) ? [shown] : [];
}

/** Documents that this extension or the editor shows, and that are no files: reports, sides of a comparison, output. */
const isOwn = ({ scheme }: vscode.Uri) => /^forecasts|^(?:output|git|vscode-|search-editor|walkThrough)/.test(scheme);

export type Unreadable = 'error' | 'treat-as-missing';

interface Shown {
  readonly log: vscode.LogOutputChannel;
  readonly choices: Choices;
  readonly problems: { readonly showFaults: (uri: vscode.Uri, layout?: LayoutChoice) => void };
}

interface OnFile {
  readonly ways?: (error: unknown) => readonly Way[];
  /** Collects notifications, so that work on several files does not wait until they are read. */
  readonly notices?: Promise<unknown>[];
}

/** Works on a file and shows failures, with a repair of unreadable cells. @returns undefined after one @throws Cancelled */
export async function onFile<T>(
  app: Shown,
  uri: vscode.Uri,
  work: (unreadable: Unreadable) => Promise<T>,
  { ways, notices }: OnFile = {},
): Promise<T | undefined> {
  const attempt = async (unreadable: Unreadable): Promise<T | undefined> => {
    try {
      return await work(unreadable);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      const isRepairable = error instanceof SeriesError && error.canBePassedOver && unreadable === 'error';
      if (isRepairable) app.problems.showFaults(uri, app.choices.latest(uri)?.layout);
      let repaired: T | undefined;
      const go = async () => {
        repaired = await attempt('treat-as-missing');
      };
      const repair = { label: vscode.l10n.t('Treat as Missing'), go };
      const notice = showFileFailure(app, uri, error, isRepairable ? [repair] : (ways?.(error) ?? []));
      if (notices) notices.push(notice);
      else await notice;
      return repaired;
    }
  };
  return attempt('error');
}
