import { DAY, civilFromDays, daysInMonth } from '../../calendar/civil.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { holidaysAmong } from '../../calendar/holidays.ts';
import { clockOf } from '../../calendar/grid.ts';
import { addSteps, stepIndex } from '../../calendar/steps.ts';
import type { Zone } from '../../calendar/zone.ts';

/** More missing days than this are no holidays, and would take long to look at. */
const MOST = 20_000;

/**
 * The steps without a row that are none to worry about: holidays of a business-daily series, and the leap days of a daily
 * one that has none at all.
 * @param instants of the rows, epoch milliseconds, rising; of one step may be several
 * @returns days since 1970-01-01
 */
export function holidaysOf(instants: Float64Array, frequency: Frequency, zone: Zone): ReadonlySet<number> {
  const none = new Set<number>();
  if (frequency.unit !== 'day' || frequency.count !== 1 || instants.length < 2) return none;
  const times = instants.map(clockOf(instants, frequency, zone).toWall);
  const missing: number[] = [];
  for (let row = 1; row < times.length; row++) {
    const [before, time] = [times[row - 1]!, times[row]!];
    const steps = stepIndex(before, time, frequency);
    if (missing.length + steps > MOST) return none;
    for (let step = 1; step < steps; step++) missing.push(Math.floor(addSteps(before, frequency, step) / DAY));
  }
  const [first, last] = [Math.floor(times[0]! / DAY), Math.floor(times.at(-1)! / DAY)];
  return frequency.businessDays ? holidaysAmong(missing, first, last) : leapDays(missing, first, last);
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

/**
 * How many steps between two neighbouring rows have no row and are no holidays.
 * @param before what the clock on the wall shows at the one row, and @param time at the next one
 */
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
