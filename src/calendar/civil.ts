/** Milliseconds of the fixed units. Months and years have no fixed length and are counted in the calendar instead. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

const ERA = 146_097; // days of 400 years, after which the calendar repeats

export function daysFromCivil(year: number, month: number, day: number): number {
  const era = Math.floor(year / 400) - 5;
  return Date.UTC(year - era * 400, month - 1, day) / DAY + era * ERA;
}

/** The day of the proleptic Gregorian calendar, in UTC; `month` and `day` count from 1. */
export function civilOf(time: number): { readonly year: number; readonly month: number; readonly day: number } {
  // Years from March on, whose lengths of months repeat after 153 days, counted from 1 March of the year 0 (Hinnant 2013).
  const days = Math.floor(Math.floor(time) / DAY) + 719_468; // from that day to 1970
  const era = Math.floor(days / ERA);
  const inEra = days - era * ERA;
  const leaps = Math.floor(inEra / 1460) - Math.floor(inEra / 36_524) + Math.floor(inEra / (ERA - 1));
  const year = Math.floor((inEra - leaps) / 365);
  const inYear = inEra - 365 * year - Math.floor(year / 4) + Math.floor(year / 100);
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return { year: year + 400 * era + (month < 3 ? 1 : 0), month, day };
}

export const civilFromDays = (days: number) => civilOf(days * DAY);
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** 0 for Monday to 6 for Sunday, of a number of days since 1970-01-01 (a Thursday). */
export const weekdayOfDays = (days: number): number => (((days + 3) % 7) + 7) % 7;

export const timeOfDay = (time: number): number => time - Math.floor(time / DAY) * DAY;
