import { inDigits } from '../../calendar/digits.ts';
import type { Zone } from '../../calendar/zone.ts';
import { missingCode } from '../columns/codes.ts';
import type { Column } from '../columns/column.ts';
import type { NumberReader } from '../columns/number-reader.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { usualDecimal } from '../proposals/values.ts';
import type { Delimiter, LayoutChoice } from '../types.ts';
import type { Decimal } from '../values/numbers.ts';
import type { Locate, ProblemList } from './problems.ts';

export interface TableContext {
  readonly layout: LayoutChoice;
  readonly delimiter: Delimiter | undefined;
  readonly fallbackName: string;
  readonly hasDots?: boolean;
  readonly severity: 'error' | 'warning';
  readonly locate: Locate;
  readonly problems: ProblemList;
  readonly shownZone?: Zone;
}

export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly decimal: Decimal;
  readonly group?: string | undefined;
  readonly open: boolean;
  readonly code?: number;
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
  usual: Decimal | undefined,
  left: ReadonlySet<number>,
  { layout, delimiter, hasDots, problems, locate, severity }: TableContext,
): ValueColumn {
  const { numbers, name } = column;
  if (!numbers) return { ...plainColumn(column, NaN), decimal: usual ?? '.' };
  const { decimal, open } = decimalOf(column, numbers.verdict(), usual, { layout, delimiter, hasDots });
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
  return { column, values: reading.values.all(), decimal, group, open, treated };
}

function decimalOf(
  { samples }: Column,
  { decimal, evidence }: ReturnType<NumberReader['verdict']>,
  usual: Decimal | undefined,
  { layout, delimiter, hasDots }: Pick<TableContext, 'layout' | 'delimiter' | 'hasDots'>,
): { decimal: Decimal; open: boolean } {
  const known = evidence === 'certain' ? decimal : (layout.decimal ?? usual);
  if (known !== undefined || evidence !== 'open') return { decimal: known ?? decimal, open: false };
  // who writes days with points writes no commas between thousands
  if (decimal === '.' && hasDots) return { decimal: ',', open: false };
  // a decimal comma between commas would be quoted; a point is the decimal sign, but where days are written with points or
  // cells are cut by semicolons
  const isPoint = samples.some((text) => text.includes('.')) && delimiter !== ';' && !hasDots;
  const open = delimiter !== ',' && delimiter !== undefined && !isPoint;
  return { decimal: open ? decimal : '.', open };
}

export const plainColumn = (column: Column, value: number, rows = column.rows): ValueColumn => ({
  column,
  values: new Float64Array(rows).fill(value),
  decimal: '.',
  open: false,
  treated: new Set(),
});
