import * as vscode from 'vscode';
import type { Member, Source } from '../connection/memory.ts';
import { say } from '../ui/say.ts';
import type { SendableSeries } from '../../reading/thread/messages.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import { forecastDecimals } from '../../calendar/digits.ts';
import type { App } from '../app.ts';
import { settleLayout } from './choose-series.ts';
import { fileNameOf, openAsBefore, type OpenedDocument } from './document.ts';
import { Cancelled } from '../ui/failure.ts';
import { lastPoints } from '../../reading/last-points.ts';

/** A file that could not be read, and why. */
export interface Unread {
  readonly uri: vscode.Uri;
  readonly error: SeriesError;
}

/** All series of one or more files. */
export interface SeriesSet {
  /** What the person calls it. */
  readonly label: string;
  readonly series: readonly (SendableSeries & { readonly name: string })[];
  /** How the first file was written; the forecasts are written like it. */
  readonly source: Source;
  readonly unread: readonly Unread[];
  /** Of a single file: what it was read from. */
  readonly opened?: OpenedDocument | undefined;
}

/** Problems of more files than this would bury the others. */
const MOST_WATCHED = 20;

/**
 * Reads all series of these files. What a file leaves open is asked; one that cannot be read does not stop the others.
 * @param label what all of it is called, where it is more than one file
 * @throws Cancelled; SeriesError where none of them can be read
 */
export async function readSeriesOf(
  app: App,
  files: readonly vscode.Uri[],
  label: string,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<SeriesSet> {
  const series: (SendableSeries & { name: string })[] = [];
  const unread: Unread[] = [];
  let source: Source | undefined;
  let only: OpenedDocument | undefined;
  const names = distinctNames(files);
  const members: Member[] = [];
  for (const [index, uri] of files.entries()) {
    signal.throwIfAborted();
    if (files.length > 1) report(vscode.l10n.t('reading {0} ({1} of {2})', fileNameOf(uri), index + 1, files.length));
    try {
      const opened = await settleLayout(
        app,
        (await openAsBefore(app, uri, undefined, signal)).opened,
        vscode.l10n.t('Forecast All Series'),
      );
      if (files.length <= MOST_WATCHED) app.problems.show(opened);
      source ??= sharedSource(opened, files.length > 1);
      if (files.length === 1) only = opened;
      const file = names[index];
      const isAlone = opened.document.series.length === 1;
      const [{ name: own, timeKind }] = opened.document.series;
      members.push({
        file,
        timeKind,
        decimals: decimalsOfAll(opened.document.series),
        ...(isAlone ? { series: own } : {}),
      });
      for (const one of opened.document.series) {
        const name = files.length === 1 ? one.id : isAlone ? file : `${file}${BETWEEN}${one.id}`;
        series.push({ ...lastPoints(one), name });
      }
    } catch (error) {
      if (error instanceof Cancelled || !(error instanceof SeriesError)) throw error;
      unread.push({ uri, error });
    }
  }
  const [first] = unread;
  if (source) {
    const shared = files.length > 1 ? { ...source, members } : source;
    return { label: files.length > 1 ? label : fileNameOf(files[0]), series, source: shared, unread, opened: only };
  }
  if (first) throw first.error;
  throw new SeriesError(
    'empty',
    vscode.l10n.t('{0} has no series files: no .csv, .tsv, .txt, .json, .jsonl, .ndjson, .xlsx or .parquet.', label),
  );
}

const decimalsOfAll = (series: readonly ReadSeries[]): number =>
  series.reduce((most, { values }) => Math.max(most, forecastDecimals(values)), 0);

/** Some series of a document that was read. */
export function setOf(opened: OpenedDocument, chosen: readonly ReadSeries[]): SeriesSet {
  const series = chosen.map((one) => ({ ...lastPoints(one), name: one.id }));
  return { label: opened.fileName, series, source: sharedSource(opened, false), unread: [], opened };
}

/** Stands between the name of a file and that of a series in it. */
export const BETWEEN = ' · ';

/** Names of files, with as many of their folders as it takes to tell them apart. */
export function distinctNames(files: readonly vscode.Uri[]): string[] {
  const paths = files.map((uri) => uri.path.split('/').filter((part) => part !== ''));
  const nameOf = (path: readonly string[], parts: number) => path.slice(-parts).join('/');
  return paths.map((path) => {
    let parts = 1;
    const isTaken = () => paths.some((other) => other !== path && nameOf(other, parts) === nameOf(path, parts));
    while (parts < path.length && isTaken()) parts++;
    return nameOf(path, parts);
  });
}

/** What all series of a set share of how they were written. Those of a wide file have a value column each. */
function sharedSource({ uri, document }: OpenedDocument, isOneOfMany: boolean): Source {
  const { format, series } = document;
  const [{ id, timeColumn, timeKind, timeZone, valueColumn, idColumn }] = series;
  const isWide = idColumn === undefined && series.length > 1;
  return {
    fileName: fileNameOf(uri),
    decimals: decimalsOfAll(series),
    uri: uri.toString(),
    format,
    id,
    timeColumn,
    timeKind,
    timeZone,
    valueColumn: isWide ? undefined : valueColumn,
    idColumn: isOneOfMany ? undefined : idColumn,
  };
}

/** Says which files could not be read while the others go on. */
export async function tellUnread(unread: readonly Unread[]): Promise<void> {
  const [first] = unread;
  if (!first) return;
  const others =
    unread.length === 1 ? '' : vscode.l10n.t(' {0} more files could not be read either.', unread.length - 1);
  const answer = await say.warning(`${first.error.message}${others}`, vscode.l10n.t('Open File'));
  if (answer) await vscode.commands.executeCommand('vscode.open', first.uri);
}
