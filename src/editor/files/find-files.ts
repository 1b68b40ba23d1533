import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import { Cancelled } from '../ui/failure.ts';
import { say } from '../ui/say.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { fileNameOf, SERIES_ENDINGS, SERIES_FILE } from './document.ts';

/** More files of a workspace would not be looked through. */
const MOST_LISTED = 200;

/**
 * Lets the person choose files: from the series files of the workspace, else from the disk.
 * @param title what the files are for, as the title of the list and of the dialog
 * @throws Cancelled where the list is closed @returns none where the dialog is closed
 */
export async function askForFiles(title: string, button = vscode.l10n.t('Forecast')): Promise<vscode.Uri[]> {
  const listed = await vscode.workspace.findFiles(
    `**/*.{${SERIES_ENDINGS.join(',')}}`,
    '**/{node_modules,.*}/**',
    MOST_LISTED,
  );
  const isLikely = (uri: vscode.Uri) =>
    !/(^|\/)(package(-lock)?|tsconfig[^/]*|[^/]*\.config|requirements|LICEN[CS]E|README)\.(json|txt)$/i.test(uri.path);
  const files = listed
    .filter((uri) => isLikely(uri) && !FORECAST_FILE.test(uri.path))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true }));
  if (files.length > 0) {
    const items = files.map((uri) => {
      const path = vscode.workspace.asRelativePath(uri);
      const name = fileNameOf(uri);
      return { label: name, description: path === name ? '' : path.slice(0, -name.length - 1), uri };
    });
    const placeholder = vscode.l10n.t('Which file?');
    const browse = {
      label: `$(folder-opened) ${vscode.l10n.t('Choose a file elsewhere…')}`,
      description: '',
      uri: undefined,
    };
    const { uri } = await pickOne<{ label: string; description: string; uri: vscode.Uri | undefined }>({
      place: alone(title),
      placeholder,
      items: [...items, browse],
    });
    if (uri) return [uri];
  }
  const chosen = await vscode.window.showOpenDialog({
    title,
    canSelectMany: true,
    openLabel: button,
    filters: { [vscode.l10n.t('Series files')]: [...SERIES_ENDINGS] },
  });
  return chosen ?? [];
}

/** Folders that hold no data of the person. */
const SKIPPED = /^(\.|node_modules$)/;
/** After so many files the person is asked whether to go on. */
const MANY = 2000;

/**
 * These files, and the series files of these folders and all below them, in the order of their names.
 * @param many files after which the person is asked
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

/** @returns whether the rest is wanted too */
async function goesOn(count: number): Promise<boolean> {
  const all = vscode.l10n.t('Find More');
  const some = vscode.l10n.t('Use These');
  const text = vscode.l10n.t(
    '{0} series files were found, and there are more. Use only these, or find more?',
    inDigits(count),
  );
  const answer = await say.choose(text, all, some);
  if (answer === undefined) throw new Cancelled();
  return answer === all;
}

async function* filesOf(uri: vscode.Uri, signal: AbortSignal): AsyncGenerator<vscode.Uri> {
  // what is no file yet cannot be asked what it is
  if (uri.scheme === 'untitled') {
    yield uri;
    return;
  }
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) yield* below(uri, signal);
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
