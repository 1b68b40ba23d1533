import { said } from '../phrase.ts';
import { isTimeName } from '../columns/names.ts';
import { TIME_FORMATS } from '../values/dates.ts';
import { isMissing, parseNumber } from '../values/numbers.ts';
import { beginsWithDigit, type CutRow, type Dialect } from './sniff.ts';
import type { Table } from '../columns/table.ts';
import type { Problem } from '../types.ts';

/**
 * The cells of a row as the table takes them: repeated headers and footnotes are left out (`undefined`), cells beyond the
 * last column are reported unless they are empty.
 */
export function tableCells(row: CutRow, dialect: Dialect, table: Table): string[] | undefined {
  const { cells, line } = row;
  const { header, width } = dialect;
  if (cells.length === width && cells[width - 1] !== '' && beginsWithDigit(cells) && !(header && beginsWithDigit(header))) return cells; // prettier-ignore
  if (header && cells.length === header.length && cells.every((cell, index) => cell.trim() === header[index]?.trim())) {
    return undefined;
  }
  if (header && isHeaderAgain(cells, header)) return undefined;
  const used = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const isSource = used < width && SOURCE.test(cells[0]!) && !cells.some(isDay) && startsWithData(table);
  const isRemark = used === 1 || isSource || (used * 2 <= width && !cells.some(isDataCell));
  if (width > 1 && isRemark && isNote(cells[0] ?? '')) {
    table.report(noteAt(line));
    return undefined;
  }
  if (used > width) {
    table.report({
      line,
      severity: 'error',
      kind: 'ragged',
      ...said`This row has ${used} cells where the table has ${width}; the cells beyond were left out. Quote cells that hold the delimiter.`,
    });
    return cells.slice(0, width);
  }
  if (cells.length < width && used < width && cells.length > 1) {
    table.report({
      line,
      severity: 'warning',
      kind: 'ragged',
      ...said`This row has ${cells.length} cells where the table has ${width}; the others were taken as missing.`,
    });
  }
  return cells;
}

/** Whether most cells are the names of their columns, and the others times, as where a program begins anew. */
function isHeaderAgain(cells: readonly string[], header: readonly string[]): boolean {
  const same = cells.filter((cell, index) => cell.trim() !== '' && cell.trim() === header[index]?.trim());
  if (same.length < 2 || same.some(isDataCell)) return false;
  return cells.every((cell, index) => cell.trim() === header[index]?.trim() || isDay(cell));
}

/** Says that a line was left out. */
export function noteAt(line: number): Problem {
  return { line, severity: 'info', kind: 'note', ...said`This line is a note beside the table and was left out.` };
}

/**
 * Whether a row that stands apart from those before it, by blank lines or comments, is the head of another table: words in
 * all cells, others than in the first head, of which the first is a time's, or comments before it.
 */
export function beginsAnotherTable(
  cells: readonly string[],
  header: readonly string[] | undefined,
  isTitled: boolean,
): boolean {
  const words = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (!header || words.length < 2 || !words.every(isNote)) return false;
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  return (
    words.some((word) => !names.has(word.toLowerCase())) &&
    (isTitled || isTimeName(words[0]!) || words[0] === header[0]?.trim())
  );
}

/** Says that a second table was left out, with all below it. */
export function anotherTableAt(line: number): Problem {
  const words = said`Another table begins here. It was left out, with all below it; put it into a file of its own to read it.`;
  return { line, severity: 'warning', kind: 'note', ...words };
}

/** The beginning of a remark that may have commas, and so be cut into cells; where a table begins with texts it may be one of them. */
const SOURCE =
  /^\s*(?:sources?|notes?|remarks?|footnotes?|quellen?|hinweise?|anmerkung(?:en)?|fuentes?|fontes?|notas?)\s?:/i;

/** Words where the first column has times or numbers: a footnote such as "Source: …". */
function isNote(cell: string): boolean {
  const text = cell.trim();
  return !isMissing(text) && /\p{L}{2}/u.test(text) && !isDataCell(text);
}

/** Whether the first column of a table has no texts that a remark may be one of. */
const startsWithData = ({ preview }: Table): boolean =>
  preview.length > 0 && !preview.some(([first]) => isNote(first!));

/** Whether a cell is a time that is no number. */
const isDay = (cell: string): boolean => isDataCell(cell) && Number.isNaN(parseNumber(cell.trim(), '.'));

/** Whether a cell is a number or a time. */
function isDataCell(cell: string): boolean {
  const text = cell.trim();
  return !Number.isNaN(parseNumber(text, '.')) || TIME_FORMATS.some(({ parse }) => !Number.isNaN(parse(text)));
}
