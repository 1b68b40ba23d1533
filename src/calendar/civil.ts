/** Milliseconds of the fixed units. Months and years have no fixed length and are counted in the calendar instead. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

const ERA = 146_097; // days of 400 years, after which the calendar repeats

const eraOf = (time: number): number => Math.floor(time / DAY / ERA);

export const inFirstEra = (time: number): Date => new Date(Math.floor(time - eraOf(time) * ERA * DAY));

export function daysFromCivil(year: number, month: number, day: number): number {
  const era = Math.floor(year / 400) - 5;
  return Date.UTC(year - era * 400, month - 1, day) / DAY + era * ERA;
}

/** The day of the proleptic Gregorian calendar, in UTC; `month` and `day` count from 1. */
export function civilOf(time: number): { readonly year: number; readonly month: number; readonly day: number } {
  const date = inFirstEra(time);
  return { year: date.getUTCFullYear() + 400 * eraOf(time), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export const civilFromDays = (days: number) => civilOf(days * DAY);
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** 0 for Monday to 6 for Sunday, of a number of days since 1970-01-01 (a Thursday). */
export const weekdayOfDays = (days: number): number => (((days + 3) % 7) + 7) % 7;

export const timeOfDay = (time: number): number => time - Math.floor(time / DAY) * DAY;
