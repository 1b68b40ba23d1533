import * as vscode from 'vscode';
import { say } from '../../ui/say.ts';

/** Asks where, and writes there; the dialog itself asks before it replaces a file. */
export async function saveAs(title: string, extension: string, bytes: Uint8Array): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const stem = title
    .replace(/\.\w+$/, '')
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim();
  const name = `${stem || 'series'} forecast.${extension}`;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    filters: { [extension.toUpperCase()]: [extension] },
  });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void say.error(`${target.path.split('/').pop() ?? 'The file'} could not be written: ${why}`);
  }
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
