import { civilOf } from '../../calendar/civil.ts';
import { axisOf, codesOf, type Column } from '../columns/column.ts';
import { DistinctNames, isUnnamed } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import type { LayoutChoice, TimeKind } from '../types.ts';
import { isMissing, isNumber } from '../values/numbers.ts';
import { findAxes, rowAxis, type AxisProposal } from './axes.ts';
import { axisAbove, isOf, levelOf } from './chains.ts';
import { findKeys } from './long.ts';
import { type Proposal, joinGroups, type Groups } from './proposal.ts';
import { evidentPart, type HeaderTimes, isCalled, type Level, namesAcross, partNumbers, PARTS, partsOf } from './time-parts.ts'; // prettier-ignore

type Across = ReturnType<typeof columnsOf>;

/** The instant of a cell, by its row and what stands above it; `NaN` where there is none. */
type TimeOf = (row: number, at: number) => number;

const STEPS_PRIOR = -0.1;
const BOTH_PRIOR = 0.1; // what is written on both axes is no accident

/** Times that a header says, as a whole or a part of what the rows or the texts above say, and of which rows may say a part more. */
export function proposeAcross(table: Table, layout: LayoutChoice, hint: 'dmy' | 'mdy'): readonly Proposal[] {
  if (layout.timeColumn !== undefined || layout.valueColumns) return [];
  const names = table.columns.map(({ name }) => (isUnnamed(name) ? '' : name));
  const [above] = axisAbove(table, 'year')?.times ?? [];
  const year = above === undefined ? undefined : civilOf(above).year;
  const headers = namesAcross(names, year).map((header) => columnsOf(table, header));
  const axes = headers.some(({ part }) => partOf(part)) ? findAxes(table, layout, hint) : [];
  return headers.flatMap((across) => {
    const { part, at, columns } = across;
    const whole = wholeOf(table, across, axes);
    const isLabelled = part !== 'step' || table.columns.some((column) => column.texts && !columns.includes(column));
    if (!whole || !isLabelled) return [];
    const isGuess = partOf(part)?.of === 'year' && areNumbers(columns);
    const proposal = proposalOf(table, across, whole);
    const level = part === 'time' ? levelOf(Float64Array.from(at)) : partOf(part)?.is;
    const levels = level === 'week' ? [level, 'day' as const] : [level ?? []].flat();
    const longer = levels.flatMap((each) => withPartsOfRows(table, across, whole, each));
    return [...longer, isGuess ? { ...proposal, guess: part } : proposal];
  });
}

const partOf = (part: HeaderTimes['part']) => (part === 'time' || part === 'step' ? undefined : PARTS[part]);
const areNumbers = (columns: readonly Column[]) => columns.every(({ name }) => /^\s*\d+\.?\s*$/.test(name));

/** The times of a header alone, or as parts of those of the rows or of the one that stands above the table. */
function wholeOf(table: Table, across: Across, axes: readonly AxisProposal[]): RowTimes | undefined {
  const { part, at, columns, timeKind } = across;
  const { of, at: instantOf } = partOf(part) ?? {};
  if (!instantOf) {
    const [prior, unit] = part === 'step' ? [STEPS_PRIOR, 1000] : [BOTH_PRIOR, 1];
    return { axis: { ...rowAxis(table), kind: timeKind }, prior, timeKind, timeOf: (_, place) => place * unit };
  }
  if (of === undefined) return undefined;
  const first = Math.min(...at);
  const isTold = part === 'day' || part === 'date' || !areNumbers(columns);
  const above = () => (isTold ? axisAbove(table, of) : undefined);
  const ofRows = axes.find((each) => isOf(each.axis, of));
  // beside years, numbers such as 101 or 1.1 name something else, though they may be days
  if (ofRows && part === 'date' && columns.every(({ name }) => isNumber(name))) return undefined;
  const { axis, prior } = ofRows ?? { axis: above(), prior: 0 };
  if (!axis) return undefined;
  const { times, samples } = axis;
  // a year that begins after July is that of its end, unless both are written as in `2020/21`
  const isOfEnd = part === 'month' && first > 7 && !samples.some((text) => /\d\D+\d/.test(text));
  const timeOf: TimeOf = (row, place) =>
    Number.isNaN(times[row]!) ? NaN : instantOf(times[row]!, isOfEnd ? place - 12 : place, first);
  return { axis, prior: prior + BOTH_PRIOR, timeKind, timeOf };
}

function columnsOf({ columns }: Table, { part, at, timeKind }: HeaderTimes) {
  const isTimed = ({ numbers, filled }: Column, index: number) =>
    !Number.isNaN(at[index]!) && (numbers !== undefined || filled === 0);
  const timed = at.filter((_, index) => isTimed(columns[index]!, index));
  return { part, columns: columns.filter(isTimed), at: timed, timeKind };
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
    id: JSON.stringify(['across', part, ...(part === 'time' ? axis.columns : [columns[0]?.name])]),
    axis,
    groups: areRows ? labelsOf(free, table.rows) : joinGroups(findKeys(table, axis, free)),
    columns,
    across: { timeKind, timeOf: (row, index) => timeOf(row, at[index]!) },
    prior,
  };
}

const MOST_PARTS = 5;
const FEWEST_PARTS = 3;

/** With a part more by a column, such as the months of the years of a header. */
function withPartsOfRows(table: Table, across: Across, whole: RowTimes, level: Level): Proposal[] {
  const { axis: before, timeOf } = whole;
  const isFree = (column: Column) => !across.columns.includes(column) && !before.columns.includes(column.name);
  const free = table.columns.filter((column) => isFree(column) && column.filled > 0).slice(0, MOST_PARTS);
  return free.flatMap((column) =>
    partsOf(level)
      .flatMap((part) => {
        const isMeant = isCalled(column.name, part);
        const numbers = isMeant ? partNumbers(column, part) : evidentPart(column, part, before.columns.length === 0);
        if (!numbers || (isMeant && new Set(numbers).size < FEWEST_PARTS)) return [];
        const { kind, at } = PARTS[part];
        const times = before.columns.length === 0 ? numbers : numbers.map((number, row) => before.times[row]! + number);
        const axis = axisOf(
          [...table.columns.filter(({ name }) => before.columns.includes(name)), column],
          'period',
          times,
        );
        const within: TimeOf = (row, place) => at(timeOf(row, place), numbers[row]!, numbers[0]!);
        return [proposalOf(table, across, { axis, prior: whole.prior, timeKind: kind, timeOf: within })];
      })
      .slice(0, 1),
  );
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
