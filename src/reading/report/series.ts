import { isRising } from '../../calendar/grid.ts';
import { isPlainName, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { areSeriesRows, type Proposal, timesIn } from '../proposals/score.ts';
import { codesOf, rowsByGroup } from '../proposals/values.ts';
import { besideColumns, besideOf } from '../series/beside.ts';
import { buildSeries } from '../series/build.ts';
import type { ReadSeries, Resampling } from '../types.ts';
import { GRAINS } from '../values/dates.ts';
import { noteOrder } from './problems.ts';
import type { TableContext, ValueColumn } from './value-columns.ts';

interface SourceTable {
  readonly table: Table;
  readonly proposal: Proposal;
  readonly columns: readonly ValueColumn[];
  readonly left: ReadonlySet<number>;
  readonly aggregate: Resampling | undefined;
  readonly context: TableContext;
}

export function* seriesOf(source: SourceTable): Generator<ReadSeries, void> {
  const { table, proposal, columns, aggregate } = source;
  const { axis, across } = proposal;
  const besides = across || aggregate ? [] : besideColumnsOf(source);
  const shared = sharedOf(source);
  const timeOf = timesIn(proposal);
  const width = across ? columns.length : 1;
  const timesOfAll = areSeriesRows(proposal) ? cellsOf(Uint32Array.of(0), width, timeOf) : undefined;
  for (const { name, rows, keys } of rowsOfSeries(source)) {
    const rowOf = (cell: number) => (rows ? rows[Math.floor(cell / width)]! : cell);
    const times = timesOfAll ?? (rows ? cellsOf(rows, width, timeOf) : axis.times);
    for (const own of across ? [columns] : columns.map((column) => [column])) {
      const built = buildSeries({
        ...shared,
        ...labelsOf(source, across ? undefined : own[0], name),
        keys,
        times,
        values: rows ? cellsOf(rows, width, (row, index) => own[index]!.values[row]!) : own[0]!.values,
        origin: originOf(source, own, rowOf),
      });
      if (!built) continue;
      // problems with the order of the rows are the same for all columns
      if (own[0] === columns[0] && !across && !aggregate && hasProblems(built, times))
        noteOrder(source.context.problems, built, { times, lineOf: (cell) => table.lineOf(rowOf(cell)) });
      const beside = besides.length > 0 ? besideOf(built, besides, times, rowOf) : undefined;
      yield beside ? { ...built, beside } : built;
    }
  }
}

const hasProblems = ({ timeKind, gaps, duplicates, outside }: ReadSeries, times: Float64Array): boolean =>
  timeKind !== 'row' && (gaps > 0 || duplicates > 0 || outside > 0 || !isRising(times));

/** The rows of each series; those of a whole table are not listed unless its times run across. */
function rowsOfSeries({ table, proposal }: SourceTable) {
  const { axis, across, groups: byKeys } = proposal;
  const groups = axis.grains ? { codes: axis.grains, names: GRAINS, columns: axis.columns } : byKeys;
  const timed = (rows: Uint32Array) => (across ? rows.filter((row) => !Number.isNaN(axis.times[row]!)) : rows);
  if (!groups)
    return [
      {
        name: undefined,
        keys: undefined,
        rows: across && timed(Uint32Array.from({ length: table.rows }, (_, row) => row)),
      },
    ];
  const parts = table.columns
    .filter(({ name }) => groups === byKeys && groups.columns.includes(name))
    .map((column) => ({ name: column.name, ...codesOf(column) }));
  return rowsByGroup(groups).map((rows, code) => ({
    name: groups.names[code]!,
    rows: timed(rows),
    keys:
      parts.length > 0
        ? Object.fromEntries(parts.map(({ name, codes, names }) => [name, names[codes[rows[0]!]!] ?? '']))
        : undefined,
  }));
}

function sharedOf({ proposal, aggregate, context: { shownZone, layout } }: SourceTable) {
  const { axis, across, groups, areEvents } = proposal;
  return {
    timeKind: across?.timeKind ?? axis.kind,
    zone: axis.zone,
    shownZone,
    frequency: layout.frequency,
    closed: layout.closed,
    timeColumn: axis.columns.join(' + ') || undefined,
    idColumn: groups && !areSeriesRows(proposal) ? groups.columns.join('/') : undefined,
    aggregate,
    areEvents: aggregate && areEvents,
    // what is known of the end of a file is known of all of its series
    until: across ? undefined : axis.times.reduce((most, time) => (time > most ? time : most), -Infinity),
  };
}

export function cellsOf(rows: Uint32Array, width: number, of: (row: number, index: number) => number): Float64Array {
  const cells = new Float64Array(rows.length * width);
  let cell = 0;
  for (const row of rows) for (let index = 0; index < width; index++) cells[cell++] = of(row, index);
  return cells;
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
    isTreated: own.some(({ treated }) => treated.size > 0) ? isTreated : undefined,
    isTotal: left.size > 0 ? (cell: number) => left.has(rowOf(cell)) : undefined,
    otherOffset: otherOffsets && ((cell: number) => otherOffsets[rowOf(cell)]!),
  };
}

function besideColumnsOf({ table, proposal: { axis, groups }, columns, context: { layout } }: SourceTable) {
  const free = table.columns.filter(({ name }) => layout.covariates?.includes(name) ?? true);
  return besideColumns(free, columns, [...axis.columns, ...(groups?.columns ?? [])]);
}

function labelsOf(
  { table, proposal, columns, aggregate, context: { fallbackName } }: SourceTable,
  value: ValueColumn | undefined,
  group: string | undefined,
) {
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
  return { id, name, valueColumn: value && column };
}
