import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { Source } from '../connection/memory.ts';
import { say } from '../ui/say.ts';
import type { Anomaly } from '../views/chart/protocol.ts';
import type { PredictionRef } from '../views/chart/protocol.ts';
import { SOURCE } from '../files/problems.ts';
import { inBackground } from '../ui/background.ts';

/** Shows anomalies as problems of the file that they come from, and the file beside the chart. */
export async function markAnomalies(
  app: App,
  { serviceId, predictionId }: PredictionRef,
  points: readonly Anomaly[],
): Promise<void> {
  const source = app.memory.recall(serviceId, predictionId)?.source;
  if (source?.uri === undefined) return;
  try {
    const uri = vscode.Uri.parse(source.uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const places = linesOf(document.getText().split(/\r\n|\r|\n/), source, points);
    const diagnostics = places.map(({ line, point }) => {
      const message = vscode.l10n.t(
        '{0} was unexpected here; about {1} was expected. {2}',
        point.value,
        short(point.expected),
        point.about,
      );
      const range = document.lineAt(line).range;
      const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Information);
      diagnostic.source = SOURCE;
      return diagnostic;
    });
    app.problems.mark(uri, diagnostics);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    if (places.length < points.length)
      inBackground(
        app.log,
        say.info(
          vscode.l10n.t('{0} of {1} anomalies were found in {2}.', places.length, points.length, source.fileName),
        ),
      );
  } catch (error) {
    app.log.warn(`Anomalies of ${source.fileName}: ${String(error)}`);
    inBackground(app.log, say.warning(vscode.l10n.t('{0} cannot be shown.', source.fileName)));
  }
}

const short = (value: number): string => String(Number(value.toPrecision(4)));

/**
 * The lines that hold the values of anomalies, from 0: of those with the same number the one that is nearest to where it
 * is to be expected. What is not to be found, as where rows were merged, is left out.
 */
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
    const fitting = numbers.flatMap((found, line) => (found.includes(point.value) && isOwn(line) ? [line] : []));
    if (fitting.length === 0) return [];
    const line = fitting.reduce((a, b) => (Math.abs(b - expected) < Math.abs(a - expected) ? b : a));
    return [{ line, point }];
  });
}

function numbersOf(text: string, { delimiter, decimal, thousands }: Source['format']): number[] {
  const cells = delimiter ? text.split(delimiter) : text.split(/[^\w.+-]+/);
  return cells.map((cell) => {
    const plain = cell.trim().replace(/^"|"$/g, '');
    const ungrouped = thousands ? plain.replaceAll(thousands, '') : plain;
    const dotted = decimal === ',' ? ungrouped.replace(',', '.') : ungrouped;
    return dotted === '' ? NaN : Number(dotted);
  });
}
