import { said } from '../phrase.ts';
import { elementLines, parseJson } from './parse.ts';
import { findGrids, isObject, isRowOfList, type JsonGrid, type JsonObject, withoutLists } from './grids.ts';
import { Table, refuseColumns } from '../columns/table.ts';
import { SeriesError } from '../types.ts';

/** The longest text of the platform. */
const LONGEST_JSON = 400_000_000;

const tooLong = (where: string) =>
  new SeriesError(
    'too-large',
    said`${where}: more than 400 million characters of JSON in one piece. Save the rows as CSV, or as JSON with one object per line.`,
  );

function addCell(row: Map<string, string | number>, key: string, value: unknown, depth: number): void {
  if (typeof value === 'number' || typeof value === 'string') row.set(key, value);
  else if (typeof value === 'boolean') row.set(key, String(value));
  else if (value === null || value === undefined) row.set(key, '');
  else if (!Array.isArray(value) && depth < 3) {
    for (const [inner, cell] of Object.entries(value))
      addCell(row, inner.startsWith('$') ? key : `${key}.${inner}`, cell, depth + 1);
  }
}

function pushObject(table: Table, value: JsonObject, line: number): void {
  const row = new Map<string, string | number>();
  for (const [key, cell] of Object.entries(withoutLists(value))) if (key !== 'metadata') addCell(row, key, cell, 1);
  table.pushRecord(row, line);
}

export class JsonReader {
  readonly #fileName: string;
  #parts: string[] = [];
  #size = 0;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  push(text: string): void {
    this.#parts.push(text);
    this.#size += text.length;
    if (this.#size > LONGEST_JSON) throw tooLong(this.#fileName);
  }

  finish() {
    const text = this.#parts.join('');
    this.#parts = [];
    const tables = findGrids(parseJson(text, this.#fileName)).map((grid) => {
      let lines: number[] | undefined;
      return tableOf(grid, grid.name, (row) => (lines ??= elementLines(text, grid.path))[row] ?? 1);
    });
    return { tables, format: formatOf('json'), cells: undefined };
  }
}

const formatOf = (kind: 'json' | 'ndjson') => ({ kind, header: false, skippedLines: 0 });

function tableOf({ size, rowAt }: JsonGrid, name: string | undefined, lineOf: (row: number) => number): Table {
  const table = new Table([], name, lineOf);
  for (let row = 0; row < size; row++) pushObject(table, rowAt(row), row + 1);
  return table.finish();
}

export class NdjsonReader {
  readonly #fileName: string;
  readonly #table = new Table([]);
  readonly #series: { grid: JsonGrid; line: number }[] = [];
  #waiting: string[] = [];
  #size = 0;
  #line = 0;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  push(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#waiting.push(line);
      this.#take(this.#waiting.join(''));
      this.#waiting = [];
      this.#size = 0;
    }
    this.#waiting.push(last);
    this.#size += last.length;
    if (this.#size > LONGEST_JSON) throw tooLong(`${this.#fileName}, line ${this.#line + 1}`);
  }

  finish() {
    this.#take(this.#waiting.join(''));
    this.#waiting = [];
    const series = this.#series.map(({ grid, line }) => tableOf(grid, grid.name ?? `Line ${line}`, () => line));
    const tables = this.#table.rows > 0 ? [this.#table.finish(), ...series] : series;
    return { tables, format: formatOf('ndjson'), cells: undefined };
  }

  #take(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    const value = parseJson(text, this.#fileName, this.#line);
    const hasLists = isObject(value) && Object.values(value).some((each) => Array.isArray(each) && each.length > 0);
    if (hasLists && !isRowOfList(value)) {
      for (const grid of findGrids(value)) this.#series.push({ grid, line: this.#line });
      return;
    }
    if (!Array.isArray(value)) return pushObject(this.#table, isObject(value) ? value : { value }, this.#line);
    refuseColumns(value.length);
    const row = value.map((cell: unknown, index) => [`Column ${index + 1}`, cell] as const);
    pushObject(this.#table, Object.fromEntries(row), this.#line);
  }
}
