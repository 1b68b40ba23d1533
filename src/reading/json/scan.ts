import { said, type Phrase } from '../phrase.ts';
import { isTooLong } from '../values/numbers.ts';

export type Path = readonly (string | number)[];

/** Where a JSON text is broken: what could have stood there, and what does. Offsets count characters from 0. */
interface JsonFault {
  readonly offset: number;
  readonly expected: Phrase;
  readonly found: Phrase;
}

class Fault extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.expected.message);
    this.fault = fault;
  }
}

const DEEPEST = 256;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /-?[A-Za-z]+/y;
const WORDS: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  NaN: null,
  nan: null,
  Infinity: Infinity,
  '-Infinity': -Infinity,
  None: null,
};

/** A reader of JSON that knows where it is; it also takes the `NaN` and `Infinity` that Python and R write. */
class Scanner {
  readonly text: string;
  offset = 0;
  /** Where the elements (or members) at the path begin that a value was read along. */
  readonly places: number[] = [];

  constructor(text: string) {
    this.text = text;
  }

  fail(expected: Phrase): never {
    const rest = this.text.slice(this.offset, this.offset + 12).split(/[\s,\]}]/)[0];
    const char = this.text[this.offset];
    const found =
      char === undefined ? said`the end of the text` : said`“${rest === '' || rest === undefined ? char : rest}”`;
    throw new Fault({ offset: this.offset, expected, found: char === '\n' ? said`the end of the line` : found });
  }

  space(): void {
    SPACE.lastIndex = this.offset;
    SPACE.test(this.text);
    this.offset = SPACE.lastIndex;
  }

  /** The text that a sticky pattern matches here, which is then behind. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  string(expected: Phrase): string {
    if (this.text[this.offset] !== '"') this.fail(expected);
    let end = this.text.indexOf('"', this.offset + 1);
    while (end >= 0 && this.#isEscaped(end)) end = this.text.indexOf('"', end + 1);
    try {
      if (end >= 0) {
        const value = JSON.parse(this.text.slice(this.offset, end + 1)) as string;
        this.offset = end + 1;
        return value;
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return this.fail(said`a string that is closed on its line`);
  }

  /** Whether an odd number of backslashes precedes a character. */
  #isEscaped(at: number): boolean {
    let slashes = 0;
    while (this.text[at - 1 - slashes] === '\\') slashes++;
    return slashes % 2 === 1;
  }

  /** Members or elements up to the closing sign; `each` reads one and is given its number. */
  list(close: ']' | '}', each: (index: number) => void): void {
    this.offset++;
    this.space();
    if (this.text[this.offset] === close) {
      this.offset++;
      return;
    }
    for (let index = 0; ; index++) {
      each(index);
      this.space();
      const next = this.text[this.offset];
      if (next !== ',' && next !== close) this.fail(said`“,” or “${close}”`);
      this.offset++;
      if (next === close) return;
      this.space();
    }
  }

  key(): string {
    const key = this.string(said`a name in quotation marks`);
    this.space();
    if (this.text[this.offset] !== ':') this.fail(said`“:”`);
    this.offset++;
    this.space();
    return key;
  }

  /** @param path of the array or object in this value whose elements are marked; what leads there is not kept */
  value(path?: Path, depth = 0): unknown {
    if (depth > DEEPEST) this.fail(said`less nesting`);
    const char = this.text[this.offset];
    const [step, ...rest] = path ?? [];
    const within = (at: string | number) => this.value(path && step === at ? rest : undefined, depth + 1);
    const mark = () => {
      if (path && step === undefined) this.places.push(this.offset);
    };
    if (char === '[') {
      const items: unknown[] = [];
      this.list(']', (index) => {
        mark();
        const item = within(index);
        if (!path) items.push(item);
      });
      return items;
    }
    if (char === '{') {
      const members: [string, unknown][] = [];
      this.list('}', () => {
        mark();
        const key = this.key();
        const member = within(key);
        if (!path) members.push([key, member]);
      });
      return Object.fromEntries(members);
    }
    if (char === '"') return this.string(said`a value`);
    const start = this.offset;
    const number = this.match(NUMBER);
    if (number !== undefined) return isTooLong(number) ? number : Number(number);
    const word = this.match(WORD);
    if (word !== undefined && Object.hasOwn(WORDS, word)) return WORDS[word];
    this.offset = start;
    return this.fail(said`a value`);
  }
}

/** The value of a JSON text, or where it is broken. */
export function scanJson(text: string): { value: unknown } | { fault: JsonFault } {
  const scanner = new Scanner(text);
  try {
    scanner.space();
    const value = scanner.value();
    scanner.space();
    if (scanner.offset < text.length) scanner.fail(said`the end of the text`);
    return { value };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault };
    throw error;
  }
}

/** Line, from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

/**
 * Lines of the elements (or members) of the array (or object) at a path into a JSON text. The text must be one that
 * {@link scanJson} reads.
 */
export function elementLines(text: string, path: Path): number[] {
  const scanner = new Scanner(text);
  scanner.space();
  scanner.value(path);
  let [line, counted] = [1, 0];
  return scanner.places.map((place) => {
    for (; counted < place; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  });
}
