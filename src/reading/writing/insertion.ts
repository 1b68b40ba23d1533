import Papa from 'papaparse';
import { said } from '../phrase.ts';
import { type DocumentFormat, SeriesError } from '../types.ts';
import { tableOf, type WritableSeries, writeSeries } from './write.ts';

/** Where in a text something is put in, and what. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
  /** How many rows it has. */
  readonly rows: number;
}

/** The file that rows are put into. */
export interface Target {
  readonly text: string;
  readonly fileName: string;
  /** As in its head. */
  readonly columns: readonly string[];
  readonly format: DocumentFormat;
}

/**
 * The rows of a forecast, to be put at the end of its file, in the file's own columns; columns that a forecast knows nothing
 * of stay empty.
 * @throws SeriesError for a file in which such rows have no place
 */
export function insertionOf(target: Target, series: WritableSeries): Insertion {
  const { quantiles: _, forecast: __, ...plain } = series;
  // times of several columns, such as a day and a clock, are written as one
  if (plain.timeColumn?.includes(' + ')) throw noPlace(target);
  return target.format.kind === 'csv' ? ofDelimited(target, plain) : ofJson(target, plain);
}

const newlineOf = ({ text }: Target): string => (text.includes('\r\n') ? '\r\n' : '\n');

function ofDelimited(target: Target, series: WritableSeries): Insertion {
  const { text, columns, format } = target;
  const newline = newlineOf(target);
  const delimiter = format.delimiter === '' || format.delimiter === undefined ? ',' : format.delimiter;
  const written = Papa.parse<string[]>(writeSeries([series], { ...format, delimiter, header: true }).trimEnd(), {
    delimiter: delimiter === ' ' ? '\t' : delimiter,
  }).data;
  const [head = [], ...rows] = written;
  const own = ownColumns(series);
  const places = head.map((name, index) => (columns.length === 1 ? 0 : columns.indexOf(own[index] ?? name)));
  if (columns.length === 0 || places.includes(-1)) throw noPlace(target);
  const cells = rows.map((row) => {
    const out = columns.map(() => '');
    for (const [index, place] of places.entries()) out[place] = row[index] ?? '';
    return out;
  });
  const end = text.trimEnd().length;
  const lines = delimiter === ' ' ? cells.map(withBlanks).join(newline) : Papa.unparse(cells, { delimiter, newline });
  return { offset: end, text: `${newline}${lines}`, rows: rows.length };
}

/** What the columns of a series are called in its file, in the order in which they are written: `Column n` without a head. */
function ownColumns({ idColumn, timeKind, timeColumn, valueColumn }: WritableSeries): (string | undefined)[] {
  return [...(idColumn === undefined ? [] : [idColumn]), ...(timeKind === 'row' ? [] : [timeColumn]), valueColumn];
}

/** Between blanks an empty cell is none, and those after it would be in the column before. */
const withBlanks = (cells: readonly string[]): string => cells.map((cell) => cell || 'NA').join(' ');

function ofJson(target: Target, series: WritableSeries): Insertion {
  const { text, columns, format } = target;
  const newline = newlineOf(target);
  if (!tableOf([series], format).head.every((key) => columns.includes(key))) throw noPlace(target);
  const lines = writeSeries([series], { ...format, kind: 'ndjson' })
    .trimEnd()
    .split('\n');
  if (format.kind === 'ndjson')
    return { offset: text.trimEnd().length, text: `${newline}${lines.join(newline)}`, rows: lines.length };
  const end = text.lastIndexOf(']');
  const isRows = /^\s*\[\s*\{/.test(text) && text.slice(end + 1).trim() === '';
  if (!isRows) throw noPlace(target);
  const before = text.slice(0, end).trimEnd();
  const indent = /\n([ \t]*)\{/.exec(text)?.[1] ?? '';
  return {
    offset: before.length,
    text: lines.map((line) => `,${newline}${indent}${line}`).join(''),
    rows: lines.length,
  };
}

const noPlace = ({ fileName }: Target): SeriesError =>
  new SeriesError(
    'no-series',
    said`The rows of this forecast have no place in ${fileName}: it holds its series in another shape. Save the forecast as a file of its own.`,
  );
