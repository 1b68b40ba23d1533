import { inDigits } from '../../calendar/digits.ts';
import { missingCode } from '../columns/codes.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { usualDecimal } from '../proposals/values.ts';
import type { Decimal } from '../values/numbers.ts';
import type { Zone } from '../../calendar/zone.ts';
import type { Delimiter, LayoutChoice } from '../types.ts';
import type { Locate, ProblemList } from './problems.ts';

/** What a table is read with. */
export interface TableContext {
  readonly layout: LayoutChoice;
  readonly delimiter: Delimiter | undefined;
  /** Name for a series whose column has none: the file's. */
  readonly fallbackName: string;
  /** Whether days are written with points, as where commas are decimal signs. */
  readonly hasDots?: boolean;
  readonly severity: 'error' | 'warning';
  readonly locate: Locate;
  readonly problems: ProblemList;
  /** In which summaries write times; the document's own where this is absent. */
  readonly shownZone?: Zone;
}

/** A column of values as it was read. */
export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly decimal: Decimal;
  readonly group: string | undefined;
  readonly open: boolean;
  /** A number typical of codes for missing values. */
  readonly code: number | undefined;
  /** Rows whose cell holds something that was read as missing. */
  readonly treated: ReadonlySet<number>;
}

/**
 * Reads value columns. A number of nines that stands for a missing value is taken out where there are several; in a single
 * column it is asked for.
 * @param left rows that are left out
 */
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

/** Reads a value column with its decimal sign: certain, else like the other columns', else as the delimiter suggests. */
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
