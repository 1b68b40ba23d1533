/** Encodings of one or two bytes a letter, with the letters of the languages that are written in them; of equals the first. */
const ENCODINGS = [
  {
    name: 'windows-1252',
    alphabets: ['äöüß', 'àâæçéèêëîïôœùûüÿ', 'áéíóúñü¿¡', 'ãáàâçéêíóôõúü', 'àèéìíòóùú', 'æøåé', 'åäöé', 'áðéíóúýþæö', 'ëïéèóöü'],
  },
  {
    name: 'windows-1250',
    alphabets: ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ', 'äöüß'],
  },
  { name: 'iso-8859-2', alphabets: ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž'] },
  { name: 'windows-1251', alphabets: ['абвгдежзийклмнопрстуфхцчшщъыьэюяё', 'абвгдежзийклмнопрстуфхцчшщьюяіїєґ', 'абвгдђежзијклљмнњопрстћуфхцчџш'] },
  { name: 'shift_jis', alphabets: ['\\u3005-\\u30ff\\u4e00-\\u9fff\\uff01-\\uff9f\\u3001-\\u3002¥'] },
  { name: 'euc-kr', alphabets: ['\\uac00-\\ud7a3\\u3131-\\u318e'] },
  { name: 'gb18030', alphabets: ['\\u4e00-\\u9fff\\u3001-\\u3011\\uff01-\\uff5e'] },
  { name: 'big5', alphabets: ['\\u4e00-\\u9fff\\u3001-\\u3011\\uff01-\\uff5e'] },
] as const; // prettier-ignore

export type LegacyEncoding = (typeof ENCODINGS)[number]['name'];

/** Signs that all of them have, and that tell no language. */
const SIGNS = /[\p{ASCII}\u00a0€£§°±²³µ·«»“”„‘’‚–—…×½¼ªº©®™№]/gu;
/** So much of a document tells its encoding. */
const SAMPLE = 65_536;

/**
 * The encoding of bytes that are not UTF-8: the one in which the most of their letters are those of one language.
 * windows-1252, which includes Latin-1, where nothing speaks for another.
 */
export function legacyEncoding(bytes: Uint8Array): LegacyEncoding {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = first < 0 ? 0 : bytes.lastIndexOf(10, first) + 1;
  const end = bytes.lastIndexOf(10, from + SAMPLE);
  const sample = bytes.subarray(from, end > first ? end : undefined);
  let best: LegacyEncoding = 'windows-1252';
  let most = 0;
  for (const { name, alphabets } of ENCODINGS) {
    const letters = new TextDecoder(name).decode(sample).replace(SIGNS, '');
    if (letters.length === 0) continue;
    const share = Math.max(...alphabets.map((each) => shareOf(letters, each))) * likelihood(name, letters, sample);
    if (share > most) [best, most] = [name, share];
  }
  return best;
}

const shareOf = (letters: string, alphabet: string): number =>
  (letters.match(new RegExp(`[${alphabet}]`, 'giu')) ?? []).length / letters.length;

/** What is not usual in an encoding, though it can be written in it. */
const UNUSUAL = 0.9;

/**
 * How usual bytes are in an encoding: nearly all of Japan begins with 0x81 to 0x9F, which the standards of China and Korea
 * leave out; Taiwan ends every second sign with ASCII; words in Cyrillic letters are mostly small ones.
 */
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
