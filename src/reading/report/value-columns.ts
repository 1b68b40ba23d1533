import { inDigits } from '../../calendar/digits.ts';
import type { Zone } from '../../calendar/zone.ts';
import type { Column } from '../columns/column.ts';
import { said } from '../phrase.ts';
import type { Delimiter, LayoutChoice } from '../types.ts';
import type { Locate, ProblemList } from './problems.ts';

export interface TableContext {
  readonly layout: LayoutChoice;
  readonly delimiter: Delimiter | undefined;
  readonly fallbackName: string;
  readonly severity: 'error' | 'warning';
  readonly locate: Locate;
  readonly problems: ProblemList;
  readonly shownZone?: Zone;
}

export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly code?: number;
  readonly treated: ReadonlySet<number>;
}

/** Reads value columns. A code for a missing value is taken out where there are several; in a single one it is asked for. */
export function readAll(columns: readonly Column[], left: ReadonlySet<number>, context: TableContext): ValueColumn[] {
  const read = columns.map((column) => readColumn(column, left, context));
  const { missingCode: chosen } = context.layout;
  if (chosen === null) return read;
  if (chosen !== undefined) return read.map((each) => withoutCodes(each, new Set([chosen])));
  const coded = read.flatMap((each) => {
    const found = missingCode(each.values);
    return found ? [{ ...each, ...found }] : [];
  });
  const [first] = coded;
  if (!first) return read;
  const isAsked = columns.length === 1;
  const codes = new Set(coded.map(({ code }) => code));
  const cells = inDigits(coded.reduce((sum, { rows }) => sum + rows.length, 0));
  const words = isAsked
    ? said`${first.code} occurs in ${cells} cells of “${first.column.name}”, far from all other values. It was read as a number, but may stand for a missing value.`
    : said`${[...codes].join(', ')} occurs in ${cells} cells, far from all other values, and was read as missing.`;
  const severity = isAsked ? 'warning' : 'info';
  context.problems.add({ ...context.locate(first.rows[0]!, first.column.name), ...words, severity, kind: 'note' });
  return isAsked ? coded : read.map((each) => withoutCodes(each, codes));
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
  left: ReadonlySet<number>,
  { problems, locate, severity }: TableContext,
): ValueColumn {
  const { numbers, name, rows } = column;
  if (!numbers) return plainColumn(column, new Float64Array(rows).fill(NaN));
  const { values, limits } = numbers;
  const bad = numbers.bad.filter(({ row }) => !left.has(row));
  const count = numbers.badCount - (numbers.bad.length - bad.length);
  problems.noteCells({ kind: 'not-a-number', severity, about: name }, bad, count, locate);
  if (limits) {
    const words = said`${inDigits(limits.count)} cells of “${name}” such as “${limits.text}” give only a limit. Below a limit, half of it is used; above a limit, the limit itself.`;
    problems.add({ ...locate(limits.row, name), ...words, severity: 'info', kind: 'note' });
  }
  return { column, values, treated: new Set(numbers.bad.map(({ row }) => row)) };
}

export const plainColumn = (column: Column, values: Float64Array): ValueColumn => ({
  column,
  values,
  treated: new Set(),
});

/** Numbers that mean a missing value: −9.9, and two to six nines, above 0 at least three, with a fraction. */
const CODES: ReadonlySet<number> = new Set(
  ['9', '99', '999', '9999', '99999', '999999']
    .flatMap((whole) => ['', '.9', '.99', '.999', '.9999'].map((fraction) => Number(whole + fraction)))
    .flatMap((code) => [code, -code])
    .filter((code) => code < -9 || code > 998),
);
const FEWEST_OTHERS = 10;

export function missingCode(values: Float64Array): { code: number; rows: number[] } | undefined {
  const rowsOf = new Map<number, number[]>();
  let [low, high] = [Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if ((value < -9 || value > 998) && CODES.has(value)) {
      const rows = rowsOf.get(value);
      if (rows) rows.push(row);
      else rowsOf.set(value, [row]);
    } else {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const [[code, rows] = [NaN, []], ...others] = rowsOf;
  const isFar = code < 0 ? low - code > high - low : code - high > high - low;
  return others.length === 0 && isFar && values.length - rows.length >= FEWEST_OTHERS ? { code, rows } : undefined;
}
