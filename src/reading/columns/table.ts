import { said } from '../phrase.ts';
import { type Delimiter, type LayoutChoice, MOST_PROBLEMS, SeriesError, type Problem } from '../types.ts';
import { Column, type Cell, type TimeReading } from './column.ts';
import type { Decimal } from '../values/numbers.ts';
import { inDigits } from '../../calendar/digits.ts';

/** Rows of cells on their way into columns. Row numbers count data rows from 0, lines count lines of the document from 1. */
export class Table {
  readonly columns: Column[];
  readonly name: string | undefined;
  preamble: readonly string[] = [];
  readonly problems: Problem[] = [];
  problemCount = 0;
  readonly preview: string[][] = [];
  rows = 0;
  /** Line of each row, kept as the rows where `line − row` changes: rows are mostly consecutive lines. */
  #breaks: { row: number; shift: number }[] = [];
  #lineOf: ((row: number) => number) | undefined;

  readonly #byName = new Map<string, Column>();
  #padding = 0;
  #filled = 0;

  constructor(names: readonly string[], name?: string, lineOf?: (row: number) => number) {
    this.columns = [];
    for (const column of names) this.#addColumn(column);
    this.name = name;
    this.#lineOf = lineOf;
  }

  #addColumn(name: string): Column {
    refuseColumns(this.columns.length + 1);
    const column = new Column(name);
    this.#byName.set(name, column);
    this.#pad(this.rows);
    this.columns.push(column);
    return column;
  }

  /** A small document of rows with ever different columns would otherwise become a huge table of nothing. */
  #pad(cells: number): void {
    this.#padding += cells;
    if (this.#padding <= MOST_PADDING + PADDING_PER_CELL * this.#filled) return;
    const words = said`The rows have too many different columns (${inDigits(this.columns.length)} so far), and most of their cells are empty. Choose a file whose rows have the same columns.`;
    throw new SeriesError('too-large', words);
  }

  push(cells: readonly Cell[], line: number): void {
    const end = Math.min(cells.length, this.columns.length);
    for (let index = 0; index < end; index++) this.columns[index]!.put(this.rows, cells[index]!);
    this.#pushed(cells, line);
  }

  pushRecord(record: ReadonlyMap<string, Cell>, line: number): void {
    for (const [name, cell] of record) (this.#byName.get(name) ?? this.#addColumn(name)).put(this.rows, cell);
    const isShown = this.preview.length < PREVIEW_ROWS;
    this.#pushed(isShown ? this.columns.map(({ name }) => record.get(name) ?? '') : [], line, record.size);
  }

  #pushed(cells: readonly Cell[], line: number, filled = cells.length): void {
    this.#filled += filled;
    this.#pad(Math.max(0, this.columns.length - filled));
    const shift = line - this.rows;
    if (this.#breaks.at(-1)?.shift !== shift) this.#breaks.push({ row: this.rows, shift });
    if (this.preview.length < PREVIEW_ROWS) this.preview.push(cells.map(String));
    this.rows++;
  }

  report(problem: Problem): void {
    this.problemCount++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }

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

  finish(): this {
    for (const column of this.columns) column.finish(this.rows);
    return this;
  }

  /** Settles the decimal sign of each column. @returns the one that the cells of some column allow alone */
  settle({ decimal: asked }: LayoutChoice, delimiter: Delimiter | undefined): Decimal | undefined {
    const verdicts = this.columns.map(({ reader }) => reader?.verdict());
    const usual = verdicts.find((verdict) => verdict?.evidence === 'certain')?.decimal;
    const isDay = ({ format }: TimeReading) => !format.digits && format.id !== 'clock';
    const dated = this.columns.filter(({ times }) => times.some(isDay));
    const areWritten = (pattern: RegExp) =>
      dated.length > 0 && dated.every(({ samples }) => samples.some((text) => pattern.test(text)));
    const [hasDots, isIso] = [areWritten(/^\d{1,2}\.\d/), areWritten(/^\d{4}-\d/)];
    const guess = (own: Decimal): [sign: Decimal, isOpen: boolean] => {
      // a decimal comma between commas would be quoted; a point is the decimal sign, but where cells are cut by semicolons
      const isLikely = own === '.' ? !hasDots : hasDots || delimiter === ';';
      const isOpen = isLikely && delimiter !== ',' && delimiter !== undefined;
      if (!isOpen) return [own === '.' && hasDots ? ',' : '.', isOpen];
      // programs that write days from the year on put no signs between thousands
      const isComma = delimiter === ';' ? own === '.' || !isIso : own === ',';
      return [isComma ? ',' : '.', isOpen];
    };
    for (const column of this.columns) column.numbers = column.reader?.settled(asked ?? usual, guess);
    return usual;
  }
}

export function refuseColumns(columns: number): void {
  if (columns <= MOST_COLUMNS) return;
  const words = said`The table has more than ${inDigits(MOST_COLUMNS)} columns. Choose a file with fewer columns, or one with a row for each time of each series.`;
  throw new SeriesError('too-large', words);
}

const PREVIEW_ROWS = 20;
export const MOST_COLUMNS = 20_000;
const MOST_PADDING = 10_000_000;
const PADDING_PER_CELL = 20;
