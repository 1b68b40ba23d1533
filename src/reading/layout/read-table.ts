import { said } from '../phrase.ts';
import { isRising } from '../../calendar/order.ts';
import { addBadCells, addOrderProblems } from '../problems.ts';
import { besideColumns, besideOf } from './beside.ts';
import { buildSeries, chosenSteps, type SeriesRows } from './build.ts';
import { codeChoice } from '../columns/codes.ts';
import type { Column } from '../columns/column.ts';
import { GRAINS } from '../values/dates.ts';
import { isPlainName, isUnnamed } from '../columns/names.ts';
import type { Decimal } from '../values/numbers.ts';
import { acrossAxis } from './across.ts';
import { hoursAcross } from './hours-across.ts';
import type { TableContext, TableSeries } from './table-series.ts';
import { findTotals, totalProblem, totalsChoice, withTotals, withoutTotals } from './totals.ts';
import { suggestColumn } from '../columns/suggest.ts';
import { findRoles, usualDecimal, type Groups } from '../columns/roles.ts';
import type { Table } from '../columns/table.ts';
import { findTimeAxis } from '../columns/time-axis.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { readValues, type ValueColumn } from './value-columns.ts';
import type { Choice, ReadSeries } from '../types.ts';

/** Row numbers of each group, in the order of the groups' first rows. */
function rowsByGroup(groups: Groups): Uint32Array[] {
  const sizes = new Uint32Array(groups.names.length);
  for (const code of groups.codes) sizes[code]!++;
  const rows = Array.from(sizes, (size) => new Uint32Array(size));
  const used = new Uint32Array(groups.names.length);
  for (let row = 0; row < groups.codes.length; row++) {
    const code = groups.codes[row]!;
    rows[code]![used[code]!++] = row;
  }
  return rows;
}

/** Names a series: by its group, its column, or both where there are several of both. */
function nameOf(
  group: string | undefined,
  column: Column,
  severalColumns: boolean,
  context: TableContext,
  table: Table,
): string {
  const own = isUnnamed(column.name) && !severalColumns ? context.fallbackName : column.name;
  const parent = table.name ?? '';
  if (group !== undefined && group !== '') return severalColumns ? `${group}/${own}` : group;
  if (parent !== '') return severalColumns ? `${parent}/${own}` : parent;
  return own;
}

function readRows(
  rows: SeriesRows,
  rowOf: ((index: number) => number) | undefined,
  context: TableContext,
): ReadSeries | undefined {
  const series = buildSeries(rows);
  if (!series) return undefined;
  if (rowOf && series.timeKind !== 'row' && (series.gaps > 0 || series.duplicates > 0 || !isRising(rows.times))) {
    addOrderProblems(context.problems, series, {
      times: rows.times,
      rowOf,
      locate: (row) => ({ line: context.locate(row, '').line }),
    });
  }
  return series;
}

/** Reads all series of a finished table. */
export function readTable(table: Table, context: TableContext): TableSeries {
  const across = acrossAxis(table, context);
  if (across) return across;
  const hint = context.delimiter === ';' || usualDecimal(table.columns) === ',' ? 'dmy' : 'mdy';
  const found = findTimeAxis(table, context.layout, hint);
  const hours = hoursAcross(table, found, context);
  if (hours) {
    const sums = findTotals(table, found, []);
    for (const sum of sums)
      context.problems.add(totalProblem(context.locate(sum.row, found.columns[0] ?? ''), sum, false));
    addBadTimes(withoutTotals(found, sums), context);
    return hours;
  }
  const roles = findRoles(table, found, context.layout);
  const usual = usualDecimal(table.columns);
  const totals = findTotals(table, found, roles.values);
  const isTaken = context.layout.totals === 'take';
  const axis = isTaken ? withTotals(found, totals) : withoutTotals(found, totals);
  const left = new Set(isTaken ? [] : totals.map(({ row }) => row));
  for (const total of totals) {
    context.problems.add(totalProblem(context.locate(total.row, axis.columns[0] ?? ''), total, isTaken));
  }
  addBadTimes(axis, context);
  noteLabels(axis, context);
  const columns = roles.values.map((column) => readValues(column, usual, left, context));
  addTimelessRows(axis, columns, left, context);
  const several = columns.length > 1;
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : roles.groups;
  const rowsOf = groups && rowsByGroup(groups);
  const ids = roles.groups?.columns ?? [];
  const beside = besideColumns(table.columns, columns, [...axis.columns, ...ids], usual);
  const withBeside = (
    one: ReadSeries | undefined,
    times: Float64Array,
    rowOf: (index: number) => number,
  ): ReadSeries | undefined => {
    const known = one && beside.length > 0 ? besideOf(one, beside, times, rowOf) : undefined;
    return one && known ? { ...one, beside: known } : one;
  };
  const series: ReadSeries[] = [];
  const timeColumn = axis.columns.join(' + ');
  for (const { column, values, treated } of columns) {
    const originOf = (rowOf: (index: number) => number) => ({
      lineOf: (index: number) => table.lineOf(rowOf(index)),
      isTreated: (index: number) => treated.has(rowOf(index)),
      isTotal: (index: number) => left.has(rowOf(index)),
      otherOffset: (index: number) => axis.otherOffsets?.[rowOf(index)] ?? NaN,
    });
    const shared = {
      valueColumn: column.name,
      ...(timeColumn === '' ? {} : { timeColumn }),
      ...(roles.groups ? { idColumn: roles.groups.columns.join('/') } : {}),
      timeKind: axis.kind,
      ...(axis.zone ? { zone: axis.zone } : {}),
      ...(context.shownZone ? { shownZone: context.shownZone } : {}),
      ...chosenSteps(context.layout),
    };
    // What is odd about the order of the rows is the same for all columns.
    const reports = column === columns[0]?.column;
    const named = (group?: string) => {
      const id = nameOf(group, column, several, context, table);
      // “y” or “value” says nothing to a person; the file's name does.
      const plain = id === column.name && !several && isPlainName(id);
      const name = axis.grains ? `${column.name}, ${id}` : plain ? context.fallbackName : id;
      return { ...shared, id, name };
    };
    if (!groups || !rowsOf) {
      const one = readRows(
        { ...named(), times: axis.times, values, origin: originOf((index) => index) },
        reports ? (index) => index : undefined,
        context,
      );
      push(
        series,
        withBeside(one, axis.times, (index) => index),
      );
      continue;
    }
    rowsOf.forEach((rows, code) => {
      const rowOf = (index: number) => rows[index]!;
      const picked = { times: pick(axis.times, rows), values: pick(values, rows), origin: originOf(rowOf) };
      const one = readRows({ ...named(groups.names[code]), ...picked }, reports ? rowOf : undefined, context);
      push(series, withBeside(one, picked.times, rowOf));
    });
  }
  const thousands = columns.find(({ group }) => group !== undefined)?.group;
  return {
    series: several && groups ? byGroup(series, columns.length) : series,
    choices: [
      ...(totals.length > 0 ? [totalsChoice(totals, table.lineOf(totals[0]!.row))] : []),
      ...choicesOf(axis, columns, context),
    ],
    decimal: columns[0]?.decimal ?? '.',
    ...(thousands === undefined ? {} : { thousands }),
    axis,
  };
}

function push(list: ReadSeries[], series: ReadSeries | undefined): void {
  if (series) list.push(series);
}

function pick(from: Float64Array, rows: Uint32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) picked[index] = from[rows[index]!]!;
  return picked;
}

/** Series of one group together, where each group has several columns. */
function byGroup(series: ReadSeries[], columns: number): ReadSeries[] {
  const groups = Math.ceil(series.length / columns);
  if (series.length !== groups * columns) return series;
  return Array.from(series, (_, index) => series[(index % columns) * groups + Math.floor(index / columns)]!);
}

/** Says how labels that are no full times were placed in time. */
function noteLabels(axis: TimeAxis, context: TableContext): void {
  if (axis.format !== 'clock') return;
  const words = said`The times have no date; the first day is shown as 1 January 1970.`;
  context.problems.add({ ...context.locate(0, axis.columns[0] ?? ''), ...words, severity: 'info', kind: 'note' });
}

function addBadTimes(axis: TimeAxis, context: TableContext): void {
  addBadCells(context.problems, axis.bad, axis.badCount, {
    kind: 'not-a-time',
    column: axis.columns[0] ?? '',
    locate: context.locate,
    severity: context.severity,
  });
}

/** Reports rows that have a value and an empty time; unreadable times are reported already. */
function addTimelessRows(
  axis: TimeAxis,
  columns: readonly ValueColumn[],
  left: ReadonlySet<number>,
  context: TableContext,
): void {
  const bad = new Set([...axis.bad.map(({ row }) => row), ...left]);
  const cells = [];
  for (let row = 0; row < axis.times.length && cells.length < 1000; row++) {
    if (!Number.isNaN(axis.times[row]!) || bad.has(row)) continue;
    if (columns.some(({ values }) => !Number.isNaN(values[row]!))) cells.push({ row, text: '' });
  }
  addBadCells(context.problems, cells, cells.length, {
    kind: 'not-a-time',
    column: axis.columns[0] ?? '',
    locate: context.locate,
    severity: context.severity,
  });
}

function choicesOf(axis: TimeAxis, columns: readonly ValueColumn[], context: TableContext): Choice[] {
  const choices: Choice[] = axis.choice ? [axis.choice] : [];
  const open = columns.find((column) => column.open);
  if (open) {
    const sample = open.column.samples.find((text) => /[.,]/.test(text)) ?? '';
    const read = (decimal: Decimal) => ({
      label: decimal === '.' ? said`Decimal point`.message : said`Decimal comma`.message,
      detail: sample.includes(decimal)
        ? said`${sample} is a number with a fraction`.message
        : said`${sample} is a whole number in groups of thousands`.message,
      layout: { decimal },
    });
    choices.push({
      kind: 'decimal',
      question: said`How are the numbers in “${open.column.name}” written?`.message,
      options: [read('.'), read(',')],
      suggested: open.decimal === '.' ? 0 : 1,
    });
  }
  const coded = columns.find(({ code }) => code !== undefined);
  if (coded?.code !== undefined) choices.push(codeChoice(coded.column.name, coded.code));
  if (columns.length > 1 && !context.layout.valueColumns) choices.push(columnChoice(columns, context.fallbackName));
  return choices;
}

function columnChoice(columns: readonly ValueColumn[], stem: string): Choice {
  const names = columns.map(({ column }) => column.name);
  // what goes on further down than another is known beforehand, not to be forecast; sparse columns end somewhere
  const ends = columns.map(({ values }) => values.findLastIndex((value) => !Number.isNaN(value)));
  const isDense = ({ values }: ValueColumn, index: number) =>
    values.reduce((filled, value) => filled + Number(!Number.isNaN(value)), 0) > ends[index]! / 2;
  const shortest = Math.min(...ends.filter((_, index) => isDense(columns[index]!, index)));
  const candidates = columns
    .filter((_, index) => ends[index]! <= shortest)
    .map(({ column, values }) => ({ name: column.name, values }));
  const best = candidates[suggestColumn(candidates, stem)]!.name;
  return {
    kind: 'value-columns',
    question: said`Which column should be forecast?`.message,
    options: [
      ...columns.map(({ column: { name, samples } }) => ({
        label: name,
        detail: samples.slice(0, 4).join(', '),
        layout: { valueColumns: [name] },
      })),
      {
        label: said`All columns`.message,
        detail: said`${names.length} series`.message,
        layout: { valueColumns: names },
      },
    ],
    suggested: names.indexOf(best),
  };
}
