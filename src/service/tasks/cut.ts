/** Cuts the text of a body into pieces that are parsed one after the other, so that no body is parsed as a whole. */
import { failure, type Failure } from '../../contract/failures.ts';
import { RequestError } from '../errors.ts';

/** A field on the way to the points, from outside, and what it holds: an object, a list of objects, or the points. */
export interface Step {
  readonly field: string;
  readonly holds: 'object' | 'elements' | 'points';
}

/**
 * Some points, without the commas around them; what else stands in an element of the list on the way, whose points were
 * pieces before it; and at the end what else stands in the body. Either has `[]` in the place of what was cut out of it.
 */
export interface Piece {
  readonly kind: 'points' | 'element' | 'rest';
  readonly blocks: readonly Uint8Array[];
}

/** Arrays and objects within each other. */
export const MOST_LEVELS = 64;

/** Points are cut into pieces of about so many bytes: a few thousandths of a second each. */
const TOGETHER = 65_536;

const MEGABYTE = 1024 * 1024;
const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = new TextEncoder().encode(
  '"\\:,[]{}',
);
const LONGEST_FIELD = 20;

interface Part {
  blocks: Uint8Array[];
  size: number;
}

/** A step whose array or object is open. */
interface Open {
  readonly step: Step;
  readonly depth: number;
  /** Where the bytes go again that come after it. */
  readonly outer: Part;
  /** Whether the next step was met in it, or in its element. */
  isDone: boolean;
}

/**
 * @param way to the points; empty where there are none
 * @param most bytes that a point, an element and the rest may have, each
 * @throws RequestError 413, and 422 for what has too many levels or the same field twice
 */
export function* cut(
  blocks: Iterable<Uint8Array>,
  way: readonly Step[],
  most: number,
  what = 'body',
): Generator<Piece> {
  const cutter = new Cutter(way, most, what);
  for (const bytes of blocks) yield* cutter.push(bytes);
  yield cutter.rest();
}

/** Walks over the bytes once, and knows no more of them than how deep it is and whether it is within a text. */
class Cutter {
  readonly #way: readonly Step[];
  readonly #most: number;
  readonly #what: string;
  readonly #rest: Part = { blocks: [], size: 0 };
  readonly #open: Open[] = [];
  readonly #ready: Piece[] = [];
  #part: Part = this.#rest;
  #isFirstDone = false;
  #depth = 0;
  /** The block at hand, and from where on it is not in a part yet. */
  #bytes: Uint8Array = new Uint8Array();
  #from = 0;
  #isText = false;
  #isEscaped = false;
  /** The last text at the depth of the field that is looked for, and whether its value is to come. */
  #name = '';
  #isName = false;
  #isNamed = false;

  constructor(way: readonly Step[], most: number, what: string) {
    this.#way = way;
    this.#most = most;
    this.#what = what;
  }

  /** @returns the pieces that end in these bytes */
  push(bytes: Uint8Array): Piece[] {
    [this.#bytes, this.#from] = [bytes, 0];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#isText) this.#inText(byte);
      else if (byte === QUOTE) this.#beginText();
      else if (byte === COLON || byte === COMMA) this.#between(byte, at);
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#begin(byte, at);
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#end(at);
    }
    this.#add(bytes.subarray(this.#from));
    return this.#ready.splice(0);
  }

  rest(): Piece {
    this.#part = this.#rest;
    return this.#taken('rest');
  }

  /** The step whose field may stand here. */
  #next(): Step | undefined {
    const within = this.#open.at(-1);
    const depth = within ? within.depth + (within.step.holds === 'elements' ? 1 : 0) : 1;
    return this.#depth === depth ? this.#way[this.#open.length] : undefined;
  }

  #beginText(): void {
    this.#isText = true;
    this.#isName = this.#next() !== undefined;
    this.#name = '';
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isText = false;
    if (this.#isText && this.#isName && this.#name.length < LONGEST_FIELD) this.#name += String.fromCharCode(byte);
  }

  #between(byte: number, at: number): void {
    const next = this.#next();
    if (next) this.#isNamed = byte === COLON && this.#name === next.field;
    const within = this.#open.at(-1);
    if (byte === COLON || !within || this.#depth !== within.depth || within.step.holds === 'object') return;
    if (within.step.holds === 'points' && this.#part.size + at - this.#from < TOGETHER) return;
    this.#add(this.#bytes.subarray(this.#from, at));
    this.#from = at + 1;
    this.#ready.push(this.#taken(within.step.holds === 'points' ? 'points' : 'element'));
    within.isDone = false;
  }

  #begin(byte: number, at: number): void {
    const next = this.#next();
    if (++this.#depth > MOST_LEVELS) throw fault(failure('body_too_deep', this.#what, MOST_LEVELS));
    if (!next || !this.#isNamed || (next.holds === 'object') !== (byte === OPEN_OBJECT)) return;
    const within = this.#open.at(-1);
    if (within ? within.isDone : this.#isFirstDone) throw fault(failure('field_twice', this.#what, next.field));
    if (within) within.isDone = true;
    else this.#isFirstDone = true;
    this.#isNamed = false;
    this.#open.push({ step: next, depth: this.#depth, outer: this.#part, isDone: false });
    if (next.holds === 'object') return;
    this.#part.size += at + 1 - this.#from;
    this.#part.blocks.push(this.#bytes.subarray(this.#from, at + 1));
    this.#from = at + 1;
    this.#part = { blocks: [], size: 0 };
  }

  #end(at: number): void {
    const within = this.#open.at(-1);
    if (this.#depth === within?.depth) {
      if (within.step.holds !== 'object') {
        this.#add(this.#bytes.subarray(this.#from, at));
        this.#from = at;
        this.#ready.push(this.#taken(within.step.holds === 'points' ? 'points' : 'element'));
        this.#part = within.outer;
      }
      this.#open.pop();
    }
    this.#depth--;
  }

  #add(bytes: Uint8Array): void {
    const part = this.#part;
    if (bytes.length > 0) part.blocks.push(bytes);
    part.size += bytes.length;
    const most = this.#most + (this.#open.at(-1)?.step.holds === 'points' ? TOGETHER : 0);
    if (part.size <= most) return;
    throw new RequestError(413, failure('besides_too_large', this.#what, Math.floor(this.#most / MEGABYTE)));
  }

  #taken(kind: Piece['kind']): Piece {
    const { blocks } = this.#part;
    [this.#part.blocks, this.#part.size] = [[], 0];
    return { kind, blocks };
  }
}

const fault = (why: Failure) => RequestError.field(['body'], why);
