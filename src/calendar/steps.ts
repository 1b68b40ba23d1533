import { DAY, civilOf, daysFromCivil, daysInMonth, timeOfDay } from './civil.ts';
import { fixedStep, monthStep, type Frequency } from './frequency.ts';
import { isOpen, type OpenTime, openTimeAt, wallAtOpenTime } from './open-time.ts';

function addMonths(time: number, months: number, toMonthEnd: boolean): number {
  const from = civilOf(time);
  const index = from.year * 12 + (from.month - 1) + months;
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const length = daysInMonth(year, month);
  const day = toMonthEnd ? length : Math.min(from.day, length);
  return daysFromCivil(year, month, day) * DAY + timeOfDay(time);
}

function openAt(time: number, open: OpenTime, frequency: Frequency): number {
  if (frequency.unit === 'day') return openTimeAt(time - timeOfDay(time), open, DAY);
  return openTimeAt(time, open, fixedStep(frequency) ?? 0);
}

/** Whether a step of a frequency can be at a time on the wall. A day is open as a whole, whenever in it its row is. */
export function isInOpenTime(wall: number, frequency: Frequency): boolean {
  const { open, unit } = frequency;
  if (!open) return true;
  if (unit === 'day') return isOpen(wall - timeOfDay(wall), open, DAY);
  return isOpen(wall, open, fixedStep(frequency) ?? 0);
}

/**
 * The time some steps after (or, negative, before) another on the wall: a month after Jan 31 is Feb 28, two months after it
 * Mar 31; with `anchor: 'end'` every step is a month's last day; closed time is passed over, the time of day stays.
 */
export function addSteps(time: number, frequency: Frequency, steps: number): number {
  const months = monthStep(frequency);
  if (months !== undefined) return addMonths(time, months * steps, frequency.anchor === 'end');
  const step = fixedStep(frequency) ?? 0;
  const { open, unit } = frequency;
  if (!open) return time + step * steps;
  const wall = wallAtOpenTime(openAt(time, open, frequency) + step * steps, open);
  return unit === 'day' ? wall + timeOfDay(time) : wall;
}

/**
 * The number of the step, counted from `start`, that is nearest to a time on the wall, so that an hour of daylight saving
 * moves no day; of closed time the last step before it, of months and longer that of the calendar month.
 */
export function stepIndex(start: number, time: number, frequency: Frequency): number {
  const months = monthStep(frequency);
  if (months !== undefined) {
    const from = civilOf(start);
    const to = civilOf(time);
    return Math.round(((to.year - from.year) * 12 + (to.month - from.month)) / months);
  }
  const step = fixedStep(frequency) ?? 1;
  const { open } = frequency;
  if (!open) return Math.round((time - start) / step);
  return Math.round((openAt(time, open, frequency) - openAt(start, open, frequency)) / step);
}
