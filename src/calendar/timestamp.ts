import { DAY, HOUR, MINUTE, daysFromCivil, daysInMonth } from './civil.ts';
import { parseClock, type WrittenZone } from './clock.ts';

const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Midnight UTC of a civil day of the years 1 to 9999 in epoch milliseconds, or `NaN` where there is no such day. */
export function instantOf(year: number, month: number, day: number): number {
  return year >= FIRST_YEAR && year <= LAST_YEAR ? midnightOf(year, month, day) : NaN;
}

function midnightOf(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  return daysFromCivil(year, month, day) * DAY;
}

export function withClock(day: number, text: string, written?: WrittenZone): number {
  if (text === '' || Number.isNaN(day)) return day;
  const clock = parseClock(text, written);
  return clock ? day + clock.inDay - clock.offset : NaN;
}

const digit = (text: string, index: number) => text.charCodeAt(index) - 48;

/** Two digits as a number; out of range for anything else. */
function two(text: string, index: number): number {
  const tens = digit(text, index);
  const ones = digit(text, index + 1);
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** ISO 8601 by its digits, as a pattern would cost the most; `undefined` for unusual forms, `NaN` for no day. */
export function parseUsual(text: string, written?: WrittenZone): number | undefined {
  const { length } = text;
  if (length < 10 || length > 25 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  const day = instantOf(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8));
  if (length === 10) return day;
  const between = text.charCodeAt(10);
  if ((between !== 84 && between !== 32) || length < 16 || text.charCodeAt(13) !== 58) return undefined;
  const end = text.charCodeAt(16) === 58 ? 19 : 16;
  const [hour, minute, second] = [two(text, 11), two(text, 14), end === 19 ? two(text, 17) : 0];
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const offset = length === end ? 0 : offsetAt(text, end);
  if (offset === undefined) return undefined;
  if (length > end && written) [written.offset, written.name] = [offset, undefined];
  return day + hour * HOUR + minute * MINUTE + second * 1000 - offset;
}

function offsetAt(text: string, end: number): number | undefined {
  const sign = text.charCodeAt(end);
  if (sign === 90 && text.length === end + 1) return 0;
  if ((sign !== 43 && sign !== 45) || text.length !== end + 6 || text.charCodeAt(end + 3) !== 58) return undefined;
  const minutes = two(text, end + 4);
  const size = two(text, end + 1) * HOUR + minutes * MINUTE;
  if (!(size <= 15 * HOUR && minutes <= 59)) return undefined;
  return sign === 45 ? -size || 0 : size;
}

const ISO =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Epoch milliseconds of ISO 8601, UTC without an offset, or `NaN`; years beyond 9999 have a sign and six digits. */
export const parseTimestamp = (text: string): number => parseZoned(text);

export function parseZoned(text: string, written?: WrittenZone): number {
  const usual = parseUsual(text, written);
  if (usual !== undefined) return usual;
  const match = ISO.exec(text.length > LONGEST ? '' : text.trim());
  if (!match) return NaN;
  const [, year, month, day, hour, minute = '', second = '00', fraction = '0', zone = 'Z'] = match;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (hour === undefined) return midnight;
  return withClock(midnight, `${hour}:${minute}:${second}.${fraction}${zone}`, written);
}

/** The longest timestamp is shorter: one with the weekday, names in full, nine digits of a second and a zone's long name. */
export const LONGEST = 100;
