/** Milliseconds of the fixed units. Months and years have no fixed length and are counted in the calendar instead. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** A calendar day of the proleptic Gregorian calendar; `month` and `day` count from 1. */
export interface CivilDay {
  year: number;
  month: number;
  day: number;
}

/**
 * Days from 1970-01-01 to a civil day. Algorithm of H. Hinnant, "chrono-compatible low-level date algorithms",
 * valid for any year; unlike `Date.UTC` it does not read years 0 to 99 as 19xx.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/** The civil day of a number of whole days since 1970-01-01 (same source as {@link daysFromCivil}). */
export function civilFromDays(days: number): CivilDay {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** The civil day, in UTC, of an instant in epoch milliseconds. */
export function civilOf(time: number): CivilDay {
  return civilFromDays(Math.floor(time / DAY));
}

/** Number of days in a month; `month` counts from 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** 0 for Monday to 6 for Sunday, of a number of days since 1970-01-01 (a Thursday). */
export function weekdayOfDays(days: number): number {
  return (((days + 3) % 7) + 7) % 7;
}

/** Milliseconds since the last midnight UTC. */
export function timeOfDay(time: number): number {
  return time - Math.floor(time / DAY) * DAY;
}
