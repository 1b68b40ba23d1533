import { withoutQuotes } from '../columns/column.ts';
import { DistinctNames, isTimeName } from '../columns/names.ts';
import { Table } from '../columns/table.ts';
import { said, type Phrase, SeriesError, type LayoutChoice, type Problem } from '../types.ts';
import { revived } from '../values/formulas.ts';
import { isMissing, parseNumber } from '../values/numbers.ts';
import { cellFinder, beginsWithDigit, cutRows, filled, hasCommentSign, type CutRow } from './rows.ts';
import { headEnd, isData, sniffDialect } from './dialect.ts';

/** Characters cut into rows at a time; their cells are garbage soon, and less of it at once needs less memory. */
const PART = 262_144;
const LONGEST_CELL = 1_000_000;
const WHOLE_TABLE = 10;
const LONGEST_LINE = 64_000_000;
const KEPT_SIZE = 10_000_000;

export class DelimitedReader {
  readonly #dialect: ReturnType<typeof sniffDialect>;
  readonly #fileName: string;
  readonly #table: Table;
  /** Whether cells carry the flags of Eurostat's files, as in `100.2 p` and `: c`. */
  readonly #flagged: boolean;
  #kept: string[] | undefined = [];
  #keptSize = 0;
  #waiting: string[] = [];
  #size = 0;
  #line = 1;
  /** Lines of comments since the last row, the line of that row, and whether another table began after it. */
  #comments: number[] = [];
  #lastRow = 0;
  #isOver = false;
  #nextHead: CutRow | undefined;

  constructor(fileName: string, layout: LayoutChoice, text: string) {
    this.#fileName = fileName;
    const end = headEnd(text);
    const head = end < 0 ? text : text.slice(0, end);
    this.#dialect = sniffDialect(head, layout);
    this.#table = new Table(columnNames(this.#dialect));
    this.#table.preamble = this.#dialect.preamble;
    this.#flagged = /\\TIME_PERIOD|\\time/i.test(this.#dialect.header?.[0] ?? '');
  }

  push(text: string): void {
    this.#keptSize += text.length;
    if (this.#keptSize > KEPT_SIZE) this.#kept = undefined;
    this.#kept?.push(text);
    for (let at = 0; at < text.length; at += PART) {
      const part = text.slice(at, at + PART);
      this.#waiting.push(part);
      this.#size += part.length;
      // only whole lines are cut, so a part without an end of one is not looked at again
      if (part.includes('\n')) this.#cut(false);
      else if (this.#size > LONGEST_LINE) {
        const words = said`${this.#fileName}, line ${this.#line}: the line is longer than 64 million characters, so this is not a table. Choose a CSV or JSON file.`;
        throw new SeriesError('too-large', words, { line: this.#line });
      }
    }
  }

  finish() {
    this.#cut(true);
    if (!this.#isOver) this.#reportComments();
    if (this.#nextHead) this.#endAt(this.#nextHead.line);
    const { delimiter, header, linesBefore } = this.#dialect;
    return {
      tables: [this.#table.finish()],
      format: { kind: 'csv' as const, delimiter, header: header !== undefined, skippedLines: linesBefore },
      cells: this.#kept && cellFinder(this.#kept.join(''), delimiter),
    };
  }

  #cut(isLast: boolean): void {
    const text = this.#waiting.join('');
    this.#size = 0;
    // whole lines only: a run of blanks must not be cut in two
    const end = isLast ? text.length : text.lastIndexOf('\n') + 1;
    const cut = cutRows(text.slice(0, end), this.#dialect.delimiter, { line: this.#line, isOpen: !isLast });
    const line = isLast ? cut.openLine : cut.rest.length > LONGEST_CELL ? cut.nextLine : undefined;
    if (line !== undefined) {
      const words = said`${this.#fileName}, line ${line}: a quotation mark is opened and never closed. Close or remove it.`;
      throw new SeriesError('open-quote', words, { line });
    }
    this.#line = cut.nextLine;
    this.#waiting = isLast ? [] : [cut.rest, text.slice(end)];
    for (const row of cut.rows) if (!this.#isOver) this.#take(row);
  }

  #take(row: CutRow): void {
    const { firstLine, headerLine, header, comments } = this.#dialect;
    const { line, cells } = row;
    // below the head, a sign alone in its cell is no name
    if (comments && hasCommentSign(cells, line > firstLine ? ' ' : this.#dialect.delimiter)) {
      // before the table they are its title
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

function columnNames({ header, width }: ReturnType<typeof sniffDialect>): string[] {
  const distinct = new DistinctNames();
  return Array.from({ length: width }, (_, index) => {
    const given = revived(withoutQuotes(header?.[index]?.trim() ?? '')).slice(0, LONGEST_NAME);
    return distinct.of(given === '' ? `Column ${index + 1}` : given);
  });
}

function isHeaderAgain(cells: readonly string[], header: readonly string[]): boolean {
  const same = cells.map((cell, index) => cell.trim() === header[index]?.trim());
  if (cells.length === header.length && !same.includes(false)) return true;
  const named = cells.filter((cell, index) => same[index] && cell.trim() !== '');
  return named.length > 1 && !named.some(isData) && cells.every((cell, index) => same[index] || isDay(cell));
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

function isWords(cell: string): boolean {
  const text = cell.trim();
  return !isMissing(text) && /\p{L}{2}/u.test(text) && !isData(text);
}

const isDay = (cell: string): boolean => isData(cell) && Number.isNaN(parseNumber(cell.trim(), '.'));
