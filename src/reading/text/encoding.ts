import { said, type Phrase } from '../phrase.ts';
import { SeriesError, type Encoding } from '../types.ts';

/** What files of other kinds begin with, in hexadecimal digits. */
const SIGNATURES: Readonly<Record<string, () => Phrase>> = {
  '504b0304': () => said`a workbook or zip archive. Save the sheet as CSV first`,
  d0cf11e0: () => said`an old Excel workbook. Save the sheet as CSV first`,
  '50415231': () => said`a Parquet file. Export it as CSV first`,
  '1f8b': () => said`compressed. Unpack it first`,
};

/** Turns bytes into text, chunk by chunk: UTF-8, UTF-16, else the encoding that makes words of them. @throws SeriesError */
export class Decoder {
  encoding: Encoding = 'utf-8';
  readonly #fileName: string;
  /** `undefined` as long as there is nothing but ASCII, and a letter that is not complete. */
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
    const text = utf8Of(all);
    const end = all.findLastIndex((byte) => byte < 0x80) + 1;
    const isAscii = text?.length === end && (end === 0 || text.charCodeAt(end - 1) < 0x80);
    this.#open = all.slice(isAscii ? end : all.length);
    if (isAscii) return text;
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
    const start = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
    for (const [signature, what] of Object.entries(SIGNATURES)) if (start.startsWith(signature)) this.#refuse(what());
    const encoding = wideEncoding(bytes, start);
    if (encoding) this.#choose(encoding);
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

/** UTF-16 by its mark; without one, text of mostly Latin letters and digits has a zero in every other byte. */
function wideEncoding(bytes: Uint8Array, start: string): Encoding | undefined {
  const size = Math.min(bytes.length, 4096) & ~1;
  const zeros = [0, 0];
  for (let i = 0; i < size; i++) if (bytes[i] === 0) zeros[i & 1]!++;
  const isMostly = (one: number, other: number) => zeros[one]! > size / 4 && zeros[other]! < size / 20;
  if (start.startsWith('fffe') || isMostly(1, 0)) return 'utf-16le';
  return start.startsWith('feff') || isMostly(0, 1) ? 'utf-16be' : undefined;
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Japan begins with 0x81 to 0x9F, which China and Korea leave out. */
const hasLow = (sample: Uint8Array) => sample.some((byte) => byte > 0x80 && byte < 0xa0);
/** So do letters of Taiwan. */
const endsInAscii = (sample: Uint8Array): boolean =>
  sample.some((byte, index) => byte >= 0x40 && byte < 0x7f && sample[index - 1]! >= 0xa1 && sample[index - 2]! < 0x80);
const isMainland = (sample: Uint8Array) => !hasLow(sample) && !endsInAscii(sample);

interface Legacy {
  readonly alphabets: string;
  readonly isUsual?: (sample: Uint8Array, letters: string, text: string) => boolean;
}

/** Encodings of one or two bytes a letter; of equals the first is taken. */
const LEGACY = {
  'windows-1252': {
    alphabets: 'äöüß àâæçéèêëîïôœùûüÿ áéíóúñü¿¡ ãáàâçéêíóôõúü àèéìíòóùú æøåé åäöé áðéíóúýþæö ëïéèóöü',
  },
  'windows-1250': {
    alphabets: 'ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű čćđšž ăâîşţ äöüß',
  },
  'iso-8859-2': { alphabets: 'ąćęłńóśźż áčďéěíňóřšťúůýž' },
  'windows-1251': {
    alphabets: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё абвгдежзийклмнопрстуфхцчшщьюяіїєґ абвгдђежзијклљмнњопрстћуфхцчџш',
    isUsual: (_, letters, text) =>
      (text.match(/(?<![A-Za-z])(?!\p{ASCII})\p{Ll}(?![A-Za-z])/gu) ?? []).length * 2 >= letters.length,
  },
  shift_jis: { alphabets: '\\u3005-\\u30ff\\u4e00-\\u9fff\\uff01-\\uff9f\\u3001-\\u3002¥', isUsual: hasLow },
  'euc-kr': { alphabets: '\\uac00-\\ud7a3\\u3131-\\u318e', isUsual: isMainland },
  gb18030: { alphabets: '\\u4e00-\\u9fff\\u3001-\\u3011\\uff01-\\uff5e', isUsual: isMainland },
  big5: { alphabets: '\\u4e00-\\u9fff\\u3001-\\u3011\\uff01-\\uff5e', isUsual: endsInAscii },
} satisfies Readonly<Partial<Record<Encoding, Legacy>>>;

const SIGNS = /[\p{ASCII}\u00a0€£§°±²³µ·«»“”„‘’‚–—…×½¼ªº©®™№]/gu;
const SAMPLE = 65_536;
const UNUSUAL = 0.6;

function legacyEncoding(bytes: Uint8Array): Encoding {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = first < 0 ? 0 : bytes.lastIndexOf(10, first) + 1;
  const end = bytes.lastIndexOf(10, from + SAMPLE);
  const sample = bytes.subarray(from, end > first ? end : undefined);
  const scoreOf = (name: Encoding, { alphabets, isUsual = () => true }: Legacy): number => {
    const text = new TextDecoder(name).decode(sample);
    const letters = text.replace(SIGNS, '');
    const counts = alphabets.split(' ').map((each) => letters.match(new RegExp(`[${each}]`, 'giu'))?.length ?? 0);
    // a sign of degrees alone is no letter of Taiwan
    const known = letters === '' ? 1 : Math.max(...counts) / letters.length;
    return known * (isUsual(sample, letters, text) ? 1 : UNUSUAL);
  };
  const all = Object.entries(LEGACY) as [Encoding, Legacy][];
  const scores = all.map(([name, legacy]) => scoreOf(name, legacy));
  return all[scores.indexOf(Math.max(...scores))]![0];
}
