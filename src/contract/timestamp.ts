const ISO =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Reads an ISO 8601 date or date-time, with an offset, fractions or neither; without an offset it is UTC, as the
 * interface says.
 * @returns milliseconds since 1970-01-01T00:00Z, or `NaN` where the text is not such a timestamp
 */
export function parseTimestamp(text: string): number {
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

/** The contract's form of an instant: `2024-01-31T00:00:00Z`, with milliseconds only where there are any. */
export function formatTimestamp(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
