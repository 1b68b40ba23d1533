import * as vscode from 'vscode';
import type { ThreadReader } from '../../reading/thread/reader.ts';
import {
  type LayoutChoice,
  type Problem,
  type ReadOptions,
  type SeriesDocument,
  SeriesError,
} from '../../reading/types.ts';
import { openDocument, type OpenedDocument } from './document.ts';
import { quickFixes } from './quick-fixes.ts';
import { inBackground } from '../ui/background.ts';
import { inDigits } from '../../calendar/digits.ts';

/** As it is shown behind each problem. */
export const SOURCE = 'Forecasts';

interface Watched {
  readonly uri: vscode.Uri;
  readonly layout: LayoutChoice;
  readonly missing: ReadOptions['missing'];
  readonly watcher: vscode.Disposable;
  /** Ends its reading. */
  readonly abort: AbortController;
  document: SeriesDocument | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Since when a change waits to be read (epoch milliseconds). */
  since: number | undefined;
  /** Milliseconds that the last reading took. */
  took: number;
}

const DEBOUNCE = 400;
/** A file that never rests is read all the same. */
const LONGEST_WAIT = 2000;
/** A file that takes long to read is read again seldom: after so many times as long. */
const REST = 4;

/**
 * The problems of files that were forecast, in the Problems panel. They follow the edits of a file, and go when its last
 * editor is closed, when it is deleted, or on command. Nothing is said about a file that nobody asked about.
 */
export class FileProblems implements vscode.Disposable {
  readonly #reader: ThreadReader;
  readonly #log: vscode.LogOutputChannel;
  readonly #collection = vscode.languages.createDiagnosticCollection('forecasts');
  /** Odd observations, shown on request until the file changes. */
  readonly #marks = vscode.languages.createDiagnosticCollection('forecasts-odd');
  readonly #watched = new Map<string, Watched>();
  readonly #disposables: vscode.Disposable[];

  constructor(reader: ThreadReader, log: vscode.LogOutputChannel) {
    this.#reader = reader;
    this.#log = log;
    this.#disposables = [
      this.#collection,
      this.#marks,
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0) return;
        this.#marks.delete(document.uri);
        this.#later(document.uri);
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const { input, isPreview } of closed) {
          // a preview that makes place for another file was not closed by the person
          if (input instanceof vscode.TabInputText && !isPreview) this.#onClosed(input.uri);
        }
      }),
      vscode.languages.registerCodeActionsProvider(
        { pattern: '**' },
        {
          provideCodeActions: (document, _range, { diagnostics }) => {
            const own = diagnostics.filter(({ source }) => source === SOURCE);
            if (own.length === 0) return [];
            const format = this.#watched.get(document.uri.toString())?.document?.format;
            return quickFixes(document, own, this.#collection.get(document.uri) ?? [], format);
          },
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    ];
  }

  /** Shows the problems of a document that was forecast, and follows it from then on. */
  show({ uri, layout, missing, document }: OpenedDocument): void {
    const watched = this.#watch(uri, layout, missing);
    watched.document = document;
    this.#collection.set(uri, diagnosticsOf(uri, document));
  }

  /** Shows why a file could not be forecast: all of its unreadable cells, not only the first. */
  async showFaults(uri: vscode.Uri, layout: LayoutChoice = {}): Promise<void> {
    await this.#read(this.#watch(uri, layout, 'report'));
  }

  /** Marks places of a file until it changes. */
  mark(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
    this.#marks.set(uri, diagnostics);
  }

  /** Forgets all files. */
  clear(): void {
    this.#marks.clear();
    for (const uri of [...this.#watched.values()].map((watched) => watched.uri)) this.#forget(uri);
  }

  dispose(): void {
    this.clear();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #watch(uri: vscode.Uri, layout: LayoutChoice, missing: ReadOptions['missing']): Watched {
    this.#forget(uri);
    const watcher = this.#watchDisk(uri);
    const idle = { document: undefined, timer: undefined, since: undefined, took: 0 };
    const watched = { uri, layout, missing, watcher, abort: new AbortController(), ...idle };
    this.#watched.set(uri.toString(), watched);
    return watched;
  }

  #watchDisk(uri: vscode.Uri): vscode.Disposable {
    if (uri.scheme === 'untitled') return new vscode.Disposable(() => undefined);
    // brackets and braces would be read as a pattern
    const name = (uri.path.split('/').pop() ?? '').replaceAll(/[[\]{}*?]/g, '?');
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, true);
    watcher.onDidChange((changed) => {
      this.#later(changed);
    });
    watcher.onDidDelete((deleted) => {
      this.#forget(deleted);
    });
    return watcher;
  }

  #later(uri: vscode.Uri): void {
    const watched = this.#watched.get(uri.toString());
    if (!watched) return;
    const now = Date.now();
    watched.since ??= now;
    if (now - watched.since > LONGEST_WAIT) return;
    clearTimeout(watched.timer);
    const read = () => {
      watched.since = undefined;
      inBackground(this.#log, this.#read(watched));
    };
    watched.timer = setTimeout(read, Math.max(DEBOUNCE, REST * watched.took));
  }

  async #read(watched: Watched): Promise<void> {
    const { uri, layout, missing } = watched;
    const start = performance.now();
    const isCurrent = () => this.#watched.get(uri.toString()) === watched;
    try {
      const reading = { layout, missing: missing === 'treat-as-missing' ? missing : 'report' } as const;
      const { document } = await openDocument(this.#reader, uri, reading, watched.abort.signal);
      if (!isCurrent()) return;
      watched.document = document;
      this.#collection.set(uri, diagnosticsOf(uri, document));
    } catch (error) {
      if (!isCurrent()) return;
      if (error instanceof SeriesError && error.reason !== 'unreadable') this.#collection.set(uri, [faultOf(error)]);
      else this.#forget(uri);
      this.#log.debug(`Problems of ${uri.path}: ${String(error)}`);
    } finally {
      watched.took = performance.now() - start;
    }
  }

  /** An editor that is only moved to another group is closed and opened; a file that is open elsewhere is kept. */
  #onClosed(uri: vscode.Uri): void {
    const key = uri.toString();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOpen = tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key);
    if (!isOpen) this.#forget(uri);
  }

  #forget(uri: vscode.Uri): void {
    const watched = this.#watched.get(uri.toString());
    if (!watched) return;
    clearTimeout(watched.timer);
    watched.watcher.dispose();
    watched.abort.abort();
    this.#watched.delete(uri.toString());
    this.#collection.delete(uri);
  }
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
} as const;

/** The editor cuts a range at the end of its line. */
const END_OF_LINE = 100_000;

function diagnosticsOf(uri: vscode.Uri, { problems, problemCount }: SeriesDocument): vscode.Diagnostic[] {
  const distinct = new Map(
    problems.map((problem) => [`${problem.line} ${problem.column} ${problem.message}`, problem]),
  );
  const shown = [...distinct.values()].map((problem) => diagnosticOf(uri, problem));
  if (problemCount <= problems.length) return shown;
  const more = vscode.l10n.t('There are {0} more problems in this file.', inDigits(problemCount - problems.length));
  return [...shown, diagnostic(new vscode.Range(0, 0, 0, END_OF_LINE), more, 'info')];
}

function diagnosticOf(uri: vscode.Uri, problem: Problem): vscode.Diagnostic {
  const { line, column = 1, endColumn, place, message, severity, kind, places } = problem;
  const range = new vscode.Range(line - 1, column - 1, line - 1, endColumn === undefined ? END_OF_LINE : endColumn - 1);
  // no editor shows the lines of a file that is no text
  const made = diagnostic(range, place === undefined ? message : `${place}: ${message}`, severity, kind);
  if (places) made.relatedInformation = places.map((place) => relatedTo(uri, place));
  return made;
}

function relatedTo(uri: vscode.Uri, { line, message }: { line: number; message: string }) {
  const range = new vscode.Range(line - 1, 0, line - 1, END_OF_LINE);
  return new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, range), message);
}

function faultOf({ line = 1, column = 1, message, reason }: SeriesError): vscode.Diagnostic {
  return diagnostic(new vscode.Range(line - 1, column - 1, line - 1, END_OF_LINE), message, 'error', reason);
}

function diagnostic(
  range: vscode.Range,
  message: string,
  severity: Problem['severity'],
  code?: string,
): vscode.Diagnostic {
  const made = new vscode.Diagnostic(range, message, SEVERITIES[severity]);
  made.source = SOURCE;
  made.code = code;
  return made;
}
