import * as vscode from 'vscode';
import type { ThreadReader } from '../series/thread-reader.ts';
import type { LayoutChoice, ReadOptions, SeriesDocument } from '../series/types.ts';

/** A document that was read, and how. */
export interface OpenedDocument {
  readonly uri: vscode.Uri;
  readonly fileName: string;
  readonly document: SeriesDocument;
  readonly layout: LayoutChoice;
}

export const fileNameOf = (uri: vscode.Uri): string => uri.path.split('/').pop() ?? uri.path;

/**
 * Reads the series of a file. Unsaved edits of an open editor count.
 * @throws SeriesError
 */
export async function openDocument(
  reader: ThreadReader,
  uri: vscode.Uri,
  options: Pick<ReadOptions, 'layout' | 'missing'> = {},
): Promise<OpenedDocument> {
  const fileName = fileNameOf(uri);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const document = await reader.read(await sourceOf(uri, open), { fileName, ...options });
  return { uri, fileName, layout: options.layout ?? {}, document };
}

/** Files of this machine are streamed; those of other file systems come through the editor. */
async function sourceOf(uri: vscode.Uri, open: vscode.TextDocument | undefined) {
  if (open && (open.isDirty || open.isUntitled)) return { content: open.getText() };
  return uri.scheme === 'file' ? { path: uri.fsPath } : { content: await vscode.workspace.fs.readFile(uri) };
}

/** The files a command was called for: the selected ones of the explorer, that of the editor title, or the active editor's. */
export function targets(uri: unknown, selected: unknown): vscode.Uri[] {
  if (Array.isArray(selected) && selected.length > 0) return selected.filter((one) => one instanceof vscode.Uri);
  if (uri instanceof vscode.Uri) return [uri];
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active) return [active];
  // large files have no text editor, but a tab
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [];
}

/** Lets the person choose files. @returns none when they leave */
export async function askForFiles(): Promise<vscode.Uri[]> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: 'Forecast',
    filters: { 'Series files': ['csv', 'tsv', 'txt', 'json', 'jsonl', 'ndjson'] },
  });
  return chosen ?? [];
}
