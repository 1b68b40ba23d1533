import * as vscode from 'vscode';
import type { ThreadReader } from '../../reading/thread/reader.ts';
import { type LayoutChoice, type ReadOptions, type SeriesDocument, SeriesError } from '../../reading/types.ts';
import { setting } from '../connection/settings.ts';
import { withPatience } from '../ui/progress.ts';
import type { Choices, Chosen } from './choices.ts';

/** The endings of files that series come with. */
export const SERIES_ENDINGS = ['csv', 'tsv', 'txt', 'json', 'jsonl', 'ndjson', 'xlsx', 'xlsm', 'parquet'] as const;

/** A name that ends with one of them. */
export const SERIES_FILE = new RegExp(`\\.(?:${SERIES_ENDINGS.join('|')})$`, 'i');

/** How to read a document. */
export type Reading = Pick<ReadOptions, 'layout' | 'missing'>;

/** A document that was read, and how. */
export interface OpenedDocument {
  readonly uri: vscode.Uri;
  /** What a person calls it. */
  readonly fileName: string;
  readonly document: SeriesDocument;
  readonly layout: LayoutChoice;
  readonly missing: ReadOptions['missing'];
  /** Whether it is only a selection of the file. */
  readonly isPart?: boolean;
  /** Reads the same again, with these changes to how. @throws SeriesError */
  readonly again: (reading: Reading) => Promise<OpenedDocument>;
}

/** Kinds of files that hold tables and are not read, with what to do. */
const OTHER_KINDS: readonly (readonly [RegExp, (fileName: string) => string])[] = [
  [
    /\.(?:xlsb|xls|ods|numbers)$/i,
    (fileName) =>
      vscode.l10n.t(
        '{0} is a spreadsheet in an unsupported format. Save it as .xlsx or CSV (in Excel: File > Save As) and forecast that file.',
        fileName,
      ),
  ],
  [
    /\.(?:feather|arrow)$/i,
    (fileName) =>
      vscode.l10n.t(
        '{0} is an Arrow file. Save it as CSV first, for example with pandas: {1}.',
        fileName,
        'pd.read_feather("in.feather").to_csv("out.csv")',
      ),
  ],
];

/** @throws SeriesError */
function refuseOtherKinds(fileName: string): void {
  const way = OTHER_KINDS.find(([ending]) => ending.test(fileName))?.[1];
  if (way !== undefined) throw new SeriesError('binary', way(fileName));
}

export const fileNameOf = (uri: vscode.Uri): string => uri.path.split('/').pop() ?? uri.path;

/**
 * Reads the series of a file. Unsaved edits of an open editor count. Where it takes long a progress with Cancel is shown,
 * unless the caller gives a signal of its own.
 * @throws SeriesError, Cancelled
 */
export async function openDocument(
  reader: ThreadReader,
  uri: vscode.Uri,
  reading: Reading = {},
  signal?: AbortSignal,
): Promise<OpenedDocument> {
  const fileName = fileNameOf(uri);
  refuseOtherKinds(fileName);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const source = await sourceOf(uri, open);
  const options = { fileName, timeZone: setting('timeZone'), ...reading };
  const document = await (signal
    ? reader.read(source, options, signal)
    : withPatience(vscode.l10n.t('Reading {0}', fileName), (cancel) => reader.read(source, options, cancel)));
  const again = (other: Reading) => openDocument(reader, uri, { ...reading, ...other });
  return { uri, fileName, layout: reading.layout ?? {}, missing: reading.missing, document, again };
}

/**
 * Like {@link openDocument}, with the choices stored for this file and header shape. If the file has another shape now,
 * or can no longer be read that way, the choices are dropped.
 * @throws SeriesError
 */
export async function openAsBefore(
  app: { readonly reader: ThreadReader; readonly choices: Choices },
  uri: vscode.Uri,
  missing?: ReadOptions['missing'],
  signal?: AbortSignal,
): Promise<{ readonly opened: OpenedDocument; readonly chosen?: Chosen | undefined }> {
  const latest = app.choices.latest(uri);
  const before = latest && (await readAs(app.reader, uri, latest, { missing, signal }));
  if (before) return { opened: before, chosen: latest };
  const opened = await openDocument(app.reader, uri, { missing }, signal);
  const chosen = app.choices.recall(uri, opened.document.shape);
  const other = chosen && chosen !== latest ? await readAs(app.reader, uri, chosen, { missing, signal }) : undefined;
  return other ? { opened: other, chosen } : { opened };
}

async function readAs(
  reader: ThreadReader,
  uri: vscode.Uri,
  { layout, shape }: Chosen,
  { missing, signal }: { readonly missing: ReadOptions['missing']; readonly signal?: AbortSignal | undefined },
): Promise<OpenedDocument | undefined> {
  try {
    const opened = await openDocument(reader, uri, { layout, missing }, signal);
    return opened.document.shape === shape ? opened : undefined;
  } catch (error) {
    if (error instanceof SeriesError && Object.keys(layout).length > 0) return undefined;
    throw error;
  }
}

/** Files of this machine are streamed; those of other file systems come through the editor. */
async function sourceOf(uri: vscode.Uri, open: vscode.TextDocument | undefined) {
  if (open && (open.isDirty || open.isUntitled)) return { content: open.getText() };
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

/** Whether a file’s ending is one that series come with. */
export const isSeriesFile = (uri: vscode.Uri) => SERIES_FILE.test(uri.path);
