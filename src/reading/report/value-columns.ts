import { said } from '../phrase.ts';
import { inDigits } from '../../calendar/digits.ts';
import type { Column } from '../columns/column.ts';
import { codeProblem, missingCode } from '../columns/codes.ts';
import { addBadCells } from './problems.ts';
import type { Table } from '../columns/table.ts';
import { usualDecimal } from '../proposals/values.ts';
import type { Decimal } from '../values/numbers.ts';
import type { TableContext } from './context.ts';

/** A column of values as it was read. */
export interface ValueColumn {
  readonly column: Column;
  readonly values: Float64Array;
  readonly decimal: Decimal;
  readonly group: string | undefined;
  readonly open: boolean;
  /** A number that looks like a code for missing values. */
  readonly code: number | undefined;
  /** Rows whose cell holds something that was read as missing. */
  readonly treated: ReadonlySet<number>;
}

/**
 * Reads value columns. A number of nines that stands for a missing value is taken out where there are several; in a single
 * column it is asked for.
 */
export function readAll(
  columns: readonly Column[],
  usual: Decimal | undefined,
  left: ReadonlySet<number>,
  context: TableContext,
): ValueColumn[] {
  const read = columns.map((column) => readValues(column, usual, left, context));
  const coded = read.filter(({ code }) => code !== undefined);
  if (columns.length < SEVERAL) {
    for (const { column, code, values } of coded) addCode(column, code!, values, context);
    return read;
  }
  if (coded.length === 0) return read;
  const codes = new Set(coded.map(({ code }) => code!));
  const cells = coded.reduce((sum, { values }) => sum + values.filter((value) => codes.has(value)).length, 0);
  const [first] = coded;
  const row = first!.values.findIndex((value) => codes.has(value));
  const words = said`${[...codes].join(', ')} stands in ${inDigits(cells)} cells, far from all other values, and was read as missing.`;
  context.problems.add({ ...context.locate(row, first!.column.name), ...words, severity: 'info', kind: 'note' });
  return read.map((each) => {
    const values = each.values.map((value) => (codes.has(value) ? NaN : value));
    return { ...each, values, code: undefined };
  });
}

/** Columns of values beside each other are asked for; a code in one of them is not asked for too. */
const SEVERAL = 2;

function addCode(column: Column, code: number, values: Float64Array, { problems, locate }: TableContext): void {
  const cells = values.filter((value) => value === code).length;
  problems.add(codeProblem(locate(values.indexOf(code), column.name), column.name, code, cells));
}

/** Reads a value column with its decimal sign: certain, else like the other columns', else as the delimiter suggests. */
function readValues(
  column: Column,
  usual: Decimal | undefined,
  left: ReadonlySet<number>,
  context: TableContext,
): ValueColumn {
  const verdict = column.numbers!.verdict();
  const { layout, delimiter } = context;
  const free = verdict.evidence === 'open' && layout.decimal === undefined && usual === undefined;
  // Between commas a decimal comma would be quoted, and then who writes it would have chosen another delimiter.
  // a point is the decimal sign, but where days are written with points or cells are cut by semicolons
  const isPoint = verdict.evidence === 'open' && column.samples.some((text) => text.includes('.'));
  const open =
    free && delimiter !== ',' && delimiter !== undefined && (!isPoint || delimiter === ';' || context.hasDots === true);
  const decimal =
    verdict.evidence === 'certain'
      ? verdict.decimal
      : (layout.decimal ?? usual ?? (free && !open ? '.' : verdict.decimal));
  const { reading, group } = column.numbers!.reading(decimal);
  const bad = reading.bad.filter(({ row }) => !left.has(row));
  addBadCells(context.problems, bad, reading.badCount - (reading.bad.length - bad.length), {
    kind: 'not-a-number',
    column: column.name,
    locate: context.locate,
    severity: context.severity,
  });
  const values = reading.values.all();
  const treated = new Set(reading.bad.map(({ row }) => row));
  const { code, known } = readCode(values, treated, context);
  return { column, values: known, decimal, group, open, code, treated };
}

/** Finds a number that means “missing”, or takes out the one that the layout names. */
function readCode(
  values: Float64Array,
  treated: Set<number>,
  context: TableContext,
): { readonly code: number | undefined; readonly known: Float64Array } {
  const { missingCode: known } = context.layout;
  if (known === null) return { code: undefined, known: values };
  if (known !== undefined) return { code: undefined, known: withoutCode(values, known, treated) };
  const found = missingCode(values);
  if (!found) return { code: undefined, known: values };
  return { code: found.code, known: values };
}

function withoutCode(values: Float64Array, code: number, treated: Set<number>): Float64Array {
  return values.map((value, row) => {
    if (value !== code) return value;
    treated.add(row);
    return NaN;
  });
}

/** Cells of several columns as numbers, with one decimal sign for all. */
export function readColumns(columns: readonly Column[], table: Table, context: TableContext) {
  const decimal = context.layout.decimal ?? usualDecimal(columns) ?? '.';
  const values = columns.map((column) => {
    const { reading } = column.numbers?.reading(decimal) ?? { reading: undefined };
    if (!reading) return new Float64Array(table.rows).fill(NaN);
    const { locate, severity } = context;
    addBadCells(context.problems, reading.bad, reading.badCount, {
      kind: 'not-a-number',
      column: column.name,
      locate,
      severity,
    });
    return reading.values.all();
  });
  return { decimal, values };
}
