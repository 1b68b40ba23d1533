/**
 * Points as the store has them: JSON, or compressed where they are long. SQLite writes a row in one statement, during
 * which nothing else is answered: 1,000,000 points are 58 MB of JSON and about a tenth of that compressed.
 */
import { fromBase64, gunzip, gunzipParts, gzip, toBase64 } from '#platform/bytes';
import { createHash, type Hash } from '#platform/hash';
import { DamagedRowError } from '../database/list.ts';

/** More letters are compressed. */
const LONG = 1_000_000;

/** Letters of a series that can be read without the others: the points of most, and the ends of very long ones. */
export const END_LETTERS = 60_000;

/** What is compressed at a time: a part of gzip's own format, any number of which follow each other. */
const PART = 4_000_000;

/** Stands in no JSON that this program writes. */
const BETWEEN = '\n';

/** Bytes that are decompressed before others get their turn. */
const AT_ONCE = 1_000_000;

/** Long points: their first letters, the digest of all, all compressed, and their last letters. Done in a thread. */
export function packed(json: string): string {
  if (json.length <= LONG) return json;
  const hash = createHash('sha256');
  const compressed = gzip(partsOf(json, hash));
  const ends = [json.slice(0, END_LETTERS), json.slice(-END_LETTERS)];
  return [ends[0], hash.digest('base64'), toBase64(compressed), ends[1]].join(BETWEEN);
}

/** @param hash gets all of them */
function* partsOf(json: string, hash: Hash): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let from = 0, to = PART; from < json.length; from = to, to += PART) {
    // the second half of a character stays with its first
    if (/[\uDC00-\uDFFF]/.test(json[to] ?? '')) to++;
    const part = encoder.encode(json.slice(from, to));
    hash.update(part);
    yield part;
  }
}

export const isPacked = (stored: string): boolean => stored[END_LETTERS] === BETWEEN;

/** What of packed points is compressed; absent where nothing is. */
function compressedOf(stored: string): Uint8Array | undefined {
  if (!isPacked(stored)) return undefined;
  const from = stored.indexOf(BETWEEN, END_LETTERS + 1) + 1;
  return fromBase64(stored.slice(from, -END_LETTERS - 1));
}

/** The JSON of stored points, in a thread. @throws DamagedRowError */
export function unpacked(stored: string): string {
  const compressed = compressedOf(stored);
  if (!compressed) return stored;
  try {
    return new TextDecoder().decode(gunzip(compressed));
  } catch (cause) {
    throw new DamagedRowError(cause);
  }
}

/** Tells points apart: equal for the same points, whichever way they were compressed. */
export const identityOf = (stored: string): string =>
  isPacked(stored) ? stored.slice(END_LETTERS, stored.indexOf(BETWEEN, END_LETTERS + 1)) : stored;

/** Points as they are stored, to be put into an answer as they are: a million of them are not read and written again. */
export class StoredPoints {
  /** For a task in a thread, which unpacks them. */
  readonly stored: string;

  constructor(stored: string) {
    this.stored = stored;
  }

  /** They stand in an answer or in its items; deeper nobody would put them in. @throws TypeError */
  toJSON(): never {
    throw new TypeError('Stored points stand deeper in an answer than they are looked for.');
  }

  /**
   * Their JSON, as parts that follow each other. Others get their turn while it is decompressed: not to be waited for in a
   * transaction.
   * @throws DamagedRowError
   */
  async json(): Promise<readonly (string | Uint8Array<ArrayBuffer>)[]> {
    const compressed = compressedOf(this.stored);
    if (!compressed) return [this.stored];
    const parts: Uint8Array<ArrayBuffer>[] = [];
    try {
      for await (const part of gunzipParts(compressed, AT_ONCE)) parts.push(part);
    } catch (cause) {
      throw new DamagedRowError(cause);
    }
    return parts;
  }

  /** As {@link json}, in one piece. */
  async text(): Promise<string> {
    const parts = await this.json();
    return parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob([...parts]).text();
  }
}
