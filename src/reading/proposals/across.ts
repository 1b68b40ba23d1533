import { DAY, civilOf, timeOfDay } from '../../calendar/civil.ts';
import { areAll, axisOf, type TimeAxis, type Column } from '../columns/column.ts';
import { DistinctNames, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { LayoutChoice, TimeKind } from '../types.ts';
import { isMissing } from '../values/numbers.ts';
import { findAxes, rowAxis, type AxisProposal, yearAbove } from './axes.ts';
import { findKeys } from './long.ts';
import { type Proposal, codesOf, joinGroups, type Groups } from './proposal.ts';
import type { HeaderTimes, Level, Part } from './time-parts.ts';
import { isCalled, namesAcross, partNumbers, PARTS, partsOf } from './time-parts.ts';

type Across = ReturnType<typeof columnsOf>;

/** The instant of a cell, by its row and what stands above it; `NaN` where there is none. */
type TimeOf = (row: number, at: number) => number;

const STEPS_PRIOR = -0.1;
const BOTH_PRIOR = 0.1; // what is written on both axes is no accident

export function proposeAcross(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Proposal[] {
  if (layout.timeColumn !== undefined || layout.valueColumns) return [];
  const names = table.columns.map(({ name }) => (isUnnamed(name) ? '' : name));
  return namesAcross(names, yearAbove(table)).flatMap((header) => {
    const across = columnsOf(table, header);
    const { part, at, timeKind } = across;
    if (part === 'step') {
      const isLabelled = table.columns.some((column) => column.texts && !across.columns.includes(column));
      return isLabelled ? [wide(table, across, STEPS_PRIOR)] : [];
    }
    if (part === 'time') return [...partsOfRows(table, across), wide(table, across, BOTH_PRIOR)];
    const { of, at: instantOf } = PARTS[part];
    const found = findAxes(table, layout, hint).find(({ axis }) => of !== undefined && isOf(axis, of));
    if (!found) return [];
    const { times, samples } = found.axis;
    const first = Math.min(...at);
    // a year that begins after July is that of its end, unless both are written as in `2020/21`
    const isOfEnd = part === 'month' && first > 7 && !samples.some((text) => /\d\D+\d/.test(text));
    const timeOf: TimeOf = (row, place) =>
      Number.isNaN(times[row]!) ? NaN : instantOf(times[row]!, isOfEnd ? place - 12 : place, first);
    const proposal = proposalOf(table, across, { axis: found.axis, prior: found.prior + BOTH_PRIOR, timeKind, timeOf });
    const areNumbers = across.columns.every(({ name }) => /^\s*\d+\.?\s*$/.test(name));
    return [of === 'year' && areNumbers ? { ...proposal, guess: part } : proposal];
  });
}

function columnsOf({ columns }: Table, { part, at, timeKind }: HeaderTimes) {
  const isTimed = ({ numbers, filled }: Column, index: number) =>
    !Number.isNaN(at[index]!) && (numbers !== undefined || filled === 0);
  const timed = at.filter((_, index) => isTimed(columns[index]!, index));
  return { part, columns: columns.filter(isTimed), at: timed, timeKind };
}

function wide(table: Table, across: Across, prior: number): Proposal {
  const { part, timeKind } = across;
  const unit = part === 'step' ? 1000 : 1;
  const axis = { ...rowAxis(table), kind: timeKind };
  return proposalOf(table, across, { axis, prior, timeKind, timeOf: (_, index) => index * unit });
}

interface RowTimes extends AxisProposal {
  readonly timeKind: TimeKind;
  readonly timeOf: TimeOf;
}

function proposalOf(
  table: Table,
  { columns, at, part }: Across,
  { axis, prior, timeKind, timeOf }: RowTimes,
): Proposal {
  const isTime = ({ name }: Column) => axis.columns.includes(name);
  const free = table.columns.filter((column) => column.filled > 0 && !columns.includes(column) && !isTime(column));
  const areRows = axis.columns.length === 0;
  return {
    id: JSON.stringify(['across', part, ...(part === 'time' ? axis.columns : [])]),
    axis,
    groups: areRows ? labelsOf(free, table.rows) : joinGroups(findKeys(table, axis, free)),
    columns,
    across: { timeKind, timeOf: (row, index) => timeOf(row, at[index]!) },
    prior,
  };
}

const MOST_PARTS = 5;

function partsOfRows(table: Table, across: Across): Proposal[] {
  const level = levelOf(across.at);
  const free = table.columns.filter((column) => !across.columns.includes(column) && column.filled > 0);
  return free.slice(0, MOST_PARTS).flatMap((column) => {
    const part = partsOf(level).find((each) => isMeant(column, each));
    const parts = part && partNumbers(column, part);
    if (!part || !parts) return [];
    const { kind, at } = PARTS[part];
    const timeOf: TimeOf = (row, time) => at(time, parts[row]!, 0);
    const axis = axisOf([column], 'period', parts);
    return [proposalOf(table, across, { axis, prior: BOTH_PRIOR, timeKind: kind, timeOf })];
  });
}

/** Numbers that nothing names are numbers of rows, unless there is one to each month; and T1 is a team as often as a quarter. */
function isMeant(column: Column, part: Part): boolean {
  const many = new Set(partNumbers(column, part)).size;
  if (part === 'slot' && many > 0 && column.times.length > 0) return true;
  const isNumber = column.texts ? /^[TK]\d$/i.test(column.samples[0]!) : part !== 'month' || many !== 12;
  return many > 2 && (isCalled(column.name, part) || !isNumber);
}

function levelOf(times: readonly number[]): Level {
  const areFirst = times.every((time) => timeOfDay(time) === 0 && civilOf(time).day === 1);
  return !areFirst ? 'day' : times.every((time) => civilOf(time).month === 1) ? 'year' : 'month';
}

function isOf(axis: TimeAxis, level: Level): boolean {
  if (level === 'year') return axis.kind === 'period' && areAll(axis.times, (time) => civilOf(time).month === 1);
  if (level === 'month') return axis.kind === 'period' || areAll(axis.times, (time) => civilOf(time).day === 1);
  return (
    axis.kind === 'date' && (level === 'week' ? areApart(axis, 7) : axis.columns.length === 1 && areApart(axis, 1))
  );
}

/** Whether most dates are so many days apart: of months and weeks, columns are no hours, whatever they are called. */
function areApart({ times, choice }: TimeAxis, days: number): boolean {
  const dates = Float64Array.from(new Set(times.filter((time) => !Number.isNaN(time)))).sort();
  const next = dates.filter((date, index) => index > 0 && date === dates[index - 1]! + days * DAY).length;
  return next * 2 >= dates.length - 1 || choice?.kind === 'date-order';
}

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
