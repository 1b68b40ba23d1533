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

/** A day and the clock text after it, `''` for none. `NaN` where the clock is none. */
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

/**
 * `2021-03-28`, with a `T` or blank and `13:00`, `13:00:00`, and `Z` or `+01:00` after it, by their digits: a pattern for
 * each of millions of timestamps would cost the most. `undefined` for anything else, `NaN` for a day that is none.
 */
function parseUsual(text: string, written?: WrittenZone): number | undefined {
  const { length } = text;
  if (length < 10 || length > 25 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  const day = instantOf(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8));
  if (length === 10) return day;
  const between = text.charCodeAt(10);
  if ((between !== 84 && between !== 32) || length < 16 || text.charCodeAt(13) !== 58) return undefined;
  const [hour, minute] = [two(text, 11), two(text, 14)];
  if (!(hour <= 23 && minute <= 59)) return undefined;
  const seconds = text.charCodeAt(16) === 58;
  const second = seconds ? two(text, 17) : 0;
  if (!(second <= 59)) return undefined;
  const time = day + hour * HOUR + minute * MINUTE + second * 1000;
  const end = seconds ? 19 : 16;
  if (length === end) return time;
  const sign = text.charCodeAt(end);
  if (sign === 90 && length === end + 1) {
    if (written) [written.offset, written.name] = [0, undefined];
    return time;
  }
  if ((sign !== 43 && sign !== 45) || length !== end + 6 || text.charCodeAt(end + 3) !== 58) return undefined;
  const size = two(text, end + 1) * HOUR + two(text, end + 4) * MINUTE;
  if (!(size <= 15 * HOUR && two(text, end + 4) <= 59)) return undefined;
  const offset = sign === 45 ? -size || 0 : size;
  if (written) [written.offset, written.name] = [offset, undefined];
  return time - offset;
}

const ISO =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Reads an ISO 8601 date or date-time of the interface, with an offset, fractions or neither; without an offset it is
 * UTC, as the interface says. Years beyond 9999 have a sign and six digits.
 * @returns milliseconds since 1970-01-01T00:00Z, or `NaN` where the text is not such a timestamp
 */
export function parseTimestamp(text: string): number {
  const usual = parseUsual(text);
  if (usual !== undefined) return usual;
  const match = ISO.exec(text.length > LONGEST ? '' : text.trim());
  if (!match) return NaN;
  const [, year, month, day, hour, minute = '', second = '00', fraction = '0', zone = 'Z'] = match;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (hour === undefined) return midnight;
  return withClock(midnight, `${hour}:${minute}:${second}.${fraction}${zone}`);
}

/** The longest timestamp is shorter: one with the weekday, names in full, nine digits of a second and a zone's long name. */
export const LONGEST = 100;

const LOOSE = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(?:[T ,_]|:)(.+))?$/i;
/** `2024.01.05.` and `2024. 1. 5.`, as Hungary and Korea write dates. */
const DOTTED = /^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.(?: (.+))?$|^(\d{4})\. (\d{1,2})\. (\d{1,2})$/;
const COMPACT =
  /^(\d{4})(\d{2})(\d{2})(?:[T :]?(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const ORDINAL = /^(\d{4})-(\d{3})$/;
const EAST_ASIAN = /^(\d{4})[年년]\s?(\d{1,2})[月월](?:\s?(\d{1,2})[日일])?$/;

/**
 * Reads dates and date-times of files with the year first: ISO 8601 in its extended and ordinal forms, a blank for the
 * `T`, `/` or `.` for the `-` (with a `.` after the day too), single digits, any fraction of a second, zones as offsets or names. Without a zone: UTC.
 * @returns epoch milliseconds, or `NaN`
 */
export function parseIso(text: string, written?: WrittenZone): number {
  return parseUsual(text, written) ?? parseLoose(text, written);
}

function parseLoose(text: string, written?: WrittenZone): number {
  if (text.length > LONGEST) return NaN;
  const loose = LOOSE.exec(text);
  if (loose) {
    const clock = (loose[5] ?? '').trimStart();
    if (loose[5] !== undefined && clock === '') return NaN;
    return withClock(instantOf(Number(loose[1]), Number(loose[3]), Number(loose[4])), clock, written);
  }
  const dotted = DOTTED.exec(text);
  if (dotted) {
    const [year, month, day] = (dotted[1] === undefined ? dotted.slice(5) : dotted.slice(1, 4)).map(Number);
    return withClock(instantOf(year!, month!, day!), dotted[4] ?? '', written);
  }
  const ordinal = ORDINAL.exec(text);
  if (ordinal) {
    const year = Number(ordinal[1]);
    const day = Number(ordinal[2]);
    return day >= 1 && day <= 337 + daysInMonth(year, 2) ? instantOf(year, 1, 1) + (day - 1) * DAY : NaN;
  }
  const eastAsian = EAST_ASIAN.exec(text);
  return eastAsian ? instantOf(Number(eastAsian[1]), Number(eastAsian[2]), Number(eastAsian[3] ?? 1)) : NaN;
}

/** Reads `20210131`, `20210131T1300`, `20210131:1300`, `202101311300` and `20210131130000Z`. */
export function parseCompact(text: string, written?: WrittenZone): number {
  const parts = COMPACT.exec(text);
  if (!parts) return NaN;
  const [, year, month, day, hour, minute = '00', second = '00', fraction = '0', zone = ''] = parts;
  const midnight = instantOf(Number(year), Number(month), Number(day));
  if (hour === undefined) return midnight;
  return withClock(midnight, `${hour}:${minute}:${second}.${fraction}${zone}`, written);
}
