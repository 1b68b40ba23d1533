import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import {
  type DocumentFormat,
  type LayoutChoice,
  type Problem,
  type ProblemKind,
  type ReadOptions,
  type SeriesDocument,
  SeriesError,
} from '../../reading/types.ts';
import { inBackground } from '../ui/background.ts';
import type { OpenedDocument } from './document.ts';
import type { SeriesFiles } from './series-file.ts';

/** As it is shown behind each problem. */
export const SOURCE = 'Forecasts';

interface Watched {
  readonly uri: vscode.Uri;
  readonly layout: LayoutChoice;
  readonly missing: ReadOptions['missing'];
  readonly following: vscode.Disposable;
  document: SeriesDocument | undefined;
}

/**
 * Problems of forecast files in the Problems panel. They follow edits, and disappear when the last editor of the file
 * closes, when the file is deleted, or on command. Other files have none.
 */
export class FileProblems implements vscode.Disposable {
  readonly #files: SeriesFiles;
  readonly #log: vscode.LogOutputChannel;
  readonly #collection = vscode.languages.createDiagnosticCollection('forecasts');
  /** Anomalies, shown on request until the file changes. */
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
  show(opened: OpenedDocument): void {
    const { uri, layout, missing } = opened;
    this.#forget(uri);
    this.#watch(uri, layout, missing);
    this.#take(uri, opened);
  }

  /** Shows why a file could not be forecast: all of its unreadable cells, not only the first. */
  async showFaults(uri: vscode.Uri, layout: LayoutChoice = {}): Promise<void> {
    this.#forget(uri);
    this.#watch(uri, layout, 'report');
    await this.#files.read(uri).catch(() => undefined);
  }

  /** Marks places of a file until it changes. */
  mark(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
    this.#marks.set(uri, diagnostics);
  }

  clear(): void {
    this.#marks.clear();
    for (const uri of [...this.#watched.values()].map((watched) => watched.uri)) this.#forget(uri);
  }

  dispose(): void {
    this.clear();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #watch(uri: vscode.Uri, layout: LayoutChoice, missing: ReadOptions['missing']): void {
    const following = this.#files.subscribe(uri, {
      onRead: (opened) => {
        this.#start(this.#read(uri, opened));
      },
      onFailure: (error) => {
        this.#fail(uri, error);
      },
      onDelete: () => {
        this.#forget(uri);
      },
    });
    this.#watched.set(uri.toString(), { uri, layout, missing, following, document: undefined });
  }

  #start(work: Promise<void>): void {
    inBackground(this.#log, work);
  }

  /** Where the file was read in another way than it was forecast in, it is read once more in that way. */
  async #read(uri: vscode.Uri, opened: OpenedDocument): Promise<void> {
    const { layout } = this.#watched.get(uri.toString()) ?? opened;
    const isSame = JSON.stringify(layout) === JSON.stringify(opened.layout);
    try {
      this.#take(uri, isSame ? opened : await opened.again({ layout }));
    } catch (error) {
      this.#fail(uri, error);
    }
  }

  #take(uri: vscode.Uri, { document }: OpenedDocument): void {
    const watched = this.#watched.get(uri.toString());
    if (!watched) return;
    watched.document = document;
    this.#collection.set(uri, diagnosticsOf(uri, document, watched.missing === 'treat-as-missing'));
  }

  #fail(uri: vscode.Uri, error: unknown): void {
    if (!this.#watched.has(uri.toString())) return;
    if (error instanceof SeriesError && error.reason !== 'unreadable') this.#collection.set(uri, [faultOf(error)]);
    else this.#forget(uri);
    this.#log.debug(`Problems of ${uri.path}: ${String(error)}`);
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
    this.#watched.delete(uri.toString());
    watched.following.dispose();
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

/** Cells with the same fault that are marked each; more of them are one problem. */
const MOST_MARKED = 10;

/** @param isPassedOver whether cells that cannot be read are taken as missing, and so are no errors */
function diagnosticsOf(
  uri: vscode.Uri,
  { problems, problemCount }: SeriesDocument,
  isPassedOver: boolean,
): vscode.Diagnostic[] {
  const marked = problems.flatMap((problem) => {
    const { places = [] } = problem;
    const areMarked = places.length <= MOST_MARKED && places.every(({ endColumn }) => endColumn !== undefined);
    return places.length > 0 && areMarked ? places.map((place) => ({ ...problem, ...place, places: [] })) : [problem];
  });
  const distinct = new Map(marked.map((problem) => [`${problem.line} ${problem.column} ${problem.message}`, problem]));
  const shown = [...distinct.values()].map((problem) => {
    const severity = isPassedOver && problem.severity === 'error' ? 'warning' : problem.severity;
    return diagnosticOf(uri, { ...problem, severity });
  });
  if (problemCount <= problems.length) return shown;
  const more = vscode.l10n.t('There are {0} more problems in this file.', inDigits(problemCount - problems.length));
  return [...shown, diagnostic(new vscode.Range(0, 0, 0, END_OF_LINE), more, 'info')];
}

function diagnosticOf(uri: vscode.Uri, problem: Problem): vscode.Diagnostic {
  const { place, message, severity, kind, places = [] } = problem;
  // no editor shows the lines of a file that is no text
  const made = diagnostic(rangeOf(problem), place === undefined ? message : `${place}: ${message}`, severity, kind);
  if (places.length > 0)
    made.relatedInformation = places.map(
      (each) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(each)), each.message),
    );
  return made;
}

const rangeOf = ({ line, column = 1, endColumn }: Pick<Problem, 'line' | 'column' | 'endColumn'>): vscode.Range =>
  new vscode.Range(line - 1, column - 1, line - 1, endColumn === undefined ? END_OF_LINE : endColumn - 1);

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

const NOT_A_NUMBER: ProblemKind = 'not-a-number';
const DUPLICATE: ProblemKind = 'duplicate';

/**
 * Repairs that cannot make matters worse: a cell that cannot be read is left empty, a row that repeats an earlier one word
 * for word is removed. Everything else is the person's to decide.
 * @param asked the problems that repairs are asked for
 * @param all the problems of the document
 * @param format how the document is written; without it nothing is offered
 */
export function quickFixes(
  document: vscode.TextDocument,
  asked: readonly vscode.Diagnostic[],
  all: readonly vscode.Diagnostic[],
  format: DocumentFormat | undefined,
): vscode.CodeAction[] {
  if (format?.kind !== 'csv') return [];
  const empty = emptyCell(format);
  const repeated = new Set(asked.some(({ code }) => code === DUPLICATE) ? repeatedLines(document) : []);
  const cellsOf = (problem: vscode.Diagnostic) =>
    problem.code === NOT_A_NUMBER ? rangesOf(problem).filter((range) => isCell(document, range)) : [];
  const repeatsOf = (problem: vscode.Diagnostic) =>
    problem.code === DUPLICATE ? rangesOf(problem).filter(({ start }) => repeated.has(start.line)) : [];
  const actions: vscode.CodeAction[] = [];
  for (const problem of asked) {
    const [cell, ...cells] = cellsOf(problem);
    const [repeat, ...repeats] = repeatsOf(problem);
    if (cell && cells.length === 0) {
      const text = document.getText(cell);
      const title =
        empty === '' ? vscode.l10n.t('Clear “{0}”', text) : vscode.l10n.t('Replace “{0}” with {1}', text, empty);
      actions.push(fix(document, title, { problems: [problem], ranges: [cell], text: empty }));
    } else if (repeat && repeats.length === 0) {
      const title = vscode.l10n.t('Remove this repeated row');
      actions.push(fix(document, title, { problems: [problem], ranges: [repeat] }));
    }
  }
  const allRepeats = all.flatMap(repeatsOf);
  if (allRepeats.length > 1 && asked.some((problem) => repeatsOf(problem).length > 0)) {
    const title = vscode.l10n.t('Remove all {0} repeated rows', allRepeats.length);
    actions.push(fix(document, title, { problems: asked, ranges: allRepeats }));
  }
  const allCells = all.flatMap(cellsOf);
  if (allCells.length > 1 && asked.some((problem) => cellsOf(problem).length > 0)) {
    const title =
      empty === ''
        ? vscode.l10n.t('Clear all {0} cells that are not numbers', allCells.length)
        : vscode.l10n.t('Replace all {1} cells that are not numbers with {0}', empty, allCells.length);
    actions.push(fix(document, title, { problems: asked, ranges: allCells, text: empty }));
  }
  return actions;
}

/** The places of a problem: its own, or those that it sums up. */
const rangesOf = ({ range, relatedInformation = [] }: vscode.Diagnostic): readonly vscode.Range[] =>
  relatedInformation.length > 0 ? relatedInformation.map(({ location }) => location.range) : [range];

/** Between blanks, and alone in its line, a cell cannot be empty. */
const emptyCell = ({ delimiter }: DocumentFormat): string => (delimiter === ' ' || delimiter === '' ? 'NA' : '');

const isCell = (document: vscode.TextDocument, range: vscode.Range): boolean =>
  !range.isEmpty && document.validateRange(range).isEqual(range);

/** The lines, from 0, that say word for word what an earlier one says; one pass over the document. */
function* repeatedLines(document: vscode.TextDocument): Generator<number> {
  const seen = new Set<string>();
  for (let line = 0; line < document.lineCount; line++) {
    const { text } = document.lineAt(line);
    if (seen.has(text)) yield line;
    else seen.add(text);
  }
}

/** A repair of problems at their places. @param text what each range becomes; absent: its line is removed */
function fix(
  document: vscode.TextDocument,
  title: string,
  {
    problems,
    ranges,
    text,
  }: { problems: readonly vscode.Diagnostic[]; ranges: readonly vscode.Range[]; text?: string },
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [...problems];
  action.edit = new vscode.WorkspaceEdit();
  for (const range of ranges) {
    if (text === undefined) action.edit.delete(document.uri, document.lineAt(range.start.line).rangeIncludingLineBreak);
    else action.edit.replace(document.uri, range, text);
  }
  return action;
}
