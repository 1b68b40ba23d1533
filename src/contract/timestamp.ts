const ISO =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Reads an ISO 8601 date or date-time, with an offset, fractions or neither; without an offset it is UTC, as the
 * interface says.
 * @returns milliseconds since 1970-01-01T00:00Z, or `NaN` where the text is not such a timestamp
 */
export function parseTimestamp(text: string): number {
  const usual = parseUsual(text);
  if (usual !== undefined) return usual;
  const match = ISO.exec(text.trim());
  if (!match) return NaN;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const sameDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  const endOfDay = hour === '24' && minute === '00' && Number(second) === 0;
  if (!sameDay || (Number(hour) > 23 && !endOfDay) || Number(minute) > 59 || Number(second) > 60) return NaN;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(`0.${fraction || '0'}`) * 1000);
  if (/^z$/i.test(zone)) return date.getTime();
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '');
  return date.getTime() - sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || '0')) * 60_000;
}

/** The form `2024-01-31T00:00:00Z` without a pattern, as there may be many thousands; `undefined` for any other. */
function parseUsual(text: string): number | undefined {
  if (text.length !== 20 || text[19] !== 'Z' || text[10] !== 'T' || text[4] !== '-' || text[7] !== '-')
    return undefined;
  if (text[13] !== ':' || text[16] !== ':') return undefined;
  const year = digits(text, 0) * 100 + digits(text, 2);
  const month = digits(text, 5);
  const day = digits(text, 8);
  const [hour, minute, second] = [digits(text, 11), digits(text, 14), digits(text, 17)];
  // days that not every month has, and whatever is odd, are left to the pattern
  if (!(year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28)) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The number of two digits; `NaN` for anything else. */
function digits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** The contract's form of an instant: `2024-01-31T00:00:00Z`, with milliseconds only where there are any. */
export function formatTimestamp(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
