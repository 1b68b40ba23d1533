import { DAY, civilFromDays, daysFromCivil, daysInMonth, weekdayOfDays } from './civil.ts';

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

/** Easter Sunday of the Julian calendar, in days since 1970-01-01 of the Gregorian one (Meeus 1991, ch. 8). */
function orthodoxEasterOf(year: number): number {
  const d = (19 * (year % 19) + 15) % 30;
  const n = d + ((2 * (year % 4) + 4 * (year % 7) - d + 34) % 7) + 114;
  const shift = Math.floor(year / 100) - Math.floor(year / 400) - 2;
  return daysFromCivil(year, Math.floor(n / 31), (n % 31) + 1) + shift;
}

type IsClosed = (day: number) => boolean;
const isWeekend: IsClosed = (day) => weekdayOfDays(day) > 4;

const openBetween = (first: number, last: number, isClosed: IsClosed): number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place).filter((day) => !isClosed(day));

function nominalDays(day: number): number[] {
  const weekday = weekdayOfDays(day);
  const weekend = weekday === 4 ? [day + 1] : weekday === 0 ? [day - 1, day - 2] : weekday === 1 ? [day - 2] : [];
  return [day, ...weekend];
}

const WANDERING = ['chinese', 'islamic-umalqura', 'hebrew'] as const;

/** How many years a day must be missing in to be a habit by itself, and in how many of those between. */
const HABIT = { years: 3, share: 0.8 };
const MOSTLY = 0.6; // days missing in two years only count where this share of all missing days comes back
const FITS = 0.8; // this share of the closed days of a market must be missing for its calendar to explain them
const MOST_DAYS = 15_000;

/**
 * The missing days (since 1970-01-01, rising, none closed in every week) that are holidays: those that come back every year by
 * date, nth weekday of their month, Easter or a calendar of the moon, and those of a well-known market.
 */
export function holidaysAmong(missing: readonly number[], first: number, last: number, isClosed: IsClosed = isWeekend) {
  const left = new Set(missing);
  const found = new Set<number>();
  const explain = (days: Iterable<number>) => {
    for (const day of days) if (left.delete(day)) found.add(day);
  };
  const habit = (days: readonly number[], keys: Keys) => recurring(days, openBetween(first, last, isClosed), keys);
  explain(habit(missing, solarKeys()));
  const market = bestMarket(new Set(missing), [first, last], isClosed);
  explain(market);
  if (left.size >= HABIT.years && market.length === 0 && last - first <= MOST_DAYS) {
    for (const calendar of WANDERING) explain(habit([...left], wanderingKeys(calendar)));
  }
  return found;
}

type Key = number | string;
type Keys = (day: number, isMissing: boolean) => readonly Key[];

function solarKeys(): Keys {
  const easters = new Map<number, readonly [number, number]>();
  return (day, isMissing) => {
    const { year, month, day: inMonth } = civilFromDays(day);
    const easter = easters.get(year) ?? ([easterOf(year), orthodoxEasterOf(year)] as const);
    easters.set(year, easter);
    const ofMonth = 1000 + month * 100 + weekdayOfDays(day) * 10;
    const others = isMissing ? nominalDays(day).slice(1).map(civilFromDays) : [];
    return [
      month * 32 + inMonth,
      ofMonth + Math.ceil(inMonth / 7),
      5000 + day - easter[0],
      7000 + day - easter[1],
      ...(inMonth > daysInMonth(year, month) - 7 ? [ofMonth] : []),
      ...others.map((civil) => civil.month * 32 + civil.day),
    ];
  };
}

function wanderingKeys(calendar: string): Keys {
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, { month: 'numeric', day: 'numeric', timeZone: 'UTC' });
  return (day, isMissing) =>
    (isMissing ? nominalDays(day) : [day]).map((each) => `${calendar} ${format.format(each * DAY)}`);
}

function recurring(missing: readonly number[], open: readonly number[], keys: Keys): number[] {
  const places = new Map<Key, boolean[]>();
  const gone = new Set(missing);
  for (const day of missing) for (const key of keys(day, true)) places.set(key, []);
  for (const day of open) for (const key of keys(day, false)) places.get(key)?.push(gone.has(day));
  const years = new Map([...places].map(([key, days]) => [key, habitOf(days)]));
  const yearsOf = (day: number) =>
    keys(day, true).reduce<number>((most, key) => Math.max(most, years.get(key) ?? 0), 0);
  const back = missing.filter((day) => yearsOf(day) >= 2);
  const least = back.length >= missing.length * MOSTLY ? 2 : HABIT.years;
  return back.filter((day) => yearsOf(day) >= least);
}

function habitOf(gone: readonly boolean[]): number {
  const between = gone.slice(gone.indexOf(true), gone.lastIndexOf(true) + 1);
  const count = between.filter(Boolean).length;
  return count >= between.length * HABIT.share ? count : 0;
}

function bestMarket(missing: ReadonlySet<number>, [first, last]: readonly [number, number], isClosed: IsClosed) {
  const [from, to] = [civilFromDays(first).year, civilFromDays(last).year];
  const years = Array.from({ length: to - from + 1 }, (_, index) => closedDays(from + index));
  let best: readonly number[] = [];
  for (const market of years[0]?.keys() ?? []) {
    let [closed, kept] = [0, 0];
    const hits = new Set<number>();
    for (const day of years.flatMap((year) => year[market]!)) {
      if (day < first || day > last) continue;
      const observed = isClosed(day) ? [day - 1, day + 1, day + 2].filter((each) => !isClosed(each)) : [day];
      const found = observed.filter((each) => missing.has(each));
      for (const each of found) hits.add(each);
      if (isClosed(day)) continue;
      closed++;
      if (found.length > 0) kept++;
    }
    if (kept > 0 && kept >= closed * FITS && hits.size > best.length) best = [...hits];
  }
  return best;
}

const WEST = '1-1 easter-2 12-25';
const EUROPE = `${WEST} easter+1 5-1 12-26`;
const FEDERAL = '1-1 12-25 1-mon15@1998 2-mon15 5-mon25 6-19@2022 7-4 9-mon1 11-thu22';
const BANKS = '10-mon8 11-11';

/** Closed days of markets, for short series: month and day, first weekday from a day (`1-mon15`), or days from Easter, since a year. */
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

const closedDays = (year: number): readonly (readonly number[])[] =>
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
