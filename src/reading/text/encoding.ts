import { said, type Phrase } from '../phrase.ts';
import { SeriesError, type Encoding } from '../types.ts';
import { legacyEncoding } from './legacy.ts';

/** First bytes of files that people mistake for text, and what to do about them. */
const SIGNATURES: readonly { bytes: readonly number[]; what: Phrase }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: said`a workbook or zip archive. Save the sheet as CSV first` },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: said`an old Excel workbook. Save the sheet as CSV first` },
  { bytes: [0x50, 0x41, 0x52, 0x31], what: said`a Parquet file. Export it as CSV first` },
  { bytes: [0x1f, 0x8b], what: said`compressed. Unpack it first` },
];

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** The encoding of a document by its first bytes; a UTF-8 guess is checked while it is decoded. */
export function sniffEncoding(bytes: Uint8Array): Encoding {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  const size = Math.min(bytes.length, 4096) & ~1;
  const zeros = [0, 0];
  for (let i = 0; i < size; i++) if (bytes[i] === 0) zeros[i & 1]!++;
  // Without a mark: text of mostly Latin letters and digits has a zero in every other byte.
  if (zeros[1]! > size / 4 && zeros[0]! < size / 20) return 'utf-16le';
  if (zeros[0]! > size / 4 && zeros[1]! < size / 20) return 'utf-16be';
  return 'utf-8';
}

/** How many bytes at the end begin a UTF-8 sequence that is not complete yet. */
function openBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

/**
 * Turns a document's bytes into text, chunk by chunk: UTF-8 and UTF-16 with or without a byte order mark; bytes that are
 * not UTF-8 in the encoding that makes words of them. Throws {@link SeriesError} for files that are no text.
 */
export class Decoder {
  encoding: Encoding = 'utf-8';
  readonly #fileName: string;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #open = new Uint8Array(0);
  #sawUtf8 = false;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  push(bytes: Uint8Array): string {
    this.#decoder ??= this.#start(bytes);
    if (this.encoding !== 'utf-8') return this.#decode(bytes, true);
    if (bytes.includes(0)) this.#refuse(said`no text: it has zero bytes. Choose a CSV or JSON file`);
    const all = this.#open.length ? Uint8Array.from([...this.#open, ...bytes]) : bytes;
    const open = openBytes(all);
    this.#open = all.slice(all.length - open);
    const text = this.#utf8(all.subarray(0, all.length - open), all);
    // what begins a letter of UTF-8 is a letter of another encoding
    return this.encoding === 'utf-8' ? text : text + this.#decode(this.#open, true);
  }

  finish(): string {
    const open = this.#open;
    this.#open = new Uint8Array(0);
    if (this.encoding === 'utf-8') return open.length > 0 ? this.#utf8(open, open, true) : '';
    return this.#decode();
  }

  #start(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
    for (const { bytes: signature, what } of SIGNATURES) if (startsWith(bytes, signature)) this.#refuse(what);
    this.encoding = sniffEncoding(bytes);
    return new TextDecoder(this.encoding, { fatal: this.encoding === 'utf-8' });
  }

  /**
   * @param known these, and the bytes after them that are no whole letter yet
   * @param last nothing comes after these, which may then be a letter that is not whole
   */
  #utf8(bytes: Uint8Array, known: Uint8Array, last = false): string {
    try {
      const text = this.#decoder?.decode(bytes, { stream: !last }) ?? '';
      this.#sawUtf8 ||= text.length < bytes.length;
      return text;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    // Where UTF-8 was seen before, a few bytes are damaged; where only ASCII was, the document is of one byte a letter.
    if (!this.#sawUtf8) this.encoding = legacyEncoding(known);
    this.#decoder = new TextDecoder(this.encoding);
    if (this.encoding === 'utf-8') this.#sawUtf8 = !isAscii(bytes);
    return this.#decode(bytes, !last);
  }

  #decode(bytes?: Uint8Array, stream = false): string {
    const text = this.#decoder?.decode(bytes, { stream }) ?? '';
    // where Japan has its yen, everyone else has a backslash
    return this.encoding === 'shift_jis' ? text.replaceAll('\\', '¥') : text;
  }

  #refuse(what: Phrase): never {
    throw new SeriesError('binary', said`${this.#fileName} is ${what}.`);
  }
}
