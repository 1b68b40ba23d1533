import { said } from '../phrase.ts';
import { DAY } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import type { Column } from '../columns/column.ts';
import { DistinctNames, isPlainName, isUnnamed } from '../columns/names.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Table } from '../columns/table.ts';
import { joinGroups, rowsByGroup, type Groups } from '../proposals/groups.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { propose, type Scored } from '../proposals/propose.ts';
import { usualDecimal } from '../proposals/values.ts';
import { besideColumns, besideOf } from '../series/beside.ts';
import { buildSeries, chosenSteps, type SeriesRows } from '../series/build.ts';
import type { ReadSeries } from '../types.ts';
import { GRAINS } from '../values/dates.ts';
import { choicesOf } from './choices.ts';
import type { TableContext, TableSeries } from './context.ts';
import { addBadCells, addOrderProblems, ProblemList } from './problems.ts';
import { findTotals, totalProblem, withoutTotals, withTotals } from './totals.ts';
import { readAll, readColumns, type ValueColumn } from './value-columns.ts';

/** Readings that are tried before a table has nothing to read. */
const MOST_TRIED = 4;

/** Reads all series of a finished table in the way that gives the most; the next one where that gives none. */
export function readTable(table: Table, context: TableContext): TableSeries {
  const hint = context.delimiter === ';' || usualDecimal(table.columns) === ',' ? 'dmy' : 'mdy';
  const proposals = propose(table, context.layout, hint);
  let first: (TableSeries & { readonly problems: ProblemList }) | undefined;
  for (const proposal of proposals.slice(0, MOST_TRIED)) {
    const problems = new ProblemList();
    const read = { ...readProposal(table, proposal, { ...context, problems }, proposals), problems };
    if (read.series.length > 0) {
      first = read;
      break;
    }
    first ??= read;
  }
  if (!first) throw new Error('A table has no reading at all');
  context.problems.take(first.problems);
  return first;
}

function readProposal(table: Table, proposal: Scored, context: TableContext, all: readonly Scored[]): TableSeries {
  const proposals = [proposal, ...all.filter((each) => each !== proposal)];
  if (proposal.across) return { ...readAcross(table, proposal, context), proposals };
  return { ...readLong(table, proposal, context), proposals };
}

/** The rows of one series, by their places in the table; all of them where there is but one. */
interface RowsOfSeries {
  readonly name: string | undefined;
  readonly rows: Uint32Array | undefined;
  readonly keys?: Readonly<Record<string, string>>;
}

function seriesRows(table: Table, groups: Groups | undefined): RowsOfSeries[] {
  if (!groups) return [{ name: undefined, rows: undefined }];
  const columns = groups.columns.flatMap((name) => table.columns.filter((column) => column.name === name));
  const parts = columns.map((column) => joinGroups([column], table.rows));
  return rowsByGroup(groups).map((rows, code) => ({
    name: groups.names[code]!,
    rows,
    keys: Object.fromEntries(parts.map((part) => [part.columns[0]!, part.names[part.codes[rows[0]!]!] ?? ''])),
  }));
}

function readLong(table: Table, proposal: Proposal, context: TableContext): Omit<TableSeries, 'proposals'> {
  const { axis: found, areEvents = false } = proposal;
  const { layout } = context;
  const totals = findTotals(table, found, proposal.values);
  const isTaken = layout.totals === 'take';
  const axis = isTaken ? withTotals(found, totals) : withoutTotals(found, totals);
  const left = new Set(isTaken ? [] : totals.map(({ row }) => row));
  for (const total of totals) {
    context.problems.add(totalProblem(context.locate(total.row, axis.columns[0] ?? ''), total, isTaken));
  }
  addBadTimes(axis, context);
  noteLabels(axis, context);
  const usual = usualDecimal(table.columns);
  const hasDots = axis.samples.some((text) => /^\d{1,2}\.\d/.test(text));
  const read = readAll(proposal.values, usual, left, { ...context, hasDots });
  addTimelessRows(axis, read, left, context);
  const { choices, columns, aggregate } = choicesOf(proposal, read, totals, table, context);
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : proposal.groups;
  const several = columns.length > 1;
  const beside = aggregate ? [] : besideColumns(table.columns, columns, [...axis.columns, ...(proposal.groups?.columns ?? [])], usual); // prettier-ignore
  const timeColumn = axis.columns.join(' + ');
  const series: ReadSeries[] = [];
  const parts = seriesRows(table, groups);
  for (const { column, values, treated } of columns) {
    for (const { name: group, rows, keys } of parts) {
      const rowOf = (index: number) => (rows ? rows[index]! : index);
      const times = rows ? pick(axis.times, rows) : axis.times;
      const id = nameOf(group, column, several, context, table);
      const isCount = aggregate?.by === 'count' && areEvents && group === undefined;
      const built = buildSeries({
        ...namesOf(id, column, axis, several, context),
        ...(isCount ? { id: context.fallbackName, name: context.fallbackName } : { valueColumn: column.name }),
        ...(timeColumn === '' ? {} : { timeColumn }),
        ...(proposal.groups ? { idColumn: proposal.groups.columns.join('/') } : {}),
        ...(keys && proposal.groups ? { keys } : {}),
        ...sharedOf(axis, context),
        ...(aggregate ? { aggregate, areEvents } : {}),
        times,
        values: rows ? pick(values, rows) : values,
        origin: {
          lineOf: (index) => table.lineOf(rowOf(index)),
          isTreated: (index) => treated.has(rowOf(index)),
          isTotal: (index) => left.has(rowOf(index)),
          otherOffset: (index) => axis.otherOffsets?.[rowOf(index)] ?? NaN,
        },
      });
      if (!built) continue;
      // what is odd about the order of the rows is the same for all columns
      if (column === columns[0]?.column && !aggregate) addOrder(built, times, rowOf, context);
      const known = beside.length > 0 ? besideOf(built, beside, times, rowOf) : undefined;
      series.push(known ? { ...built, beside: known } : built);
    }
  }
  const thousands = columns.find(({ group }) => group !== undefined)?.group;
  return {
    series: several && groups ? byGroup(series, columns.length) : series,
    choices,
    decimal: columns[0]?.decimal ?? '.',
    ...(thousands === undefined ? {} : { thousands }),
    axis,
  };
}

type Shared = Pick<SeriesRows, 'timeKind' | 'zone' | 'shownZone' | 'frequency' | 'closed'>;

const sharedOf = ({ kind, zone }: Pick<TimeAxis, 'kind' | 'zone'>, { shownZone, layout }: TableContext): Shared => ({
  timeKind: kind,
  ...(zone ? { zone } : {}),
  ...(shownZone ? { shownZone } : {}),
  ...chosenSteps(layout),
});

/** Reads a table whose times run across: each row a series, or the rows of one below each other. */
function readAcross(table: Table, proposal: Proposal, context: TableContext): Omit<TableSeries, 'proposals'> {
  const { axis, groups } = proposal;
  const { columns, timeKind, timeOf, isShared } = proposal.across!;
  const totals = isShared ? [] : findTotals(table, axis, []);
  for (const total of totals)
    context.problems.add(totalProblem(context.locate(total.row, axis.columns[0] ?? ''), total, false));
  const cleaned = withoutTotals(axis, totals);
  addBadTimes(cleaned, context);
  const { decimal, values } = readColumns(columns, table, context);
  const width = columns.length;
  const shared = isShared ? Float64Array.from(columns, (_, index) => timeOf(0, index)) : undefined;
  const distinct = new DistinctNames();
  const parts = isShared && !groups ? eachRow(table) : seriesRows(table, groups);
  const series = parts.flatMap(({ name, rows: all, keys }, place): ReadSeries[] => {
    const rows = (all ?? Uint32Array.from({ length: table.rows }, (_, row) => row)).filter((row) => !Number.isNaN(axis.times[row]!)); // prettier-ignore
    const count = rows.length * width;
    const rowOf = (cell: number) => rows[Math.floor(cell / width)]!;
    const cells = (of: (row: number, index: number) => number) => {
      const all = new Float64Array(count);
      for (let cell = 0; cell < count; cell++) all[cell] = of(rowOf(cell), cell % width);
      return all;
    };
    const fallback = table.rows === 1 || !isShared ? (table.name ?? context.fallbackName) : `Row ${place + 1}`;
    const id = distinct.of(name || fallback);
    const built = buildSeries({
      id,
      name: id,
      ...(isShared ? {} : { timeColumn: axis.columns.join(' + ') }),
      ...(groups && !isShared ? { idColumn: groups.columns.join('/') } : {}),
      ...(groups && keys ? { keys } : {}),
      ...sharedOf({ kind: timeKind, ...(axis.zone ? { zone: axis.zone } : {}) }, context),
      ...(context.layout.aggregate ? { aggregate: context.layout.aggregate } : {}),
      times: shared ?? cells(timeOf),
      values: cells((row, index) => values[index]![row]!),
      origin: { lineOf: (cell) => table.lineOf(rowOf(cell)) },
    });
    return built ? [built] : [];
  });
  // no single pattern writes the times of a forecast into such a table
  const choices = axis.choice ? [axis.choice] : [];
  return { series, choices, decimal, axis: { ...cleaned, samples: [] } };
}

const eachRow = ({ rows }: Table): RowsOfSeries[] =>
  Array.from({ length: rows }, (_, row) => ({ name: undefined, rows: Uint32Array.of(row) }));

/** Names a series: by its group, its column, or both where there are several of both. */
function nameOf(
  group: string | undefined,
  column: Column,
  several: boolean,
  context: TableContext,
  table: Table,
): string {
  // prettier-ignore
  const own = isUnnamed(column.name) && !several ? context.fallbackName : column.name;
  const parent = table.name ?? '';
  if (group !== undefined && group !== '') return several ? `${group}/${own}` : group;
  if (parent !== '') return several ? `${parent}/${own}` : parent;
  return own;
}

function namesOf(id: string, column: Column, axis: TimeAxis, several: boolean, { fallbackName }: TableContext) {
  // “y” or “value” says nothing to a person; the file's name does
  const plain = id === column.name && !several && isPlainName(id);
  return { id, name: axis.grains ? `${column.name}, ${id}` : plain ? fallbackName : id };
}

function addOrder(series: ReadSeries, times: Float64Array, rowOf: (index: number) => number, context: TableContext) {
  const { gaps, duplicates, outside } = series;
  const isRegular = gaps === 0 && duplicates === 0 && outside === 0 && isRising(times);
  if (series.timeKind === 'row' || isRegular) return;
  const locate = (row: number) => ({ line: context.locate(row, '').line });
  addOrderProblems(context.problems, series, { times, rowOf, locate });
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
  if (axis.format !== 'clock' || !(axis.times[0]! < DAY)) return;
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
