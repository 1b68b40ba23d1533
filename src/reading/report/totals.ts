import { inferFrequency, medianOf } from '../../calendar/grid.ts';
import { addSteps } from '../../calendar/frequency.ts';
import { choiceOf } from '../choice.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { type Phrase, said } from '../phrase.ts';
import type { Proposal } from '../proposals/score.ts';
import type { Choice } from '../types.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import type { TableContext } from './value-columns.ts';

interface TotalRow {
  readonly row: number;
  readonly label: string;
}

const MOST = 0.25;
/** Two rows and their sum prove nothing. */
const LEAST_SUMMED = 3;

/** Rows without a time that are called totals, in any column of texts, or whose number is the sum of all others. */
function findTotals(table: Table, { axis, across, columns }: Proposal): TotalRow[] {
  if (axis.kind === 'row') return [];
  const labels = new Map(axis.bad.map(({ row, text }) => [row, text]));
  const untimed: number[] = [];
  for (let row = 0; row < axis.times.length; row++) if (Number.isNaN(axis.times[row]!)) untimed.push(row);
  if (untimed.length === 0 || untimed.length > Math.max(1, axis.times.length * MOST)) return [];
  return untimed.flatMap((row): TotalRow[] => {
    const text = labels.get(row) ?? '';
    const label = namesTotal(text) ? text : table.columns.map((column) => textAt(column, row)).find(isTotalWord);
    if (label !== undefined) return [{ row, label }];
    const maySum = text === '' && untimed.length === 1 && !across;
    return maySum && columns.some((column) => isSumOfOthers(column, row)) ? [{ row, label: '' }] : [];
  });
}

function textAt({ texts, times }: Column, row: number): string {
  if (texts) return [...texts.numbers.keys()][texts.codes.all()[row]!] ?? '';
  return times[0]?.reading.bad.find((cell) => cell.row === row)?.text ?? '';
}

function isSumOfOthers(column: Column, row: number): boolean {
  if (!column.numbers) return false;
  const { values } = column.numbers;
  const others = values.filter((value, index) => index !== row && !Number.isNaN(value));
  const sum = others.reduce((all, value) => all + value, 0);
  const size = others.reduce((all, value) => all + Math.abs(value), 0);
  // sums of rounded numbers are off by less than a millionth of what was added
  return others.length >= LEAST_SUMMED && sum !== 0 && Math.abs(values[row]! - sum) <= 1e-6 * size;
}

export function settleTotals(table: Table, proposal: Proposal, { layout, locate, problems }: TableContext) {
  const { axis, across } = proposal;
  const totals = findTotals(table, proposal);
  const isTaken = layout.totals === 'take' && !across;
  for (const { row, label } of totals) {
    const words = () => (isTaken ? takenInWords(label) : leftInWords(label));
    problems.note({ kind: 'note', severity: 'info' }, locate(row, axis.columns[0] ?? ''), words);
  }
  const rows = new Set(totals.map(({ row }) => row));
  const bad = axis.bad.filter(({ row }) => !rows.has(row));
  const settled = { ...axis, bad, badCount: axis.badCount - (axis.bad.length - bad.length) };
  const [first] = totals;
  return {
    axis: isTaken ? { ...settled, times: withSteps(axis, rows) } : settled,
    left: isTaken ? new Set<number>() : rows,
    choices: first && !across ? [totalsChoice(first, table.lineOf(first.row))] : [],
  };
}

const takenInWords = (label: string): Phrase =>
  label === ''
    ? said`This row has no time and contains the sum of the others; it was included as one more step.`
    : said`“${label}” is in place of a time; the row was included as one more step.`;

const leftInWords = (label: string): Phrase =>
  label === ''
    ? said`This row has no time and contains the sum of the others; it was left out as a total.`
    : said`“${label}” is in place of a time; the row was left out as a total.`;

function withSteps(axis: TimeAxis, rows: ReadonlySet<number>): Float64Array {
  const known = axis.times.filter((time) => !Number.isNaN(time)).sort();
  const frequency = inferFrequency(known);
  const spacing = medianOf(known.subarray(1).map((time, index) => time - known[index]!));
  const step = (time: number, steps: number) => (frequency ? addSteps(time, frequency, steps) : time + steps * spacing);
  const times = axis.times.slice();
  for (const row of rows) {
    const before = times.subarray(0, row).findLast((time) => !Number.isNaN(time));
    const after = times.subarray(row).find((time) => !Number.isNaN(time));
    times[row] = before === undefined ? step(after ?? NaN, -1) : step(before, 1);
  }
  return times;
}

const totalsChoice = ({ label }: TotalRow, line: number): Choice =>
  choiceOf(
    'totals',
    label === ''
      ? said`Is the row without a time (line ${line}) a total of the others?`
      : said`Is the row “${label}” (line ${line}) a total of the others?`,
    [
      [said`Leave it out`, { totals: 'leave' }, said`It is a total of the other rows`],
      [said`Include it`, { totals: 'take' }, said`It is one more step of the series`],
    ],
  );
