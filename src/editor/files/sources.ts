import * as vscode from 'vscode';
import { forecastDecimals } from '../../calendar/digits.ts';
import { lastPoints } from '../../reading/last-points.ts';
import type { SendableSeries } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Member, Source } from '../connection/memory.ts';
import { Cancelled } from '../ui/failure.ts';
import { say } from '../ui/say.ts';
import { settleLayout } from './choose-series.ts';
import { fileNameOf, openAsBefore, type OpenedDocument } from './document.ts';

/** All series of one or more files. */
export interface SeriesSet {
  /** What the person calls it. */
  readonly label: string;
  readonly series: readonly (SendableSeries & { readonly name: string })[];
  /** How the first file was written; the forecasts are written like it. */
  readonly source: Source;
  /** Files that could not be read, and why. */
  readonly unread: readonly { readonly uri: vscode.Uri; readonly error: SeriesError }[];
  /** Of a single file: what it was read from. */
  readonly opened?: OpenedDocument | undefined;
}

/** Problems of more files than this would bury the others. */
const MOST_WATCHED = 20;

/** Stands between the name of a file and that of a series in it. */
export const BETWEEN = ' · ';

/**
 * Reads all series of these files. What a file leaves open is asked; one that cannot be read does not stop the others.
 * @param label what all of it is called, where it is more than one file
 * @throws Cancelled; SeriesError where none of them can be read
 */
export async function readSeriesOf(
  app: App,
  files: readonly vscode.Uri[],
  label: string,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (message: string) => void },
): Promise<SeriesSet> {
  const read: OpenedDocument[] = [];
  const unread: { uri: vscode.Uri; error: SeriesError }[] = [];
  for (const [index, uri] of files.entries()) {
    signal.throwIfAborted();
    if (files.length > 1) report(vscode.l10n.t('reading {0} ({1} of {2})', fileNameOf(uri), index + 1, files.length));
    try {
      const { opened } = await openAsBefore(app, uri, undefined, signal);
      const settled = await settleLayout(app, opened, vscode.l10n.t('Forecast All Series'));
      if (files.length <= MOST_WATCHED) app.problems.show(settled);
      read.push(settled);
    } catch (error) {
      if (error instanceof Cancelled || !(error instanceof SeriesError)) throw error;
      unread.push({ uri, error });
    }
  }
  const [first] = read;
  if (first && files.length === 1) return setOf(first, first.document.series);
  if (first) return { label, ...joined(read), unread };
  if (unread.length > 0) throw unread[0].error;
  throw new SeriesError(
    'empty',
    vscode.l10n.t('{0} has no series files (.csv, .tsv, .txt, .json, .jsonl, .ndjson, .xlsx, or .parquet).', label),
  );
}

/** Some series of a document that was read. */
export function setOf(opened: OpenedDocument, chosen: readonly ReadSeries[]): SeriesSet {
  const series = chosen.map((one) => ({ ...lastPoints(one), name: one.id }));
  return { label: opened.fileName, series, source: sharedSource(opened), unread: [], opened };
}

/** The series of several files, whose names begin with those of their files. */
function joined(read: readonly OpenedDocument[]): Pick<SeriesSet, 'series' | 'source'> {
  const files = distinctNames(read.map(({ uri }) => uri));
  const members = read.map(({ document: { series: all } }, index): Member => {
    const [{ name, timeKind }] = all;
    return { file: files[index], timeKind, decimals: decimalsOf(all), ...(all.length === 1 ? { series: name } : {}) };
  });
  const series = read.flatMap(({ document: { series: all } }, index) =>
    all.map((one) => ({
      ...lastPoints(one),
      name: all.length === 1 ? files[index] : `${files[index]}${BETWEEN}${one.id}`,
    })),
  );
  return { series, source: { ...sharedSource(read[0]), idColumn: undefined, members } };
}

const decimalsOf = (series: readonly ReadSeries[]): number =>
  series.reduce((most, { values }) => Math.max(most, forecastDecimals(values)), 0);

/** Names of files, with as many of their folders as needed to make them distinct. */
function distinctNames(files: readonly vscode.Uri[]): string[] {
  const paths = files.map((uri) => uri.path.split('/').filter((part) => part !== ''));
  const nameOf = (path: readonly string[], parts: number) => path.slice(-parts).join('/');
  return paths.map((path) => {
    let parts = 1;
    const isTaken = () => paths.some((other) => other !== path && nameOf(other, parts) === nameOf(path, parts));
    while (parts < path.length && isTaken()) parts++;
    return nameOf(path, parts);
  });
}

/** What all series of a file share of how they were written. Those of a wide file have a value column each. */
function sharedSource({ uri, document: { format, series } }: OpenedDocument): Source {
  const [{ id, timeColumn, timeKind, timeZone, valueColumn, idColumn }] = series;
  const isWide = idColumn === undefined && series.length > 1;
  return {
    fileName: fileNameOf(uri),
    decimals: decimalsOf(series),
    uri: uri.toString(),
    format,
    id,
    timeColumn,
    timeKind,
    timeZone,
    valueColumn: isWide ? undefined : valueColumn,
    idColumn,
  };
}

/** Says which files could not be read while the others go on. */
export async function tellUnread([first, ...others]: SeriesSet['unread']): Promise<void> {
  if (!first) return;
  const more = others.length === 0 ? '' : vscode.l10n.t(' {0} more files could not be read.', others.length);
  const answer = await say.warning(`${first.error.message}${more}`, vscode.l10n.t('Open File'));
  if (answer) await vscode.commands.executeCommand('vscode.open', first.uri);
}
