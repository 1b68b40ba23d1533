/** The least and the deepest that no answer of the interface needs: what is beyond is read no further. */
const MOST_VALUES = 3_000_000;
const DEEPEST = 64;

/** What an answer has more of than can be read. */
export class TooMuch extends Error {}

const [QUOTE, ESCAPE, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];
/** 1 for each byte that means something outside of a text: most do not, and all are looked at. */
const SIGNS = new Uint8Array(256);
for (const sign of [QUOTE, COMMA, COLON, ...OPENING, ...CLOSING]) SIGNS[sign] = 1;
const NULL = new TextEncoder().encode('null');

/**
 * Takes JSON as it comes, in pieces, and keeps of it all but the values of certain fields, which become `null`: what nobody
 * needs takes no memory. It counts values and depth, and parses nothing.
 * @throws TooMuch
 */
export class Sieve {
  readonly #dropped: ReadonlySet<string>;
  readonly #most: number;
  readonly #kept: Uint8Array[] = [];
  #size = 0;
  #values = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  /** Bytes of the text that is read or was read last, where it may be the name of a field that is dropped. */
  #name: number[] = [];
  /** How deep the value lies that is dropped. */
  #dropping: number | undefined;

  /** @param dropped names of fields @param most bytes that are kept */
  constructor(dropped: readonly string[], most: number) {
    this.#dropped = new Set(dropped);
    this.#most = most;
  }

  push(piece: Uint8Array): void {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (this.#isText) {
        this.#inText(byte);
        continue;
      }
      if (SIGNS[byte] === 0) continue;
      if (byte === QUOTE) {
        this.#isText = true;
        this.#name = [];
      } else if (OPENING.includes(byte)) this.#open();
      else if (byte === COMMA || CLOSING.includes(byte)) {
        if (this.#dropping === this.#depth) {
          this.#dropping = undefined;
          from = at;
        }
        if (byte === COMMA) this.#count();
        else this.#depth--;
      } else if (byte === COLON && this.#dropping === undefined && this.#isDropped()) {
        this.#keep(piece.slice(from, at + 1));
        this.#keep(NULL);
        this.#dropping = this.#depth;
      }
    }
    if (this.#dropping === undefined) this.#keep(from === 0 ? piece : piece.slice(from));
  }

  /** The text of what was kept. */
  end(): string {
    const decoder = new TextDecoder();
    return this.#kept.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === ESCAPE) this.#isEscaped = true;
    else if (byte === QUOTE) {
      this.#isText = false;
      return;
    }
    if (this.#dropped.size > 0 && this.#name.length < 32) this.#name.push(byte);
  }

  #isDropped(): boolean {
    return this.#dropped.size > 0 && this.#dropped.has(String.fromCharCode(...this.#name));
  }

  #open(): void {
    if (++this.#depth > DEEPEST) throw new TooMuch();
    this.#count();
  }

  #count(): void {
    if (this.#dropping === undefined && ++this.#values > MOST_VALUES) throw new TooMuch();
  }

  #keep(part: Uint8Array): void {
    this.#size += part.byteLength;
    if (this.#size > this.#most) throw new TooMuch();
    this.#kept.push(part);
  }
}
