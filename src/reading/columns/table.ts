import { Column } from './column.ts';
import { MOST_PROBLEMS, type Problem } from '../types.ts';

/** Rows of cells on their way into columns. Row numbers count data rows from 0, lines count lines of the document from 1. */
export class Table {
  readonly columns: Column[];
  /** What the table is called in its document: the key it stood under, or a series' own id. */
  readonly name: string | undefined;
  readonly problems: Problem[] = [];
  problemCount = 0;
  readonly preview: string[][] = [];
  rows = 0;
  /** Line of each row, kept as the rows where `line − row` changes: rows are mostly consecutive lines. */
  #breaks: { row: number; shift: number }[] = [];
  #lineOf: ((row: number) => number) | undefined;

  #names = new Set<string>();

  constructor(names: readonly string[], name?: string, lineOf?: (row: number) => number) {
    this.columns = [];
    for (const column of names) this.addColumn(column);
    this.name = name;
    this.#lineOf = lineOf;
  }

  has(column: string): boolean {
    return this.#names.has(column);
  }

  /** Adds a column; the rows so far have no cell in it. */
  addColumn(column: string): void {
    this.#names.add(column);
    this.columns.push(new Column(column, this.rows));
  }

  /** Takes a row; absent cells are missing ones. */
  push(cells: readonly (string | number)[], line: number): void {
    const shift = line - this.rows;
    if (this.#breaks.at(-1)?.shift !== shift) this.#breaks.push({ row: this.rows, shift });
    for (let index = 0; index < this.columns.length; index++) this.columns[index]!.push(cells[index] ?? '');
    if (this.preview.length < PREVIEW_ROWS) this.preview.push(cells.map(String));
    this.rows++;
  }

  /** Notes a problem with a row that the columns cannot see. */
  report(problem: Problem): void {
    this.problemCount++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }

  /** The line of the document that a row stands on. */
  lineOf(row: number): number {
    if (this.#lineOf) return this.#lineOf(row);
    let low = 0;
    let high = this.#breaks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#breaks[middle]!.row <= row) low = middle;
      else high = middle - 1;
    }
    return row + (this.#breaks[low]?.shift ?? 1);
  }

  /** To be called after the last row. */
  finish(): this {
    for (const column of this.columns) column.settle();
    return this;
  }
}

const PREVIEW_ROWS = 20;
