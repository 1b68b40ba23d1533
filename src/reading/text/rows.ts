import Papa from 'papaparse';
import type { Delimiter, Problem } from '../types.ts';
import { withHalfWidth } from '../values/numbers.ts';

export interface CutRow {
  readonly cells: string[];
  readonly line: number;
}

const HALF_DAY = /(\d:\d{2})\t([AaPp][Mm])(?=\t|$)/gm;

const BRACKETED = /\[([^[\]\t\n]{4,40})\t([+-]\d{4})\](?=\t|$)/gm;

const withSingleBlanks = (text: string): string =>
  text
    .replace(/[ \t]+/g, '\t')
    .replace(/^\t|\t$/gm, '')
    .replace(HALF_DAY, '$1$2')
    .replace(BRACKETED, '$1$2');

/** Where the parser wants a delimiter and there is none: the ASCII unit separator. */
const NO_DELIMITER = '\u001f';

type Cutting = Partial<Record<'line' | 'most', number> & Record<'isOpen' | 'isByLine', boolean>>;

/** Whether a quotation mark is not closed on its line: where lines are cut alone, it is a mere sign, as in remarks. */
export const isOpenLine = (line: string): boolean => line.split('"').length % 2 === 0;

const ALL_LINES = /^.+$/gm;
const REMARKS = /^[ \t]*(?:#|\/\/).*"/gm;

export function cutRows(
  text: string,
  delimiter: Delimiter,
  { line: first = 1, isOpen = false, most = 0, isByLine = false }: Cutting = {},
) {
  const isQuoted = text.includes('"');
  const isWide = /[０-９]/.test(text);
  const closed = (remark: string) => (isOpenLine(remark) ? remark.replaceAll('"', "'") : remark);
  const plain = isQuoted ? text.replace(isByLine ? ALL_LINES : REMARKS, closed) : text;
  const source = delimiter === ' ' ? withSingleBlanks(plain) : plain;
  const sign = delimiter === '' ? NO_DELIMITER : delimiter === ' ' ? '\t' : delimiter;
  const parser = new Papa.Parser({ delimiter: sign, newline: '\n', preview: most });
  const { data, meta, errors } = parser.parse(source, 0, isOpen) as Papa.ParseResult<string[]>;
  const rows: CutRow[] = [];
  let line = first;
  for (const raw of data) {
    const plainCells = isQuoted ? raw.map(withoutFormula) : raw;
    const cells = isWide ? plainCells.map(withHalfWidth) : plainCells;
    if (isRow(cells)) rows.push({ cells, line });
    line++;
    if (isQuoted) for (const cell of cells) if (cell.includes('\n')) line += cell.split('\n').length - 1;
  }
  const open = errors.find(({ code }) => code === 'MissingQuotes');
  return { rows, nextLine: line, rest: source.slice(meta.cursor), openLine: open && first + (open.row ?? 0) };
}

const isRow = (cells: readonly string[]): boolean => beginsWithDigit(cells) || (cells.some(isFilled) && !isRule(cells));

export const isFilled = (cell: string): boolean => cell.trim() !== '';

export const filled = (cells: readonly string[]): number => cells.filter(isFilled).length;

export const beginsWithDigit = ([first = '']: readonly string[]): boolean => {
  const code = first.charCodeAt(0);
  return code >= 48 && code <= 57;
};

const isLines = (cell: string): boolean => /^[-=+_|\s]*$/.test(cell);

const isRule = (cells: readonly string[]): boolean =>
  isLines(cells[0]!) && cells[0]!.length + cells.length > 3 && /--|==|__/.test(cells.join('')) && cells.every(isLines);

/** `="00123"`: a text that programs write so for spreadsheets to leave it as it is. */
const withoutFormula = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') && cell.length > 2 ? cell.slice(2, -1) : cell;

/** A line that may be no row, by its first cell; the sign alone in a cell that a delimiter ends names a column. */
export const hasCommentSign = (cells: readonly string[], delimiter: Delimiter): boolean =>
  !beginsWithDigit(cells) &&
  /^\s*(?:#|\/\/)/.test(cells[0] ?? '') &&
  !(cells.length > 1 && delimiter !== ' ' && cells[0]?.trim() === '#');

type CellRange = Required<Pick<Problem, 'column' | 'endColumn'>>;

/** What finds cells in a text again; `undefined` where a line has no such cell. Lines count from 1, cells from 0. */
export type CellFinder = (line: number, cell: number) => CellRange | undefined;

export function cellFinder(text: string, delimiter: Delimiter): CellFinder {
  const sign = delimiter === '' ? NO_DELIMITER : delimiter;
  const whole = (line: string) => line.replace(/"[^"]*"?/g, (quoted) => quoted.replaceAll(sign, '_')).split(sign);
  let lines: string[] | undefined;
  return (line, cell) => {
    lines ??= text.split('\n');
    const own = lines[line - 1];
    if (own === undefined) return undefined;
    if (delimiter !== ' ') return rangesOf(whole(own))[cell];
    return rangesOf(own.split(/\s/)).filter(({ column, endColumn }) => column < endColumn)[cell];
  };
}

function rangesOf(cells: readonly string[]): CellRange[] {
  let start = 1;
  return cells.map((cell) => {
    const column = start + cell.length - cell.trimStart().length;
    start += cell.length + 1;
    return { column, endColumn: column + cell.trim().length };
  });
}
