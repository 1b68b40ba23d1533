import { inDigits } from '../../calendar/digits.ts';
import { inferFrequency, medianOf } from '../../calendar/infer.ts';
import { addSteps } from '../../calendar/steps.ts';
import type { Zone } from '../../calendar/zone.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { missingCode } from '../columns/codes.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { usualDecimal, valuesOf } from '../proposals/values.ts';
import type { Choice, Delimiter, LayoutChoice } from '../types.ts';
import type { Decimal } from '../values/numbers.ts';
import { isTotalWord, namesTotal } from '../values/totals.ts';
import type { Locate, ProblemList } from './problems.ts';

export interface TableContext {
  readonly layout: LayoutChoice;
  readonly delimiter: Delimiter | undefined;
  readonly fallbackName: string;
  readonly hasDots?: boolean;
  readonly severity: 'error' | 'warning';
  readonly locate: Locate;
  readonly problems: ProblemList;
  /** In which summaries write times; the document's own where this is absent. */
  readonly shownZone?: Zone;
}

export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly decimal: Decimal;
  readonly group: string | undefined;
  readonly open: boolean;
  readonly code: number | undefined;
  readonly treated: ReadonlySet<number>;
}

/** Reads value columns. A code for a missing value is taken out where there are several; in a single one it is asked for. */
export function readAll(
  columns: readonly Column[],
  table: Table,
  left: ReadonlySet<number>,
  context: TableContext,
): ValueColumn[] {
  const usual = usualDecimal(table.columns);
  const read = columns.map((column) => readColumn(column, usual, left, context));
  const { missingCode: chosen } = context.layout;
  if (chosen === null) return read;
  if (chosen !== undefined) return read.map((each) => withoutCodes(each, new Set([chosen])));
  const coded = read.flatMap((each) => {
    const found = missingCode(each.values);
    return found ? [{ ...each, ...found }] : [];
  });
  const [first] = coded;
  if (!first) return read;
  const cells = inDigits(coded.reduce((sum, { rows }) => sum + rows.length, 0));
  const at = context.locate(first.rows[0]!, first.column.name);
  if (columns.length === 1) {
    const words = said`${first.code} occurs in ${cells} cells of “${first.column.name}”, far from all other values. It was read as a number, but may stand for a missing value.`;
    context.problems.add({ ...at, ...words, severity: 'warning', kind: 'note' });
    return coded;
  }
  const codes = new Set(coded.map(({ code }) => code));
  const words = said`${[...codes].join(', ')} occurs in ${cells} cells, far from all other values, and was read as missing.`;
  context.problems.add({ ...at, ...words, severity: 'info', kind: 'note' });
  return read.map((each) => withoutCodes(each, codes));
}

function withoutCodes(column: ValueColumn, codes: ReadonlySet<number>): ValueColumn {
  if (!column.values.some((value) => codes.has(value))) return column;
  const treated = new Set(column.treated);
  const values = column.values.map((value, row) => {
    if (!codes.has(value)) return value;
    treated.add(row);
    return NaN;
  });
  return { ...column, values, treated };
}

function readColumn(
  column: Column,
  usual: Decimal | undefined,
  left: ReadonlySet<number>,
  { layout, delimiter, hasDots, problems, locate, severity }: TableContext,
): ValueColumn {
  const { numbers, name } = column;
  const common = { column, code: undefined, group: undefined, open: false } as const;
  if (!numbers) {
    const values = new Float64Array(column.rows).fill(NaN);
    return { ...common, values, decimal: usual ?? '.', treated: new Set() };
  }
  const verdict = numbers.verdict();
  // who writes days with points writes no commas between thousands
  const isComma = verdict.evidence === 'open' && verdict.decimal === '.' && hasDots === true;
  const known = layout.decimal ?? usual ?? (isComma ? ',' : undefined);
  const isFree = verdict.evidence === 'open' && known === undefined;
  // a decimal comma between commas would be quoted; a point is the decimal sign, but where days are written with points or
  // cells are cut by semicolons
  const isPoint = column.samples.some((text) => text.includes('.')) && delimiter !== ';' && hasDots !== true;
  const open = isFree && delimiter !== ',' && delimiter !== undefined && !isPoint;
  const decimal =
    verdict.evidence === 'certain' ? verdict.decimal : (known ?? (isFree && !open ? '.' : verdict.decimal));
  const { reading, group } = numbers.reading(decimal);
  const bad = reading.bad.filter(({ row }) => !left.has(row));
  const count = reading.badCount - (reading.bad.length - bad.length);
  problems.noteCells({ kind: 'not-a-number', severity, about: name }, bad, count, locate);
  const { limits } = numbers;
  if (limits) {
    const words = said`${inDigits(limits.count)} cells of “${name}” such as “${limits.text}” give only a limit. Below a limit, half of it is used; above a limit, the limit itself.`;
    problems.add({ ...locate(limits.row, name), ...words, severity: 'info', kind: 'note' });
  }
  const treated = new Set(reading.bad.map(({ row }) => row));
  return { ...common, values: reading.values.all(), decimal, group, open, treated };
}

export interface TotalRow {
  readonly row: number;
  readonly label: string;
}

const MOST = 0.25;
/** Two rows and their sum prove nothing. */
const LEAST_SUMMED = 3;

/** Rows without a time that are called totals, in any column of texts, or whose number is the sum of all others. */
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

export function withoutTotals(axis: TimeAxis, totals: readonly TotalRow[]): TimeAxis {
  const rows = new Set(totals.map(({ row }) => row));
  const bad = axis.bad.filter(({ row }) => !rows.has(row));
  return { ...axis, bad, badCount: axis.badCount - (axis.bad.length - bad.length) };
}

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
    context.problems.note({ kind: 'note', severity: 'info' }, at, () => (isTaken ? taken : left));
  }
}

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
