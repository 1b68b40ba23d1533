import { inferFrequency, medianOf } from '../../calendar/infer.ts';
import { addSteps } from '../../calendar/steps.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import { said, type Phrase } from '../phrase.ts';
import type { Choice, Problem } from '../types.ts';

/** A row that sums the others up, and what stands where its time would. */
export interface TotalRow {
  readonly row: number;
  readonly label: string;
}

/** Rows without a time are few where they are totals; more than this share are something else. */
const MOST = 0.25;
/** Two rows and their sum prove nothing. */
const LEAST_SUMMED = 3;

/**
 * The rows of totals of a table: those without a time that are called so, in place of the time or in another column of
 * texts, and those that are called nothing and whose number is the sum of all others.
 */
export function findTotals(table: Table, axis: TimeAxis, values: readonly Column[]): TotalRow[] {
  if (axis.kind === 'row') return [];
  const labels = new Map(axis.bad.map(({ row, text }) => [row, text]));
  const untimed: number[] = [];
  for (let row = 0; row < axis.times.length; row++) if (Number.isNaN(axis.times[row]!)) untimed.push(row);
  if (untimed.length === 0 || untimed.length > Math.max(1, axis.times.length * MOST)) return [];
  return untimed.flatMap((row): TotalRow[] => {
    const text = labels.get(row) ?? '';
    if (namesTotal(text)) return [{ row, label: text }];
    const word = table.columns.map((column) => textAt(column, row)).find((each) => isTotalWord(each));
    if (word !== undefined) return [{ row, label: word }];
    return text === '' && untimed.length === 1 && values.some((column) => isSumOfOthers(column, row))
      ? [{ row, label: '' }]
      : [];
  });
}

function textAt({ texts, times }: Column, row: number): string {
  if (texts) return [...texts.numbers.keys()][texts.codes.all()[row]!] ?? '';
  return times[0]?.reading.bad.find((cell) => cell.row === row)?.text ?? '';
}

function isSumOfOthers({ numbers }: Column, row: number): boolean {
  if (!numbers) return false;
  const values = numbers.reading(numbers.verdict().decimal).reading.values.all();
  const total = values[row]!;
  let [sum, size, count] = [0, 0, 0];
  values.forEach((value, index) => {
    if (index === row || Number.isNaN(value)) return;
    sum += value;
    size += Math.abs(value);
    count++;
  });
  // sums of rounded numbers are off by less than a millionth of what was added
  return count >= LEAST_SUMMED && sum !== 0 && Math.abs(total - sum) <= 1e-6 * size;
}

/** The axis without what is to be said about the times of these rows. */
export function withoutTotals(axis: TimeAxis, totals: readonly TotalRow[]): TimeAxis {
  const rows = new Set(totals.map(({ row }) => row));
  const bad = axis.bad.filter(({ row }) => !rows.has(row));
  return { ...axis, bad, badCount: axis.badCount - (axis.bad.length - bad.length) };
}

/** The axis with these rows a step after the row before them (a step before the first one where there is none). */
export function withTotals(axis: TimeAxis, totals: readonly TotalRow[]): TimeAxis {
  const known = axis.times.filter((time) => !Number.isNaN(time)).sort();
  const frequency = inferFrequency(known);
  const spacing = medianOf(known.subarray(1).map((time, index) => time - known[index]!));
  const step = (time: number, steps: number) => (frequency ? addSteps(time, frequency, steps) : time + steps * spacing);
  const times = axis.times.slice();
  for (const { row } of totals) {
    const before = times.subarray(0, row).findLast((time) => !Number.isNaN(time));
    const after = times.subarray(row).find((time) => !Number.isNaN(time));
    times[row] = before === undefined ? step(after ?? NaN, -1) : step(before, 1);
  }
  return { ...withoutTotals(axis, totals), times };
}

/** Says that a row was left out, or taken in. */
export function totalProblem(at: { line: number }, { label }: TotalRow, isTaken: boolean): Problem {
  return { ...at, ...totalInWords(label, isTaken), severity: 'info', kind: 'note' };
}

function totalInWords(label: string, isTaken: boolean): Phrase {
  if (label === '') {
    return isTaken
      ? said`This row has no time and holds the sum of the others; it was taken in as one step more.`
      : said`This row has no time and holds the sum of the others; it was left out as a row of totals.`;
  }
  return isTaken
    ? said`“${label}” stands in place of a time; it was taken in as one step more.`
    : said`“${label}” stands in place of a time; it was left out as a row of totals.`;
}

/** Whether rows of totals are left out; settled without a question unless the person wants to be asked. */
export function totalsChoice([first]: readonly TotalRow[], line: number): Choice {
  const question = first?.label
    ? said`Does the row “${first.label}” (line ${line}) sum up the others?`
    : said`Does the row without a time (line ${line}) sum up the others?`;
  return {
    kind: 'totals',
    question: question.message,
    options: [
      {
        label: said`Leave it out`.message,
        detail: said`It is a total of the other rows`.message,
        layout: { totals: 'leave' },
      },
      {
        label: said`Take it in`.message,
        detail: said`It is one step more of the series`.message,
        layout: { totals: 'take' },
      },
    ],
    suggested: 0,
  };
}
