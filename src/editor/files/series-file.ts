import { createHash } from '#platform/hash';
import * as vscode from 'vscode';
import { lastPoints } from '../../reading/points.ts';
import {
  type DocumentFormat,
  type LayoutChoice,
  type Problem,
  type ProblemKind,
  type ReadSeries,
  type SeriesDocument,
  SeriesError,
} from '../../reading/types.ts';
import type { Source } from '../connection/memory.ts';
import { inBackground } from '../ui/say.ts';
import { editedDocument, fileNameOf, type Known as Reading, openAsBefore, type OpenedDocument } from './document.ts';
import { inDigits } from '../../calendar/digits.ts';

export interface FileListener {
  /** As it was read last, in the way that was chosen for it: at once, and after each change. Unreadable cells are missing. */
  readonly onRead: (opened: OpenedDocument) => void;
  readonly onFailure?: (error: unknown) => void;
  readonly onDelete?: () => void;
}

type Known = Reading & { readonly log: vscode.LogOutputChannel };

const DEBOUNCE = 400;
const LONGEST_WAIT = 2000; // a file that never rests is read all the same
const REST = 4; // a file that takes long to read is read again seldom: after so many times as long

export class SeriesFiles implements vscode.Disposable {
  readonly #known: Known;
  readonly #files = new Map<string, SeriesFile>();
  readonly #disposables: vscode.Disposable[];

  constructor(known: Known) {
    this.#known = known;
    this.#disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#files.get(document.uri.toString())?.edited();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const file = this.#files.get(document.uri.toString());
        if (file) inBackground(known.log, file.saved(document));
      }),
    ];
  }

  /** Follows a file, edits that are not saved included, until the subscription is disposed. */
  subscribe(uri: vscode.Uri, listener: FileListener): vscode.Disposable {
    const key = uri.toString();
    const file = this.#files.get(key) ?? new SeriesFile(uri, this.#known);
    this.#files.set(key, file);
    file.add(listener);
    return new vscode.Disposable(() => {
      file.listeners.delete(listener);
      if (file.listeners.size > 0) return;
      file.dispose();
      if (this.#files.get(key) === file) this.#files.delete(key);
    });
  }

  /** A file as it is now; where it is followed it is not read for this alone. @throws SeriesError */
  read(uri: vscode.Uri): Promise<OpenedDocument> {
    const file = this.#files.get(uri.toString());
    return file ? file.now() : openAsBefore(this.#known, uri, 'report', new AbortController().signal);
  }

  dispose(): void {
    for (const file of this.#files.values()) file.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

class SeriesFile {
  readonly listeners = new Set<FileListener>();
  readonly #uri: vscode.Uri;
  readonly #known: Known;
  readonly #watcher: vscode.Disposable | undefined;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #since: number | undefined; // epoch milliseconds, while a change waits to be read
  #took = 0;
  #reading: Promise<OpenedDocument> | undefined;
  #opened: OpenedDocument | undefined;
  #read: string | undefined;

  constructor(uri: vscode.Uri, known: Known) {
    this.#uri = uri;
    this.#known = known;
    if (uri.scheme === 'untitled') return;
    // brackets and braces would be read as a pattern
    const name = fileNameOf(uri).replaceAll(/[[\]{}*?]/g, '?');
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const onlyOwn = (react: () => void) => (changed: vscode.Uri) => {
      if (changed.toString() === uri.toString()) react();
    };
    watcher.onDidChange(onlyOwn(() => this.#later()));
    watcher.onDidCreate(onlyOwn(() => this.#later()));
    watcher.onDidDelete(onlyOwn(() => this.#notify(({ onDelete }) => onDelete?.())));
    this.#watcher = watcher;
  }

  add(listener: FileListener): void {
    this.listeners.add(listener);
    const before = this.#opened;
    this.now().then(
      (opened) => {
        if (opened === before && this.listeners.has(listener)) listener.onRead(opened);
      },
      (error: unknown) => this.#known.log.debug(`${this.#uri.path} cannot be read: ${String(error)}`),
    );
  }

  async now(): Promise<OpenedDocument> {
    await this.#reading?.catch(() => undefined);
    if (this.#opened && this.#read !== undefined && this.#read === (await this.#version())) return this.#opened;
    return this.#only(() => this.#readNow());
  }

  #only(read: () => Promise<OpenedDocument>): Promise<OpenedDocument> {
    return (this.#reading ??= read().finally(() => {
      this.#reading = undefined;
    }));
  }

  edited(): void {
    this.#read = undefined;
    this.#later();
  }

  async saved({ version }: vscode.TextDocument): Promise<void> {
    const opened = this.#opened;
    if (!opened || this.#read !== this.#versionOf('text', version)) return this.#later();
    const noted = async () => {
      const version = await this.#version();
      if (this.#read !== undefined) this.#read = version;
      return opened;
    };
    await this.#only(noted);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    this.#abort.abort();
  }

  #notify(tell: (listener: FileListener) => void): void {
    for (const listener of [...this.listeners]) tell(listener);
  }

  #later(): void {
    // a file that is being written is read once it rests
    this.#since ??= Date.now();
    if (Date.now() - this.#since > LONGEST_WAIT) return;
    clearTimeout(this.#timer);
    const read = () => {
      this.#since = undefined;
      this.now().catch(() => undefined);
    };
    this.#timer = setTimeout(read, Math.max(DEBOUNCE, REST * this.#took));
  }

  async #readNow(): Promise<OpenedDocument> {
    const start = performance.now();
    const version = (this.#read = await this.#version());
    try {
      const opened = await openAsBefore(this.#known, this.#uri, 'report', this.#abort.signal);
      this.#opened = opened;
      this.#notify(({ onRead }) => onRead(opened));
      return opened;
    } catch (error) {
      if (this.#read === version) this.#read = undefined;
      this.#opened = undefined;
      this.#notify(({ onFailure }) => onFailure?.(error));
      throw error;
    } finally {
      this.#took = performance.now() - start;
    }
  }

  /** Equal for the same text read in the same way: of an edited document its version, else when its file was written. */
  async #version(): Promise<string> {
    const edited = editedDocument(this.#uri);
    if (edited) return this.#versionOf('text', edited.version);
    const stat = await vscode.workspace.fs.stat(this.#uri).then(undefined, () => undefined);
    // without a time the file may have changed
    return this.#versionOf('file', ...(stat && stat.mtime > 0 ? [stat.mtime, stat.size] : [crypto.randomUUID()]));
  }

  #versionOf(...content: (string | number)[]): string {
    return JSON.stringify([...content, this.#known.choices.latest(this.#uri)?.layout]);
  }
}

/** Reports when a file no longer holds the forecast numbers, and when it does again; nothing while it is unreadable. */
export function followSeries(
  files: SeriesFiles,
  { uri, id, fingerprint, isPart }: Source,
  { onChange, onSeries }: { onChange: (isCurrent: boolean) => void; onSeries?: (series: ReadSeries) => void },
): vscode.Disposable {
  if (uri === undefined) return new vscode.Disposable(() => undefined);
  let isCurrent = true;
  return files.subscribe(vscode.Uri.parse(uri), {
    onRead: ({ document }) => {
      const series = document.series.find((one) => one.id === id);
      if (!series) return;
      onSeries?.(series);
      if (fingerprint === undefined || isPart) return;
      const now = fingerprintOf(series) === fingerprint;
      if (now !== isCurrent) onChange((isCurrent = now));
    },
  });
}

/** Identifies the data of a forecast: its last points, times and values, and whether any time is closed. */
export function fingerprintOf(series: Pick<ReadSeries, 'times' | 'values' | 'closed'>): string {
  const { times, values } = lastPoints(series);
  const hash = createHash('sha256');
  if (series.closed === false) hash.update('open');
  for (const { buffer, byteOffset, byteLength } of [times, values])
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest('base64url').slice(0, 22);
}

export function sourceOf(
  { uri, document, isPart }: Pick<OpenedDocument, 'uri' | 'document' | 'isPart'>,
  series: ReadSeries,
): Source {
  const { id, valueColumn, timeColumn, idColumn, timeKind, timeZone } = series;
  return {
    fileName: fileNameOf(uri),
    uri: uri.toString(),
    format: document.format,
    ...{ id, valueColumn, timeColumn, idColumn, timeKind, timeZone },
    fingerprint: fingerprintOf(series),
    isPart,
  };
}

export const SOURCE = 'Forecasts';

interface Watched {
  readonly isPassedOver: boolean;
  readonly following: vscode.Disposable;
  format: DocumentFormat | undefined;
}

/** Problems of forecast files. They follow edits, and go with the last editor of the file, with the file, or on command. */
export class FileProblems implements vscode.Disposable {
  readonly #files: SeriesFiles;
  readonly #log: vscode.LogOutputChannel;
  readonly #collection = vscode.languages.createDiagnosticCollection('forecasts');
  readonly #marks = vscode.languages.createDiagnosticCollection('forecasts-odd');
  readonly #watched = new Map<string, Watched>();
  readonly #disposables: vscode.Disposable[];

  constructor(files: SeriesFiles, log: vscode.LogOutputChannel) {
    this.#files = files;
    this.#log = log;
    this.#disposables = [
      this.#collection,
      this.#marks,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#marks.delete(document.uri);
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input, isPreview } of closed) {
          // a preview that another file replaces was not closed by the person
          if (input instanceof vscode.TabInputText && !isPreview) this.#onClosed(input.uri);
        }
      }),
      vscode.languages.registerCodeActionsProvider(
        { pattern: '**' },
        {
          provideCodeActions: (document, _range, { diagnostics }) => {
            const own = diagnostics.filter(({ source }) => source === SOURCE);
            if (own.length === 0) return [];
            const format = this.#watched.get(document.uri.toString())?.format;
            return quickFixes(document, own, this.#collection.get(document.uri) ?? [], format);
          },
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    ];
  }

  show(opened: OpenedDocument): void {
    this.#take(this.#watch(opened), opened);
  }

  showFaults(uri: vscode.Uri, layout: LayoutChoice = {}): void {
    this.#watch({ uri, layout, missing: 'report' });
  }

  mark(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
    this.#marks.set(uri, diagnostics);
  }

  clear(): void {
    this.#marks.clear();
    for (const key of this.#watched.keys()) this.#forget(vscode.Uri.parse(key));
  }

  dispose(): void {
    this.clear();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #watch({ uri, layout, missing }: Pick<OpenedDocument, 'uri' | 'layout' | 'missing'>): Watched {
    this.#forget(uri);
    const fail = (error: unknown) => this.#fail(uri, error);
    const following = this.#files.subscribe(uri, {
      onRead: (opened) => {
        const isSame = JSON.stringify(layout) === JSON.stringify(opened.layout);
        const read = isSame ? Promise.resolve(opened) : opened.again({ layout });
        read.then((document) => this.#take(watched, document), fail);
      },
      onFailure: fail,
      onDelete: () => this.#forget(uri),
    });
    const watched: Watched = { isPassedOver: missing === 'treat-as-missing', following, format: undefined };
    this.#watched.set(uri.toString(), watched);
    return watched;
  }

  #take(watched: Watched, { uri, document }: OpenedDocument): void {
    if (this.#watched.get(uri.toString()) !== watched) return;
    watched.format = document.format;
    this.#collection.set(uri, diagnosticsOf(uri, document, watched.isPassedOver));
  }

  #fail(uri: vscode.Uri, error: unknown): void {
    if (!this.#watched.has(uri.toString())) return;
    if (error instanceof SeriesError && error.reason !== 'unreadable')
      this.#collection.set(uri, [diagnostic(error, error.message, 'error', error.reason)]);
    else this.#forget(uri);
    this.#log.debug(`Problems of ${uri.path}: ${String(error)}`);
  }

  /** An editor that is only moved to another group is closed and opened; a file that is open elsewhere is kept. */
  #onClosed(uri: vscode.Uri): void {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOf = (input: unknown) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
    if (!tabs.some(({ input }) => isOf(input))) this.#forget(uri);
  }

  #forget(uri: vscode.Uri): void {
    this.#watched.get(uri.toString())?.following.dispose();
    if (this.#watched.delete(uri.toString())) this.#collection.delete(uri);
  }
}

const MOST_MARKED = 10;

function diagnosticsOf(uri: vscode.Uri, { problems, problemCount }: SeriesDocument, isPassedOver: boolean) {
  const marked = problems.flatMap((problem) => {
    const { places = [] } = problem;
    const areMarked = places.length <= MOST_MARKED && places.every(({ endColumn }) => endColumn !== undefined);
    return places.length > 0 && areMarked ? places.map((place) => ({ ...problem, ...place, places: [] })) : [problem];
  });
  const distinct = new Map(marked.map((problem) => [`${problem.line} ${problem.column} ${problem.message}`, problem]));
  const shown = [...distinct.values()].map((problem) => {
    const { place, message, kind, places = [] } = problem;
    const severity = isPassedOver && problem.severity === 'error' ? 'warning' : problem.severity;
    const made = diagnostic(problem, place === undefined ? message : `${place}: ${message}`, severity, kind);
    if (places.length > 0)
      made.relatedInformation = places.map(
        (each) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(each)), each.message),
      );
    return made;
  });
  if (problemCount <= problems.length) return shown;
  const more = vscode.l10n.t('There are {0} more problems in this file.', inDigits(problemCount - problems.length));
  return [...shown, diagnostic({}, more, 'info')];
}

const SEVERITIES = { error: 'Error', warning: 'Warning', info: 'Information' } as const;

/** The editor cuts a range at the end of its line. */
const END_OF_LINE = 100_000;

type Location = Partial<Record<'line' | 'column' | 'endColumn', number | undefined>>;

const rangeOf = ({ line = 1, column = 1, endColumn = END_OF_LINE }: Location): vscode.Range =>
  new vscode.Range(line - 1, column - 1, line - 1, endColumn - 1);

function diagnostic(at: Location, message: string, severity: Problem['severity'], code?: string): vscode.Diagnostic {
  const made = new vscode.Diagnostic(rangeOf(at), message, vscode.DiagnosticSeverity[SEVERITIES[severity]]);
  made.source = SOURCE;
  made.code = code;
  return made;
}

interface Repair {
  readonly kind: ProblemKind;
  readonly isPossible: (range: vscode.Range) => boolean;
  readonly text?: string;
  readonly title: (cell: string) => string;
  readonly titleOfAll: (count: number) => string;
}

function repairsOf(document: vscode.TextDocument, { delimiter }: DocumentFormat): readonly Repair[] {
  let repeated: ReadonlySet<number> | undefined;
  return [
    {
      kind: 'duplicate',
      isPossible: ({ start }) => (repeated ??= repeatedLines(document)).has(start.line),
      title: () => vscode.l10n.t('Remove this repeated row'),
      titleOfAll: (count) => vscode.l10n.t('Remove all {0} repeated rows', count),
    },
    {
      kind: 'not-a-number',
      isPossible: (range) => !range.isEmpty && document.validateRange(range).isEqual(range),
      // between blanks, and alone in its line, a cell cannot be empty
      text: delimiter === ' ' || delimiter === '' ? 'NA' : '',
      title: (cell) => vscode.l10n.t('Treat “{0}” as missing', cell),
      titleOfAll: (count) => vscode.l10n.t('Treat all {0} cells that are not numbers as missing', count),
    },
  ];
}

function repeatedLines(document: vscode.TextDocument): ReadonlySet<number> {
  const texts = Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);
  const first = new Map(texts.map((text, line) => [text, line] as const).reverse());
  return new Set(texts.flatMap((text, line) => (first.get(text) === line ? [] : [line])));
}

/** @param asked the problems to repair, out of all of the document @param format without it nothing is offered */
function quickFixes(
  document: vscode.TextDocument,
  asked: readonly vscode.Diagnostic[],
  all: readonly vscode.Diagnostic[],
  format: DocumentFormat | undefined,
): vscode.CodeAction[] {
  if (format?.kind !== 'csv') return [];
  return repairsOf(document, format).flatMap(({ kind, isPossible, title, titleOfAll, text }) => {
    const rangesOf = ({ code, range, relatedInformation: related = [] }: vscode.Diagnostic) =>
      code === kind
        ? (related.length > 0 ? related.map(({ location }) => location.range) : [range]).filter(isPossible)
        : [];
    const fix = (name: string, problems: readonly vscode.Diagnostic[], ranges: readonly vscode.Range[]) => {
      const action = new vscode.CodeAction(name, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...problems];
      action.edit = new vscode.WorkspaceEdit();
      for (const range of ranges)
        if (text !== undefined) action.edit.replace(document.uri, range, text);
        else action.edit.delete(document.uri, document.lineAt(range.start.line).rangeIncludingLineBreak);
      return action;
    };
    const found = asked.map((problem) => ({ problem, ranges: rangesOf(problem) }));
    const actions = found
      .filter(({ ranges }) => ranges.length === 1)
      .map(({ problem, ranges }) => fix(title(document.getText(ranges[0])), [problem], ranges));
    if (found.every(({ ranges }) => ranges.length === 0)) return actions;
    const ranges = all.flatMap(rangesOf);
    return ranges.length > 1 ? [...actions, fix(titleOfAll(ranges.length), asked, ranges)] : actions;
  });
}
