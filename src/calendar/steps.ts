import { DAY, civilOf, daysFromCivil, daysInMonth, timeOfDay, weekdayOfDays } from './civil.ts';
import { fixedStep, monthStep, type Frequency } from './frequency.ts';

/** Business days before a day since 1970-01-01, counted from Monday 1970-01-05; a weekend counts as its Friday. */
function businessIndex(days: number): number {
  const sinceMonday = days - 4;
  return Math.floor(sinceMonday / 7) * 5 + Math.min(weekdayOfDays(days), 4);
}

function addMonths(time: number, months: number, toMonthEnd: boolean): number {
  const from = civilOf(time);
  const index = from.year * 12 + (from.month - 1) + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const length = daysInMonth(year, month);
  const day = toMonthEnd ? length : Math.min(from.day, length);
  return daysFromCivil(year, month, day) * DAY + timeOfDay(time);
}

/**
 * The instant some steps after (or, negative, before) another, counted in the calendar: a month after Jan 31 is Feb 28,
 * two months after it Mar 31; with `anchor: 'end'` every step is a month's last day; business days leave out weekends.
 * The time of day stays. `time` in epoch milliseconds, UTC.
 */
export function addSteps(time: number, frequency: Frequency, steps: number): number {
  const months = monthStep(frequency);
  if (months !== undefined) return addMonths(time, months * steps, frequency.anchor === 'end');
  if (frequency.businessDays) {
    const index = businessIndex(Math.floor(time / DAY)) + steps * frequency.count;
    const week = Math.floor(index / 5);
    return (4 + week * 7 + (index - week * 5)) * DAY + timeOfDay(time);
  }
  return time + (fixedStep(frequency) ?? 0) * steps;
}

/**
 * The number of the step, counted from `start`, that an instant belongs to; an instant between two steps belongs to the
 * nearer one, so that an hour of daylight saving does not move a day. Months and longer go by the calendar month.
 */
export function stepIndex(start: number, time: number, frequency: Frequency): number {
  const months = monthStep(frequency);
  if (months !== undefined) {
    const from = civilOf(start);
    const to = civilOf(time);
    return Math.round(((to.year - from.year) * 12 + (to.month - from.month)) / months);
  }
  if (frequency.businessDays) {
    const distance = businessIndex(Math.floor(time / DAY)) - businessIndex(Math.floor(start / DAY));
    return Math.round(distance / frequency.count);
  }
  return Math.round((time - start) / (fixedStep(frequency) ?? 1));
}
