import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { Source } from '../connection/memory.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { openAsBefore } from './document.ts';
import { fingerprintOf } from './fingerprint.ts';
import { inBackground } from '../ui/background.ts';

const DEBOUNCE = 400;
/** A file that takes long to read is read again seldom: after so many times as long. */
const REST = 4;

/** What is told of a series that is followed. */
export interface SeriesEvents {
  readonly onChange: (isCurrent: boolean) => void;
  /** The series as the file has it now; after each reading. */
  readonly onSeries: (series: ReadSeries) => void;
}

/**
 * Follows the file of a series, edits that are not saved included, and tells when it no longer holds the numbers that were
 * forecast, and when it does again. Nothing is told while it cannot be read or the series is not to be found. Of a part of a
 * file only the whole series is told.
 */
export function followSeries(
  app: Pick<App, 'reader' | 'choices' | 'log'>,
  { uri: address, id, fingerprint, fileName, isPart }: Source,
  { onChange, onSeries }: SeriesEvents,
): vscode.Disposable {
  if (address === undefined) return new vscode.Disposable(() => undefined);
  const uri = vscode.Uri.parse(address);
  let isCurrent = true;
  let timer: NodeJS.Timeout | undefined;
  let took = 0;
  /** Counts the changes, so that an older reading is not told after a newer one. */
  let change = 0;

  async function look(): Promise<void> {
    const mine = change;
    const start = Date.now();
    try {
      const { opened } = await openAsBefore(app, uri, 'treat-as-missing');
      const series = opened.document.series.find((one) => one.id === id);
      if (!series || mine !== change) return;
      onSeries(series);
      if (fingerprint === undefined || isPart) return;
      const now = fingerprintOf(series) === fingerprint;
      if (now !== isCurrent) onChange((isCurrent = now));
    } catch (error) {
      app.log.debug(`${fileName} is not compared with its forecast: ${String(error)}`);
    } finally {
      took = Date.now() - start;
    }
  }

  const later = (changed: vscode.Uri): void => {
    if (changed.toString() !== uri.toString()) return;
    change++;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        inBackground(app.log, look());
      },
      Math.max(DEBOUNCE, REST * took),
    );
  };
  // brackets and braces would be read as a pattern
  const pattern = (uri.path.split('/').pop() ?? '').replaceAll(/[[\]{}*?]/g, '?');
  const watcher =
    uri.scheme === 'untitled'
      ? undefined
      : vscode.workspace.createFileSystemWatcher(
          new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), pattern),
          false,
          false,
          true,
        );
  watcher?.onDidChange(later);
  watcher?.onDidCreate(later);
  const edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length > 0) later(document.uri);
  });
  inBackground(app.log, look());
  return new vscode.Disposable(() => {
    change++;
    clearTimeout(timer);
    watcher?.dispose();
    edits.dispose();
  });
}
