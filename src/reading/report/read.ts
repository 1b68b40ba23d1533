import { DAY } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import type { TimeAxis } from '../columns/axis.ts';
import { Column } from '../columns/column.ts';
import { isPlainName, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { proposeAcross } from '../proposals/across.ts';
import { proposeLong } from '../proposals/long.ts';
import { areSeriesRows, score, type Proposal, type Scored } from '../proposals/score.ts';
import { joinGroups, rowsByGroup, usualDecimal, type Groups } from '../proposals/values.ts';
import { besideColumns, besideOf } from '../series/beside.ts';
import { buildSeries } from '../series/build.ts';
import type { LayoutChoice, ReadSeries, Resampling } from '../types.ts';
import { GRAINS } from '../values/dates.ts';
import { choicesOf } from './choices.ts';
import { noteOrder } from './problems.ts';
import {
  findTotals,
  noteTotals,
  readAll,
  type TableContext,
  type ValueColumn,
  withoutTotals,
  withTotals,
} from './value-columns.ts';

const isPoor = ({ points }: Scored['evidence']): boolean => points <= 1;

/** All readings of a table, the best first. @throws SeriesError @param hint of what a date of small numbers is */
function propose(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Scored[] {
  const all = [...proposeLong(table, layout, hint), ...proposeAcross(table, layout, hint)];
  const scored = all.map((each) => ({ ...each, evidence: score(each, table) }));
  const sorted = scored.toSorted(
    (a, b) => Number(isPoor(a.evidence)) - Number(isPoor(b.evidence)) || b.evidence.score - a.evidence.score,
  );
  const wanted = sorted.find(({ id }) => id === layout.reading);
  return wanted ? [wanted, ...sorted.filter((each) => each !== wanted)] : sorted;
}

export function readTable(table: Table, context: TableContext) {
  const hint = context.delimiter === ';' || usualDecimal(table.columns) === ',' ? 'dmy' : 'mdy';
  const proposals = propose(table, context.layout, hint);
  const proposal = proposals[0]!;
  const { axis: found, across, areEvents = false } = proposal;
  const totals = findTotals(table, found, across ? [] : proposal.columns);
  const isTaken = context.layout.totals === 'take' && !across;
  const axis = isTaken ? withTotals(found, totals) : withoutTotals(found, totals);
  const left = new Set(isTaken ? [] : totals.map(({ row }) => row));
  noteTotals(totals, isTaken, axis, context);
  context.problems.noteCells(ofTimes(axis, context), axis.bad, axis.badCount, context.locate);
  noteLabels(axis, context);
  const hasDots = axis.samples.some((text) => /^\d{1,2}\.\d/.test(text));
  const read = readAll(proposal.columns, table, left, { ...context, hasDots });
  if (!across) noteTimelessRows(axis, read, left, context);
  const { choices, columns, aggregate } = choicesOf({ ...proposal, axis }, { columns: read, totals }, table, context);
  // events without a number are counted
  const values = aggregate && areEvents && columns.length === 0 ? [countOfRows(table)] : columns;
  const thousands = columns.find(({ group }) => group !== undefined)?.group;
  return {
    series: seriesOf({ table, proposal: { ...proposal, axis }, columns: values, left, aggregate, context }),
    choices,
    decimal: columns[0]?.decimal ?? '.',
    ...(thousands === undefined ? {} : { thousands }),
    // no single pattern writes the times of a forecast into a table whose times run across
    axis: across ? { ...axis, samples: [] } : axis,
    proposals,
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

interface SourceTable {
  readonly table: Table;
  readonly proposal: Proposal;
  readonly columns: readonly ValueColumn[];
  readonly left: ReadonlySet<number>;
  readonly aggregate: Resampling | undefined;
  readonly context: TableContext;
}

function rowsOfSeries(table: Table, groups: Groups | undefined) {
  if (!groups) return [{ name: undefined, rows: undefined, keys: undefined }];
  const columns = table.columns.filter(({ name }) => groups.columns.includes(name));
  const parts = columns.map((column) => joinGroups([column], table.rows));
  return rowsByGroup(groups).map((rows, code) => ({
    name: groups.names[code]!,
    rows,
    ...(columns.length > 0
      ? { keys: Object.fromEntries(parts.map((part) => [part.columns[0]!, part.names[part.codes[rows[0]!]!] ?? ''])) }
      : {}),
  }));
}

function sharedOf({ proposal, aggregate, context: { shownZone, layout } }: SourceTable) {
  const { axis, across, groups, areEvents = false } = proposal;
  const { frequency, closed } = layout;
  return {
    timeKind: across?.timeKind ?? axis.kind,
    ...(axis.zone ? { zone: axis.zone } : {}),
    ...(shownZone ? { shownZone } : {}),
    ...(frequency === undefined ? {} : { frequency }),
    ...(closed === undefined ? {} : { closed }),
    ...(axis.columns.length > 0 ? { timeColumn: axis.columns.join(' + ') } : {}),
    ...(groups && !areSeriesRows(proposal) ? { idColumn: groups.columns.join('/') } : {}),
    ...(aggregate ? { aggregate, areEvents } : {}),
    // what is known of the end of a file is known of all of its series
    ...(across ? {} : { until: axis.times.reduce((most, time) => (time > most ? time : most), -Infinity) }),
  };
}

function cellsOf(rows: Uint32Array, width: number, of: (row: number, index: number) => number): Float64Array {
  const cells = new Float64Array(rows.length * width);
  let cell = 0;
  for (const row of rows) for (let index = 0; index < width; index++) cells[cell++] = of(row, index);
  return cells;
}

function seriesOf(source: SourceTable): ReadSeries[] {
  const { table, proposal, columns, aggregate, context } = source;
  const { axis, across } = proposal;
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : proposal.groups;
  const besides = across || aggregate ? [] : besideColumnsOf(source);
  const shared = sharedOf(source);
  const all = across && !groups ? Uint32Array.from({ length: table.rows }, (_, row) => row) : undefined;
  // rows that are whole series have the same times
  const timesOfAll =
    across && areSeriesRows(proposal) ? cellsOf(Uint32Array.of(0), columns.length, across.timeOf) : undefined;
  return rowsOfSeries(table, groups).flatMap(({ name, rows: ofGroup = all, keys }) => {
    const rows = across ? ofGroup?.filter((row) => !Number.isNaN(axis.times[row]!)) : ofGroup;
    const width = across ? columns.length : 1;
    const rowOf = (cell: number) => (rows ? rows[Math.floor(cell / width)]! : cell);
    const timeOf = across?.timeOf ?? ((row) => axis.times[row]!);
    const times = timesOfAll ?? (rows ? cellsOf(rows, width, timeOf) : axis.times);
    return (across ? [columns] : columns.map((column) => [column])).flatMap((own, place): ReadSeries[] => {
      const built = buildSeries({
        ...shared,
        ...labelsOf(source, across ? undefined : own[0], name),
        ...(keys && proposal.groups ? { keys } : {}),
        times,
        values: rows ? cellsOf(rows, width, (row, index) => own[index]!.values[row]!) : own[0]!.values,
        origin: originOf(source, own, rowOf),
      });
      if (!built) return [];
      // problems with the order of the rows are the same for all columns
      if (place === 0 && !across && !aggregate && hasProblems(built, times))
        noteOrder(context.problems, built, { times, lineOf: (cell) => table.lineOf(rowOf(cell)) });
      const known = besides.length > 0 ? besideOf(built, besides, times, rowOf) : undefined;
      return [known ? { ...built, beside: known } : built];
    });
  });
}

/** Where cells stand in the document, and what is to be said about them. */
function originOf(
  { table, proposal: { axis }, left }: SourceTable,
  own: readonly ValueColumn[],
  rowOf: (cell: number) => number,
) {
  const { otherOffsets } = axis;
  const isTreated = (cell: number) => own[cell % own.length]!.treated.has(rowOf(cell));
  // each of them costs a look at every row
  return {
    lineOf: (cell: number) => table.lineOf(rowOf(cell)),
    ...(own.some(({ treated }) => treated.size > 0) ? { isTreated } : {}),
    ...(left.size > 0 ? { isTotal: (cell: number) => left.has(rowOf(cell)) } : {}),
    ...(otherOffsets ? { otherOffset: (cell: number) => otherOffsets[rowOf(cell)]! } : {}),
  };
}

function besideColumnsOf({ table, proposal: { axis, groups }, columns, context: { layout } }: SourceTable) {
  const free = table.columns.filter(({ name }) => layout.covariates?.includes(name) ?? true);
  return besideColumns(free, columns, [...axis.columns, ...(groups?.columns ?? [])], usualDecimal(table.columns));
}

/** Names a series: by its group, its column, or both where there are several of both. */
function labelsOf(
  { table, proposal, columns, aggregate, context }: SourceTable,
  value: ValueColumn | undefined,
  group: string | undefined,
) {
  const { fallbackName } = context;
  if (aggregate?.by === 'count' && proposal.areEvents && group === undefined)
    return { id: fallbackName, name: fallbackName };
  const column = value?.column.name ?? '';
  const several = value !== undefined && columns.length > 1;
  const own = isUnnamed(column) && !several ? fallbackName : column;
  const above = group || table.name;
  const id = !above ? own : several ? `${above}/${own}` : above;
  // “y” or “value” says nothing to a person; the file's name does
  const plain = id === column && !several && isPlainName(id);
  const name = proposal.axis.grains ? `${column}, ${id}` : plain ? fallbackName : id;
  return { id, name, ...(value ? { valueColumn: column } : {}) };
}

const hasProblems = ({ timeKind, gaps, duplicates, outside }: ReadSeries, times: Float64Array): boolean =>
  timeKind !== 'row' && (gaps > 0 || duplicates > 0 || outside > 0 || !isRising(times));

function noteLabels(axis: TimeAxis, context: TableContext): void {
  if (axis.format !== 'clock' || !(axis.times[0]! < DAY)) return;
  const words = said`The times have no date; the first day is shown as 1 January 1970.`;
  context.problems.add({ ...context.locate(0, axis.columns[0] ?? ''), ...words, severity: 'info', kind: 'note' });
}

const ofTimes = ({ columns }: TimeAxis, { severity }: TableContext) =>
  ({ kind: 'not-a-time', severity, about: columns[0] ?? '' }) as const;

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
