import * as vscode from 'vscode';
import type { DocumentFormat, ProblemKind } from '../../reading/types.ts';

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
        empty === '' ? vscode.l10n.t('Leave “{0}” empty', text) : vscode.l10n.t('Replace “{0}” with {1}', text, empty);
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
        ? vscode.l10n.t('Leave empty all {0} cells that are not numbers', allCells.length)
        : vscode.l10n.t('Replace with {0} all {1} cells that are not numbers', empty, allCells.length);
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
