import { DAY, civilOf, daysFromCivil, daysInMonth, timeOfDay, weekdayOfDays } from '../../calendar/civil.ts';
import { instantOf } from '../../calendar/timestamp.ts';
import { axisOf, type TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { DistinctNames, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { LayoutChoice, TimeKind } from '../types.ts';
import { isMissing } from '../values/numbers.ts';
import { instantOfWeek } from '../values/dates.ts';
import { findAxes, rowAxis, type AxisProposal } from './axes.ts';
import { type HeaderTimes, isCalled, namesAcross, type Part, partNumbers } from './time-parts.ts';
import { findKeys } from './long.ts';
import type { Proposal } from './score.ts';
import { yearAbove } from './unusual-times.ts';
import { codesOf, joinGroups, type Groups } from './values.ts';

/** A header of times, and the columns with values below it. */
interface Across extends Omit<HeaderTimes, 'at'> {
  readonly columns: readonly Column[];
  /** For each of the columns. */
  readonly at: readonly number[];
}

/** What rows add to the times of a header. */
interface RowTimes extends AxisProposal {
  readonly timeKind: TimeKind;
  /** The instant of a cell, by its row and what stands above it; `NaN` where there is none. */
  readonly timeOf: (row: number, at: number) => number;
}

/** Columns that are only numbered say nothing of times. */
const STEPS_PRIOR = -0.1;
/** What is written on both axes is no accident. */
const BOTH_PRIOR = 0.1;
/** Share of the columns with such names that must have numbers. */
const LEAST_NUMERIC = 0.9;

/** Readings of a table whose times run across, alone or together with those of its rows. */
export function proposeAcross(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Proposal[] {
  if (layout.timeColumn !== undefined || layout.valueColumns) return [];
  const names = table.columns.map(({ name }) => (isUnnamed(name) ? '' : name));
  return namesAcross(names, yearAbove(table)).flatMap((header) => {
    const across = columnsOf(table, header);
    if (!across) return [];
    if (across.kind === 'steps') return isLabelled(table, across) ? [wide(table, across)] : [];
    if (across.kind === 'times') return [...partsOfRows(table, across), wide(table, across)];
    const found = findAxes(table, layout, hint).find(({ axis }) => completes(axis, across.kind));
    if (!found) return [];
    const { times, samples } = found.axis;
    // a year that begins after July is that of its end, unless both are written as in `2020/21`
    const isOfEnd = across.kind === 'months' && across.at[0]! > 7 && !samples.some((text) => /\d\D+\d/.test(text));
    const timeOf = (row: number, at: number) => instantOfPart(across, times[row]!, isOfEnd ? at - 12 : at);
    return [matrix(table, across, { ...found, timeKind: across.timeKind, timeOf })];
  });
}

function columnsOf(table: Table, { kind, at, timeKind }: HeaderTimes): Across | undefined {
  const timed = table.columns
    .map((column, index) => ({ column, at: at[index]! }))
    .filter((each) => !Number.isNaN(each.at));
  const numeric = timed.filter(({ column }) => column.numbers !== undefined || column.filled === 0);
  if (numeric.length < timed.length * LEAST_NUMERIC) return undefined;
  return { kind, columns: numeric.map(({ column }) => column), at: numeric.map((each) => each.at), timeKind };
}

/** A series to each row. */
function wide(table: Table, { columns, at, kind, timeKind }: Across): Proposal {
  const groups = labelsOf(
    table.columns.filter((column) => !columns.includes(column)),
    table.rows,
  );
  const timeOf = (_: number, index: number) => (kind === 'steps' ? at[index]! * 1000 : at[index]!);
  return {
    id: JSON.stringify(['across', kind]),
    axis: { ...rowAxis(table), kind: timeKind },
    groups,
    columns,
    across: { timeKind, timeOf },
    prior: kind === 'steps' ? STEPS_PRIOR : BOTH_PRIOR,
  };
}

/** Rows that have a label each, and no time of their own. */
const isLabelled = (table: Table, { columns }: Across): boolean =>
  table.columns.some((column) => column.texts && !columns.includes(column));

/** Times on both axes: each series, identified by its keys, has the times of the rows and of the columns together. */
function matrix(table: Table, { columns, at, kind }: Across, { axis, prior, timeKind, timeOf }: RowTimes): Proposal {
  const isFree = (column: Column) =>
    !axis.columns.includes(column.name) && column.filled > 0 && !columns.includes(column);
  const keys = findKeys(table, axis, table.columns.filter(isFree));
  return {
    id: JSON.stringify(kind === 'times' ? ['across', kind, ...axis.columns] : ['across', kind]),
    axis,
    ...(keys.length > 0 ? { groups: joinGroups(keys, table.rows) } : {}),
    columns,
    across: { timeKind, timeOf: (row, index) => timeOf(row, at[index]!) },
    prior: prior + BOTH_PRIOR,
  };
}

/** Columns before the values in which a part of their time may stand. */
const MOST_PARTS = 5;

/** The parts that rows may add to the years of a header, and the instant that they make with one. */
const PARTS_OF_YEAR: readonly (readonly [Part, TimeKind, (year: number, part: number) => number])[] = [
  ['month', 'period', (year, month) => instantOf(year, month, 1)],
  ['quarter', 'period', (year, quarter) => instantOf(year, quarter * 3 - 2, 1)],
  ['week', 'date', instantOfWeek],
  ['yearDay', 'date', (year, day) => instantOf(year, 1, 1) + (day - 1) * DAY],
];

/** Whole times across, to which a column adds its part: months to years, and times of day to days. */
function partsOfRows(table: Table, across: Across): Proposal[] {
  const areYears = across.at.every((time) => {
    const { month, day } = civilOf(time);
    return month === 1 && day === 1 && timeOfDay(time) === 0;
  });
  const free = table.columns.filter((column) => !across.columns.includes(column) && column.filled > 0);
  return free.slice(0, MOST_PARTS).flatMap((column) => {
    const proposal = (parts: Float64Array, timeKind: TimeKind, timeOf: (row: number, time: number) => number) =>
      matrix(table, across, { axis: axisOf([column], 'period', parts), prior: 0, timeKind, timeOf });
    const clock = column.times.find(({ format }) => format.id === 'clock')?.reading;
    if (!areYears && clock?.badCount === 0) {
      const inDay = clock.values.all();
      return [proposal(inDay, 'instant', (row, time) => time + inDay[row]!)];
    }
    for (const [part, timeKind, timeOf] of areYears ? PARTS_OF_YEAR : []) {
      const parts = partNumbers(column, part);
      // numbers that nothing names are numbers of rows, unless there is one to each month
      const isMeant = column.texts ?? (isCalled(column.name, part) || (part === 'month' && new Set(parts).size === 12));
      if (!parts || !isMeant || new Set(parts).size <= 2) continue;
      return [proposal(parts, timeKind, (row, time) => timeOf(civilOf(time).year, parts[row]!))];
    }
    return [];
  });
}

/** The instant of a part of the time of a row, `NaN` for the 30th of February; of a day, that in the week of the row's. */
function instantOfPart({ kind, at }: Across, row: number, part: number): number {
  if (Number.isNaN(row)) return NaN;
  const { year, month } = civilOf(row);
  if (kind === 'months') return daysFromCivil(year, part, 1) * DAY;
  if (kind === 'days') return part < daysInMonth(year, month) ? row + part * DAY : NaN;
  if (kind === 'weekdays')
    return row + (part - at[0]! - ((weekdayOfDays(Math.floor(row / DAY)) - at[0]! + 7) % 7)) * DAY;
  return row + part;
}

/** Whether rows of such an axis have what columns of such names lack. */
function completes(axis: TimeAxis, kind: Across['kind']): boolean {
  const areAll = (test: (time: number) => boolean) => axis.times.every((time) => Number.isNaN(time) || test(time));
  if (kind === 'months') return axis.kind === 'period' && areAll((time) => civilOf(time).month === 1);
  if (kind === 'days') return axis.kind === 'period' || areAll((time) => civilOf(time).day === 1);
  if (kind === 'weekdays') return axis.kind === 'date' && areApart(axis, 7);
  return kind === 'hours' && axis.kind === 'date' && axis.columns.length === 1 && areApart(axis, 1);
}

/** Whether most dates are so many days apart: of months and weeks, columns are no hours, whatever they are called. */
function areApart({ times, choice }: TimeAxis, days: number): boolean {
  const dates = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  const next = dates.filter((date, index) => index > 0 && date === dates[index - 1]! + days * DAY).length;
  return next * 2 >= dates.length - 1 || choice?.kind === 'date-order';
}

/** The rows by the columns that name them: one whose texts are all different, else all that differ at all. */
function labelsOf(columns: readonly Column[], rows: number): Groups {
  const labels = columns.filter(({ texts }) => texts).map((column) => ({ name: column.name, ...codesOf(column) }));
  const telling = labels.filter(({ names }) => names.length > 1);
  const unique = telling.find(({ names }) => names.length === rows && !names.some(isMissing));
  const chosen = unique ? [unique] : telling.length > 0 ? telling : labels;
  const distinct = new DistinctNames();
  const nameOf = (row: number) => {
    const cells = chosen.map(({ codes, names }) => names[codes[row]!] ?? '').filter((cell) => !isMissing(cell));
    return cells.length > 0 || rows > 1 ? distinct.of(cells.join('/') || `Row ${row + 1}`) : '';
  };
  const codes = Float64Array.from({ length: rows }, (_, row) => row);
  return { codes, names: Array.from(codes, nameOf), columns: chosen.map(({ name }) => name) };
}
