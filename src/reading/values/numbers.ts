/** The two ways to write a decimal fraction. */
export type Decimal = '.' | ',';

/** Words and signs that stand for a missing value in the files of statistics offices, R, pandas, SQL and spreadsheets. */
const MISSING = new Set(
  [
    ...['', '-', '--', '–', '—', '.', '..', '...', '…', ':', '*', '**', '***', '****', '?', 'x', '/', '•', '\\n'],
    ...['na', 'n/a', 'n.a.', 'n.a', '#n/a', '#na', '<na>', 'nan', '-nan', '1.#qnan', 'null', 'nil', 'none', '(null)'],
    ...['nat', 'missing', 'unknown', 'unavailable', 'undefined', 'no data', 'nodata', 'no value', 'not available', '#value!'],
    ...['#div/0!', '#ref!', '#num!', '#name?', '#null!', 'k.a.', 's.o.', 'nd', 'n.d.'],
  ],
); // prettier-ignore

/** Whether a trimmed cell says that there is no value. */
export function isMissing(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most cells begin with a digit; of the words only `1.#QNAN` does.
  if (first >= 48 && first <= 57 && text.charCodeAt(2) !== 35) return false;
  return text.length <= 13 && (text.length === 0 || MISSING.has(text) || MISSING.has(text.toLowerCase()));
}

const CURRENCY = '$€£¥₹₽₩₺₴₿฿₫₪¢';
const UNIT = `(?:(?:R|A|C|US|NZ|HK|S)\\$|[${CURRENCY}]|USD|EUR|GBP|JPY|CHF|CNY|INR|BRL|CAD|AUD|SEK|NOK|DKK|PLN|CZK|kr\\.?|zł|Fr\\.)`;
const MONEY = new RegExp(UNIT, 'u');
/** Parenthesis, sign, currency, sign, number, thousands to billions, currency or percent, sign, parenthesis. */
const CELL = new RegExp(
  `^(\\()?\\s*([+−-])?\\s*${UNIT}?\\s*([+−-])?(?=[\\d.,])(.*?)\\s*([KkMB])?\\s*(?:${UNIT}|%)?\\s*(-)?\\s*(\\))?$`,
  'u',
);

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Groups of three digits, all with the same sign between; the first group does not begin with a zero. */
const GROUPED_DOT = /^([1-9]\d{0,2})(?:([,'’ \u00a0\u202f_])\d{3})(?:\2\d{3})*(?:\.\d*)?$/;
const GROUPED_COMMA = /^([1-9]\d{0,2})(?:([.'’ \u00a0\u202f_])\d{3})(?:\2\d{3})*(?:,\d*)?$/;
const PLAIN_COMMA = /^(?:\d+,?\d*|,\d+)(?:e[+-]?\d+)?$/i;
/** Indian grouping: 12,34,567.8 */
const GROUPED_INDIAN = /^[1-9]\d?(?:,\d{2})*,\d{3}(?:\.\d*)?$/;
const SPACES = /['’ \u00a0\u202f_]/g;

/** What one cell says under one decimal sign: a number, or `NaN` where it is none. */
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

/**
 * Reads a trimmed cell: digits, a decimal sign, groups of three, an exponent, a sign before or after, parentheses for
 * negative numbers, a currency or a percent sign (12 % reads as 12). `NaN` for anything else, for numbers too large
 * for a double too.
 */
export function parseNumber(text: string, decimal: Decimal): number {
  if (decimal === '.' && PLAIN.test(text)) return finite(Number(text));
  const cell = CELL.exec(text);
  if (!cell) return NaN;
  const [, open, before, after, body = '', scale, behind, close] = cell;
  const signs = [open, before, after, behind].filter((sign) => sign !== undefined).length;
  if (signs > 1 || (open === undefined) !== (close === undefined)) return NaN;
  const negative = signs === 1 && before !== '+' && after !== '+';
  const value = scaled(parseBody(body, decimal), scale);
  return finite(negative ? -value : value);
}

/** 1.2M is 1,200,000. The exponent is read with the digits, so that no rounding is added. */
function scaled(value: number, scale: string | undefined): number {
  if (scale === undefined) return value;
  return Number(`${value}e${scale === 'M' ? 6 : scale === 'B' ? 9 : 3}`);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : NaN;
}

/** Whether a cell has a currency sign or code. */
export function hasCurrency(text: string): boolean {
  return MONEY.test(text);
}

/** The sign between groups of digits in a cell that was read as a number, if there is one. */
export function groupSign(text: string, decimal: Decimal): string | undefined {
  const body = text.replace(/^[^\d.,]+|[^\d.,]+$/g, '');
  const match = (decimal === '.' ? GROUPED_DOT : GROUPED_COMMA).exec(body);
  return match?.[2] ?? (decimal === '.' && GROUPED_INDIAN.test(body) ? ',' : undefined);
}
