import { buildSeries, chosenSteps } from './build.ts';
import type { Column } from '../columns/column.ts';
import { monthOfName } from '../values/months.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { headerTimes } from '../columns/header-times.ts';
import { DistinctNames, isUnnamed } from '../columns/names.ts';
import { isMissing } from '../values/numbers.ts';
import { usualDecimal } from '../columns/roles.ts';
import type { Table } from '../columns/table.ts';
import type { TableContext, TableSeries } from './table-series.ts';
import { addBadCells } from '../problems.ts';
import type { ReadSeries, TimeKind } from '../types.ts';

/** Columns of numbers whose names are times. */
interface Across {
  readonly columns: readonly Column[];
  /** Epoch milliseconds of the columns. */
  readonly times: readonly number[];
  readonly kind: TimeKind;
}

/** Columns called V1, V2, … as R calls those without a name: a series to each row, named by the first cell (M4's files). */
function findNumbered(table: Table): Across | undefined {
  const [label, ...columns] = table.columns;
  if (columns.length < 5 || !label?.texts || label.texts.numbers.size < table.rows) return undefined;
  if (!table.columns.every(({ name }, index) => name === `V${index + 1}`)) return undefined;
  if (!columns.every(({ numbers, filled }) => numbers !== undefined || filled === 0)) return undefined;
  return { columns, times: columns.map((_, step) => step * 1000), kind: 'row' };
}

function findAcross(table: Table): Across | undefined {
  const header = headerTimes(table.columns.map(({ name }) => (isUnnamed(name) ? '' : name)));
  if (!header) return undefined;
  const timed = table.columns.flatMap((column, index) => {
    const time = header.times[index]!;
    return Number.isNaN(time) ? [] : [{ column, time }];
  });
  const numeric = timed.filter(({ column }) => column.numbers !== undefined || column.filled === 0);
  if (numeric.length < timed.length * 0.9) return undefined;
  return {
    columns: numeric.map(({ column }) => column),
    times: numeric.map(({ time }) => time),
    kind: header.period ? 'period' : 'date',
  };
}

/** Twelve columns named as months beside one of years: a year to each row. */
function findMonthsAcross(table: Table): { years: Float64Array; yearColumn: string; months: Column[] } | undefined {
  const months: (Column | undefined)[] = Array.from({ length: 12 });
  for (const column of table.columns) {
    const month = /^\p{L}{3,}\.?$/u.test(column.name) ? monthOfName(column.name) : undefined;
    if (month !== undefined && column.name.toLowerCase() !== 'year') months[month - 1] ??= column;
  }
  if (months.some((column) => !column?.numbers)) return undefined;
  const yearColumn = table.columns.find(
    (column) => !months.includes(column) && column.times.some(({ format }) => format.id === 'year'),
  );
  const years = yearColumn?.times.find(({ format }) => format.id === 'year');
  if (!yearColumn || !years || years.reading.badCount > 0) return undefined;
  const times = years.reading.values.peek();
  if (times.some((time, row) => row > 0 && !(time > times[row - 1]!))) return undefined;
  return { years: times, yearColumn: yearColumn.name, months: months.filter((column) => column !== undefined) };
}

/** Cells of several columns as numbers, with one decimal sign for all. */
export function readColumns(columns: readonly Column[], table: Table, context: TableContext) {
  const decimal = context.layout.decimal ?? usualDecimal(columns) ?? '.';
  const values = columns.map((column) => {
    const { reading } = column.numbers?.reading(decimal) ?? { reading: undefined };
    if (reading) {
      const { locate, severity } = context;
      addBadCells(context.problems, reading.bad, reading.badCount, {
        kind: 'not-a-number',
        column: column.name,
        locate,
        severity,
      });
    }
    return reading ? reading.values.peek() : new Float64Array(table.rows).fill(NaN);
  });
  return { decimal, values };
}

const axisOf = (kind: TimeKind) => ({
  times: new Float64Array(0),
  kind,
  columns: [],
  bad: [],
  badCount: 0,
  samples: [],
});

/** Reads a table whose times run across: a series to each row, or a year to each row. `undefined` for any other table. */
export function acrossAxis(table: Table, context: TableContext): TableSeries | undefined {
  if (context.layout.timeColumn !== undefined || context.layout.valueColumns) return undefined;
  const pivot = findMonthsAcross(table);
  const steps = chosenSteps(context.layout);
  if (pivot) {
    const { decimal, values } = readColumns(pivot.months, table, context);
    const times = Float64Array.from({ length: table.rows * 12 }, (_, cell) => {
      const year = new Date(pivot.years[Math.floor(cell / 12)]!).getUTCFullYear();
      return instantOf(year, (cell % 12) + 1, 1);
    });
    const cells = times.map((_, cell) => values[cell % 12]![Math.floor(cell / 12)]!);
    const name = table.name ?? context.fallbackName;
    const series = buildSeries({
      id: name,
      name,
      timeColumn: pivot.yearColumn,
      timeKind: 'period',
      times,
      values: cells,
      origin: { lineOf: (cell) => table.lineOf(Math.floor(cell / 12)) },
      ...steps,
    });
    return { series: series ? [series] : [], choices: [], decimal, axis: axisOf('period') };
  }
  const across = findNumbered(table) ?? findAcross(table);
  if (!across) return undefined;
  const timed = new Set(across.columns);
  const labels = labelsOf(
    table.columns.filter((column) => !timed.has(column)),
    table.rows,
  );
  const { decimal, values } = readColumns(across.columns, table, context);
  const series: ReadSeries[] = [];
  const distinct = new DistinctNames();
  for (let row = 0; row < table.rows; row++) {
    const name = nameOfRow(labels, row) || (table.rows === 1 ? context.fallbackName : `Row ${row + 1}`);
    const id = distinct.of(name);
    const found = buildSeries({
      id,
      name: id,
      timeKind: across.kind,
      times: Float64Array.from(across.times),
      values: Float64Array.from(values, (column) => column[row]!),
      origin: { lineOf: () => table.lineOf(row) },
      ...steps,
    });
    if (found) series.push(found);
  }
  return { series, choices: [], decimal, axis: axisOf(across.kind) };
}

interface Label {
  readonly codes: Float64Array;
  readonly names: readonly string[];
}

/** The columns that name the rows' series: one whose texts are all different, else all that differ at all. */
function labelsOf(columns: readonly Column[], rows: number): Label[] {
  const labels = columns.flatMap(({ texts }) =>
    texts ? [{ codes: texts.codes.peek(), names: [...texts.numbers.keys()] }] : [],
  );
  const telling = labels.filter(({ names }) => names.length > 1);
  const unique = telling.find(({ names }) => names.length === rows && !names.some(isMissing));
  return unique ? [unique] : telling.length > 0 ? telling : labels;
}

function nameOfRow(labels: readonly Label[], row: number): string {
  const parts = labels.map(({ codes, names }) => names[codes[row]!] ?? '');
  return parts.filter((part) => !isMissing(part)).join('/');
}
