import type { Column } from '../columns/column.ts';
import { codeProblem, missingCode } from '../columns/codes.ts';
import { addBadCells } from '../problems.ts';
import type { Decimal } from '../values/numbers.ts';
import type { TableContext } from './table-series.ts';

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

/** Reads a value column with its decimal sign: certain, else like the other columns', else as the delimiter suggests. */
export function readValues(
  column: Column,
  usual: Decimal | undefined,
  left: ReadonlySet<number>,
  context: TableContext,
): ValueColumn {
  const verdict = column.numbers!.verdict();
  const { layout, delimiter } = context;
  const free = verdict.evidence === 'open' && layout.decimal === undefined && usual === undefined;
  // Between commas a decimal comma would be quoted, and then who writes it would have chosen another delimiter.
  const open = free && delimiter !== ',' && delimiter !== undefined;
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
  const values = reading.values.take();
  const treated = new Set(reading.bad.map(({ row }) => row));
  return { column, values, decimal, group, open, code: readCode(column, values, treated, context), treated };
}

/** Finds a number that means “missing”, or takes out the one that the layout names. */
function readCode(
  column: Column,
  values: Float64Array,
  treated: Set<number>,
  context: TableContext,
): number | undefined {
  const { missingCode: known } = context.layout;
  if (known === null) return undefined;
  if (known !== undefined) {
    for (let row = 0; row < values.length; row++) {
      if (values[row] !== known) continue;
      values[row] = NaN;
      treated.add(row);
    }
    return undefined;
  }
  const found = missingCode(values);
  if (!found) return undefined;
  context.problems.add(
    codeProblem(context.locate(found.rows[0] ?? 0, column.name), column.name, found.code, found.rows.length),
  );
  return found.code;
}
