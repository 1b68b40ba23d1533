export type Decimal = '.' | ',';

/** Words and signs that stand for a missing value in the files of statistics offices, R, pandas, SQL and spreadsheets. */
const MISSING = new Set(
  [
    '|-|--|–|—|.|..|...|…|:|*|**|***|****|?|x|/|•|\\n|na|n/a|n.a.|n.a|#n/a|#na|<na>|(na)|(n/a)|(x)|(d)|nan|-nan|1.#qnan',
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

const CURRENCY = '$€£¥₹₽₩₺₴₿฿₫₪¢';
const UNIT = `(?:(?:R|A|C|US|NZ|HK|S)\\$|[${CURRENCY}]|USD|EUR|GBP|JPY|CHF|CNY|INR|BRL|CAD|AUD|SEK|NOK|DKK|PLN|CZK|kr\\.?|zł|Fr\\.)`;
const MONEY = new RegExp(UNIT, 'u');
const UNIT_BEFORE = new RegExp(`^${UNIT}`, 'u');
const UNIT_BEHIND = new RegExp(`(?:${UNIT}|%)$`, 'u');

/** No number that a program writes is longer: the smallest double in full has 1,076 signs, with its sign and exponent. */
const LONGEST = 1100;
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Groups of three digits, all with the same sign between; the first group does not begin with a zero. */
const GROUPED_DOT = /^([1-9]\d{0,2})(?:([,'’ \u00a0\u202f_])\d{3})(?:\2\d{3})*(?:\.\d*)?$/;
const GROUPED_COMMA = /^([1-9]\d{0,2})(?:([.'’ \u00a0\u202f_])\d{3})(?:\2\d{3})*(?:,\d*)?$/;
const PLAIN_COMMA = /^(?:\d+(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i;
/** Indian grouping: 12,34,567.8 */
const GROUPED_INDIAN = /^[1-9]\d?(?:,\d{2})*,\d{3}(?:\.\d*)?$/;
const SPACES = /['’ \u00a0\u202f_]/g;

function parseBody(body: string, decimal: Decimal): number {
  if (decimal === '.') {
    if (PLAIN.test(body)) return Number(body);
    if (GROUPED_DOT.test(body) || GROUPED_INDIAN.test(body))
      return Number(body.replaceAll(',', '').replace(SPACES, ''));
    return NaN;
  }
  if (PLAIN_COMMA.test(body)) return Number(body.replace(',', '.'));
  if (GROUPED_COMMA.test(body)) return Number(body.replaceAll('.', '').replace(SPACES, '').replace(',', '.'));
  return NaN;
}

const isSign = (sign: string | undefined) => sign === '-' || sign === '−' || sign === '+';

export function parseNumber(text: string, decimal: Decimal): number {
  if (text.length > LONGEST) return NaN;
  if (decimal === '.' && PLAIN.test(text)) return finite(Number(text));
  const isOpen = text.startsWith('(');
  if (isOpen !== text.endsWith(')')) return NaN;
  let rest = isOpen ? text.slice(1, -1).trim() : text;
  let signs = '';
  const cut = (size: number, end = rest.length) => (rest = rest.slice(size, end).trim());
  const cutSign = () => {
    if (!isSign(rest[0])) return;
    signs += rest[0];
    cut(1);
  };
  cutSign();
  cut(UNIT_BEFORE.exec(rest)?.[0].length ?? 0);
  cutSign();
  if (!/^[\d.,]/.test(rest)) return NaN;
  if (rest.endsWith('-')) {
    signs += '-';
    cut(0, -1);
  }
  const unit = UNIT_BEHIND.exec(rest)?.[0].length ?? 0;
  if (unit > 0) cut(0, -unit);
  const scale = /[KkMB]$/.exec(rest)?.[0];
  if (scale) cut(0, -1);
  if (signs.length + (isOpen ? 1 : 0) > 1) return NaN;
  const value = scaled(parseBody(rest, decimal), scale);
  return finite(isOpen || (signs !== '' && signs !== '+') ? -value : value);
}

export const isNumber = (text: string): boolean =>
  !Number.isNaN(parseNumber(text, '.')) || !Number.isNaN(parseNumber(text, ','));

/** 1.2M is 1,200,000. The exponent is read with the digits, so that no rounding is added. */
function scaled(value: number, scale: string | undefined): number {
  if (scale === undefined) return value;
  return Number(`${value}e${scale === 'M' ? 6 : scale === 'B' ? 9 : 3}`);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : NaN;
}

const MANY_DIGITS = /^-?[1-9]\d{15,}$/;

export function isTooLong(text: string): boolean {
  return text.length >= 16 && text.length <= LONGEST && MANY_DIGITS.test(text) && String(Number(text)) !== text;
}

export function hasCurrency(text: string): boolean {
  return MONEY.test(text);
}

export function groupSign(text: string, decimal: Decimal): string | undefined {
  let end = text.length;
  while (end > 0 && !/[\d.,]/.test(text[end - 1]!)) end--;
  const body = text.slice(0, end).replace(/^[^\d.,]+/, '');
  const match = (decimal === '.' ? GROUPED_DOT : GROUPED_COMMA).exec(body);
  return match?.[2] ?? (decimal === '.' && GROUPED_INDIAN.test(body) ? ',' : undefined);
}
