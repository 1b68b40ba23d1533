import type { WritingOptions } from '../../../reading/writing/forecast-columns.ts';
import * as vscode from 'vscode';
import { FORECAST_ENDING } from '../../../contract/forecast-file.ts';

import { setting } from '../../connection/settings.ts';
import { say } from '../../ui/say.ts';
import { inBackground } from '../../ui/background.ts';

/** What the settings say about saved forecasts. */
export const writingOptions = (): WritingOptions => ({
  names: setting('exportColumns').startsWith('limits') ? 'limits' : 'quantiles',
  withHistory: setting('exportColumns').endsWith('+history'),
});

/** The words of a file's name, without its ending and without what some file systems refuse: `sales`, `store`, `12`. */
export const nameParts = (...titles: readonly (string | undefined)[]): string[] =>
  titles.flatMap(
    (title = '') =>
      title
        .replace(/\.(?:csv|tsv|txt|json|jsonl|ndjson|xlsx|xlsm|parquet)(?=$| · )/gi, '')
        .match(/[\p{L}\p{N}._]+/gu) ?? [],
  );

/**
 * Asks where, and writes there; the dialog itself asks before it replaces a file. Says where the file is.
 * @param beside the file whose folder is offered; else that of the workspace
 */
export async function saveAs(
  log: Pick<vscode.LogOutputChannel, 'error'>,
  parts: readonly string[],
  extension: string,
  bytes: Uint8Array,
  beside?: string,
  what: 'forecast' | 'series' = 'forecast',
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
export async function openUntitled(content: string, language: string): Promise<void> {
  const known = await vscode.languages.getLanguages();
  const document = await vscode.workspace.openTextDocument({
    content,
    language: known.includes(language) ? language : 'plaintext',
  });
  await vscode.window.showTextDocument(document, { preview: false });
}
