import { said } from '../phrase.ts';
import Papa from 'papaparse';
import { withoutQuotes } from '../columns/column.ts';
import { revived } from '../values/formulas.ts';
import { DistinctNames } from '../columns/names.ts';
import { headEnd } from './head.ts';
import { anotherTableAt, beginsAnotherTable, noteAt, tableCells } from './ragged.ts';
import {
  commentLines,
  numberLines,
  parserDelimiter,
  sniffDialect,
  withSingleBlanks,
  withoutComments,
  type CutRow,
  type Dialect,
} from './sniff.ts';
import { MOST_COLUMNS, refuseColumns, Table } from '../columns/table.ts';
import { SeriesError, type LayoutChoice } from '../types.ts';

/** Characters cut into rows at a time; their cells are garbage soon, and less of it at once needs less memory. */
const PART = 262_144;
/** A quoted cell longer than this was never closed. */
const LONGEST_CELL = 1_000_000;
/** Fewer rows before another head are no table of their own, but describe what comes. */
const WHOLE_TABLE = 10;
const LONGEST_LINE = 64_000_000;

/** Reads delimited text chunk by chunk into a table; the text itself is not kept. */
export class DelimitedReader {
  readonly #fileName: string;
  readonly #layout: LayoutChoice;
  #dialect: Dialect | undefined;
  #table: Table | undefined;
  #rest = '';
  /** Parts of one line that has not ended yet, and how long they are. */
  #waiting: string[] = [];
  #size = 0;
  #line = 1;
  #skip = 0;
  /** Whether cells carry the flags of Eurostat's files, as in `100.2 p` and `: c`. */
  #flagged = false;
  /** The line of the last row, and whether another table began after it. */
  #lastRow = 0;
  #isOver = false;
  /** The row that is the head of another table, unless one with more cells follows. */
  #nextHead: CutRow | undefined;

  constructor(fileName: string, layout: LayoutChoice) {
    this.#fileName = fileName;
    this.#layout = layout;
  }

  /** Takes more text; lines end in `\n`. */
  push(text: string): void {
    for (let at = 0; at < text.length; at += PART) {
      const part = text.slice(at, at + PART);
      this.#waiting.push(part);
      this.#size += part.length;
      // only whole lines are cut, so a part without an end of one is not looked at again
      if (part.includes('\n')) this.#join();
      else if (this.#size > LONGEST_LINE) this.#refuseLine();
      else continue;
      if (this.#dialect || headEnd(this.#rest) >= 0) this.#cut(false);
    }
  }

  /** Takes what is left and gives the table. */
  finish(): { table: Table; dialect: Dialect } {
    this.#join();
    this.#cut(true);
    const dialect = this.#dialect!;
    if (this.#nextHead) this.#table!.report(anotherTableAt(this.#nextHead.line));
    return { table: this.#table!.finish(), dialect };
  }

  #join(): void {
    this.#rest += this.#waiting.join('');
    this.#waiting = [];
    this.#size = 0;
  }

  #open(): Dialect {
    const end = headEnd(this.#rest);
    refuseWidth(end < 0 ? this.#rest : this.#rest.slice(0, end));
    const dialect = sniffDialect(end < 0 ? this.#rest : this.#rest.slice(0, end), this.#layout);
    this.#table = new Table(columnNames(dialect));
    this.#table.preamble = dialect.preamble;
    this.#skip = dialect.rowsBefore;
    this.#flagged = /\\TIME_PERIOD|\\time/i.test(dialect.header?.[0] ?? '');
    return dialect;
  }

  #cut(last: boolean): void {
    const dialect = (this.#dialect ??= this.#open());
    // Whole lines only: a comment or a run of blanks must not be cut in two.
    const end = last ? this.#rest.length : this.#rest.lastIndexOf('\n') + 1;
    const whole = this.#rest.slice(0, end);
    const plain = dialect.comments ? withoutComments(whole) : whole;
    const comments = plain === whole ? [] : commentLines(whole, this.#line);
    const text = dialect.delimiter === ' ' ? withSingleBlanks(plain) : plain;
    const parser = new Papa.Parser({ delimiter: parserDelimiter(dialect.delimiter), newline: '\n' });
    const { data, meta, errors } = parser.parse(text, 0, !last) as Papa.ParseResult<string[]>;
    const { rows, nextLine } = numberLines(data, this.#line, text.includes('"'));
    const open = errors.find(({ code }) => code === 'MissingQuotes');
    const uncut = text.length - meta.cursor;
    if (last && open) this.#refuseQuote(this.#line + (open.row ?? 0));
    if (!last && uncut > LONGEST_CELL) this.#refuseQuote(nextLine);
    this.#line = nextLine;
    this.#rest = last ? '' : text.slice(meta.cursor) + this.#rest.slice(end);
    const commented = new Set(comments);
    for (const row of rows) this.#take(row, dialect, commented);
    this.#noteComments(comments);
  }

  /** Comments before the table are its title; one between its rows may be a row that begins with the sign. */
  #noteComments(lines: readonly number[]): void {
    const table = this.#table!;
    if (this.#isOver) return;
    for (const line of lines) if (table.rows > 0 && line > table.lineOf(0)) table.report(noteAt(line));
  }

  #refuseLine(): never {
    throw new SeriesError(
      'too-large',
      said`${this.#fileName}, line ${this.#line}: the line is longer than 64 million characters, so this is no table of rows. Choose a CSV or JSON file.`,
      { line: this.#line },
    );
  }

  #refuseQuote(line: number): never {
    throw new SeriesError(
      'open-quote',
      said`${this.#fileName}, line ${line}: a quotation mark is opened and never closed. Close or remove it.`,
      { line },
    );
  }

  #take(row: CutRow, dialect: Dialect, comments: ReadonlySet<number>): void {
    const table = this.#table!;
    if (this.#isOver) return;
    if (this.#skip > 0) {
      const skipped = dialect.rowsBefore - this.#skip--;
      if (dialect.headerRows > 0 && skipped >= dialect.headerRows) table.report(noteAt(row.line));
      return;
    }
    const isApart = table.rows >= WHOLE_TABLE && row.line > this.#lastRow + 1;
    this.#lastRow = row.line;
    const head = this.#nextHead;
    this.#nextHead = undefined;
    if (head && filled(row) <= filled(head)) {
      this.#isOver = true;
      table.report(anotherTableAt(head.line));
      return;
    }
    if (head) this.#add(head, dialect);
    if (isApart && beginsAnotherTable(row.cells, dialect.header, comments.has(row.line - 1))) this.#nextHead = row;
    else this.#add(row, dialect);
  }

  #add(row: CutRow, dialect: Dialect): void {
    const table = this.#table!;
    const cells = tableCells(row, dialect, table);
    if (cells) table.push(this.#flagged ? cells.map(withoutFlag) : cells, row.line);
  }
}

/** Refuses a table that is too wide before it is looked at how it is cut: that would take longer than to read it. */
function refuseWidth(head: string): void {
  for (const line of head.split('\n')) {
    // a decimal comma in each cell doubles the commas that are not between two of them
    if (line.length <= 2 * MOST_COLUMNS) continue;
    const counts = [',', ';', '\t', '|'].map((sign) => line.split(sign, 2 * MOST_COLUMNS + 2).length);
    if (Math.min(...counts.filter((count) => count > MOST_COLUMNS)) > 2 * MOST_COLUMNS) refuseColumns(2 * MOST_COLUMNS);
  }
}

const filled = ({ cells }: CutRow): number => cells.filter((cell) => cell.trim() !== '').length;

function withoutFlag(cell: string, index: number): string {
  return index === 0 ? cell : cell.replace(/^(\s*[-\d.:]+)\s+[a-z]{1,3}\s*$/, '$1');
}

/** Names of columns are read by people, and repeated in what is said to them. */
const LONGEST_NAME = 200;

/** Names for all columns, made distinct; columns without a name are called by their number. */
function columnNames({ header, width }: Dialect): string[] {
  const distinct = new DistinctNames();
  return Array.from({ length: width }, (_, index) => {
    const given = revived(withoutQuotes(header?.[index]?.trim() ?? '')).slice(0, LONGEST_NAME);
    return distinct.of(given === '' ? `Column ${index + 1}` : given);
  });
}
