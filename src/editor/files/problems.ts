import * as vscode from 'vscode';
import { inDigits } from '../../calendar/digits.ts';
import {
  type DocumentFormat,
  type LayoutChoice,
  type Problem,
  type ProblemKind,
  type SeriesDocument,
  SeriesError,
} from '../../reading/types.ts';
import type { OpenedDocument } from './document.ts';
import type { SeriesFiles } from './series-file.ts';

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

  /** Shows why a file could not be forecast: all of its unreadable cells, not only the first. */
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
        // a file read with another layout than it was forecast with is read once more
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
    // no editor shows the lines of a binary file
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
