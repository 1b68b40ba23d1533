/** Cuts the text of a body into pieces that are parsed one after the other, so that no body is parsed as a whole. */
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
const [QUOTE, BACKSLASH, COLON, COMMA] = Buffer.from('"\\:,');
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('[]{}');
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
  const rest: Part = { blocks: [], size: 0 };
  const open: Open[] = [];
  let isFirstDone = false;
  let part = rest;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** The last text at the depth of the field that is looked for, and whether its value is to come. */
  let name = '';
  let isNamed = false;
  const tooMuch = () =>
    new RequestError(
      413,
      `The ${what} has more than ${Math.floor(most / MEGABYTE)} MB besides the points of its series, or in one point. Send less.`,
    );
  const add = (bytes: Uint8Array) => {
    if (bytes.length > 0) part.blocks.push(bytes);
    part.size += bytes.length;
    if (part.size > most + (open.at(-1)?.step.holds === 'points' ? TOGETHER : 0)) throw tooMuch();
  };
  const taken = (kind: Piece['kind']): Piece => {
    const { blocks } = part;
    [part.blocks, part.size] = [[], 0];
    return { kind, blocks };
  };
  for (const bytes of blocks) {
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      const within = open.at(-1);
      const next = way[open.length] as Step | undefined;
      const isLooked = next !== undefined && depth === (within ? within.depth + (within.step.holds === 'elements' ? 1 : 0) : 1); // prettier-ignore
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        if (isText && isLooked && name.length < LONGEST_FIELD) name += String.fromCharCode(byte);
        continue;
      }
      switch (byte) {
        case QUOTE:
          isText = true;
          name = '';
          break;
        case COLON:
          if (isLooked) isNamed = name === next.field;
          break;
        case COMMA:
          if (isLooked) isNamed = false;
          if (!within || depth !== within.depth || within.step.holds === 'object') break;
          if (within.step.holds === 'points' && part.size + at - from < TOGETHER) break;
          add(bytes.subarray(from, at));
          from = at + 1;
          yield taken(within.step.holds === 'points' ? 'points' : 'element');
          within.isDone = false;
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT: {
          if (++depth > MOST_LEVELS) {
            throw fault(`The ${what} has more than ${MOST_LEVELS} arrays and objects within each other.`);
          }
          if (!isLooked || !isNamed || (next.holds === 'object') !== (byte === OPEN_OBJECT)) break;
          if (within ? within.isDone : isFirstDone) throw fault(`The ${what} has “${next.field}” twice.`);
          if (within) within.isDone = true;
          else isFirstDone = true;
          isNamed = false;
          open.push({ step: next, depth, outer: part, isDone: false });
          if (next.holds === 'object') break;
          part.size += at + 1 - from;
          part.blocks.push(bytes.subarray(from, at + 1));
          from = at + 1;
          part = { blocks: [], size: 0 };
          break;
        }
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          if (depth === within?.depth) {
            if (within.step.holds !== 'object') {
              add(bytes.subarray(from, at));
              from = at;
              yield taken(within.step.holds === 'points' ? 'points' : 'element');
              part = within.outer;
            }
            open.pop();
          }
          depth--;
      }
    }
    add(bytes.subarray(from));
  }
  part = rest;
  yield taken('rest');
}

const fault = (msg: string) => new RequestError(422, [{ loc: ['body'], msg, type: 'json_invalid' }]);
