import * as vscode from 'vscode';

const ENDINGS = /\.(csv|tsv|txt|json|jsonl|ndjson)$/i;
/** Folders that hold no data of the person. */
const SKIPPED = /^(\.|node_modules$)/;
const MOST = 2000;

/** These files, and the series files of these folders and all below them, in the order of their names. */
export async function seriesFilesOf(uris: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  for (const uri of uris) {
    const { type } = await vscode.workspace.fs.stat(uri);
    if (type & vscode.FileType.Directory) await walk(uri, found);
    else found.push(uri);
  }
  return found.slice(0, MOST);
}

async function walk(folder: vscode.Uri, found: vscode.Uri[]): Promise<void> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  for (const [name, type] of entries.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))) {
    if (found.length >= MOST) return;
    const uri = vscode.Uri.joinPath(folder, name);
    // a link to a folder may lead back up
    if (type === vscode.FileType.Directory && !SKIPPED.test(name)) await walk(uri, found);
    else if (type & vscode.FileType.File && ENDINGS.test(name)) found.push(uri);
  }
}
