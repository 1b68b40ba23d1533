import { bestGrid } from '../proposals/propose.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { SeriesError, type LayoutChoice } from '../types.ts';
import { type Dialect, dialectsOf } from './dialect.ts';
import { RowReader } from './row-reader.ts';
import { cellFinder, cutRows } from './rows.ts';

/** Characters cut into rows at a time; their cells are garbage soon, and less of it at once needs less memory. */
const PART = 262_144;
const LONGEST_CELL = 1_000_000;
const LONGEST_LINE = 64_000_000;
const KEPT_SIZE = 10_000_000;

/** Reads delimited text part by part, in the dialect that its head is read best in. */
export class DelimitedReader {
  readonly #dialect: Dialect;
  readonly #fileName: string;
  readonly #rows: RowReader;
  #kept: string | undefined = '';
  #open = '';
  #line = 1;

  constructor(fileName: string, layout: LayoutChoice, text: string) {
    this.#fileName = fileName;
    const end = headEnd(text);
    this.#dialect = sniffDialect(end < 0 ? text : text.slice(0, end), layout);
    this.#rows = new RowReader(this.#dialect);
  }

  push(text: string): void {
    if (this.#kept !== undefined)
      this.#kept = this.#kept.length + text.length > KEPT_SIZE ? undefined : this.#kept + text;
    for (let at = 0; at < text.length; at += PART) {
      const part = text.slice(at, at + PART);
      this.#open += part;
      // only whole lines are cut, so a part without an end of one is not looked at again
      if (part.includes('\n')) this.#cut(false);
      else if (this.#open.length > LONGEST_LINE) {
        const words = said`${this.#fileName}, line ${this.#line}: the line is longer than 64 million characters, so this is not a table. Choose a CSV or JSON file.`;
        throw new SeriesError('too-large', words, { line: this.#line });
      }
    }
  }

  finish() {
    this.#cut(true);
    const { delimiter, header, linesBefore } = this.#dialect;
    return {
      tables: [this.#rows.finish()],
      format: { kind: 'csv' as const, delimiter, header: header !== undefined, skippedLines: linesBefore },
      cells: this.#kept === undefined ? undefined : cellFinder(this.#kept, delimiter),
    };
  }

  #cut(isLast: boolean): void {
    const text = this.#open;
    const end = isLast ? text.length : text.lastIndexOf('\n') + 1;
    const { delimiter, isByLine } = this.#dialect;
    const options = { line: this.#line, isOpen: !isLast, isByLine: isByLine && this.#line === 1 };
    const cut = cutRows(text.slice(0, end), delimiter, options);
    const line = isLast ? cut.openLine : cut.rest.length > LONGEST_CELL ? cut.nextLine : undefined;
    if (line !== undefined) {
      const words = said`${this.#fileName}, line ${line}: a quotation mark is opened and never closed. Close or remove it.`;
      throw new SeriesError('open-quote', words, { line });
    }
    this.#line = cut.nextLine;
    this.#open = isLast ? '' : cut.rest + text.slice(end);
    for (const row of cut.rows) this.#rows.take(row);
  }
}

export const sniffDialect = (head: string, layout: LayoutChoice): Dialect =>
  bestGrid(dialectsOf(head, layout), tableOf)!;

function tableOf(dialect: Dialect): Table {
  const reader = new RowReader(dialect);
  for (const row of dialect.rows) reader.take(row);
  return reader.finish();
}

const CHARACTERS = 65_536;
const LINES = 20;
const MOST = 8_000_000;

export function headEnd(text: string): number {
  if (text.length < CHARACTERS) return -1;
  let end = -1;
  for (let line = 0; line < LINES || end < CHARACTERS; line++) {
    const next = text.indexOf('\n', end + 1);
    if (next < 0 || next > MOST) return line >= LINES ? end : text.length > MOST ? MOST : -1;
    end = next;
  }
  return end;
}
