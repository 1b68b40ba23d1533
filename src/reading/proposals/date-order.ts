import { DAY } from '../../calendar/civil.ts';
import { medianOf, withoutRepeats } from '../../calendar/infer.ts';
import type { Reading } from '../columns/cells.ts';
import type { Column } from '../columns/column.ts';
import { said } from '../phrase.ts';
import type { Choice, LayoutChoice } from '../types.ts';

export type DateOrder = 'dmy' | 'mdy';

/** A reading must leave this much less of its grid empty to win by that alone. */
const CLEARLY_FULLER = 0.25;

/**
 * How orderly a reading of the dates makes the series: rows that go back in time, and days without a row where most have one.
 * @param hasClock whether the time of day stands beside them
 */
function disorder(times: Float64Array, hasClock: boolean): { back: number; empty: number } {
  let back = 0;
  for (let row = 1; row < times.length; row++) if (times[row]! < times[row - 1]!) back++;
  const distinct = withoutRepeats(times.filter((time) => !Number.isNaN(time)).sort());
  const days = withoutRepeats(distinct.map((time) => Math.floor(time / DAY)));
  // of times within days the days follow each other, also where the times are irregular
  const isWithin = hasClock || distinct.length >= 2 * days.length;
  const usual = isWithin ? 1 : medianOf(days.subarray(1).map((day, index) => day - days[index]!));
  const isShort = days.length < (isWithin ? 2 : 3);
  return { back, empty: isShort ? 0 : 1 - days.length / ((days.at(-1)! - days[0]!) / usual + 1) };
}

/**
 * Day or month first, for a column whose every cell can be read both ways so far: by cells that allow only one, by dots
 * (which no country writes month first), by the order of the rows, by the grid they give. Where all of that leaves it
 * open, it is the person's choice.
 */
export function decideOrder(
  { mdy, dmy, hasClock }: Readonly<Record<DateOrder, Reading>> & { readonly hasClock: boolean },
  { name, samples }: Column,
  { dateOrder }: LayoutChoice,
  hint: DateOrder,
): { readonly order: DateOrder; readonly choice?: Choice } {
  if (dateOrder) return { order: dateOrder };
  if (mdy.badCount !== dmy.badCount) return { order: mdy.badCount < dmy.badCount ? 'mdy' : 'dmy' };
  if (samples.some((text) => /^\d+\.\d+\.\d/.test(text))) return { order: 'dmy' };
  const [byMonth, byDay] = [mdy.values.all(), dmy.values.all()];
  if (byMonth.every((time, row) => Object.is(time, byDay[row]))) return { order: 'mdy' };
  const [month, day] = [disorder(byMonth, hasClock), disorder(byDay, hasClock)];
  if (month.back !== day.back) return { order: month.back < day.back ? 'mdy' : 'dmy' };
  if (Math.abs(month.empty - day.empty) > CLEARLY_FULLER) return { order: month.empty < day.empty ? 'mdy' : 'dmy' };
  const sample = samples.find((text) => /^(\d+)\D+(?!\1\D)/.test(text)) ?? samples[0] ?? '';
  const dayFirst = said`${sample} is read as day, month, year`;
  const monthFirst = said`${sample} is read as month, day, year`;
  const choice: Choice = {
    kind: 'date-order',
    question: said`How are the dates in “${name}” written?`.message,
    options: [
      { label: said`Day first`.message, detail: dayFirst.message, layout: { dateOrder: 'dmy' } },
      { label: said`Month first`.message, detail: monthFirst.message, layout: { dateOrder: 'mdy' } },
    ],
    suggested: hint === 'dmy' ? 0 : 1,
  };
  return { order: hint, choice };
}
