import { withoutQuotes } from '../columns/column.ts';
import { DistinctNames, isTimeName } from '../columns/names.ts';
import { Table } from '../columns/table.ts';
import { said, type Phrase } from '../phrase.ts';
import type { Problem } from '../types.ts';
import { revived } from '../values/numbers.ts';
import { type Dialect, isData, isDay, isWords } from './dialect.ts';
import { beginsWithDigit, type CutRow, filled, hasCommentSign } from './rows.ts';

const WHOLE_TABLE = 10;

/** Puts the rows of a text into a table: without its head, its notes, and what another table below it has. */
export class RowReader {
  readonly #dialect: Dialect;
  readonly #table: Table;
  /** Whether cells carry the flags of Eurostat's files, as in `100.2 p` and `: c`. */
  readonly #flagged: boolean;
  #comments: number[] = [];
  #lastRow = 0;
  #isOver = false;
  #nextHead: CutRow | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#table = new Table(columnNames(dialect));
    this.#table.preamble = dialect.preamble;
    this.#flagged = /\\TIME_PERIOD|\\time/i.test(dialect.header?.[0] ?? '');
  }

  finish(): Table {
    if (!this.#isOver) this.#reportComments();
    if (this.#nextHead) this.#endAt(this.#nextHead.line);
    return this.#table.finish();
  }

  take(row: CutRow): void {
    if (this.#isOver) return;
    const { firstLine, headerLine, header, comments } = this.#dialect;
    const { line, cells } = row;
    // below the head, a sign alone in its cell is no name
    if (comments && hasCommentSign(cells, line > firstLine ? ' ' : this.#dialect.delimiter)) {
      if (line > firstLine) this.#comments.push(line);
      return;
    }
    if (line < firstLine) {
      if (headerLine > 0 && line > headerLine) this.#note(line);
      return;
    }
    const isApart = this.#table.rows >= WHOLE_TABLE && line > this.#lastRow + 1;
    this.#lastRow = line;
    const head = this.#nextHead;
    this.#nextHead = undefined;
    if (head && filled(cells) <= filled(head.cells)) {
      this.#isOver = true;
      this.#endAt(head.line);
      return;
    }
    if (head) this.#add(head);
    if (isApart && beginsAnotherTable(cells, header, this.#comments.at(-1) === line - 1)) this.#nextHead = row;
    else this.#add(row);
  }

  #report(line: number, words: Phrase, severity: Problem['severity'], kind: Problem['kind'] = 'note'): void {
    this.#table.report({ line, severity, kind, ...words });
  }

  #note(line: number): void {
    this.#report(line, said`This line is a note, not part of the table, and was left out.`, 'info');
  }

  #endAt(line: number): void {
    const words = said`Another table begins here. It was left out, together with everything below it. To read it, put it into a file of its own.`;
    this.#report(line, words, 'warning');
  }

  #reportComments(): void {
    for (const line of this.#comments.splice(0)) this.#note(line);
  }

  #add(row: CutRow): void {
    if (this.#comments.length > 0) this.#reportComments();
    const cells = this.#cellsOf(row);
    if (cells) this.#table.push(this.#flagged ? cells.map(withoutFlag) : cells, row.line);
  }

  #cellsOf({ cells, line }: CutRow): string[] | undefined {
    const { header, width } = this.#dialect;
    const isPlain = cells.length === width && cells[width - 1] !== '' && beginsWithDigit(cells);
    if (isPlain && !(header && beginsWithDigit(header))) return cells;
    if (header && isHeaderAgain(cells, header)) return undefined;
    const used = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (width > 1 && isWords(cells[0] ?? '') && this.#isRemark(cells, used)) {
      this.#note(line);
      return undefined;
    }
    const isShort = cells.length < width && used < width && cells.length > 1;
    if (used > width) {
      const words = said`This row has ${used} cells where the table has ${width}; the extra cells were left out. Quote cells that contain the delimiter.`;
      this.#report(line, words, 'error', 'ragged');
    } else if (isShort) {
      const words = said`This row has ${cells.length} cells where the table has ${width}; the others are treated as missing.`;
      this.#report(line, words, 'warning', 'ragged');
    }
    return used > width ? cells.slice(0, width) : cells;
  }

  #isRemark(cells: readonly string[], used: number): boolean {
    const { width } = this.#dialect;
    const { preview } = this.#table;
    if (used === 1 || (used * 2 <= width && !cells.some(isData))) return true;
    const hasDataFirst = preview.length > 0 && !preview.some(([first]) => isWords(first!));
    return used < width && SOURCE.test(cells[0]!) && !cells.some(isDay) && hasDataFirst;
  }
}

const withoutFlag = (cell: string, index: number): string =>
  index === 0 ? cell : cell.replace(/^(\s*[-\d.:]+)\s+[a-z]{1,3}\s*$/, '$1');

const LONGEST_NAME = 200;

function columnNames({ header, width }: Dialect): string[] {
  const distinct = new DistinctNames();
  return Array.from({ length: width }, (_, index) => {
    const given = revived(withoutQuotes(header?.[index]?.trim() ?? '')).slice(0, LONGEST_NAME);
    return distinct.of(given === '' ? `Column ${index + 1}` : given);
  });
}

function isHeaderAgain(cells: readonly string[], header: readonly string[]): boolean {
  const isSame = (cell: string, index: number) => cell.trim() === header[index]?.trim();
  if (!cells.some(isSame) || !cells.every((cell, index) => isSame(cell, index) || isDay(cell))) return false;
  const named = cells.filter((cell, index) => isSame(cell, index) && cell.trim() !== '');
  return (cells.length === header.length && cells.every(isSame)) || (named.length > 1 && !named.some(isData));
}

function beginsAnotherTable(cells: readonly string[], header: readonly string[] = [], isTitled: boolean): boolean {
  const words = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (header.length === 0 || words.length < 2 || !words.every(isWords)) return false;
  const names = new Set(header.map((name) => name.trim().toLowerCase()));
  const isOther = words.some((word) => !names.has(word.toLowerCase()));
  return isOther && (isTitled || isTimeName(words[0]!) || words[0] === header[0]?.trim());
}

const SOURCE =
  /^\s*(?:sources?|notes?|remarks?|footnotes?|quellen?|hinweise?|anmerkung(?:en)?|fuentes?|fontes?|notas?)\s?:/i;
