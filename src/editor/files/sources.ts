import * as vscode from 'vscode';
import { forecastDecimals } from '../../calendar/digits.ts';
import { lastPoints } from '../../reading/last-points.ts';
import type { SendableSeries } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Member, Source } from '../connection/memory.ts';
import { Cancelled, inBackground, say, withPatience } from '../ui/say.ts';
import { openSettled } from './choose-series.ts';
import { seriesFilesOf } from './find-files.ts';
import { fileNameOf, type OpenedDocument } from './document.ts';

export interface SeriesSet {
  readonly label: string;
  readonly series: readonly (SendableSeries & { readonly name: string })[];
  /** How the first file was written; the forecasts are written like it. */
  readonly source: Source;
  readonly opened?: OpenedDocument | undefined;
}

interface Unread {
  readonly uri: vscode.Uri;
  readonly error: SeriesError;
}

/** The problems of more files are not shown. */
const MOST_WATCHED = 20;

/** Stands between the name of a file and that of a series in it. */
export const BETWEEN = ' · ';

export const labelOf = (uris: readonly vscode.Uri[]): string =>
  uris.length === 1 ? fileNameOf(uris[0]) : vscode.l10n.t('{0} files and folders', uris.length);

/**
 * Reads all series of files and folders. Open questions of a file are asked; files that cannot be read are reported while
 * the others go on.
 * @throws Cancelled; SeriesError if none can be read
 */
export async function readSeriesOf(app: App, uris: readonly vscode.Uri[]): Promise<SeriesSet> {
  const label = labelOf(uris);
  const read: OpenedDocument[] = [];
  const unread: Unread[] = [];
  await withPatience(vscode.l10n.t('Reading {0}', label), async (signal, report) => {
    const files = await seriesFilesOf(uris, signal);
    for (const [index, uri] of files.entries()) {
      signal.throwIfAborted();
      if (files.length > 1) report(vscode.l10n.t('reading {0} ({1} of {2})', fileNameOf(uri), index + 1, files.length));
      try {
        const settled = await openSettled(app, uri, vscode.l10n.t('Forecast All Series'), { signal });
        if (files.length <= MOST_WATCHED) app.problems.show(settled);
        read.push(settled);
      } catch (error) {
        if (error instanceof Cancelled || !(error instanceof SeriesError)) throw error;
        unread.push({ uri, error });
      }
    }
  });
  const [first] = read;
  if (!first && unread.length > 0) throw unread[0].error;
  if (!first)
    throw new SeriesError(
      'empty',
      vscode.l10n.t('{0} has no series files (.csv, .tsv, .txt, .json, .jsonl, .ndjson, .xlsx, or .parquet).', label),
    );
  inBackground(app.log, sayUnread(unread));
  return read.length + unread.length === 1 ? setOf(first, first.document.series) : { label, ...joined(read) };
}

async function sayUnread([first, ...others]: readonly Unread[]): Promise<void> {
  if (!first) return;
  const more = others.length === 0 ? '' : vscode.l10n.t(' {0} more files could not be read.', others.length);
  const answer = await say.warning(`${first.error.message}${more}`, vscode.l10n.t('Open File'));
  if (answer) await vscode.commands.executeCommand('vscode.open', first.uri);
}

export function setOf(opened: OpenedDocument, chosen: readonly ReadSeries[]): SeriesSet {
  const series = chosen.map((one) => ({ ...lastPoints(one), name: one.id }));
  return { label: opened.fileName, series, source: sharedSource(opened), opened };
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
