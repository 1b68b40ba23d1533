import { weekdayOfDays } from '../../calendar/civil.ts';
import type { DaySet } from './day-columns.ts';
import type { NamedDay } from './places.ts';

/** Monday 0. */
const USUAL_WEEKEND = [5, 6];

/**
 * Two sets of days: the holidays, and the working days between a holiday and the weekend.
 * @param names of the two
 */
export function holidaySets(
  holidays: readonly NamedDay[],
  weekend: readonly number[],
  names: { readonly holiday: string; readonly bridge: string },
): DaySet[] {
  const days = new Set(holidays.map(({ day }) => day));
  const isWeekend = (day: number): boolean => weekend.includes(weekdayOfDays(day));
  const isWorking = (day: number): boolean => !isWeekend(day) && !days.has(day);
  const bridges = new Set<number>();
  for (const day of days) {
    for (const side of [-1, 1]) {
      if (isWorking(day + side) && isWeekend(day + 2 * side)) bridges.add(day + side);
    }
  }
  return [
    { name: names.holiday, days, free: weekend },
    { name: names.bridge, days: bridges, isShort: true },
  ];
}

/** The days of the weekend of a country, Monday 0. @param country its code */
export function weekendOf(country: string): readonly number[] {
  try {
    const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & {
      readonly getWeekInfo?: () => { readonly weekend: readonly number[] };
    };
    return locale.getWeekInfo?.().weekend.map((day) => day - 1) ?? USUAL_WEEKEND;
  } catch (error) {
    if (error instanceof RangeError) return USUAL_WEEKEND;
    throw error;
  }
}
