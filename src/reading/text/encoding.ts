import { said, type Phrase } from '../phrase.ts';
import { SeriesError, type Encoding } from '../types.ts';

const SIGNATURES: readonly { bytes: readonly number[]; what: () => Phrase }[] = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: () => said`a workbook or zip archive. Save the sheet as CSV first` },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], what: () => said`an old Excel workbook. Save the sheet as CSV first` },
  { bytes: [0x50, 0x41, 0x52, 0x31], what: () => said`a Parquet file. Export it as CSV first` },
  { bytes: [0x1f, 0x8b], what: () => said`compressed. Unpack it first` },
];

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

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

function openBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** Turns bytes into text, chunk by chunk: UTF-8, UTF-16, else the encoding that makes words of them. @throws SeriesError */
export class Decoder {
  encoding: Encoding = 'utf-8';
  readonly #fileName: string;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #isBegun = false;
  #open = new Uint8Array(0);

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  push(bytes: Uint8Array): string {
    if (!this.#isBegun) this.#begin(bytes);
    if (this.encoding === 'utf-8' && bytes.includes(0))
      this.#refuse(said`not text: it contains null bytes. Choose a CSV or JSON file`);
    if (this.#decoder) return this.#decode(bytes);
    const all = this.#open.length > 0 ? Uint8Array.from([...this.#open, ...bytes]) : bytes;
    const whole = all.subarray(0, all.length - openBytes(all));
    this.#open = all.slice(whole.length);
    const text = utf8Of(whole);
    if (text?.length === whole.length) return text; // nothing but ASCII
    this.#choose(text === undefined ? legacyEncoding(all) : 'utf-8');
    return this.#decode(all);
  }

  finish(): string {
    if (!this.#decoder && this.#open.length > 0) {
      this.#choose(legacyEncoding(this.#open));
      return this.#decode(this.#open);
    }
    return this.#decoder?.decode() ?? '';
  }

  #begin(bytes: Uint8Array): void {
    this.#isBegun = true;
    for (const { bytes: signature, what } of SIGNATURES) if (startsWith(bytes, signature)) this.#refuse(what());
    const encoding = sniffEncoding(bytes);
    if (encoding !== 'utf-8') this.#choose(encoding);
  }

  #choose(encoding: Encoding): void {
    this.encoding = encoding;
    this.#decoder = new TextDecoder(encoding);
  }

  #decode(bytes: Uint8Array): string {
    const text = this.#decoder?.decode(bytes, { stream: true }) ?? '';
    // where Japan has its yen, everyone else has a backslash
    return this.encoding === 'shift_jis' ? text.replaceAll('\\', '¥') : text;
  }

  #refuse(what: Phrase): never {
    throw new SeriesError('binary', said`${this.#fileName} is ${what}.`);
  }
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Encodings of one or two bytes a letter, with the letters of the languages that are written in them; of equals the first. */
const LEGACY = {
  'windows-1252': 'äöüß àâæçéèêëîïôœùûüÿ áéíóúñü¿¡ ãáàâçéêíóôõúü àèéìíòóùú æøåé åäöé áðéíóúýþæö ëïéèóöü',
  'windows-1250': 'ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű čćđšž ăâîşţ äöüß',
  'iso-8859-2': 'ąćęłńóśźż áčďéěíňóřšťúůýž',
  'windows-1251': 'абвгдежзийклмнопрстуфхцчшщъыьэюяё абвгдежзийклмнопрстуфхцчшщьюяіїєґ абвгдђежзијклљмнњопрстћуфхцчџш',
  shift_jis: '\\u3005-\\u30ff\\u4e00-\\u9fff\\uff01-\\uff9f\\u3001-\\u3002¥',
  'euc-kr': '\\uac00-\\ud7a3\\u3131-\\u318e',
  gb18030: '\\u4e00-\\u9fff\\u3001-\\u3011\\uff01-\\uff5e',
  big5: '\\u4e00-\\u9fff\\u3001-\\u3011\\uff01-\\uff5e',
} as const;

type LegacyEncoding = keyof typeof LEGACY;

const SIGNS = /[\p{ASCII}\u00a0€£§°±²³µ·«»“”„‘’‚–—…×½¼ªº©®™№]/gu;
const SAMPLE = 65_536;

function legacyEncoding(bytes: Uint8Array): LegacyEncoding {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = first < 0 ? 0 : bytes.lastIndexOf(10, first) + 1;
  const end = bytes.lastIndexOf(10, from + SAMPLE);
  const sample = bytes.subarray(from, end > first ? end : undefined);
  let best: LegacyEncoding = 'windows-1252';
  let most = 0;
  for (const [name, alphabets] of Object.entries(LEGACY) as [LegacyEncoding, string][]) {
    const letters = new TextDecoder(name).decode(sample).replace(SIGNS, '');
    if (letters.length === 0) continue;
    const share =
      Math.max(...alphabets.split(' ').map((each) => shareOf(letters, each))) * likelihood(name, letters, sample);
    if (share > most) [best, most] = [name, share];
  }
  return best;
}

const shareOf = (letters: string, alphabet: string): number =>
  (letters.match(new RegExp(`[${alphabet}]`, 'giu')) ?? []).length / letters.length;

const UNUSUAL = 0.9;

/** Japan begins with 0x81 to 0x9F, which China and Korea leave out; Taiwan ends in ASCII; Cyrillic words are mostly small. */
function likelihood(name: LegacyEncoding, letters: string, sample: Uint8Array): number {
  const isUsual = (holds: boolean) => (holds ? 1 : UNUSUAL);
  const hasLow = sample.some((byte) => byte > 0x80 && byte < 0xa0);
  if (name === 'shift_jis') return isUsual(hasLow);
  if (name === 'windows-1251') return isUsual(letters.replace(/\p{Lu}/gu, '').length * 2 >= letters.length);
  if (name === 'gb18030' || name === 'euc-kr') return isUsual(!hasLow && !endsInAscii(sample));
  return name === 'big5' ? isUsual(endsInAscii(sample)) : 1;
}

const endsInAscii = (sample: Uint8Array): boolean =>
  sample.some((byte, index) => byte >= 0x40 && byte < 0x7f && sample[index - 1]! >= 0xa1 && sample[index - 2]! < 0x80);
