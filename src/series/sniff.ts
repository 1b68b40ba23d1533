import Papa from 'papaparse';
import { TIME_FORMATS, startOfSpan } from './dates.ts';
import { isMissing, parseNumber } from './numbers.ts';
import type { Delimiter, LayoutChoice } from './types.ts';

/** Stands for "no delimiter" where the parser wants one: the ASCII unit separator. */
export const NO_DELIMITER = '\u001f';
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|', ' ', ''];
const SNIFFED_ROWS = 300;

/** How a delimited text is laid out before its first row of data. */
export interface Dialect {
  readonly delimiter: Delimiter;
  /** Cells per row. */
  readonly width: number;
  /** `undefined` where the table has no header. */
  readonly header: readonly string[] | undefined;
  /** Rows (blank ones and comments not counted) before the first row of data. */
  readonly rowsBefore: number;
  /** Lines before the header, or before the data where there is none. */
  readonly linesBefore: number;
}

export interface CutRow {
  readonly cells: string[];
  readonly line: number;
}

const COMMENT = /^[ \t]*(?:#|\/\/).*$/gm;

/** Blanks comment lines, so that lines keep their numbers. */
export function withoutComments(text: string): string {
  return text.includes('#') || text.includes('//') ? text.replace(COMMENT, '') : text;
}

/** Runs of blanks become one tab. */
export function withSingleBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/gm, '').replace(/[ \t]+/g, '\t');
}

/** The sign that the parser is told for a delimiter. */
export function parserDelimiter(delimiter: Delimiter): string {
  return delimiter === '' ? NO_DELIMITER : delimiter === ' ' ? '\t' : delimiter;
}

/** Cuts text into rows with the lines they begin on; rows without any content are left out. */
export function cutRows(text: string, delimiter: Delimiter, firstLine = 1, preview = 0): CutRow[] {
  const source = delimiter === ' ' ? withSingleBlanks(text) : text;
  const { data } = Papa.parse<string[]>(source, { delimiter: parserDelimiter(delimiter), newline: '\n', preview });
  return numberLines(data, firstLine, source.includes('"')).rows;
}

/** Gives rows their lines; a quoted cell may span several. */
export function numberLines(
  data: string[][],
  firstLine: number,
  quoted: boolean,
): { rows: CutRow[]; nextLine: number } {
  const rows: CutRow[] = [];
  let line = firstLine;
  for (const cells of data) {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ cells, line });
    line++;
    if (quoted) for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1;
  }
  return { rows, nextLine: line };
}

const isTime = (cell: string) => TIME_FORMATS.some((format) => !Number.isNaN(format.parse(startOfSpan(cell))));

/** Whether a cell is a number or a time. */
function isData(cell: string): boolean {
  const text = cell.trim();
  return !Number.isNaN(parseNumber(text, '.')) || !Number.isNaN(parseNumber(text, ',')) || isTime(text);
}

/** The most frequent number of cells; later rows count as much as early ones, of equals the larger. */
function usualWidth(rows: readonly CutRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of counts) {
    const most = counts.get(best) ?? 0;
    if (count > most || (count === most && width > best)) best = width;
  }
  return best;
}

function score(rows: readonly CutRow[], delimiter: Delimiter): number {
  const width = usualWidth(rows);
  if (delimiter !== '' && width < 2) return 0;
  const usual = rows.filter(({ cells }) => cells.length === width);
  const cells = usual.flatMap((row) => row.cells.slice(0, 50)).filter((cell) => cell.trim() !== '');
  const data = cells.filter((cell) => isData(cell) || isMissing(cell.trim())).length;
  const share = (usual.length / rows.length) * (0.1 + data / Math.max(1, cells.length));
  // A blank and no delimiter at all are what is left when no real one does better.
  return delimiter === '' ? share * 0.5 : delimiter === ' ' ? share * 0.9 : share;
}

function sniffDelimiter(text: string): Delimiter {
  let best: Delimiter = ',';
  let most = 0;
  for (const delimiter of DELIMITERS) {
    if (delimiter !== '' && !text.includes(delimiter) && delimiter !== ' ') continue;
    const rows = cutRows(text, delimiter, 1, SNIFFED_ROWS);
    const points = rows.length === 0 ? 0 : score(rows, delimiter);
    if (points > most + 1e-9) [best, most] = [delimiter, points];
  }
  return most === 0 ? '' : best;
}

/** A header of instants: at least three, rising, over columns of plain numbers (years, months or days across). */
export function isTimeHeader(cells: readonly string[]): boolean {
  const times = cells.map((cell) => {
    const format = TIME_FORMATS.find(
      ({ id, parse }) => !/epoch|clock|cycle|compact/.test(id) && !Number.isNaN(parse(cell.trim())),
    );
    return format ? format.parse(cell.trim()) : NaN;
  });
  const known = times.filter((time) => !Number.isNaN(time));
  if (known.length < 3 || known.length < cells.length / 2) return false;
  const text = times.findIndex((time) => Number.isNaN(time));
  return text >= 0 && known.every((time, index) => index === 0 || time > known[index - 1]!);
}

/** Index of the first row of data: the first whose cells are numbers and times where the rows after it have them. */
function firstDataRow(rows: readonly CutRow[], width: number): number {
  const usual = rows.filter(({ cells }) => cells.length >= width);
  const later = usual.length > 2 ? usual.slice(Math.min(3, usual.length >> 1)) : usual;
  const isDataColumn = Array.from({ length: width }, (_, column) => {
    const cells = later.map((row) => row.cells[column]?.trim() ?? '').filter((cell) => !isMissing(cell));
    return cells.length > 0 && cells.filter(isData).length >= cells.length * 0.6;
  });
  return rows.findIndex(({ cells }, index) => {
    if (cells.length < Math.min(width, 2)) return false;
    if (index < rows.length - 1 && isTimeHeader(cells)) return false;
    const present = cells.filter((cell, column) => isDataColumn[column] && !isMissing(cell.trim()));
    return present.length > 0 && present.filter(isData).length * 2 >= present.length && fits(cells, width);
  });
}

const fits = (cells: readonly string[], width: number) => cells.length >= width - 1 || cells.length * 2 >= width;

const filled = (row: CutRow) => row.cells.filter((cell) => cell.trim() !== '').length;

/** Index of the header among the rows before the data: the fullest of about the right width, of equals the first. */
function headerRow(rows: readonly CutRow[], first: number, width: number): number {
  let best = -1;
  for (let index = 0; index < first; index++) {
    const row = rows[index]!;
    if (row.cells.length < width - 1 || row.cells.length > width + 1) continue;
    if (filled(row) * 2 < width) continue;
    if (best < 0 || filled(row) > filled(rows[best]!)) best = index;
  }
  return best;
}

/** The last comment before the data, where it names as many columns as the table has. */
function commentedHeader(text: string, beforeLine: number, delimiter: Delimiter, width: number): string[] | undefined {
  const lines = text.split('\n', beforeLine - 1);
  const last = lines.findLast((line) => line.trim() !== '');
  if (last === undefined || !/^\s*#/.test(last)) return undefined;
  const cells = cutRows(last.replace(/^\s*#+\s*/, ''), delimiter)[0]?.cells;
  return cells?.length === width && !cells.some((cell) => isData(cell)) ? cells : undefined;
}

/** Finds out delimiter, width and header from the first part of a text whose lines end in `\n`. */
export function sniffDialect(head: string, layout: LayoutChoice): Dialect {
  const text = withoutComments(head);
  const delimiter = layout.delimiter ?? sniffDelimiter(text);
  const rows = cutRows(text, delimiter, 1, SNIFFED_ROWS);
  const width = usualWidth(rows);
  const start = layout.header === undefined ? firstDataRow(rows, width) : layout.header ? 1 : 0;
  const first = start < 0 ? Math.min(1, rows.length) : start;
  const header = layout.header === true ? 0 : headerRow(rows, first, width);
  const named = header >= 0 ? rows[header]!.cells : commentedHeader(head, rows[first]?.line ?? 1, delimiter, width);
  const names = named?.length === width - 1 ? ['', ...named] : named;
  const linesBefore = (rows[header >= 0 ? header : first]?.line ?? 1) - 1;
  return { delimiter, width: Math.max(width, names?.length ?? 0), header: names, rowsBefore: first, linesBefore };
}
