import { said, type Phrase, SeriesError } from '../types.ts';
import { isTooLong } from '../values/numbers.ts';

export type Path = readonly (string | number)[];

export class Fault extends Error {
  /** In characters, from 0. */
  readonly offset: number;
  readonly expected: Phrase;
  readonly found: Phrase;

  constructor(text: string, offset: number, expected: Phrase) {
    super(expected.message);
    const rest = text.slice(offset, offset + 12);
    const word = rest.split(/[\s,\]}]/, 1)[0] || rest[0];
    const end = word === undefined ? said`the end of the text` : said`“${word}”`;
    this.offset = offset;
    this.expected = expected;
    this.found = rest.startsWith('\n') ? said`the end of the line` : end;
  }
}

const DEEPEST = 256;
const SPACE = /[ \t\n\r]*/y;
const STRING = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y;
const SCALAR = /-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|nan|Infinity)|true|false|null|None/y;
const STRING_OR_WORD = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\b(?:NaN|nan|None|Infinity)\b/g;

class Walk {
  readonly #text: string;
  #at = 0;
  readonly places: number[] = [];
  readonly fault: Fault | undefined;

  constructor(text: string, path?: Path) {
    this.#text = text;
    try {
      this.#match(SPACE);
      this.#value(path, 0);
      this.#match(SPACE);
      if (this.#at < text.length) this.#fail(said`the end of the text`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault = error;
    }
  }

  #fail(expected: Phrase): never {
    throw new Fault(this.#text, this.#at, expected);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #value(path: Path | undefined, depth: number): void {
    if (depth > DEEPEST) this.#fail(said`less nesting`);
    const open = this.#text[this.#at];
    if (open === '"') this.#string(said`a value`);
    else if (open !== '[' && open !== '{') {
      if (this.#match(SCALAR) === undefined) this.#fail(said`a value`);
    } else this.#list(open === '[' ? ']' : '}', path, depth);
  }

  #list(close: ']' | '}', path: Path | undefined, depth: number): void {
    this.#at++;
    this.#match(SPACE);
    for (let index = 0; index > 0 || this.#text[this.#at] !== close; index++) {
      if (path?.length === 0) this.places.push(this.#at);
      const step = close === ']' ? index : this.#key();
      this.#value(path?.[0] === step ? path.slice(1) : undefined, depth + 1);
      this.#match(SPACE);
      if (this.#text[this.#at] === close) break;
      if (this.#text[this.#at] !== ',') this.#fail(said`“,” or “${close}”`);
      this.#at++;
      this.#match(SPACE);
    }
    this.#at++;
  }

  #key(): string {
    const key = this.#string(said`a name in quotation marks`);
    this.#match(SPACE);
    if (this.#text[this.#at] !== ':') this.#fail(said`“:”`);
    this.#at++;
    this.#match(SPACE);
    return key;
  }

  #string(expected: Phrase): string {
    if (this.#text[this.#at] !== '"') this.#fail(expected);
    const start = this.#at;
    try {
      return JSON.parse(this.#match(STRING) ?? '') as string;
    } catch {
      this.#at = start;
      return this.#fail(said`a string that is closed on its line`);
    }
  }
}

const LONG_NUMBER = /(?<![\d.])[1-9]\d{15}/;

/** Long whole numbers stay the texts that they are: as numbers, different ids would become one. */
const exact = (_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && source !== undefined && isTooLong(source) ? source : value;

function valueOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: LONG_NUMBER.test(text) ? JSON.parse(text, exact) : JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function parseJson(text: string, fileName: string, firstLine = 1): unknown {
  const plain = valueOf(text);
  if (plain) return plain.value;
  const standard = text.replace(STRING_OR_WORD, (token) =>
    token.startsWith('"') ? token : token.endsWith('Infinity') ? token.replace('Infinity', '1e999') : 'null',
  );
  const loose = valueOf(standard);
  if (loose) return loose.value;
  const fault = faultOf(text) ?? new Fault(text, text.length, said`a value`);
  const at = lineAt(text, fault.offset);
  const line = at.line + firstLine - 1;
  const words = said`${fileName}, line ${line}: invalid JSON. Expected ${fault.expected}, found ${fault.found}. Fix the line and try again.`;
  throw new SeriesError('broken-json', words, { line, column: at.column });
}

export const faultOf = (text: string): Fault | undefined => new Walk(text).fault;

export function lineAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** Lines of the elements (or members) of the array (or object) at a path into a JSON text that {@link parseJson} reads. */
export function elementLines(text: string, path: Path): number[] {
  let [line, counted] = [1, 0];
  return new Walk(text, path).places.map((place) => {
    for (; counted < place; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  });
}
