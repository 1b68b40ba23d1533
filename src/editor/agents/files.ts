import path from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../agents/context.ts';

/**
 * The file that an agent names: an address, an absolute path, or a path relative to an open folder.
 * @throws ToolError where no folder is open and the path is relative
 */
export function uriOf(file: string): vscode.Uri {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) return vscode.Uri.parse(file, true);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (path.isAbsolute(file)) {
    const inside = folders.find(({ uri }) => uri.scheme !== 'file' && file.startsWith(`${uri.path}/`));
    return inside ? inside.uri.with({ path: file }) : vscode.Uri.file(file);
  }
  // in a workspace of several folders a path may begin with the name of one
  const [first, ...rest] = file.split(/[\\/]/);
  const named = folders.length > 1 ? folders.find(({ name }) => name === first) : undefined;
  if (named) return vscode.Uri.joinPath(named.uri, ...rest);
  if (folders.length === 0) {
    throw new ToolError(vscode.l10n.t('No folder is open, so “{0}” could be anywhere. Give the absolute path.', file));
  }
  return vscode.Uri.joinPath(folders[0].uri, file);
}

/** Whether it is below one of the open folders. */
export function isInWorkspace(file: string): boolean {
  try {
    return vscode.workspace.getWorkspaceFolder(uriOf(file)) !== undefined;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
