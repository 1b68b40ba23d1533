import { said, SeriesError } from '../types.ts';
import { elementLines, parseJson } from './parse.ts';
import { findGrids, isObject, isRowOfList, type JsonObject, withoutLists } from './grids.ts';
import { Table, refuseColumns } from '../columns/table.ts';

const LONGEST_JSON = 400_000_000;

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

/** Reads one value, or one on each line: of lines only columns of numbers are kept. */
export class JsonReader {
  readonly #fileName: string;
  readonly #kind: 'json' | 'ndjson';
  readonly #rows = new Table([]);
  readonly #tables: Table[] = [];
  #parts: string[] = [];
  #size = 0;
  #line = 1;

  constructor(fileName: string, kind: 'json' | 'ndjson') {
    this.#fileName = fileName;
    this.#kind = kind;
  }

  push(text: string): void {
    const lines = this.#kind === 'json' ? [text] : text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#next();
      this.#parts.push(line);
      this.#size += line.length;
    }
    if (this.#size <= LONGEST_JSON) return;
    const where = this.#kind === 'json' ? this.#fileName : `${this.#fileName}, line ${this.#line}`;
    const words = said`${where}: more than 400 million characters of JSON in one piece. Save the rows as CSV, or as JSON with one object per line.`;
    throw new SeriesError('too-large', words);
  }

  finish() {
    this.#next();
    const tables = this.#rows.rows > 0 ? [this.#rows.finish(), ...this.#tables] : this.#tables;
    return { tables, format: { kind: this.#kind, header: false, skippedLines: 0 }, cells: undefined };
  }

  #next(): void {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#size = 0;
    if (this.#kind === 'json') this.#takeGrids(parseJson(text, this.#fileName), text);
    else if (text.trim() !== '') this.#takeLine(parseJson(text, this.#fileName, this.#line));
    this.#line++;
  }

  #takeLine(value: unknown): void {
    if (Array.isArray(value)) {
      refuseColumns(value.length);
      const row = value.map((cell: unknown, index) => [`Column ${index + 1}`, cell] as const);
      pushObject(this.#rows, Object.fromEntries(row), this.#line);
    } else if (!isObject(value)) pushObject(this.#rows, { value }, this.#line);
    else if (Object.values(value).some((each) => Array.isArray(each) && each.length > 0) && !isRowOfList(value))
      this.#takeGrids(value);
    else pushObject(this.#rows, value, this.#line);
  }

  /** @param text of a whole document, where rows are on lines of their own */
  #takeGrids(value: unknown, text?: string): void {
    const line = this.#line;
    for (const { name, path, size, rowAt } of findGrids(value)) {
      let lines: number[] | undefined;
      const lineOf = (row: number) => (text === undefined ? line : ((lines ??= elementLines(text, path))[row] ?? 1));
      const table = new Table([], name ?? (text === undefined ? `Line ${line}` : undefined), lineOf);
      for (let row = 0; row < size; row++) pushObject(table, rowAt(row), row + 1);
      this.#tables.push(table.finish());
    }
  }
}
