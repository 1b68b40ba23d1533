import Holidays from 'date-holidays';
import { daysFromCivil } from '../../calendar/civil.ts';

export interface NamedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly name: string;
}

export interface HolidayPlace {
  /** ISO 3166 code of the country, then those of its state and region: `DE`, `DE-BY`, `DE-BY-A`. */
  readonly code: string;
  readonly names: readonly string[];
}

const LEAST_HOURS = 12;
const HOUR = 3_600_000;
const MOST_OF_A_DAY = 0.4;
const YEARS = [1900, 2100] as const;

export function holidaysOf(code: string, fromYear: number, toYear: number): NamedDay[] {
  const calendar = calendarOf(code);
  if (!calendar) return [];
  const days: NamedDay[] = [];
  for (let year = Math.max(YEARS[0], fromYear); year <= Math.min(YEARS[1], toYear); year++) {
    for (const { name, start, end } of calendar.getHolidays(year)) {
      const hours = (end.getTime() - start.getTime()) / HOUR;
      // feasts of the moon begin on the evening before, on the clock of the place
      const evening = start.getHours() >= LEAST_HOURS && hours >= 24 ? 1 : 0;
      const first = daysFromCivil(start.getFullYear(), start.getMonth() + 1, start.getDate()) + evening;
      const whole = hours - (evening > 0 ? 24 - start.getHours() : 0);
      const count = evening === 0 && hours < 24 ? Number(hours > LEAST_HOURS) : Math.floor(whole / 24 + MOST_OF_A_DAY);
      for (let i = 0; i < count; i++) days.push({ day: first + i, name });
    }
  }
  return days.sort((a, b) => a.day - b.day);
}

const listed = (found: unknown) => Object.entries((found as Readonly<Record<string, string>> | undefined) ?? {});

export function allPlaces(): HolidayPlace[] {
  const all = new Holidays();
  return listed(all.getCountries('en')).flatMap(([country, name]) => [
    { code: country, names: [name] },
    ...listed(all.getStates(country)).flatMap(([state, ofState]) => [
      { code: `${country}-${state}`, names: [name, ofState] },
      ...listed(all.getRegions(country, state)).map(([region, ofRegion]) => ({
        code: `${country}-${state}-${region}`,
        names: [name, ofState, ofRegion],
      })),
    ]),
  ]);
}

function calendarOf(code: string): Holidays | undefined {
  const place = allPlaces().find((one) => one.code.toUpperCase() === code.toUpperCase());
  if (!place) return undefined;
  const [country, state = '', region = ''] = place.code.split('-');
  const calendar = new Holidays(country!, state, region, { types: ['public'] });
  // all dates are those of the place, whatever the clock of this machine
  calendar.setTimezone(undefined as unknown as string);
  return calendar;
}
