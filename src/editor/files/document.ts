import * as vscode from 'vscode';
import { inSignificant } from '../../calendar/digits.ts';
import { formatInstant } from '../../calendar/format.ts';
import { zoneOf } from '../../calendar/zone.ts';
import type { ThreadReader } from '../../reading/thread/reader.ts';
import type { Choice, LayoutChoice, ReadOptions, ReadSeries, SeriesDocument } from '../../reading/types.ts';
import { SeriesError } from '../../reading/types.ts';
import { isTotalWord } from '../../reading/values/totals.ts';
import { setting } from '../names.ts';
import { Cancelled, showFileFailure, type Way, withProgress } from '../ui/say.ts';
import { alone, pickMany, pickOne, type Place } from '../ui/steps.ts';
import type { Place as Folder } from '#platform/shelf';
import * as z from 'zod/mini';
import { Layout as AskedLayout } from '../../agents/source.ts';
import { Bounds } from '../../contract/resources.ts';
import { Records } from '../connection/memory.ts';

export const SERIES_ENDINGS = ['csv', 'tsv', 'txt', 'json', 'jsonl', 'ndjson', 'xlsx', 'xlsm', 'parquet'] as const;

const SERIES_FILE = new RegExp(`\\.(?:${SERIES_ENDINGS.join('|')})$`, 'i');
export const isSeriesFile = (uri: vscode.Uri) => SERIES_FILE.test(uri.path);

export type Reading = Pick<ReadOptions, 'layout' | 'missing'>;

export interface OpenedDocument {
  readonly uri: vscode.Uri;
  readonly fileName: string;
  readonly document: SeriesDocument;
  readonly layout: LayoutChoice;
  readonly missing: ReadOptions['missing'];
  readonly isPart?: boolean;
  readonly again: (reading: Reading) => Promise<OpenedDocument>;
}

export interface Readings {
  /** @throws Cancelled where the page is closed; SeriesError */
  settle(opened: OpenedDocument, purpose: string): Promise<OpenedDocument>;
}

export interface Known {
  readonly reader: ThreadReader;
  readonly choices: Choices;
}

export const fileNameOf = (uri: vscode.Uri): string => uri.path.split('/').pop() ?? uri.path;

/** With unsaved edits. Shows progress with Cancel, unless the caller passes a signal. @throws SeriesError, Cancelled */
export async function openDocument(reader: ThreadReader, uri: vscode.Uri, reading: Reading = {}, signal?: AbortSignal) {
  const fileName = fileNameOf(uri);
  const spreadsheet = vscode.l10n.t(
    '{0} is a spreadsheet in an unsupported format. Save it as .xlsx or CSV (in Excel: File > Save As) and forecast that file.',
    fileName,
  );
  const pandas = 'pd.read_feather("in.feather").to_csv("out.csv")';
  const arrow = vscode.l10n.t(
    '{0} is an Arrow file. Save it as CSV first, for example with pandas: {1}.',
    fileName,
    pandas,
  );
  if (/\.(?:xlsb|xls|ods|numbers)$/i.test(fileName)) throw new SeriesError('binary', spreadsheet);
  if (/\.(?:feather|arrow)$/i.test(fileName)) throw new SeriesError('binary', arrow);
  const source = await sourceOf(uri);
  const options = { fileName, timeZone: setting('timeZone'), ...reading };
  const document = await (signal
    ? reader.read(source, options, signal)
    : withProgress(vscode.l10n.t('Reading {0}', fileName), (work) => reader.read(source, options, work.signal)));
  const again = (other: Reading) => openDocument(reader, uri, { ...reading, ...other });
  return { uri, fileName, layout: reading.layout ?? {}, missing: reading.missing, document, again };
}

/** With the layout chosen for its header, unless that cannot be read any more. @throws SeriesError, Cancelled */
export async function openAsBefore(
  { reader, choices }: Known,
  uri: vscode.Uri,
  missing?: Reading['missing'],
  signal?: AbortSignal,
): Promise<OpenedDocument> {
  const readAs = async ({ layout, shape }: Chosen): Promise<OpenedDocument | undefined> => {
    try {
      const opened = await openDocument(reader, uri, { layout, missing }, signal);
      return opened.document.shape === shape ? opened : undefined;
    } catch (error) {
      if (error instanceof SeriesError && Object.keys(layout).length > 0) return undefined;
      throw error;
    }
  };
  const latest = choices.latest(uri);
  const before = latest && (await readAs(latest));
  if (before) return before;
  const opened = await openDocument(reader, uri, { missing }, signal);
  const chosen = choices.recall(uri, opened.document.shape);
  return (chosen && chosen !== latest && (await readAs(chosen))) || opened;
}

export function editedDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  return open && (open.isDirty || open.isUntitled) ? open : undefined;
}

async function sourceOf(uri: vscode.Uri) {
  const edited = editedDocument(uri);
  if (edited) return { content: edited.getText() };
  return uri.scheme === 'file' ? { path: uri.fsPath } : { content: await vscode.workspace.fs.readFile(uri) };
}

/** The files a command was called for: the selected ones of the explorer, that of the editor title, or the active editor's if it is a series file. */
export function targets(uri: unknown, selected: unknown): vscode.Uri[] {
  if (Array.isArray(selected) && selected.length > 0) return selected.filter((one) => one instanceof vscode.Uri);
  if (uri instanceof vscode.Uri) return [uri];
  const active = vscode.window.activeTextEditor?.document.uri;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown =
    active ?? (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined);
  return shown && !isOwn(shown) && (shown.scheme === 'untitled' || isSeriesFile(shown)) ? [shown] : [];
}

export const openLines = (uri: vscode.Uri, { first, last }: { first: number; last: number }, options?: object) =>
  vscode.commands.executeCommand('vscode.open', uri, {
    ...options,
    selection: new vscode.Range(first - 1, 0, last, 0),
  });

const isOwn = ({ scheme }: vscode.Uri) => /^forecasts|^(?:output|git|vscode-|search-editor|walkThrough)/.test(scheme);

export type Unreadable = 'error' | 'treat-as-missing';

interface Shown {
  readonly log: vscode.LogOutputChannel;
  readonly choices: Choices;
  readonly problems: { readonly showFaults: (uri: vscode.Uri, layout?: LayoutChoice) => void };
}

/** Works on a file and shows failures, with a repair of unreadable cells. @returns undefined after one @throws Cancelled */
export async function onFile<T>(
  app: Shown,
  uri: vscode.Uri,
  work: (unreadable: Unreadable) => Promise<T>,
  { ways, notices }: { ways?: (error: unknown) => readonly Way[]; notices?: Promise<unknown>[] } = {},
): Promise<T | undefined> {
  const attempt = async (unreadable: Unreadable): Promise<T | undefined> => {
    try {
      return await work(unreadable);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      const isRepairable = error instanceof SeriesError && error.canBePassedOver && unreadable === 'error';
      if (isRepairable) app.problems.showFaults(uri, app.choices.latest(uri)?.layout);
      let repaired: T | undefined;
      const go = async () => {
        repaired = await attempt('treat-as-missing');
      };
      const repair = { label: vscode.l10n.t('Treat as Missing'), go };
      const notice = showFileFailure(app, uri, error, isRepairable ? [repair] : (ways?.(error) ?? []));
      if (notices) notices.push(notice);
      else await notice;
      return repaired;
    }
  };
  return attempt('error');
}

function firstRows({ times, values, timeKind, frequency, timeZone = 'UTC' }: ReadSeries): string {
  const rows = Array.from(times.subarray(0, 4), (time, row) => {
    const isRow = timeKind === 'row';
    const at = isRow ? vscode.l10n.t('row {0}', row + 1) : formatInstant(time, frequency, zoneOf(timeZone));
    return `${at}: ${Number.isNaN(values[row]) ? vscode.l10n.t('missing') : values[row]}`;
  });
  return `${rows.join('  ')}${rows.length < times.length ? '  …' : ''}`;
}

function seriesItem(series: ReadSeries) {
  const { name, summary } = series;
  const detail = summary.startsWith(`${name} · `) ? summary.slice(name.length + 3) : summary;
  const last = series.values.findLast((value) => !Number.isNaN(value));
  const description = last === undefined ? '' : vscode.l10n.t('last value {0}', inSignificant(last, 6));
  return { label: name, description, detail, series };
}

/** The series that were chosen before; `undefined` if one of them is gone, or nothing was chosen. */
export function chosenSeries({ document: { series } }: Pick<OpenedDocument, 'document'>, chosen: Chosen | undefined) {
  if (series.length === 1) return series;
  const wanted = chosen?.series?.map((id) => series.find((each) => each.id === id));
  return wanted?.every((each) => each !== undefined) ? wanted : undefined;
}

type Purpose = 'forecast' | 'store' | 'train' | 'train-one';

/** The series chosen for a file before, else those the person chooses, which is remembered. @throws Cancelled */
export async function seriesAsBefore(app: Pick<Known, 'choices'>, opened: OpenedDocument, title: string) {
  const before = app.choices.recall(opened.uri, opened.document.shape);
  const series = chosenSeries(opened, before) ?? (await chooseSeries(opened, alone(title), 'forecast', before));
  rememberChoice(app, opened, series);
  return series;
}

/** Asks for the series to work on if there are several. @param before the choice to begin with @throws Cancelled */
export async function chooseSeries(
  { fileName, document: { series, choices } }: OpenedDocument,
  place: Place,
  purpose: Purpose,
  before?: Pick<Chosen, 'series'>,
): Promise<readonly ReadSeries[]> {
  if (series.length === 1) return series;
  const question = vscode.l10n.t('Which series of {0}?', fileName);
  const limit = vscode.l10n.t('This service trains on one series, or on its own datasets.');
  const placeholder = purpose === 'train-one' ? `${question} ${limit}` : question;
  const choice = choices.find(({ kind }) => kind === 'value-columns');
  const column = choice?.options[choice.suggested]?.layout.valueColumns?.[0];
  const isMeant = ({ valueColumn, name }: ReadSeries) => valueColumn === column && !isTotalWord(name);
  const meant = series.find(isMeant) ?? series.find(({ name }) => !isTotalWord(name)) ?? series[0];
  const items = [meant, ...series.filter((each) => each !== meant)].map(seriesItem);
  const known = items.filter((item) => before?.series?.includes(item.series.id));
  const isNew = known.length === 0;
  if (purpose === 'train-one')
    return [(await pickOne({ place, placeholder, items, picked: (one) => one === (known[0] ?? items[0]) })).series];
  const takesAll = purpose === 'store' || purpose === 'train';
  const picked = (one: (typeof items)[number]) => (isNew ? takesAll || one === items[0] : known.includes(one));
  const suggested = isNew && !takesAll ? items[0] : undefined;
  const chosen = await pickMany({ place, placeholder, items, picked, suggested });
  return chosen.map((item) => item.series);
}

export function answerIn(layout: LayoutChoice, { options, suggested }: Choice): number {
  const isIn = ([name, value]: [string, unknown]) =>
    JSON.stringify(layout[name as keyof LayoutChoice]) === JSON.stringify(value);
  const taken = options.findIndex((option) => Object.entries(option.layout).every(isIn));
  return taken >= 0 ? taken : suggested;
}

export const openQuestions = ({ document }: Pick<OpenedDocument, 'document'>): readonly Choice[] =>
  document.choices.filter(({ kind }) => kind !== 'value-columns');

/** Reads a file with the layout chosen before, and asks what is still open. @throws Cancelled, SeriesError */
export const openSettled = async (
  app: Known & { readonly readings: Readings },
  uri: vscode.Uri,
  title: string,
  { missing, signal }: { readonly missing?: Reading['missing']; readonly signal?: AbortSignal } = {},
): Promise<OpenedDocument> => settleLayout(app, await openAsBefore(app, uri, missing, signal), title);

/** Asks how a file is read: one question by a quick pick, several or competing readings by a page. @throws Cancelled, SeriesError */
export async function settleLayout(
  app: { readonly readings: Readings },
  opened: OpenedDocument,
  title: string,
  asked: readonly Choice['kind'][] = [],
): Promise<OpenedDocument> {
  const open = openQuestions(opened).filter(({ kind }) => kind !== 'totals' && !asked.includes(kind));
  if (opened.document.isUncertain || open.length > 1) return app.readings.settle(opened, title);
  const [choice] = open;
  if (!choice) return opened;
  return settleLayout(app, await answerChoice(opened, choice, alone(title)), title, [...asked, choice.kind]);
}

const MOST_PREVIEWED = 200_000;

/** Asks one question about how to read a document, with the first rows of each answer. @throws Cancelled, SeriesError */
export async function answerChoice(opened: OpenedDocument, choice: Choice, place: Place, before: LayoutChoice = {}) {
  const { question, options } = choice;
  const points = opened.document.series.reduce((sum, { times }) => sum + times.length, 0);
  const items = await Promise.all(
    options.map(async ({ label, detail, layout }) => {
      const merged = { ...opened.layout, ...layout };
      const read = points > MOST_PREVIEWED ? undefined : await opened.again({ layout: merged, missing: 'report' });
      const [series] = read?.document.series ?? [];
      return { label, description: detail, detail: series && firstRows(series), layout: merged };
    }),
  );
  const answer = await pickOne({
    place,
    placeholder: `${opened.fileName}: ${question}`,
    items,
    picked: (item) => item === items[answerIn(before, choice)],
  });
  return opened.again({ layout: answer.layout });
}

export function rememberChoice(
  app: Pick<Known, 'choices'>,
  { uri, document, layout }: Pick<OpenedDocument, 'uri' | 'document' | 'layout'>,
  chosen: readonly ReadSeries[] | undefined,
  further: Partial<Omit<Chosen, 'shape'>> = {},
): void {
  const series = document.series.length > 1 ? chosen?.map(({ id }) => id) : undefined;
  app.choices.change(uri, document.shape, { ...further, series, layout });
}

const Names = z.readonly(z.array(z.string()));

/** The layout of a file, as far as the person was asked. The step of its rows is always inferred. */
export const Layout = z.object({
  ...AskedLayout.shape,
  valueColumns: z.optional(Names),
  idColumns: z.optional(Names),
  delimiter: z.optional(z.enum([',', ';', '\t', '|', ' ', ''])),
  header: z.optional(z.boolean()),
  closed: z.optional(z.boolean()),
  covariates: z.optional(Names),
});

const Chosen = z.object({
  shape: z.string(),
  layout: Layout,
  series: z.optional(Names),
  covariates: z.optional(Names),
  bounds: z.optional(Bounds),
  sums: z.optional(z.boolean()),
});

export type Chosen = z.infer<typeof Chosen>;

const OfFile = z.array(Chosen);

const MOST = 2000;
const MOST_SHAPES = 50;

export class Choices {
  readonly #records: Records<typeof OfFile>;
  readonly #window = crypto.randomUUID();

  constructor(place: Folder, onProblem?: (error: unknown) => void) {
    this.#records = new Records(place, OfFile, MOST, onProblem);
  }

  latest(uri: vscode.Uri): Chosen | undefined {
    return this.#of(uri).at(-1);
  }

  recall(uri: vscode.Uri, shape: string): Chosen | undefined {
    return this.#of(uri).find((chosen) => chosen.shape === shape);
  }

  change(uri: vscode.Uri, shape: string, change: Partial<Omit<Chosen, 'shape'>>): void {
    const before = this.recall(uri, shape);
    const { layout = {}, ...others } = { ...before, ...change, shape: undefined };
    const isPlain = Object.keys(layout).length === 0 && Object.values(others).every((value) => value === undefined);
    if (isPlain && !before) return;
    const kept = [...this.#of(uri).filter((chosen) => chosen.shape !== shape), { ...others, layout, shape }];
    this.#records.set(this.#keyOf(uri), kept.slice(-MOST_SHAPES));
  }

  #of(uri: vscode.Uri): readonly Chosen[] {
    return this.#records.get(this.#keyOf(uri)) ?? [];
  }

  #keyOf(uri: vscode.Uri): string {
    return uri.scheme === 'untitled' ? `${this.#window} ${uri.toString()}` : uri.toString();
  }
}
