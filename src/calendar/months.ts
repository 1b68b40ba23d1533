/** English month names, January first. */
export const MONTH_NAMES = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' }),
);

/** The English name of a month, from 1, in three letters. */
export const shortMonth = (month: number): string => (MONTH_NAMES[month - 1] ?? '').slice(0, 3);
