import { said } from '../phrase.ts';
import { elementLines, lineAt, scanJson, type JsonFault } from './scan.ts';
import type { JsonObject, JsonTable } from './shapes.ts';
import { findTables } from './tables.ts';
import { Table, refuseColumns } from '../columns/table.ts';
import { SeriesError } from '../types.ts';
import { isTooLong } from '../values/numbers.ts';

const faultError = (fileName: string, fault: JsonFault, line: number, column: number) =>
  new SeriesError(
    'broken-json',
    said`${fileName}, line ${line}: broken JSON. Expected ${fault.expected} and found ${fault.found}. Mend the line and try again.`,
    { line, column },
  );

/** What can be held as one text; more would be no text for the platform. */
export const LONGEST_JSON = 400_000_000;

/** The error for JSON that is longer than {@link LONGEST_JSON}. */
export const tooLong = (where: string) =>
  new SeriesError(
    'too-large',
    said`${where}: there are more than 400 million characters of JSON in one piece. Save the rows as CSV, or as JSON one to a line.`,
  );

/** What may be a whole number that is too long for a double. */
const LONG_NUMBER = /[[:,\s]-?[1-9]\d{15,}\s*[,\]}]/;

/** Long whole numbers stay the texts that they are: as numbers, different ids would become one. */
function exact(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined && isTooLong(source) ? source : value;
}

/** The value of a JSON text, whose whole numbers too long for a double are texts; a {@link SeriesError} says where it is broken. */
export function parseJson(text: string, fileName: string, firstLine = 1): unknown {
  try {
    return (LONG_NUMBER.test(text) ? JSON.parse(text, exact) : JSON.parse(text)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const scanned = scanJson(text);
  if ('value' in scanned) return scanned.value;
  const { line, column } = lineAt(text, scanned.fault.offset);
  throw faultError(fileName, scanned.fault, line + firstLine - 1, column);
}

/** Puts a JSON cell into a row: numbers as they are, texts as written, objects one level down under `a.b`. */
function addCell(row: Map<string, string | number>, key: string, value: unknown, depth: number): void {
  if (typeof value === 'number' || typeof value === 'string') row.set(key, value);
  else if (typeof value === 'boolean') row.set(key, String(value));
  else if (value === null || value === undefined) row.set(key, '');
  else if (!Array.isArray(value) && depth < 3) {
    for (const [inner, cell] of Object.entries(value))
      addCell(row, inner.startsWith('$') ? key : `${key}.${inner}`, cell, depth + 1);
  }
}

/** Adds an object as a row; keys that were not seen before become columns. `metadata` of points is not read. */
export function pushObject(table: Table, value: JsonObject, line: number): void {
  const row = new Map<string, string | number>();
  for (const [key, cell] of Object.entries(value)) if (key !== 'metadata') addCell(row, key, cell, 1);
  for (const key of row.keys()) if (!table.has(key)) table.addColumn(key);
  table.push(
    table.columns.map(({ name }) => row.get(name) ?? ''),
    line,
    row.size,
  );
}

function toTable(found: JsonTable, text: string): Table {
  let lines: number[] | undefined;
  const table = new Table([], found.name, (row) => (lines ??= elementLines(text, found.path))[row] ?? 1);
  let row = 0;
  for (const value of found.rows) pushObject(table, value, ++row);
  return table.finish();
}

/** The tables of a whole JSON text. */
export function readJson(text: string, fileName: string): Table[] {
  return findTables(parseJson(text, fileName)).map((found) => toTable(found, text));
}

/** Reads NDJSON line by line: rows as objects or arrays, or a whole series on each line. */
export class NdjsonReader {
  readonly #fileName: string;
  readonly #table = new Table([]);
  readonly #series: { table: JsonTable; line: number }[] = [];
  /** The parts of a line that has not ended yet, and how long they are. */
  #waiting: string[] = [];
  #size = 0;
  #line = 0;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  /** Takes more text; lines end in `\n`. */
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

  finish(): Table[] {
    this.#take(this.#waiting.join(''));
    this.#waiting = [];
    const series = this.#series.map(({ table: found, line }) => {
      const table = new Table([], found.name ?? `Line ${line}`, () => line);
      for (const row of found.rows) pushObject(table, row, line);
      return table.finish();
    });
    return this.#table.rows > 0 ? [this.#table.finish(), ...series] : series;
  }

  #take(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    const value = parseJson(text, this.#fileName, this.#line);
    if (typeof value !== 'object' || value === null) {
      pushObject(this.#table, { value }, this.#line);
    } else if (Array.isArray(value)) {
      refuseColumns(value.length);
      pushObject(
        this.#table,
        Object.fromEntries(value.map((cell, index) => [`Column ${index + 1}`, cell as unknown])),
        this.#line,
      );
    } else if (Object.values(value).some((each) => Array.isArray(each) && each.length > 0)) {
      for (const table of findTables(value)) this.#series.push({ table, line: this.#line });
    } else pushObject(this.#table, value as JsonObject, this.#line);
  }
}
