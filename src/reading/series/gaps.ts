import { DAY, civilFromDays, daysInMonth, weekdayOfDays } from '../../calendar/civil.ts';
import { fixedStep, type Frequency, isBelowDay } from '../../calendar/frequency.ts';
import { holidaysAmong } from '../../calendar/holidays.ts';
import { openDays } from '../../calendar/open-time.ts';
import { clockOf } from '../../calendar/grid.ts';
import { addSteps, stepIndex } from '../../calendar/steps.ts';
import type { Zone } from '../../calendar/zone.ts';

const MOST = 20_000;

/**
 * Days without a row, since 1970-01-01, that are none to worry about: holidays of a series that is closed on some days or at
 * some hours, and the leap days of a daily one that has none at all. @param instants of the rows, rising
 */
export function holidaysOf(instants: Float64Array, frequency: Frequency, zone: Zone): ReadonlySet<number> {
  const { open } = frequency;
  const isDaily = frequency.unit === 'day' && frequency.count === 1;
  if ((!open && !isDaily) || instants.length < 2) return new Set();
  const clock = clockOf(instants, frequency, zone);
  const dayOf = (row: number) => Math.floor(clock.toWall(instants[row]!) / DAY);
  const isOpenOn = open && openDays(open).map((length) => length > 0);
  const isClosed = (day: number) => isOpenOn?.[weekdayOfDays(day)] === false;
  const missing: number[] = [];
  for (let row = 1; row < instants.length; row++) {
    const [before, day] = [dayOf(row - 1), dayOf(row)];
    if (missing.length + day - before > MOST) return new Set();
    for (let each = before + 1; each < day; each++) if (!isClosed(each)) missing.push(each);
  }
  const [first, last] = [dayOf(0), dayOf(instants.length - 1)];
  return open ? holidaysAmong(missing, first, last, isClosed) : leapDays(missing, first, last);
}

export function stepsOn(days: ReadonlySet<number>, frequency: Frequency): number {
  if (!isBelowDay(frequency)) return days.size;
  const lengths = openDays(frequency.open ?? []);
  let open = 0;
  for (const day of days) open += lengths[weekdayOfDays(day)]!;
  return Math.round(open / (fixedStep(frequency) ?? 1));
}

/** One day of each leap year, where calendars of 365 days leave it out: the 29th of February, or the last of the year. */
function leapDays(missing: readonly number[], first: number, last: number): ReadonlySet<number> {
  const isLeftOut = (day: number, date: string) => {
    const { year, month, day: inMonth } = civilFromDays(day);
    return `${month}-${inMonth}` === date && daysInMonth(year, 2) === 29;
  };
  for (const date of ['2-29', '12-31']) {
    const found = missing.filter((day) => isLeftOut(day, date));
    let all = 0;
    for (let day = first; day <= last; day++) if (isLeftOut(day, date)) all++;
    if (all > 0 && found.length === all) return new Set(found);
  }
  return new Set();
}

/** Steps between two neighbouring rows without a row, but for holidays. @param before on the wall, as `time` */
export function missingBetween(
  before: number,
  time: number,
  frequency: Frequency,
  holidays: ReadonlySet<number>,
): number {
  const steps = Math.max(0, stepIndex(before, time, frequency) - 1);
  if (holidays.size === 0) return steps;
  let left = 0;
  for (let step = 1; step <= steps; step++) {
    if (!holidays.has(Math.floor(addSteps(before, frequency, step) / DAY))) left++;
  }
  return left;
}
