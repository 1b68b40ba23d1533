import * as vscode from 'vscode';
import { forecastDecimals, inDigits } from '../../calendar/digits.ts';
import { lastPoints, type SendableSeries } from '../../reading/points.ts';
import { type ReadSeries, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { Member, Source } from '../connection/memory.ts';
import { Cancelled, inBackground, say, showFileFailure, withProgress, type Work } from '../ui/say.ts';
import type { OpenedDocument } from './document.ts';
import { chooseSeries, fileNameOf, isSeriesFile, openSettled, SERIES_ENDINGS } from './document.ts';
import { sourceOf } from './series-file.ts';
import { FORECAST_FILE } from '../../contract/forecast-file.ts';
import { alone, pickOne } from '../ui/steps.ts';
import { ServiceError } from '../../client/errors.ts';
import { type Sending, storeSeries } from '../../client/store-series.ts';
import { VIEWS } from '../names.ts';

export interface SeriesSet {
  readonly label: string;
  readonly series: readonly (SendableSeries & { readonly name: string })[];
  readonly source: Source;
  readonly opened?: OpenedDocument | undefined;
}

const MOST_WATCHED = 20;

export const BETWEEN = ' · ';

export const labelOf = (uris: readonly vscode.Uri[]): string =>
  uris.length === 1 ? fileNameOf(uris[0]) : vscode.l10n.t('{0} files and folders', uris.length);

/** Asks what is open; files that cannot be read are reported, and the others go on. @throws Cancelled; SeriesError if none can */
export async function readSeriesOf(app: App, uris: readonly vscode.Uri[]): Promise<SeriesSet> {
  const label = labelOf(uris);
  const read: OpenedDocument[] = [];
  const unread: { readonly uri: vscode.Uri; readonly error: SeriesError }[] = [];
  await withProgress(vscode.l10n.t('Reading {0}', label), async ({ signal, report }) => {
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
  const [problem, ...others] = unread;
  if (!first && problem) throw problem.error;
  if (!first)
    throw new SeriesError(
      'empty',
      vscode.l10n.t('{0} has no series files (.csv, .tsv, .txt, .json, .jsonl, .ndjson, .xlsx, or .parquet).', label),
    );
  if (problem) {
    const more = others.length === 0 ? '' : vscode.l10n.t(' {0} more files could not be read.', others.length);
    const said = say.warning(`${problem.error.message}${more}`, vscode.l10n.t('Open File'));
    const open = (answer?: string) => answer && vscode.commands.executeCommand('vscode.open', problem.uri);
    inBackground(app.log, said.then(open));
  }
  return read.length + unread.length === 1 ? setOf(first, first.document.series) : { label, ...joined(read) };
}

export function setOf(opened: OpenedDocument, chosen: readonly ReadSeries[]): SeriesSet {
  const series = chosen.map((one) => ({ ...lastPoints(one), name: one.id }));
  return { label: opened.fileName, series, source: sharedSource(opened), opened };
}

function joined(read: readonly OpenedDocument[]): Pick<SeriesSet, 'series' | 'source'> {
  const files = namesWithin(read.map(({ uri }) => uri));
  const all = read.flatMap(({ document: { series } }, index) => {
    const nameOf = ({ id }: ReadSeries) => (series.length === 1 ? files[index] : `${files[index]}${BETWEEN}${id}`);
    return series.map((one) => ({ ...lastPoints(one), name: nameOf(one) }));
  });
  const members = read.map(({ document: { series } }, index): Member => {
    const [{ name, timeKind }] = series;
    const alone = series.length === 1 ? { series: name } : {};
    return { file: files[index], timeKind, decimals: decimalsOf(series), ...alone };
  });
  return { series: all, source: { ...sharedSource(read[0]), idColumn: undefined, members } };
}

const decimalsOf = (series: readonly ReadSeries[]): number =>
  series.reduce((most, { values }) => Math.max(most, forecastDecimals(values)), 0);

function namesWithin(files: readonly vscode.Uri[]): string[] {
  const paths = files.map((uri) => uri.path.split('/'));
  const isShared = (part: string, at: number) => paths.every((path) => at < path.length - 1 && path[at] === part);
  const start = paths[0].findIndex((part, at) => !isShared(part, at));
  return paths.map((path) => path.slice(start).join('/'));
}

function sharedSource(opened: OpenedDocument): Source {
  const { series } = opened.document;
  const { fingerprint: _, ...source } = sourceOf(opened, series[0]);
  const isWide = source.idColumn === undefined && series.length > 1;
  return { ...source, decimals: decimalsOf(series), ...(isWide ? { valueColumn: undefined } : {}) };
}

const MOST_LISTED = 200;
const OF_PROJECTS = /(^|\/)(package(-lock)?|tsconfig[^/]*|[^/]*\.config|requirements|LICEN[CS]E|README)\.(json|txt)$/i;

/** From the workspace, else from the disk. @returns none if the dialog is closed @throws Cancelled if the list is */
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

export const isFolder = async (uri: vscode.Uri): Promise<boolean> =>
  uri.scheme !== 'untitled' && ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;

const SKIPPED = /^(\.|node_modules$)/;

/** These files and those below these folders, by name. @param many after which the person is asked @throws Cancelled */
export async function seriesFilesOf(uris: readonly vscode.Uri[], signal: AbortSignal, many = 2000) {
  const found: vscode.Uri[] = [];
  for (const uri of uris) {
    for await (const file of (await isFolder(uri)) ? below(uri, signal) : [uri]) {
      if (found.length > 0 && found.length % many === 0) {
        const more = vscode.l10n.t('Find More');
        const text = vscode.l10n.t(
          '{0} series files were found, and there are more. Use only these, or find more?',
          inDigits(found.length),
        );
        const answer = await say.choose(text, more, vscode.l10n.t('Use These'));
        if (answer === undefined) throw new Cancelled();
        if (answer !== more) return found;
      }
      found.push(file);
    }
  }
  return found;
}

async function* below(folder: vscode.Uri, signal: AbortSignal): AsyncGenerator<vscode.Uri> {
  signal.throwIfAborted();
  const entries = await vscode.workspace.fs.readDirectory(folder);
  for (const [name, type] of entries.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))) {
    const uri = vscode.Uri.joinPath(folder, name);
    signal.throwIfAborted();
    if (type === vscode.FileType.Directory && !SKIPPED.test(name)) yield* below(uri, signal);
    else if (type & vscode.FileType.File && isSeriesFile(uri) && !FORECAST_FILE.test(name)) yield uri;
  }
}

export const sendingOf = (
  { log }: Pick<App, 'log'>,
  name: string,
  { signal, report }: Pick<Work, 'signal'> & Partial<Work>,
): Sending => ({
  signal,
  onStored: (done, all) => report?.(vscode.l10n.t('{0} of {1} series sent', inDigits(done), inDigits(all))),
  onLeft: (id) => {
    const text = vscode.l10n.t(
      'Part of {0} was sent and could not be deleted; the service may keep it as the dataset {1}.',
      name,
      id,
    );
    inBackground(log, say.warning(text));
  },
});

export async function createDataset(app: App, uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t('Create Dataset');
  try {
    const session = await app.connection.ready();
    if (!(await session.client.capabilities()).has('createDataset'))
      throw new ServiceError('refused', vscode.l10n.t('{0} does not accept datasets.', session.info.name));
    const opened = await openSettled(app, uri, title);
    const series = await chooseSeries(opened, alone(title), 'store');
    const name = opened.fileName.replace(/\.\w+$/, '');
    await withProgress(vscode.l10n.t('Storing {0}', opened.fileName), (work) =>
      storeSeries(session.client, app.reader, { name, series }, sendingOf(app, name, work)),
    );
    await app.trees.get(VIEWS.datasets)?.refresh();
    await vscode.commands.executeCommand(`${VIEWS.datasets}.focus`);
  } catch (error) {
    await showFileFailure(app, uri, error);
  }
}
