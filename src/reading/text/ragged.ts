import { said } from '../phrase.ts';
import { isTimeName } from '../columns/names.ts';
import { isMissing, parseNumber } from '../values/numbers.ts';
import { isData, type Dialect } from './dialect.ts';
import { beginsWithDigit, type CutRow } from './rows.ts';
import type { Table } from '../columns/table.ts';
import type { Problem } from '../types.ts';

/**
 * The cells of a row as the table takes them: repeated headers and footnotes are left out (`undefined`), cells beyond the
 * last column are reported unless they are empty.
 */
export function tableCells({ cells, line }: CutRow, { header, width }: Dialect, table: Table): string[] | undefined {
  const isPlain = cells.length === width && cells[width - 1] !== '' && beginsWithDigit(cells);
  if (isPlain && !(header && beginsWithDigit(header))) return cells;
  if (header && isHeaderAgain(cells, header)) return undefined;
  const used = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (width > 1 && isNote(cells[0] ?? '') && isRemark(cells, used, width, table)) {
    table.report(noteAt(line));
    return undefined;
  }
  const isShort = cells.length < width && used < width && cells.length > 1;
  if (used > width) {
    const words = said`This row has ${used} cells where the table has ${width}; the extra cells were left out. Quote cells that contain the delimiter.`;
    table.report({ line, severity: 'error', kind: 'ragged', ...words });
  } else if (isShort) {
    const words = said`This row has ${cells.length} cells where the table has ${width}; the others are treated as missing.`;
    table.report({ line, severity: 'warning', kind: 'ragged', ...words });
  }
  return used > width ? cells.slice(0, width) : cells;
}

/** Whether a row of so many cells that begins with words is no row of the table. */
const isRemark = (cells: readonly string[], used: number, width: number, table: Table): boolean =>
  used === 1 ||
  (used * 2 <= width && !cells.some(isData)) ||
  (used < width && SOURCE.test(cells[0]!) && !cells.some(isDay) && startsWithData(table));

/** Whether cells repeat the column names, or most do and the others are times, as when a program restarts. */
function isHeaderAgain(cells: readonly string[], header: readonly string[]): boolean {
  const same = cells.map((cell, index) => cell.trim() === header[index]?.trim());
  if (cells.length === header.length && !same.includes(false)) return true;
  const named = cells.filter((cell, index) => same[index] && cell.trim() !== '');
  return named.length > 1 && !named.some(isData) && cells.every((cell, index) => same[index] || isDay(cell));
}

/** Says that a line was left out. */
export function noteAt(line: number): Problem {
  return {
    line,
    severity: 'info',
    kind: 'note',
    ...said`This line is a note, not part of the table, and was left out.`,
  };
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
  const words = said`Another table begins here. It was left out, together with everything below it. To read it, put it into a file of its own.`;
  return { line, severity: 'warning', kind: 'note', ...words };
}

/** The beginning of a remark that may have commas, and so be cut into cells; where a table begins with texts it may be one of them. */
const SOURCE =
  /^\s*(?:sources?|notes?|remarks?|footnotes?|quellen?|hinweise?|anmerkung(?:en)?|fuentes?|fontes?|notas?)\s?:/i;

/** Words where the first column has times or numbers: a footnote such as "Source: …". */
function isNote(cell: string): boolean {
  const text = cell.trim();
  return !isMissing(text) && /\p{L}{2}/u.test(text) && !isData(text);
}

/** Whether the first column of a table has no texts that a remark may be one of. */
const startsWithData = ({ preview }: Table): boolean =>
  preview.length > 0 && !preview.some(([first]) => isNote(first!));

/** Whether a cell is a time that is no number. */
const isDay = (cell: string): boolean => isData(cell) && Number.isNaN(parseNumber(cell.trim(), '.'));
