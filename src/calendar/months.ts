const LONG = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** English month names, January first. */
export const MONTH_NAMES = Array.from({ length: 12 }, (_, month) => LONG.format(Date.UTC(2000, month)));

/** The English name of a month, from 1, in three letters. */
export const shortMonth = (month: number): string => (MONTH_NAMES[month - 1] ?? '').slice(0, 3);
