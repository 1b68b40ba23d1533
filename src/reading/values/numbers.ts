import { monthOfName } from './time-words.ts';

export type Decimal = '.' | ',';

/** Words and signs that stand for a missing value in the files of statistics offices, R, pandas, SQL and spreadsheets. */
const MISSING = new Set(
  [
    '|-|--|---|–|—|.|..|...|…|:|*|**|***|****|?|x|/|•|\\n|na|n/a|n.a.|n.a|#n/a|#na|<na>|(na)|(n/a)|(x)|(d)|nan|-nan|1.#qnan',
    'null|nil|none|(null)|nat|missing|unknown|unavailable|undefined|no data|nodata|no value|not available|#value!',
    '#div/0!|#ref!|#num!|#name?|#null!|k.a.|s.o.|nd|n.d.',
  ]
    .join('|')
    .split('|'),
);

export function isMissing(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most cells begin with a digit; of the words only `1.#QNAN` does.
  if (first >= 48 && first <= 57 && text.charCodeAt(2) !== 35) return false;
  return text.length <= 13 && (text.length === 0 || MISSING.has(text) || MISSING.has(text.toLowerCase()));
}

const UNIT = `(?:(?:R|A|C|US|NZ|HK|S)\\$|[$€£¥₹₽₩₺₴₿฿₫₪¢]|USD|EUR|GBP|JPY|CHF|CNY|INR|BRL|CAD|AUD|SEK|NOK|DKK|PLN|CZK|kr\\.?|zł|Fr\\.)`;
const MONEY = new RegExp(UNIT, 'u');

/** No number that a program writes is longer: the smallest double in full has 1,076 signs, with its sign and exponent. */
const LONGEST = 1100;
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** A number with its signs, its currency and its scale: `(1,200.50) €`, `-$1.2M`, `12 %`, `5-`, and `5.–` without cents. */
const WRITTEN = new RegExp(
  String.raw`^(\()?(?:\s*([-−+]))?(?:\s*(?:${UNIT}))?(?:\s*([-−+]))?\s*(?=[\d.,])(.*?[\d.,])` +
    String.raw`(?:(?<=\d[.,])(?:--?|[–—]))?(?:\s*([KkMB]))?(?:\s*(?:${UNIT}|%))?(?:\s*(-))?(?:\s*(\)))?$`,
  'u',
);
const SCALES: Readonly<Record<string, string>> = { K: 'e3', k: 'e3', M: 'e6', B: 'e9' };

/** Numbers without and with groups of three digits, all with the same sign between; the first group does not begin with a zero. */
const SHAPES = {
  '.': {
    plain: /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
    grouped: /^[1-9]\d{0,2}(?:([,'’ \u00a0\u2009\u202f_])\d{3})(?:\1\d{3})*(?:\.\d*)?$/,
  },
  ',': {
    plain: /^(?:\d+(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i,
    grouped: /^[1-9]\d{0,2}(?:([.'’ \u00a0\u2009\u202f_])\d{3})(?:\1\d{3})*(?:,\d*)?$/,
  },
} as const;
const INDIAN = /^[1-9]\d?(?:,\d{2})*,\d{3}(?:\.\d*)?$/;

/** The sign between the groups of a number; the empty text where it has none, `undefined` where it is no number. */
function groupOf(body: string, decimal: Decimal): string | undefined {
  const { plain, grouped } = SHAPES[decimal];
  if (plain.test(body)) return '';
  return grouped.exec(body)?.[1] ?? (decimal === '.' && INDIAN.test(body) ? ',' : undefined);
}

export function parseNumber(text: string, decimal: Decimal): number {
  if (text.length > LONGEST) return NaN;
  if (decimal === '.' && PLAIN.test(text)) return finite(Number(text));
  const [, open = '', before = '', within = '', body = '', scale = '', behind = '', close = ''] =
    WRITTEN.exec(text.trim()) ?? [];
  const group = groupOf(body, decimal);
  const sign = before + within + behind;
  if (group === undefined || open.length !== close.length || sign.length + close.length > 1) return NaN;
  const value = Number(body.replaceAll(group, '').replace(decimal, '.'));
  // the exponent is read with the digits, so that no rounding is added
  const scaled = scale === '' ? value : Number(`${value}${SCALES[scale]!}`);
  return finite(close === ')' || (sign !== '' && sign !== '+') ? -scaled : scaled);
}

export const isNumber = (text: string): boolean =>
  !Number.isNaN(parseNumber(text, '.')) || !Number.isNaN(parseNumber(text, ','));

const finite = (value: number): number => (Number.isFinite(value) ? value : NaN);

export const isTooLong = (text: string): boolean =>
  text.length >= 16 && text.length <= LONGEST && /^-?[1-9]\d{15,}$/.test(text) && String(Number(text)) !== text;

export const currencyIn = (text: string): string | undefined => MONEY.exec(text)?.[0];

export function groupSign(text: string, decimal: Decimal): string | undefined {
  const [body = ''] = /[\d.,](?:.*[\d.,])?/s.exec(text) ?? [];
  return groupOf(body, decimal) || undefined;
}

const WITH_UNIT = /^([^\p{L}°µ]{1,40}?)\s?([\p{L}°µ][\p{L}\d°µ²³/·.^-]{0,11})$/u;
const LEAST_SHARE = 0.95;
/** Fewer different numbers are classes rather: sizes, terms; so are few for the cells that there are. */
const FEWEST_NUMBERS = 3;
const MOST_CLASSES = 9;
const LEAST_DIFFERENT = 0.125;

/** The unit that stands behind the numbers of a column: the same in nearly all cells (`5.1 °C`,
 * `120 kWh`), but for those that are numbers alone. */
export function commonUnit(cells: readonly string[]): string | undefined {
  const first = cells.find((cell) => !isNumber(cell)) ?? '';
  const [, , unit] = WITH_UNIT.exec(first) ?? [];
  if (unit === undefined || monthOfName(unit) !== undefined) return undefined;
  const least = sideOf(first) ? cells.length : cells.length / 2;
  if (cells.filter((cell) => cell.endsWith(unit)).length < least) return undefined;
  return areNumbers(cells.map((cell) => withoutUnit(cell, unit))) ? unit : undefined;
}

function areNumbers(cells: readonly string[]): boolean {
  const numbers = cells.filter(isNumber);
  const least = Math.max(FEWEST_NUMBERS, Math.min(MOST_CLASSES + 1, cells.length * LEAST_DIFFERENT));
  return numbers.length >= cells.length * LEAST_SHARE && new Set(numbers).size >= least;
}

export const withoutUnit = (cell: string, unit: string): string =>
  cell.endsWith(unit) ? cell.slice(0, -unit.length).trimEnd() : cell;

/** A sign of a footnote behind a number, or that it is provisional, estimated, revised, or, in ledgers, a debit or a credit. */
const MARK = /(?<=\d)\s?(?:[*#†perHS]|[CD][Rr]\.?)$/;
const DEBIT = /(?<=\d\s?)(?:S|D[Rr]\.?)$/;
const CREDIT = /(?<=\d\s?)(?:H|C[Rr]\.?)$/;

export const withoutMark = (cell: string): string => cell.replace(MARK, '');

export const sideOf = (cell: string): 'debits' | 'credits' | undefined =>
  DEBIT.test(cell) ? 'debits' : CREDIT.test(cell) ? 'credits' : undefined;

export const areMarked = (cells: readonly string[]): boolean => areNumbers(cells.map(withoutMark));

/** Numbers and dates of full width, as they are typed in East Asia. */
export const withHalfWidth = (cell: string): string =>
  /^[＋-：\s+,./:年月日時分-]+$/.test(cell) ? cell.normalize('NFKC') : cell;

/** What a spreadsheet would run: a sign at the start, of full width too, also after blanks, or a control character. */
const FORMULA = /^(?:[\s\p{Cc}\u200b]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

/** Puts an apostrophe before a text that a spreadsheet would take for a formula; {@link revived} takes it away again. */
export function defuse(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function revived(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
