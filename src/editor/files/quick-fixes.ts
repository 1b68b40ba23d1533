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
  const actions: vscode.CodeAction[] = [];
  const repeated = new Set(asked.some(({ code }) => code === DUPLICATE) ? repeatedLines(document) : []);
  const isRepeat = ({ code, range }: vscode.Diagnostic) => code === DUPLICATE && repeated.has(range.start.line);
  for (const problem of asked) {
    if (isCell(document, problem)) {
      const text = document.getText(problem.range);
      const title =
        empty === '' ? vscode.l10n.t('Leave “{0}” empty', text) : vscode.l10n.t('Replace “{0}” with {1}', text, empty);
      actions.push(fix(document, title, [problem], empty));
    } else if (isRepeat(problem)) {
      actions.push(fix(document, vscode.l10n.t('Remove this repeated row'), [problem], undefined));
    }
  }
  if (asked.some(isRepeat)) {
    const repeats = all.filter(isRepeat);
    if (repeats.length > 1)
      actions.push(fix(document, vscode.l10n.t('Remove all {0} repeated rows', repeats.length), repeats, undefined));
  }
  const cells = all.filter((problem) => isCell(document, problem));
  if (cells.length > 1 && asked.some((problem) => isCell(document, problem))) {
    const title =
      empty === ''
        ? vscode.l10n.t('Leave empty all {0} cells that are not numbers', cells.length)
        : vscode.l10n.t('Replace with {0} all {1} cells that are not numbers', empty, cells.length);
    actions.push(fix(document, title, cells, empty));
  }
  return actions;
}

/** Between blanks, and alone in its line, a cell cannot be empty. */
const emptyCell = ({ delimiter }: DocumentFormat): string => (delimiter === ' ' || delimiter === '' ? 'NA' : '');

const isCell = (document: vscode.TextDocument, { code, range }: vscode.Diagnostic): boolean =>
  code === NOT_A_NUMBER && !range.isEmpty && document.validateRange(range).isEqual(range);

/** The lines, from 0, that say word for word what an earlier one says; one pass over the document. */
function* repeatedLines(document: vscode.TextDocument): Generator<number> {
  const seen = new Set<string>();
  for (let line = 0; line < document.lineCount; line++) {
    const { text } = document.lineAt(line);
    if (seen.has(text)) yield line;
    else seen.add(text);
  }
}

/** @param text what the range of each problem becomes; `undefined`: its line is removed */
function fix(
  document: vscode.TextDocument,
  title: string,
  problems: readonly vscode.Diagnostic[],
  text: string | undefined,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [...problems];
  action.edit = new vscode.WorkspaceEdit();
  for (const { range } of problems) {
    if (text === undefined) action.edit.delete(document.uri, document.lineAt(range.start.line).rangeIncludingLineBreak);
    else action.edit.replace(document.uri, range, text);
  }
  return action;
}
