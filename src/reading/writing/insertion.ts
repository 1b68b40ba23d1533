import Papa from 'papaparse';
import { parseJson } from '../json/json.ts';
import { said } from '../phrase.ts';
import { SeriesError, type DocumentFormat, type LineRange } from '../types.ts';
import { isMissing, commonUnit, withoutUnit } from '../values/numbers.ts';
import { timesLike } from './times.ts';
import { asJson, cellText, groupOf, type Cell, type WritableSeries } from './write.ts';

interface Insertion {
  readonly offset: number;
  readonly text: string;
  readonly rows: number;
}

export interface Target {
  readonly text: string;
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly format: DocumentFormat;
  readonly lines?: LineRange | undefined;
  readonly isNewestFirst?: boolean | undefined;
}

export function insertionOf(target: Target, series: WritableSeries): Insertion {
  const { quantiles: _, forecast: __, ...plain } = series;
  return target.format.kind === 'csv' ? ofDelimited(target, plain) : ofJson(target, plain);
}

function rowsLike(target: Target, series: WritableSeries, cellsOf: (column: string) => readonly string[]) {
  const { idColumn, timeColumn, valueColumn = 'value', timeKind, values } = series;
  const names = (timeColumn ?? (timeKind === 'row' ? '' : 'time')).split(' + ').filter((name) => name !== '');
  const times = timesLike(names.map(cellsOf), series, target.format.dateFormat);
  if (!times || times.some(({ length }) => length !== names.length)) throw noPlace(target);
  const id = idColumn === undefined ? [] : [groupOf(series)];
  const rows = times.map((cells, step): readonly Cell[] => [...id, ...cells, values[step]!]);
  return { columns: [idColumn ?? [], names, valueColumn].flat(), rows };
}

const newlineOf = ({ text }: Target): string => (text.includes('\r\n') ? '\r\n' : '\n');

const TAIL = 20_000;

function ofDelimited(target: Target, series: WritableSeries): Insertion {
  const { text, columns, format } = target;
  const newline = newlineOf(target);
  const delimiter = format.delimiter === '' || format.delimiter === undefined ? ',' : format.delimiter;
  const lines = text.trimEnd().slice(-TAIL).split(/\r?\n/).slice(1);
  const tail = lines.flatMap((line) => Papa.parse<string[]>(line, { delimiter }).data);
  const placeOf = (column: string) => (columns.length === 1 ? 0 : columns.indexOf(column));
  const cellsOf = (column: string) => tail.map((row) => row[placeOf(column)] ?? '');
  const own = rowsLike(target, series, cellsOf);
  if (columns.length === 0 || own.columns.some((column) => placeOf(column) < 0)) throw noPlace(target);
  const unit = unitBehind(cellsOf(own.columns.at(-1)!));
  const cells = own.rows.map((row) => {
    const out = columns.map(() => '');
    for (const [index, column] of own.columns.entries())
      out[placeOf(column)] = cellText(row[index]!, format.decimal, delimiter);
    const value = placeOf(own.columns.at(-1)!);
    if (out[value] !== '') out[value] += unit;
    return out;
  });
  // between blanks an empty cell is none, and those after it would be in the column before
  const withBlanks = (row: readonly string[]) => row.map((cell) => cell || 'NA').join(' ');
  const write = (all: readonly string[][]) =>
    delimiter === ' ' ? all.map(withBlanks).join(newline) : Papa.unparse([...all], { delimiter, newline });
  const top = target.isNewestFirst ? startOfLine(text, target.lines?.[0]) : undefined;
  if (top !== undefined) return { offset: top, text: `${write(cells.toReversed())}${newline}`, rows: cells.length };
  return { offset: endOfRows(target, delimiter), text: `${newline}${write(cells)}`, rows: cells.length };
}

function unitBehind(column: readonly string[]): string {
  const cells = column.map((cell) => cell.trim()).filter((cell) => !isMissing(cell));
  const unit = cells.every((cell) => cell.endsWith('%')) ? '%' : commonUnit(cells);
  const last = unit && cells.findLast((cell) => cell.endsWith(unit));
  return last ? last.slice(withoutUnit(last, unit).length) : '';
}

function startOfLine(text: string, line: number | undefined): number | undefined {
  const ends = /\r\n?|\n/g;
  for (let at = 1; line !== undefined && at < line; at++) if (!ends.test(text)) return undefined;
  return line === undefined ? undefined : ends.lastIndex;
}

function endOfRows({ text, lines }: Target, delimiter: string): number {
  const start = startOfLine(text, lines?.[1]);
  if (start === undefined) return withoutBlanks(text, delimiter);
  const rest = text.slice(start);
  const isQuoted = delimiter !== ' ' && (/^[^\n]*/.exec(rest)?.[0] ?? '').includes('"');
  const { cursor } = isQuoted ? Papa.parse(rest, { delimiter, preview: 1 }).meta : { cursor: rest.indexOf('\n') };
  return start + withoutBlanks(cursor < 0 ? rest : rest.slice(0, cursor), delimiter);
}

/** The end of a text without the blanks and line ends there; tabs that end empty cells belong to it. */
function withoutBlanks(text: string, delimiter: string): number {
  const end = text.trimEnd().length;
  return delimiter === '\t' ? end + (/^\t*/.exec(text.slice(end))?.[0].length ?? 0) : end;
}

function ofJson(target: Target, series: WritableSeries): Insertion {
  const { text, columns, format } = target;
  const areLines = format.kind === 'ndjson';
  const end = text.lastIndexOf(']');
  const before = (areLines ? text : text.slice(0, end)).trimEnd();
  const isRows = /^\s*\[\s*\{/.test(text) && text.slice(end + 1).trim() === '';
  if (!areLines && !isRows) throw noPlace(target);
  const { timeColumn = 'time', valueColumn = 'value', idColumn } = series;
  const wanted = [idColumn, ...timeColumn.split(' + '), valueColumn].filter((each) => each !== undefined);
  const { paths, models } = placesOf(
    lastRows(before, areLines),
    wanted.filter((each) => columns.includes(each)),
  );
  const own = rowsLike(target, series, (column) => models.map((row) => cellAt(row, paths.get(column) ?? [])));
  if (!own.columns.every((column) => paths.has(column))) throw noPlace(target);
  const rows = own.rows.map((row) =>
    nested(own.columns.map((column, index) => [paths.get(column)!, asJson(row[index]!)])),
  );
  const newline = newlineOf(target);
  const indent = areLines ? '' : (/\n([ \t]*)\{/.exec(text)?.[1] ?? '');
  const lines = rows.map((row) => `${areLines ? '' : ','}${newline}${indent}${row}`);
  return { offset: before.length, text: lines.join(''), rows: rows.length };
}

const PART = 131_072;
const MOST_PLACES = 16;

function* lastRows(text: string, areLines: boolean): Generator<unknown, void> {
  const arrayOf = (part: string): unknown[] | undefined => {
    const rows = areLines ? part.split('\n').filter((line) => line.trim() !== '') : [part];
    try {
      return parseJson(`[${rows.join()}]`, '') as unknown[];
    } catch (error) {
      if (error instanceof SeriesError) return undefined;
      throw error;
    }
  };
  const from = Math.max(0, text.length - PART);
  // from within a row, a bracket that closes it is one too many
  const seams = [...text.slice(from).matchAll(areLines ? /\n/g : /\}\s*,\s*(?=\{)/g)].slice(0, MOST_PLACES);
  const starts = from > 0 ? seams.map(({ index, 0: seam }) => from + index + seam.length) : [];
  const own = starts.find((start) => arrayOf(text.slice(start)) !== undefined) ?? text.length;
  yield* (arrayOf(text.slice(own)) ?? []).reverse();
  yield* (arrayOf(text.slice(areLines ? 0 : text.indexOf('[') + 1, own).replace(/,\s*$/, '')) ?? []).reverse();
}

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const TELLING = 20;

function placesOf(rows: Iterable<unknown>, columns: readonly string[]) {
  const paths = new Map<string, readonly string[]>();
  const models: Row[] = [];
  for (const row of rows) {
    if (!isRow(row)) continue;
    if (models.length < TELLING) models.push(row);
    for (const column of columns) {
      const path = paths.has(column) ? undefined : pathOf(row, column);
      if (path) paths.set(column, path);
    }
    if (paths.size === columns.length && models.length === TELLING) break;
  }
  return { paths, models };
}

function pathOf(row: Row, key: string): readonly string[] | undefined {
  if (Object.hasOwn(row, key)) return typeof row[key] === 'object' && row[key] !== null ? undefined : [key];
  for (const [outer, inner] of Object.entries(row)) {
    const rest = isRow(inner) && key.startsWith(`${outer}.`) ? pathOf(inner, key.slice(outer.length + 1)) : undefined;
    if (rest) return [outer, ...rest];
  }
  return undefined;
}

function cellAt(row: Row, path: readonly string[]): string {
  const cell = path.reduce<unknown>((at, step) => (isRow(at) && Object.hasOwn(at, step) ? at[step] : undefined), row);
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
}

/** An object that inherits nothing: a file may call a key `constructor`. */
const bare = () => Object.create(null) as Record<string, unknown>;

function nested(cells: readonly (readonly [path: readonly string[], cell: Cell | null])[]): string {
  const row = bare();
  for (const [path, cell] of cells) {
    let at = row;
    for (const step of path.slice(0, -1)) at = (at[step] ??= bare()) as Record<string, unknown>;
    at[path.at(-1)!] = cell;
  }
  return JSON.stringify(row);
}

const noPlace = ({ fileName }: Target): SeriesError =>
  new SeriesError(
    'no-series',
    said`The rows of this forecast do not fit into ${fileName}, which has a different layout. Save the forecast as a file of its own.`,
  );
