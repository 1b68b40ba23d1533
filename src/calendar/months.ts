/** English month names, January first. */
export const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ');

/** The English name of a month, from 1, in three letters. */
export const shortMonth = (month: number): string => (MONTH_NAMES[month - 1] ?? '').slice(0, 3);
