import { withoutQuotes } from '../columns/column.ts';
import { DistinctNames } from '../columns/names.ts';
import { MOST_COLUMNS, refuseColumns, Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { SeriesError, type LayoutChoice } from '../types.ts';
import { revived } from '../values/formulas.ts';
import { CellFinder } from './cell-range.ts';
import { headEnd, sniffDialect, type Dialect } from './dialect.ts';
import { anotherTableAt, beginsAnotherTable, noteAt, tableCells } from './ragged.ts';
import { cutRows, filled, hasCommentSign, type CutRow } from './rows.ts';

/** Characters cut into rows at a time; their cells are garbage soon, and less of it at once needs less memory. */
const PART = 262_144;
/** A quoted cell longer than this was never closed. */
const LONGEST_CELL = 1_000_000;
/** Fewer rows before another head are no table of their own, but describe what comes. */
const WHOLE_TABLE = 10;
const LONGEST_LINE = 64_000_000;
/** Larger documents report problems by line only. */
const KEPT_SIZE = 10_000_000;

/** Reads delimited text chunk by chunk into a table; the text itself is not kept. */
export class DelimitedReader {
  readonly #dialect: Dialect;
  readonly #fileName: string;
  readonly #table: Table;
  /** Whether cells carry the flags of Eurostat's files, as in `100.2 p` and `: c`. */
  readonly #flagged: boolean;
  /** The text of a document that is not large, to find the cells that problems are reported of. */
  #kept: string[] | undefined = [];
  #keptSize = 0;
  #rest = '';
  /** Parts of one line that has not ended yet, and how long they are. */
  #waiting: string[] = [];
  #size = 0;
  #line = 1;
  /** Lines of comments since the last row, the line of that row, and whether another table began after it. */
  #comments: number[] = [];
  #lastRow = 0;
  #isOver = false;
  /** The row that is the head of another table, unless one with more cells follows. */
  #nextHead: CutRow | undefined;

  /** @param text the beginning, which is to be pushed as well; lines end in `\n` */
  constructor(fileName: string, layout: LayoutChoice, text: string) {
    this.#fileName = fileName;
    const end = headEnd(text);
    const head = end < 0 ? text : text.slice(0, end);
    refuseWidth(head);
    this.#dialect = sniffDialect(head, layout);
    this.#table = new Table(columnNames(this.#dialect));
    this.#table.preamble = this.#dialect.preamble;
    this.#flagged = /\\TIME_PERIOD|\\time/i.test(this.#dialect.header?.[0] ?? '');
  }

  /** Takes more text; lines end in `\n`. */
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
      else if (this.#size > LONGEST_LINE) throw this.#tooLong();
    }
  }

  /** Takes what is left and gives the table. */
  finish() {
    this.#cut(true);
    if (!this.#isOver) this.#noteComments();
    if (this.#nextHead) this.#table.report(anotherTableAt(this.#nextHead.line));
    const { delimiter, header, linesBefore } = this.#dialect;
    return {
      tables: [this.#table.finish()],
      format: { kind: 'csv' as const, delimiter, header: header !== undefined, skippedLines: linesBefore },
      cells: this.#kept && new CellFinder(this.#kept.join(''), delimiter),
    };
  }

  #cut(isLast: boolean): void {
    const text = this.#rest + this.#waiting.join('');
    this.#waiting = [];
    this.#size = 0;
    // whole lines only: a run of blanks must not be cut in two
    const end = isLast ? text.length : text.lastIndexOf('\n') + 1;
    const cut = cutRows(text.slice(0, end), this.#dialect.delimiter, { line: this.#line, isOpen: !isLast });
    const open = isLast ? cut.openLine : cut.rest.length > LONGEST_CELL ? cut.nextLine : undefined;
    if (open !== undefined) throw this.#openQuote(open);
    this.#line = cut.nextLine;
    this.#rest = isLast ? '' : cut.rest + text.slice(end);
    for (const row of cut.rows) this.#take(row);
  }

  #tooLong(): SeriesError {
    const words = said`${this.#fileName}, line ${this.#line}: the line is longer than 64 million characters, so this is not a table. Choose a CSV or JSON file.`;
    return new SeriesError('too-large', words, { line: this.#line });
  }

  #openQuote(line: number): SeriesError {
    const words = said`${this.#fileName}, line ${line}: a quotation mark is opened and never closed. Close or remove it.`;
    return new SeriesError('open-quote', words, { line });
  }

  #take(row: CutRow): void {
    const { firstLine, headerLine, header, comments } = this.#dialect;
    const { line } = row;
    if (this.#isOver) return;
    if (comments && hasCommentSign(row.cells)) {
      // before the table they are its title
      if (line > firstLine) this.#comments.push(line);
      return;
    }
    if (line < firstLine) {
      if (headerLine > 0 && line > headerLine) this.#table.report(noteAt(line));
      return;
    }
    const isApart = this.#table.rows >= WHOLE_TABLE && line > this.#lastRow + 1;
    this.#lastRow = line;
    const head = this.#nextHead;
    this.#nextHead = undefined;
    if (head && filled(row.cells) <= filled(head.cells)) {
      this.#isOver = true;
      this.#table.report(anotherTableAt(head.line));
      return;
    }
    if (head) this.#add(head);
    if (isApart && beginsAnotherTable(row.cells, header, this.#comments.at(-1) === line - 1)) this.#nextHead = row;
    else this.#add(row);
  }

  #noteComments(): void {
    for (const line of this.#comments) this.#table.report(noteAt(line));
    this.#comments = [];
  }

  #add(row: CutRow): void {
    if (this.#comments.length > 0) this.#noteComments();
    const cells = tableCells(row, this.#dialect, this.#table);
    if (cells) this.#table.push(this.#flagged ? cells.map(withoutFlag) : cells, row.line);
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
