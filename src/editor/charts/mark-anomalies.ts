import * as vscode from 'vscode';
import { parseNumber } from '../../reading/values/numbers.ts';
import type { App } from '../app.ts';
import type { Source } from '../connection/memory.ts';
import { SOURCE } from '../files/problems.ts';
import { inBackground, say } from '../ui/say.ts';
import type { AnomaliesView, PredictionRef } from '../views/chart/protocol.ts';

export async function markAnomalies(app: App, { serviceId, predictionId }: PredictionRef, { points }: AnomaliesView) {
  const source = app.memory.recall(serviceId, predictionId)?.source;
  if (source?.uri === undefined) return;
  const { fileName } = source;
  try {
    const uri = vscode.Uri.parse(source.uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const places = linesOf(document.getText().split(/\r\n|\r|\n/), source, points);
    const diagnostics = places.map(({ line, point: { value, expected, about } }) => {
      const short = String(Number(expected.toPrecision(4)));
      const message = vscode.l10n.t('{0} was unexpected here; about {1} was expected. {2}', value, short, about);
      const severity = vscode.DiagnosticSeverity.Information;
      return Object.assign(new vscode.Diagnostic(document.lineAt(line).range, message, severity), { source: SOURCE });
    });
    app.problems.mark(uri, diagnostics);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    if (places.length === points.length) return;
    const found = vscode.l10n.t('{0} of {1} anomalies were found in {2}.', places.length, points.length, fileName);
    inBackground(app.log, say.info(found));
  } catch (error) {
    app.log.warn(`Anomalies of ${fileName}: ${String(error)}`);
    inBackground(app.log, say.warning(vscode.l10n.t('{0} cannot be shown.', fileName)));
  }
}

/** The lines of anomalies, from 0: of those with the same number, the nearest. Those of merged rows are not found. */
export function linesOf<P extends { readonly value: number; readonly after: number }>(
  lines: readonly string[],
  { format, idColumn, id }: Pick<Source, 'format' | 'idColumn' | 'id'>,
  points: readonly P[],
): { line: number; point: P }[] {
  const first = format.skippedLines + (format.header ? 1 : 0);
  const numbers = lines.map((text, line) => (line < first ? [] : numbersOf(text, format)));
  const last = numbers.findLastIndex((found) => found.some(Number.isFinite));
  const isOwn = (line: number) => idColumn === undefined || lines[line].includes(id);
  return points.flatMap((point) => {
    const expected = last - point.after;
    const [line] = numbers
      .flatMap((found, at) => (found.includes(point.value) && isOwn(at) ? [at] : []))
      .sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected));
    return line === undefined ? [] : [{ line, point }];
  });
}

function numbersOf(text: string, { delimiter, decimal }: Source['format']): number[] {
  const cells = delimiter ? text.split(delimiter) : text.split(/[^\w.+-]+/);
  return cells.map((cell) => parseNumber(cell.trim().replace(/^"|"$/g, ''), decimal));
}
