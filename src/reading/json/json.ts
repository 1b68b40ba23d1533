import { said, type Phrase } from '../phrase.ts';
import { SeriesError } from '../types.ts';
import { type Path, findGrids, isObject, isRowOfList, type JsonObject, rowOf, withoutLists } from './grids.ts';
import { Table } from '../columns/table.ts';
import { isTooLong, withHalfWidth } from '../values/numbers.ts';

const LONGEST_JSON = 400_000_000;

function addCell(row: Map<string, string | number>, key: string, value: unknown, depth: number): void {
  if (typeof value === 'number') row.set(key, value);
  else if (typeof value === 'string') row.set(key, withHalfWidth(value));
  else if (typeof value !== 'object' || value === null)
    row.set(key, String((value as boolean | null | undefined) ?? ''));
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
    const hasLists = isObject(value) && Object.values(value).some((each) => Array.isArray(each) && each.length > 0);
    if (hasLists && !isRowOfList(value)) this.#takeGrids(value);
    else pushObject(this.#rows, rowOf(value), this.#line);
  }

  /** @param text of a whole document, where rows are on lines of their own */
  #takeGrids(value: unknown, text?: string): void {
    const line = this.#line;
    for (const { name, path, size, isHeaded, rowAt } of findGrids(value)) {
      const first = isHeaded ? 1 : 0;
      let lines: number[] | undefined;
      const lineOf = (row: number) =>
        text === undefined ? line : ((lines ??= elementLines(text, path))[row + first] ?? 1);
      const table = new Table([], name ?? (text === undefined ? `Line ${line}` : undefined), lineOf);
      for (let row = 0; row < size; row++) pushObject(table, rowAt(row), row + 1);
      this.#tables.push(table.finish());
    }
  }
}

const DEEPEST = 256; // levels
const SPACE = /[ \t\n\r]*/y;
const COLON = /:/y;
const STRING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;
const SCALAR = /-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|nan|None|Infinity)|true|false|null/y;
const STRING_OR_WORD = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\b(?:NaN|nan|None|Infinity)\b/g;

type Refuse = (offset: number, expected: Phrase) => never;

const refusing =
  (text: string, fileName: string, firstLine = 1): Refuse =>
  (offset, expected) => {
    const before = text.slice(0, offset).split('\n');
    const line = before.length + firstLine - 1;
    const rest = text.slice(offset, offset + 12);
    const word = rest.split(/[\s,\]}]/, 1)[0] || rest[0];
    const end = word === undefined ? said`the end of the text` : said`“${word}”`;
    const found = rest.startsWith('\n') ? said`the end of the line` : end;
    const words = said`${fileName}, line ${line}: invalid JSON. Expected ${expected}, found ${found}. Fix the line and try again.`;
    throw new SeriesError('broken-json', words, { line, column: before.at(-1)!.length + 1 });
  };

/** Notes where the elements (or members) at a path begin in a text that may be no JSON. @param refuse the first fault */
function walk(text: string, refuse: Refuse, path?: Path, places: number[] = []): void {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const takeString = (): string | undefined => {
    const start = at;
    const found = jsonOf(take(STRING));
    if (!found) at = start;
    return found && String(found.value);
  };
  const refuseWord = (expected: Phrase) =>
    refuse(at, text[at] === '"' ? said`a string that is closed on its line` : expected);
  const takeName = (): string => {
    const name = takeString() ?? refuseWord(said`a name in quotation marks`);
    take(SPACE);
    if (take(COLON) === '') refuse(at, said`“:”`);
    return name;
  };
  const takeValue = (own: Path | undefined, depth: number): void => {
    take(SPACE);
    const close = text[at] === '[' ? ']' : text[at] === '{' ? '}' : undefined;
    if (!close) {
      if (takeString() === undefined && take(SCALAR) === '') refuseWord(said`a value`);
    } else if (depth > DEEPEST) refuse(at, said`less nesting`);
    else {
      at++;
      take(SPACE);
      for (let next = 0; text[at] !== close; next++) {
        if (next > 0 && text[at] !== ',') refuse(at, said`“,” or “${close}”`);
        if (next > 0) at++;
        take(SPACE);
        if (own?.length === 0) places.push(at);
        const step = close === ']' ? next : takeName();
        takeValue(own?.[0] === step ? own.slice(1) : undefined, depth + 1);
      }
      at++;
    }
    take(SPACE);
  };
  takeValue(path, 0);
  if (at < text.length) refuse(at, said`the end of the text`);
}

const LONG_NUMBER = /(?<![\d.])[1-9]\d{15}/;

/** Long whole numbers stay the texts that they are: as numbers, different ids would become one. */
const exact = (_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && source !== undefined && isTooLong(source) ? source : value;

export function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: LONG_NUMBER.test(text) ? JSON.parse(text, exact) : JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function parseJson(text: string, fileName: string, firstLine = 1): unknown {
  const plain = jsonOf(text);
  if (plain) return plain.value;
  const standard = text.replace(STRING_OR_WORD, (token) =>
    token.startsWith('"') ? token : token.endsWith('Infinity') ? token.replace('Infinity', '1e999') : 'null',
  );
  const loose = jsonOf(standard);
  if (loose) return loose.value;
  const refuse = refusing(text, fileName, firstLine);
  walk(text, refuse);
  return refuse(text.length, said`a value`);
}

/** Lines of the elements (or members) of the array (or object) at a path into a JSON text that {@link parseJson} reads. */
export function elementLines(text: string, path: Path): number[] {
  const places: number[] = [];
  let [line, counted] = [1, 0];
  try {
    walk(text, refusing(text, ''), path, places);
  } catch {
    // a text that is read may nest deeper than the walk goes: what begins before that has its line
  }
  return places.map((place) => {
    for (; counted < place; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  });
}
