import * as vscode from 'vscode';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import { say } from '../ui/say.ts';
import { Cancelled } from '../ui/failure.ts';
import { SERIES_FILE } from './endings.ts';
import { inDigits } from '../../calendar/digits.ts';

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
  const all = vscode.l10n.t('Look for More');
  const some = vscode.l10n.t('Take These');
  const text = vscode.l10n.t(
    '{0} series files were found, and there are more. Take only these, or look for more?',
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
