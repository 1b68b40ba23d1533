import { DAY } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { Column } from '../columns/column.ts';
import { DistinctNames, isPlainName, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { joinGroups, rowsByGroup, type Groups } from '../proposals/groups.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { propose, type Scored } from '../proposals/propose.ts';
import { usualDecimal } from '../proposals/values.ts';
import { besideColumns, besideOf } from '../series/beside.ts';
import { buildSeries } from '../series/build.ts';
import type { ReadSeries, Resampling } from '../types.ts';
import { GRAINS } from '../values/dates.ts';
import { choicesOf } from './choices.ts';
import type { TableContext, TableSeries } from './context.ts';
import { noteOrder, ProblemList } from './problems.ts';
import { findTotals, noteTotals, withoutTotals, withTotals } from './totals.ts';
import { readAll, type ValueColumn } from './value-columns.ts';

/** Readings that are tried before a table has nothing to read. */
const MOST_TRIED = 4;

/** Reads all series of a finished table in the way that gives the most; the next one where that gives none. */
export function readTable(table: Table, context: TableContext): TableSeries {
  const hint = context.delimiter === ';' || usualDecimal(table.columns) === ',' ? 'dmy' : 'mdy';
  const proposals = propose(table, context.layout, hint);
  let best: { readonly read: ProposalSeries; readonly proposal: Scored; readonly problems: ProblemList } | undefined;
  for (const proposal of proposals.slice(0, MOST_TRIED)) {
    const problems = new ProblemList();
    const read = readProposal(table, proposal, { ...context, problems });
    if (read.series.length > 0 || !best) best = { read, proposal, problems };
    if (read.series.length > 0) break;
  }
  if (!best) throw new Error('A table has no reading at all');
  const { read, proposal, problems } = best;
  context.problems.take(problems);
  return { ...read, proposals: [proposal, ...proposals.filter((each) => each !== proposal)] };
}

type ProposalSeries = Omit<TableSeries, 'proposals'>;

function readProposal(table: Table, proposal: Scored, context: TableContext): ProposalSeries {
  const { axis: found, across } = proposal;
  const totals = across?.isShared ? [] : findTotals(table, found, proposal.values);
  const isTaken = context.layout.totals === 'take' && !across;
  const axis = isTaken ? withTotals(found, totals) : withoutTotals(found, totals);
  const left = new Set(isTaken ? [] : totals.map(({ row }) => row));
  noteTotals(totals, isTaken, axis, context);
  context.problems.noteCells(ofTimes(axis, context), axis.bad, axis.badCount, context.locate);
  noteLabels(axis, context);
  const hasDots = axis.samples.some((text) => /^\d{1,2}\.\d/.test(text));
  const read = readAll(across?.columns ?? proposal.values, table, left, { ...context, hasDots });
  if (!across) noteTimelessRows(axis, read, left, context);
  const { choices, columns, aggregate } = choicesOf({ ...proposal, axis }, { columns: read, totals }, table, context);
  // events without a number are counted
  const values = aggregate && proposal.areEvents && columns.length === 0 ? [countOfRows(table)] : columns;
  const tables: SourceTable = { table, proposal: { ...proposal, axis }, columns: values, left, aggregate, context };
  const series = across ? [...acrossSeries(tables)] : longSeries(tables);
  const thousands = columns.find(({ group }) => group !== undefined)?.group;
  return {
    series,
    choices,
    decimal: columns[0]?.decimal ?? '.',
    ...(thousands === undefined ? {} : { thousands }),
    // no single pattern writes the times of a forecast into a table whose times run across
    axis: across ? { ...axis, samples: [] } : axis,
  };
}

const countOfRows = ({ rows }: Table): ValueColumn => ({
  column: new Column(''),
  values: new Float64Array(rows).fill(1),
  decimal: '.',
  group: undefined,
  open: false,
  code: undefined,
  treated: new Set(),
});

/** A table on its way to series, with what was found out about it. */
interface SourceTable {
  readonly table: Table;
  readonly proposal: Proposal;
  readonly columns: readonly ValueColumn[];
  /** Rows that are left out. */
  readonly left: ReadonlySet<number>;
  readonly aggregate: Resampling | undefined;
  readonly context: TableContext;
}

/** The rows of one series, by their places in the table; all of them where there is but one. */
interface RowsOfSeries {
  readonly name: string | undefined;
  readonly rows: Uint32Array | undefined;
  readonly keys?: Readonly<Record<string, string>>;
}

function rowsOfSeries(table: Table, groups: Groups | undefined): RowsOfSeries[] {
  if (!groups) return [{ name: undefined, rows: undefined }];
  const columns = table.columns.filter(({ name }) => groups.columns.includes(name));
  const parts = columns.map((column) => joinGroups([column], table.rows));
  return rowsByGroup(groups).map((rows, code) => ({
    name: groups.names[code]!,
    rows,
    keys: Object.fromEntries(parts.map((part) => [part.columns[0]!, part.names[part.codes[rows[0]!]!] ?? ''])),
  }));
}

/** What all series of a table share. */
function sharedOf({
  proposal: { axis, across, groups, areEvents },
  aggregate,
  context: { shownZone, layout },
}: SourceTable) {
  const { frequency, closed } = layout;
  const hasTimeColumn = axis.columns.length > 0 && across?.isShared !== true;
  return {
    timeKind: across?.timeKind ?? axis.kind,
    ...(axis.zone ? { zone: axis.zone } : {}),
    ...(shownZone ? { shownZone } : {}),
    ...(frequency === undefined ? {} : { frequency }),
    ...(closed === undefined ? {} : { closed }),
    ...(hasTimeColumn ? { timeColumn: axis.columns.join(' + ') } : {}),
    ...(groups && across?.isShared !== true ? { idColumn: groups.columns.join('/') } : {}),
    ...(aggregate ? { aggregate, ...(areEvents ? { areEvents } : {}) } : {}),
  };
}

/** The series of a table whose times run down: one for each column and group of rows. */
function longSeries(source: SourceTable): ReadSeries[] {
  const { table, proposal, columns, left, aggregate, context } = source;
  const { axis, areEvents = false } = proposal;
  const { otherOffsets } = axis;
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : proposal.groups;
  const several = columns.length > 1;
  const taken = [...axis.columns, ...(proposal.groups?.columns ?? [])];
  const { covariates } = context.layout;
  const free = table.columns.filter(({ name }) => covariates?.includes(name) ?? true);
  const beside = aggregate ? [] : besideColumns(free, columns, taken, usualDecimal(table.columns));
  const shared = sharedOf(source);
  const parts = rowsOfSeries(table, groups);
  // what is known of the end of a file is known of all of its series
  const until = axis.times.reduce((most, time) => (time > most ? time : most), -Infinity);
  const series = columns.flatMap(({ column, values, treated }, place) =>
    parts.flatMap(({ name: group, rows, keys }): ReadSeries[] => {
      const rowOf = (index: number) => (rows ? rows[index]! : index);
      const times = rows ? pick(axis.times, rows) : axis.times;
      const { id, name } = namesOf(source, column, group);
      const isCount = aggregate?.by === 'count' && areEvents && group === undefined;
      const built = buildSeries({
        ...shared,
        id,
        name,
        ...(isCount ? { id: context.fallbackName, name: context.fallbackName } : { valueColumn: column.name }),
        ...(keys && proposal.groups ? { keys } : {}),
        times,
        values: rows ? pick(values, rows) : values,
        until,
        origin: {
          lineOf: (index) => table.lineOf(rowOf(index)),
          // each of them costs a look at every row
          ...(treated.size > 0 ? { isTreated: (index) => treated.has(rowOf(index)) } : {}),
          ...(left.size > 0 ? { isTotal: (index) => left.has(rowOf(index)) } : {}),
          ...(otherOffsets ? { otherOffset: (index) => otherOffsets[rowOf(index)]! } : {}),
        },
      });
      if (!built) return [];
      // problems with the order of the rows are the same for all columns
      if (place === 0 && !aggregate && hasProblems(built, times))
        noteOrder(context.problems, built, { times, lineOf: (index) => table.lineOf(rowOf(index)) });
      const known = beside.length > 0 ? besideOf(built, beside, times, rowOf) : undefined;
      return [known ? { ...built, beside: known } : built];
    }),
  );
  return several && groups ? byGroup(series, columns.length) : series;
}

/** The series of a table whose times run across: each row one, or the rows of a group below each other. */
function* acrossSeries(source: SourceTable): Generator<ReadSeries> {
  const { table, proposal, columns, context, aggregate } = source;
  const { axis, groups, across } = proposal;
  const { timeOf, isShared } = across!;
  const width = columns.length;
  const times = isShared ? Float64Array.from(columns, (_, index) => timeOf(0, index)) : undefined;
  const distinct = new DistinctNames();
  const shared = sharedOf(source);
  const eachRow = (): RowsOfSeries[] =>
    Array.from({ length: table.rows }, (_, row) => ({ name: undefined, rows: Uint32Array.of(row) }));
  const parts = isShared && !groups ? eachRow() : rowsOfSeries(table, groups);
  for (const [place, { name, rows: all, keys }] of parts.entries()) {
    const rows = (all ?? Uint32Array.from({ length: table.rows }, (_, row) => row)).filter(
      (row) => !Number.isNaN(axis.times[row]!),
    );
    const rowOf = (cell: number) => rows[Math.floor(cell / width)]!;
    const cells = (of: (row: number, index: number) => number) => {
      const own = new Float64Array(rows.length * width);
      for (let cell = 0; cell < own.length; cell++) own[cell] = of(rowOf(cell), cell % width);
      return own;
    };
    const fallback = table.rows === 1 || !isShared ? (table.name ?? context.fallbackName) : `Row ${place + 1}`;
    const id = distinct.of(name || fallback);
    const built = buildSeries({
      ...shared,
      id,
      name: id,
      ...(groups && keys ? { keys } : {}),
      ...(aggregate ? { aggregate } : {}),
      times: times ?? cells(timeOf),
      values: cells((row, index) => columns[index]!.values[row]!),
      origin: { lineOf: (cell) => table.lineOf(rowOf(cell)) },
    });
    if (built) yield built;
  }
}

/** Names a series: by its group, its column, or both where there are several of both. */
function namesOf({ table, proposal, columns, context }: SourceTable, column: Column, group: string | undefined) {
  const several = columns.length > 1;
  const own = isUnnamed(column.name) && !several ? context.fallbackName : column.name;
  const above = group || table.name;
  const id = !above ? own : several ? `${above}/${own}` : above;
  // “y” or “value” says nothing to a person; the file's name does
  const plain = id === column.name && !several && isPlainName(id);
  return { id, name: proposal.axis.grains ? `${column.name}, ${id}` : plain ? context.fallbackName : id };
}

const hasProblems = ({ timeKind, gaps, duplicates, outside }: ReadSeries, times: Float64Array): boolean =>
  timeKind !== 'row' && (gaps > 0 || duplicates > 0 || outside > 0 || !isRising(times));

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

const ofTimes = ({ columns }: TimeAxis, { severity }: TableContext) =>
  ({ kind: 'not-a-time', severity, about: columns[0] ?? '' }) as const;

/** Notes rows that have a value and an empty time; unreadable times are noted already. */
function noteTimelessRows(
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
  context.problems.noteCells(ofTimes(axis, context), cells, cells.length, context.locate);
}
