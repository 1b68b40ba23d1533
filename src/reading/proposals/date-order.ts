import { said } from '../phrase.ts';
import { DAY } from '../../calendar/civil.ts';
import { inferFrequency, withoutRepeats } from '../../calendar/infer.ts';
import { stepIndex } from '../../calendar/steps.ts';
import type { Reading } from '../columns/cells.ts';
import type { Column } from '../columns/column.ts';
import type { Choice, LayoutChoice } from '../types.ts';

export type DateOrder = 'dmy' | 'mdy';

interface Verdict {
  readonly order: DateOrder;
  readonly choice?: Choice;
}

/**
 * How orderly a reading of the dates makes the series: rows that go back in time, and steps of its grid without a row.
 * Of times within days, the days are looked at: they follow each other, also where the times are irregular.
 */
function disorder(times: Float64Array): { back: number; empty: number } {
  let back = 0;
  for (let row = 1; row < times.length; row++) if (times[row]! < times[row - 1]!) back++;
  const distinct = withoutRepeats(times.filter((time) => !Number.isNaN(time)).sort());
  const days = withoutRepeats(distinct.map((time) => Math.floor(time / DAY)));
  if (days.length > 1 && distinct.length >= 2 * days.length) {
    return { back, empty: 1 - days.length / (days.at(-1)! - days[0]! + 1) };
  }
  const frequency = inferFrequency(distinct);
  if (!frequency || distinct.length < 3) return { back, empty: frequency ? 0 : 1 };
  const steps = stepIndex(distinct[0]!, distinct.at(-1)!, frequency) + 1;
  return { back, empty: 1 - distinct.length / steps };
}

/** A reading must leave this much less of its grid empty to win by that alone. */
const CLEARLY_FULLER = 0.25;

/**
 * Day or month first, for a column whose every cell can be read both ways so far: by cells that allow only one, by dots
 * (which no country writes month first), by the order of the rows, by the grid they give. Where all of that leaves it
 * open, it is the person's choice.
 */
export function decideOrder(
  mdy: Reading,
  dmy: Reading,
  column: Column,
  layout: LayoutChoice,
  hint: DateOrder,
): Verdict {
  if (layout.dateOrder) return { order: layout.dateOrder };
  if (mdy.badCount !== dmy.badCount) return { order: mdy.badCount < dmy.badCount ? 'mdy' : 'dmy' };
  if (column.samples.some((text) => /^\d+\.\d+\.\d/.test(text))) return { order: 'dmy' };
  const byMonth = mdy.values.all();
  const byDay = dmy.values.all();
  if (byMonth.every((time, row) => Object.is(time, byDay[row]))) return { order: 'mdy' };
  const month = disorder(byMonth);
  const day = disorder(byDay);
  if (month.back !== day.back) return { order: month.back < day.back ? 'mdy' : 'dmy' };
  if (Math.abs(month.empty - day.empty) > CLEARLY_FULLER) return { order: month.empty < day.empty ? 'mdy' : 'dmy' };
  const sample = column.samples.find((text) => /^(\d+)\D+(?!\1\D)/.test(text)) ?? column.samples[0] ?? '';
  const options = [
    {
      label: said`Day first`.message,
      detail: said`${sample} is read as day, month, year`.message,
      layout: { dateOrder: 'dmy' },
    },
    {
      label: said`Month first`.message,
      detail: said`${sample} is read as month, day, year`.message,
      layout: { dateOrder: 'mdy' },
    },
  ] as const;
  const choice: Choice = {
    kind: 'date-order',
    question: said`How are the dates in “${column.name}” written?`.message,
    options,
    suggested: hint === 'dmy' ? 0 : 1,
  };
  return { order: hint, choice };
}
