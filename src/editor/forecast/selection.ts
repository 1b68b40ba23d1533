import * as vscode from 'vscode';
import { cellFinder } from '../../reading/text/rows.ts';
import { type LayoutChoice, SeriesError } from '../../reading/types.ts';
import type { App } from '../app.ts';
import type { OpenedDocument, Reading } from '../files/document.ts';
import { chooseSeries, chosenSeries, onFile, openSettled } from '../files/document.ts';
import { forecastSeries } from './forecast.ts';
import { setting } from '../names.ts';
import { withProgress } from '../ui/say.ts';
import { alone } from '../ui/steps.ts';

const TITLE = vscode.l10n.t('Forecast Selection');

interface Selected {
  readonly lines?: readonly number[];
  readonly columns?: readonly string[];
}

export async function forecastSelection(app: App, { document, selections }: vscode.TextEditor): Promise<void> {
  await onFile(app, document.uri, async (unreadable) => {
    const whole = await openSettled(app, document.uri, TITLE, { missing: 'report' });
    const some = selections.filter((selection) => !selection.isEmpty);
    if (some.length === 0)
      throw new SeriesError(
        'empty',
        vscode.l10n.t('Nothing is selected in {0}. Select the rows to forecast, or a column.', whole.fileName),
      );
    const { fileName, uri } = whole;
    const isJson = whole.document.format.kind === 'json';
    const { lines, columns } = isJson ? { lines: linesOf(some) } : selectedOf(document, some, whole);
    const content = isJson ? jsonOf(document, some, fileName) : rowsOf(document, lines, whole);
    const label = [
      columns ? `${fileName} · ${columns.join(', ')}` : fileName,
      ...(lines ? [wordsOf(lines.filter((line) => isJson || line >= headOf(whole)))] : []),
    ].join(', ');
    const open = async ({ layout = {}, missing }: Reading): Promise<OpenedDocument> => {
      const options = { fileName, layout, missing, timeZone: setting('timeZone') };
      const read = await withProgress(vscode.l10n.t('Reading {0}', label), ({ signal }) =>
        app.reader.read({ content }, options, signal),
      );
      const again = (other: Reading) => open({ layout, missing, ...other });
      return { uri, fileName: label, document: read, layout, missing, isPart: true, again };
    };
    const values = columns ? { valueColumns: columns } : {};
    const layout = { ...whole.layout, ...(isJson ? {} : pinnedLayout(whole)), ...values };
    const part = await open({ layout, missing: unreadable });
    app.problems.show(whole);
    const { series } = part.document;
    const chosen = app.choices.recall(uri, whole.document.shape);
    const known = series.length === columns?.length ? series : chosenSeries(part, chosen);
    await forecastSeries(app, part, known ?? (await chooseSeries(part, alone(TITLE), 'forecast', chosen)));
  });
}

/** A selection over several lines means rows; selections within lines mean the cells that they touch. */
function selectedOf(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
  { fileName, document: { format, columns, series } }: OpenedDocument,
): Selected {
  const lines = linesOf(selections);
  if (format.kind !== 'csv' || !selections.every((selection) => selection.isSingleLine)) return { lines };
  const cells = cellFinder(document.getText().replaceAll('\r\n', '\n'), format.delimiter ?? ',');
  const touched = columns.filter((_, index) =>
    selections.some(({ start, end }) => {
      const cell = cells(start.line + 1, index);
      return cell && start.character < cell.endColumn - 1 && end.character > cell.column - 1;
    }),
  );
  if (touched.length === columns.length && columns.length > 1) return { lines };
  const { timeColumn = '', idColumn = '' } = series[0] ?? {};
  const others = new Set([timeColumn, idColumn, ...timeColumn.split(' + '), ...idColumn.split('/')]);
  const chosen = touched.filter((name) => !others.has(name));
  if (chosen.length > 0) return { columns: chosen, ...(lines.length > 1 ? { lines } : {}) };
  throw new SeriesError('no-numbers', vscode.l10n.t('No cells of a numeric column are selected in {0}.', fileName));
}

function linesOf(selections: readonly vscode.Selection[]): number[] {
  const lines = selections.flatMap(({ start, end }) => {
    const isBefore = end.character === 0 && end.line > start.line;
    return Array.from({ length: end.line - start.line + (isBefore ? 0 : 1) }, (_, at) => start.line + at);
  });
  return [...new Set(lines)].sort((a, b) => a - b);
}

const headOf = ({ document: { format } }: OpenedDocument): number => format.skippedLines + (format.header ? 1 : 0);

function rowsOf(document: vscode.TextDocument, lines: Selected['lines'], whole: OpenedDocument): string {
  if (!lines) return document.getText();
  const kept = new Set(lines);
  const rows = document.getText().split(/\r\n|\r|\n/);
  return rows.map((row, line) => (line < headOf(whole) || kept.has(line) ? row : '')).join('\n');
}

/** The selected elements of a JSON document as an array. @throws SeriesError */
function jsonOf(document: vscode.TextDocument, selections: readonly vscode.Selection[], fileName: string): string {
  const parts = selections.map((selection) => document.getText(selection).trim().replace(/^,|,$/g, ''));
  const text = parts.length === 1 && parts[0].startsWith('[') ? parts[0] : `[${parts.join(',')}]`;
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = selections[0].start.line + 1;
    throw new SeriesError(
      'broken-json',
      vscode.l10n.t(
        '{0}, line {1}: the selection is not valid JSON by itself. Select whole elements of the array.',
        fileName,
        line,
      ),
      { line },
    );
  }
}

function pinnedLayout({ document: { format, series, columns } }: OpenedDocument): LayoutChoice {
  const [first] = series;
  const ids = first?.idColumn?.split('/');
  const order = /^[^YMD]*(D|M)(?!MMM?)/.exec(format.dateFormat ?? '')?.[1];
  const { timeColumn } = first ?? {};
  return {
    decimal: format.decimal,
    header: format.header,
    ...(format.delimiter === undefined ? {} : { delimiter: format.delimiter }),
    ...(first?.timeKind === 'row' ? { timeColumn: null } : {}),
    ...(timeColumn !== undefined && columns.includes(timeColumn) ? { timeColumn } : {}),
    ...(ids?.every((id) => columns.includes(id)) ? { idColumns: ids } : {}),
    ...(order ? { dateOrder: order === 'D' ? 'dmy' : 'mdy' } : {}),
  };
}

/** “line 7”, “lines 3–40”, “12 lines” */
function wordsOf(lines: readonly number[]): string {
  const [first, last] = [(lines[0] ?? NaN) + 1, (lines.at(-1) ?? NaN) + 1];
  if (lines.length === 1) return vscode.l10n.t('line {0}', first);
  return last - first + 1 === lines.length
    ? vscode.l10n.t('lines {0}–{1}', first, last)
    : vscode.l10n.t('{0} lines', lines.length);
}
