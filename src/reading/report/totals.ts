import { inferFrequency, medianOf } from '../../calendar/infer.ts';
import { addSteps } from '../../calendar/steps.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { valuesOf } from '../proposals/values.ts';
import type { Choice } from '../types.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import type { TableContext } from './value-columns.ts';

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
    const label = namesTotal(text) ? text : table.columns.map((column) => textAt(column, row)).find(isTotalWord);
    if (label !== undefined) return [{ row, label }];
    const isSum = text === '' && untimed.length === 1 && values.some((column) => isSumOfOthers(column, row));
    return isSum ? [{ row, label: '' }] : [];
  });
}

function textAt({ texts, times }: Column, row: number): string {
  if (texts) return [...texts.numbers.keys()][texts.codes.all()[row]!] ?? '';
  return times[0]?.reading.bad.find((cell) => cell.row === row)?.text ?? '';
}

function isSumOfOthers(column: Column, row: number): boolean {
  if (!column.numbers) return false;
  const values = valuesOf(column);
  const others = values.filter((value, index) => index !== row && !Number.isNaN(value));
  const sum = others.reduce((all, value) => all + value, 0);
  const size = others.reduce((all, value) => all + Math.abs(value), 0);
  // sums of rounded numbers are off by less than a millionth of what was added
  return others.length >= LEAST_SUMMED && sum !== 0 && Math.abs(values[row]! - sum) <= 1e-6 * size;
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

const CAUSE = { kind: 'note', severity: 'info' } as const;

/** Says which rows were left out, or taken in. */
export function noteTotals(totals: readonly TotalRow[], isTaken: boolean, axis: TimeAxis, context: TableContext): void {
  for (const { row, label } of totals) {
    const isNamed = label !== '';
    const taken = isNamed
      ? said`“${label}” is in place of a time; the row was included as one more step.`
      : said`This row has no time and contains the sum of the others; it was included as one more step.`;
    const left = isNamed
      ? said`“${label}” is in place of a time; the row was left out as a total.`
      : said`This row has no time and contains the sum of the others; it was left out as a total.`;
    const at = context.locate(row, axis.columns[0] ?? '');
    context.problems.note(CAUSE, at, () => (isTaken ? taken : left));
  }
}

/** Whether rows of totals are left out; settled without a question unless the person wants to be asked. */
export function totalsChoice([first]: readonly TotalRow[], line: number): Choice {
  const question = first?.label
    ? said`Is the row “${first.label}” (line ${line}) a total of the others?`
    : said`Is the row without a time (line ${line}) a total of the others?`;
  const option = (label: string, detail: string, totals: 'leave' | 'take') => ({ label, detail, layout: { totals } });
  return {
    kind: 'totals',
    question: question.message,
    options: [
      option(said`Leave it out`.message, said`It is a total of the other rows`.message, 'leave'),
      option(said`Include it`.message, said`It is one more step of the series`.message, 'take'),
    ],
    suggested: 0,
  };
}
