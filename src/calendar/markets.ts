import { daysFromCivil, weekdayOfDays } from './civil.ts';

/** Easter Sunday of the Gregorian calendar, in days since 1970-01-01. Anonymous Gregorian algorithm (Meeus 1991, ch. 8). */
export function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - (b >> 2) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * (c >> 2) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return daysFromCivil(year, Math.floor(n / 31), (n % 31) + 1);
}

const WEST = '1-1 easter-2 12-25';
const EUROPE = `${WEST} easter+1 5-1 12-26`;
const FEDERAL = '1-1 12-25 1-mon15@1998 2-mon15 5-mon25 6-19@2022 7-4 9-mon1 11-thu22';
const BANKS = '10-mon8 11-11';

/**
 * Days on which well-known markets are closed every year: a month and a day, the first weekday from a day of a month on
 * (`1-mon15`), or days from Easter Sunday, each since a year where one is given. For series too short to show them.
 */
const MARKETS = {
  'New York Stock Exchange': `${FEDERAL} easter-2`,
  'United States, bonds': `${FEDERAL} ${BANKS} easter-2`,
  'United States, banks': `${FEDERAL} ${BANKS}`,
  'Toronto Stock Exchange': `${WEST} 2-mon15 5-mon18 7-1 8-mon1 9-mon1 10-mon8 12-26`,
  'Euro area (TARGET), Euronext': EUROPE,
  Xetra: `${EUROPE} 12-24 12-31`,
  'Germany, offices': `${EUROPE} easter+39 easter+50 10-3`,
  'France, offices': '1-1 easter+1 5-1 5-8 easter+39 easter+50 7-14 8-15 11-1 11-11 12-25',
  'Italy, offices': '1-1 1-6 easter+1 4-25 5-1 6-2 8-15 11-1 12-8 12-25 12-26',
  'Spain, offices': `${WEST} 1-6 5-1 8-15 10-12 11-1 12-6 12-8`,
  'London Stock Exchange': `${WEST} easter+1 5-mon1 5-mon25 8-mon25 12-26`,
  'SIX Swiss Exchange': `${EUROPE} 1-2 easter+39 easter+50 8-1`,
  'Nasdaq Stockholm': `${EUROPE} 1-6 easter+39 6-6 6-fri19 12-24 12-31`,
  'Oslo Børs': `${EUROPE} easter-3 easter+39 easter+50 5-17 12-24 12-31`,
  'Australian Securities Exchange': `${WEST} 1-26 easter+1 4-25 6-mon8 12-26`,
  'Tokyo Stock Exchange':
    '1-1 1-2 1-3 1-mon8 2-11 2-23@2020 3-20 4-29 5-3 5-4 5-5 7-mon15 8-11@2016 9-mon15 9-23 10-mon8 11-3 11-23 12-31',
  'B3 (Brazil)': `${WEST} easter-48 easter-47 easter+60 4-21 5-1 9-7 10-12 11-2 11-15`,
};

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'];

/** The days, since 1970-01-01, that each market would be closed on in a year, also those on a weekend. */
export const closedDays = (year: number): readonly (readonly number[])[] =>
  Object.values(MARKETS).map((rules) =>
    rules.split(' ').flatMap((rule) => {
      const [, easter, month, weekday = '', day, since = 0] =
        /^(?:easter([+-]\d+)|(\d+)-([a-z]*)(\d+))(?:@(\d+))?$/.exec(rule) ?? [];
      if (year < Number(since)) return [];
      if (easter !== undefined) return [easterOf(year) + Number(easter)];
      const first = daysFromCivil(year, Number(month), Number(day));
      const wanted = WEEKDAYS.indexOf(weekday);
      return [wanted < 0 ? first : first + ((wanted - weekdayOfDays(first) + 7) % 7)];
    }),
  );
