import { DAY, HOUR, MINUTE, daysFromCivil, daysInMonth } from '../../calendar/civil.ts';
import { parseClock } from './clock.ts';

const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Midnight UTC of a civil day in epoch milliseconds, or `NaN` where there is no such day. */
export function instantOf(year: number, month: number, day: number): number {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12)) return NaN;
  if (!(day >= 1 && day <= daysInMonth(year, month))) return NaN;
  return daysFromCivil(year, month, day) * DAY;
}

/** A day and the clock text after it, `''` for none. `NaN` where the clock is none. */
export function withClock(day: number, text: string): number {
  if (text === '' || Number.isNaN(day)) return day;
  const clock = parseClock(text);
  return clock ? day + clock.inDay - (clock.offset ?? 0) : NaN;
}

const digit = (text: string, index: number) => text.charCodeAt(index) - 48;

/** Two digits as a number; out of range for anything else. */
function two(text: string, index: number): number {
  const tens = digit(text, index);
  const ones = digit(text, index + 1);
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

const LOOSE = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:(?:[T ,_]\s*|:)(.+))?$/i;
const COMPACT =
  /^(\d{4})(\d{2})(\d{2})(?:[T ]?(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const ORDINAL = /^(\d{4})-(\d{3})$/;
const EAST_ASIAN = /^(\d{4})[年년]\s?(\d{1,2})[月월](?:\s?(\d{1,2})[日일])?$/;

/**
 * Reads dates and date-times with the year first: ISO 8601 in its extended, basic and ordinal forms, a blank for the `T`,
 * `/` or `.` for the `-`, single digits, any fraction of a second, zones as offsets or names. Without a zone: UTC.
 * @returns epoch milliseconds, or `NaN`
 */
export function parseIso(text: string): number {
  const length = text.length;
  // The common shapes by their digits; a regular expression for each of millions of cells would cost the most.
  if (length >= 10 && text.charCodeAt(4) === 45 && text.charCodeAt(7) === 45) {
    const day = instantOf(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8));
    if (length === 10) return day;
    const between = text.charCodeAt(10);
    if ((between === 84 || between === 32) && length >= 16 && text.charCodeAt(13) === 58) {
      const clock = two(text, 11) * HOUR + two(text, 14) * MINUTE;
      const valid = two(text, 11) <= 23 && two(text, 14) <= 59;
      if (valid && length === 16) return day + clock;
      if (valid && text.charCodeAt(16) === 58 && two(text, 17) <= 59) {
        if (length === 19) return day + clock + two(text, 17) * 1000;
        if (length === 20 && text.charCodeAt(19) === 90) return day + clock + two(text, 17) * 1000;
      }
    }
  }
  return parseLoose(text);
}

function parseLoose(text: string): number {
  const loose = LOOSE.exec(text);
  if (loose) return withClock(instantOf(Number(loose[1]), Number(loose[3]), Number(loose[4])), loose[5] ?? '');
  const ordinal = ORDINAL.exec(text);
  if (ordinal) {
    const year = Number(ordinal[1]);
    const day = Number(ordinal[2]);
    return day >= 1 && day <= 337 + daysInMonth(year, 2) ? instantOf(year, 1, 1) + (day - 1) * DAY : NaN;
  }
  const eastAsian = EAST_ASIAN.exec(text);
  return eastAsian ? instantOf(Number(eastAsian[1]), Number(eastAsian[2]), Number(eastAsian[3] ?? 1)) : NaN;
}

/** Reads `20210131`, `20210131T1300`, `202101311300` and `20210131130000Z`. */
export function parseCompact(text: string): number {
  const parts = COMPACT.exec(text);
  if (!parts) return NaN;
  const [, year, month, day, hour, minute = '00', second = '00', fraction = '0', zone = ''] = parts;
  const midnight = instantOf(Number(year), Number(month), Number(day));
  return hour === undefined ? midnight : withClock(midnight, `${hour}:${minute}:${second}.${fraction}${zone}`);
}
