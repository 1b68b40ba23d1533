import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import { Cancelled, say } from '../ui/say.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { fileNameOf, SERIES_ENDINGS, SERIES_FILE } from './document.ts';

const MOST_LISTED = 200;
const OF_PROJECTS = /(^|\/)(package(-lock)?|tsconfig[^/]*|[^/]*\.config|requirements|LICEN[CS]E|README)\.(json|txt)$/i;

/**
 * Lets the person choose files: from the series files of the workspace, else from the disk.
 * @param title of the list and of the dialog
 * @returns none if the dialog is closed
 * @throws Cancelled if the list is closed
 */
export async function askForFiles(title: string, button = vscode.l10n.t('Forecast')): Promise<vscode.Uri[]> {
  const pattern = `**/*.{${SERIES_ENDINGS.join(',')}}`;
  const listed = await vscode.workspace.findFiles(pattern, '**/{node_modules,.*}/**', MOST_LISTED);
  const files = listed
    .filter(({ path }) => !OF_PROJECTS.test(path) && !FORECAST_FILE.test(path))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  if (files.length > 0) {
    const items = files.map((uri) => {
      const path = vscode.workspace.asRelativePath(uri);
      const label = fileNameOf(uri);
      return { label, description: path === label ? '' : path.slice(0, -label.length - 1), uri };
    });
    const label = `$(folder-opened) ${vscode.l10n.t('Choose a file elsewhere…')}`;
    const { uri } = await pickOne<vscode.QuickPickItem & { readonly uri: vscode.Uri | undefined }>({
      place: alone(title),
      placeholder: vscode.l10n.t('Which file?'),
      items: [...items, { label, uri: undefined }],
    });
    if (uri) return [uri];
  }
  const filters = { [vscode.l10n.t('Series files')]: [...SERIES_ENDINGS] };
  return (await vscode.window.showOpenDialog({ title, canSelectMany: true, openLabel: button, filters })) ?? [];
}

const SKIPPED = /^(\.|node_modules$)/;
const MANY = 2000;

/**
 * These files, and the series files of these folders and all below them, in the order of their names.
 * @param many files after which the person is asked whether to go on
 * @throws Cancelled; the signal's reason when aborted
 */
export async function seriesFilesOf(
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
  many = MANY,
): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  for (const uri of uris) {
    for await (const file of filesOf(uri, signal)) {
      if (found.length > 0 && found.length % many === 0 && !(await goesOn(found.length))) return found;
      found.push(file);
    }
  }
  return found;
}

async function goesOn(count: number): Promise<boolean> {
  const all = vscode.l10n.t('Find More');
  const text = vscode.l10n.t(
    '{0} series files were found, and there are more. Use only these, or find more?',
    inDigits(count),
  );
  const answer = await say.choose(text, all, vscode.l10n.t('Use These'));
  if (answer === undefined) throw new Cancelled();
  return answer === all;
}

async function* filesOf(uri: vscode.Uri, signal: AbortSignal): AsyncGenerator<vscode.Uri> {
  const isFolder = uri.scheme !== 'untitled' && (await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory;
  if (isFolder) yield* below(uri, signal);
  else yield uri;
}

async function* below(folder: vscode.Uri, signal: AbortSignal): AsyncGenerator<vscode.Uri> {
  signal.throwIfAborted();
  const entries = await vscode.workspace.fs.readDirectory(folder);
  for (const [name, type] of entries.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))) {
    const uri = vscode.Uri.joinPath(folder, name);
    signal.throwIfAborted();
    // a link to a folder may lead back up
    if (type === vscode.FileType.Directory && !SKIPPED.test(name)) yield* below(uri, signal);
    else if (type & vscode.FileType.File && SERIES_FILE.test(name) && !FORECAST_FILE.test(name)) yield uri;
  }
}
