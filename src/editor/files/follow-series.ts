import * as vscode from 'vscode';
import type { Source } from '../connection/memory.ts';
import type { ReadSeries } from '../../reading/types.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { SeriesFiles } from './series-file.ts';

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
  files: SeriesFiles,
  { uri, id, fingerprint, isPart }: Source,
  { onChange, onSeries }: SeriesEvents,
): vscode.Disposable {
  if (uri === undefined) return new vscode.Disposable(() => undefined);
  let isCurrent = true;
  return files.subscribe(vscode.Uri.parse(uri), {
    onRead: ({ document }) => {
      const series = document.series.find((one) => one.id === id);
      if (!series) return;
      onSeries(series);
      if (fingerprint === undefined || isPart) return;
      const now = fingerprintOf(series) === fingerprint;
      if (now !== isCurrent) onChange((isCurrent = now));
    },
  });
}
