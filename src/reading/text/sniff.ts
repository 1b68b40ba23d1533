import Papa from 'papaparse';
import { bareTime, unknownZone } from '../values/clock-words.ts';
import { TIME_FORMATS, type TimeFormat } from '../values/dates.ts';
import { headerTimes } from '../proposals/header-times.ts';
import { hoursOfNames } from '../proposals/hour-names.ts';
import { isTimeName } from '../columns/names.ts';
import { isMissing, parseNumber } from '../values/numbers.ts';
import type { Delimiter, LayoutChoice } from '../types.ts';

/** Stands for "no delimiter" where the parser wants one: the ASCII unit separator. */
export const NO_DELIMITER = '\u001f';
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|', ' ', ''];
const SNIFFED_ROWS = 300;
/** A time format that this share of a column's cells has is one of the column's. */
const FEW = 0.05;

/** How a delimited text is laid out before its first row of data. */
export interface Dialect {
  readonly delimiter: Delimiter;
  /** Cells per row. */
  readonly width: number;
  /** `undefined` where the table has no header. */
  readonly header: readonly string[] | undefined;
  /** Rows (blank ones and comments not counted) before the first row of data. */
  readonly rowsBefore: number;
  /** Of these, those up to and with the header. */
  readonly headerRows: number;
  /** Lines before the header, or before the data where there is none. */
  readonly linesBefore: number;
  /** Whether lines may be comments. */
  readonly comments: boolean;
  /** What stands above the table. */
  readonly preamble: readonly string[];
}

export interface CutRow {
  readonly cells: string[];
  readonly line: number;
}

const COMMENT = /^[ \t]*(?:#|\/\/).*$/gm;
/** So many lines that begin with the sign, and are most of all, are rows: numbers of orders begin with it too. */
const FEWEST_ROWS = 3;

/** Whether lines that begin with `#` or `//` are comments: not where most lines do and have as many cells each. */
export function hasComments(head: string): boolean {
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const signed = head.match(COMMENT) ?? [];
  if (signed.length < FEWEST_ROWS || signed.length * 2 <= lines.length) return true;
  const widths = (delimiter: string) => new Set(signed.slice(0, -1).map((line) => line.split(delimiter).length));
  return ![',', ';', '\t', '|'].some((delimiter) => {
    const [width = 1, ...others] = widths(delimiter);
    return width > 1 && others.length === 0;
  });
}

/** Blanks comment lines, so that lines keep their numbers. */
export function withoutComments(text: string): string {
  return text.includes('#') || text.includes('//') ? text.replace(COMMENT, '') : text;
}

/** Lines, counted from the first, of the comments in a text. */
export function commentLines(text: string, firstLine: number): number[] {
  const lines: number[] = [];
  let line = firstLine;
  let counted = 0;
  for (const { index } of text.matchAll(COMMENT)) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
    counted = index;
    lines.push(line);
  }
  return lines;
}

/** A clock of twelve hours is one cell. */
const HALF_DAY = /(\d:\d{2})\t([AaPp][Mm])(?=\t|$)/gm;

/** Runs of blanks become one tab. */
export function withSingleBlanks(text: string): string {
  return text
    .replace(/[ \t]+/g, '\t')
    .replace(/^\t|\t$/gm, '')
    .replace(HALF_DAY, '$1$2');
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
  for (const raw of data) {
    const cells = quoted ? raw.map(withoutFormula) : raw;
    if (beginsWithDigit(cells) || (cells.some((cell) => cell.trim() !== '') && !isRule(cells)))
      rows.push({ cells, line });
    line++;
    if (quoted) for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1;
  }
  return { rows, nextLine: line };
}

/** Most rows do, and are nothing but rows. */
export const beginsWithDigit = ([first = '']: readonly string[]): boolean => {
  const code = first.charCodeAt(0);
  return code >= 48 && code <= 57;
};

/** A line of dashes is drawn between the rows, and is none. */
const isRule = (cells: readonly string[]): boolean => {
  const [first = ''] = cells;
  return first.length + cells.length > 3 && /^[-=+_|\s]*$/.test(first) && /--|==|__/.test(cells.join('')) && cells.every((cell) => /^[-=+_|\s]*$/.test(cell)); // prettier-ignore
};

/** `="00123"`: a text that programs write so for spreadsheets to leave it as it is. */
const withoutFormula = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') && cell.length > 2 ? cell.slice(2, -1) : cell;

const isTimeIn = (formats: readonly TimeFormat[], cell: string) => {
  const time = bareTime(cell);
  return formats.some(({ parse }) => !Number.isNaN(parse(time)));
};
const isNumber = (text: string) => !Number.isNaN(parseNumber(text, '.')) || !Number.isNaN(parseNumber(text, ','));

/** Whether a cell is a number or a time, also one whose zone is not known. */
function isData(cell: string): boolean {
  const text = cell.trim();
  return isNumber(text) || isTimeIn(TIME_FORMATS, text) || unknownZone(text) !== undefined;
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

/** Of two ways to cut rows that are as good, the one that finds more in them. */
const WIDTH = 0.05;

function score(rows: readonly CutRow[], delimiter: Delimiter): number {
  const width = usualWidth(rows);
  if (delimiter !== '' && width < 2) return 0;
  const usual = rows.filter(({ cells }) => cells.length === width);
  const cells = usual.flatMap((row) => row.cells.slice(0, 50)).filter((cell) => cell.trim() !== '');
  const data = cells.filter((cell) => isData(cell) || isMissing(cell.trim())).length;
  // a quotation mark within a cell was cut where none ends
  const broken = cells.filter((cell) => /[;,|\t]"|"[;,|\t]/.test(cell)).length;
  const fit = 0.1 + (data - broken) / Math.max(1, cells.length);
  const share = (usual.length / rows.length) * fit * (1 + WIDTH * Math.log2(width));
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

/** What the cells of a column are, judged by the rows after the first ones: whether a cell is one of them. */
function cellTest(cells: readonly string[]): ((cell: string) => boolean) | undefined {
  const numbers = cells.filter(isNumber).length;
  const bare = cells.map((cell) => bareTime(cell));
  const formats = TIME_FORMATS.filter(({ parse }) => {
    const parsed = bare.filter((cell) => !Number.isNaN(parse(cell))).length;
    return parsed >= cells.length * FEW;
  });
  const times = cells.filter((cell) => isTimeIn(formats, cell)).length;
  const most = cells.length * 0.6;
  if (cells.length === 0 || (numbers < most && times < most)) return undefined;
  return (cell) => (numbers >= most && isNumber(cell)) || (times >= most && isTimeIn(formats, cell));
}

/** Index of the first row of data: the first whose cells are what the cells of the later rows are. */
function firstDataRow(rows: readonly CutRow[], width: number): number {
  const usual = rows.filter(({ cells }) => cells.length >= Math.min(width, 2) && filled(cells) <= width);
  const later = usual.length > 2 ? usual.slice(Math.min(3, usual.length >> 1)) : usual;
  const tests = Array.from({ length: width }, (_, column) =>
    cellTest(later.map((row) => row.cells[column]?.trim() ?? '').filter((cell) => !isMissing(cell))),
  );
  return rows.findIndex(({ cells }, index) => {
    if (cells.length < Math.min(width, 2) || filled(cells) > width) return false;
    const next = rows[index + 1];
    if (next && isTimeHeader(cells) && !isTimeHeader(next.cells)) return false;
    const tested = cells
      .map((cell) => cell.trim())
      .map((cell, column) => (isMissing(cell) ? undefined : tests[column]?.(cell)));
    const passed = tested.filter((each) => each === true).length;
    const failed = tested.filter((each) => each === false).length;
    return passed > failed || (passed > 0 && passed === failed && filled(cells) * 2 >= width);
  });
}

const isTimeHeader = (cells: readonly string[]) => (headerTimes(cells) ?? hoursOfNames(cells)) !== undefined;

const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length;

/**
 * Index of the header among the rows before the data: of the fullest rows of about the right width the last that names a
 * time, else the first.
 */
function headerRow(rows: readonly CutRow[], first: number, width: number): number {
  const fitting = rows
    .slice(0, first)
    .map(({ cells }, index) => ({ index, cells, size: filled(cells) }))
    .filter(({ cells, size }) => Math.abs(cells.length - width) <= 1 && size * 2 >= width);
  // a row with more cells than the table is no fuller for that
  const fullest = Math.max(...fitting.map(({ size }) => Math.min(size, width)));
  const full = fitting.filter(({ size }) => Math.min(size, width) === fullest);
  let last = full.findLastIndex(({ cells }) => cells.some(isTimeName));
  // below the names of a logger stand their units, of which one may be a time's
  while (last > 0 && isNamesOfTime(full[last - 1]!.cells) && full[last - 1]!.index === full[last]!.index - 1) last--;
  return full[Math.max(0, last)]?.index ?? -1;
}

/** Whether cells name a time and are each another one. */
const isNamesOfTime = (cells: readonly string[]): boolean =>
  cells.some(isTimeName) && new Set(cells.map((cell) => cell.trim())).size === cells.length;

/**
 * The names of a header; where some come twice, with those of another row of the head that tells them apart: of the shops
 * above `sales, visits, sales, visits`, of the shares below `Close, Close, High, High`.
 */
function toldApart(rows: readonly CutRow[], header: number, first: number): string[] {
  const names = rows[header]!.cells.map((cell) => cell.trim());
  const firstOf = new Map(names.map((name, column) => [name, column] as const).reverse());
  const twice = new Set(names.filter((name, column) => name !== '' && firstOf.get(name) !== column));
  if (twice.size === 0) return names;
  for (const [index, { cells }] of rows.slice(0, first).entries()) {
    if (index === header || cells.length > names.length) continue;
    let last = '';
    // above, a cell stands for those after it too, as where cells were joined
    const labels = names.map((_, column) => {
      const label = cells[column]?.trim() ?? '';
      last = label === '' && index < header ? last : label;
      return last;
    });
    const told = names.map((name, column) => (twice.has(name) ? `${name} ${labels[column]!}`.trim() : name));
    const filledIn = told.filter((name) => name !== '');
    if (new Set(filledIn).size === filledIn.length) return told;
  }
  return names;
}

/** The last comment before the data, where it names as many columns as the table has. */
function commentedHeader(text: string, beforeLine: number, delimiter: Delimiter, width: number): string[] | undefined {
  const lines = text.split('\n', beforeLine - 1);
  const last = lines.findLast((line) => line.trim() !== '');
  if (last === undefined || !/^\s*#/.test(last)) return undefined;
  const cells = cutRows(last.replace(/^\s*#+\s*/, ''), delimiter)[0]?.cells;
  return cells?.length === width && !cells.some((cell) => isData(cell)) ? cells : undefined;
}

/** So much of what stands above a table is looked at for its day or year. */
const MOST_PREAMBLE = 60;
const LONGEST_PREAMBLE = 300;

const preambleOf = (head: string, lines: number): string[] =>
  head.split('\n', Math.min(lines, MOST_PREAMBLE)).map((line) => line.slice(0, LONGEST_PREAMBLE));

/** Finds out delimiter, width and header from the first part of a text whose lines end in `\n`. */
export function sniffDialect(head: string, layout: LayoutChoice): Dialect {
  const comments = hasComments(head);
  const text = comments ? withoutComments(head) : head;
  const delimiter = layout.delimiter ?? sniffDelimiter(text);
  const rows = cutRows(text, delimiter, 1, SNIFFED_ROWS);
  const width = usualWidth(rows);
  const start = layout.header === undefined ? firstDataRow(rows, width) : layout.header ? 1 : 0;
  const first = start < 0 ? Math.min(1, rows.length) : start;
  const header = layout.header === true ? 0 : headerRow(rows, first, width);
  const named =
    header >= 0 ? toldApart(rows, header, first) : commentedHeader(head, rows[first]?.line ?? 1, delimiter, width);
  // R leaves out the name of the row names. A time below the name of a time is none: there a decimal comma was cut in two.
  // a row that ends in a delimiter has a cell more, in which nothing stands
  const ended = named !== undefined && named.length < width && rows.slice(first).every(({ cells }) => cells.slice(named.length).every((cell) => cell.trim() === '')); // prettier-ignore
  const short = !ended && named?.length === width - 1;
  const cut =
    short && isTimeName(named[0]?.trim() ?? '') && isTimeIn(TIME_FORMATS, rows[first]?.cells[0]?.trim() ?? '');
  const names = short && !cut ? ['', ...named] : named;
  const linesBefore = (rows[header >= 0 ? header : first]?.line ?? 1) - 1;
  return {
    delimiter,
    width: cut ? width - 1 : Math.max(width, names?.length ?? 0),
    header: names,
    rowsBefore: first,
    headerRows: header + 1,
    linesBefore,
    comments,
    preamble: preambleOf(head, linesBefore),
  };
}
