import { DAY, HOUR, civilOf, timeOfDay } from '../../calendar/civil.ts';
import { withoutRepeats, isRising } from '../../calendar/grid.ts';
import { UTC } from '../../calendar/zone.ts';
import { type TimeAxis, codeIn, codesOf, type Column, isConstant, isNumeric } from '../columns/column.ts';
import { isCodeName, isFactName, isIdName, isIndexName, isTimeName, isUnnamed, isValueName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { SERIAL_DAYS } from '../values/dates.ts';
import { isCalled, partNumbers } from './time-parts.ts';
import { periodsOf } from '../series/aggregate.ts';
import type { Resampling, TimeKind } from '../types.ts';

export interface Proposal {
  readonly id: string;
  readonly axis: TimeAxis;
  readonly groups?: Groups | undefined;
  readonly columns: readonly Column[];
  /** Where times run across: the instant of each cell, `NaN` for none. @param index of the column among `columns` */
  readonly across?: { readonly timeKind: TimeKind; readonly timeOf: (row: number, index: number) => number };
  readonly aggregate?: Resampling;
  readonly areEvents?: boolean;
  /** The part of a year that only plain numbers speak for, so that another reading is as likely. */
  readonly guess?: string;
  readonly prior: number;
}

export const timesIn = ({ axis, across }: Proposal): ((row: number, index: number) => number) =>
  across?.timeOf ?? ((row) => axis.times[row]!);

export const areSeriesRows = ({ axis, across }: Proposal): boolean => across !== undefined && axis.columns.length === 0;

export interface Scored extends Proposal {
  readonly evidence: ReturnType<typeof score>;
}

export const WEIGHTS = { unique: 0.3, regular: 0.25, points: 0.25, typed: 0.1, used: 0.1 };
const ENOUGH_POINTS = 30;
const MOST_SERIES = 500;
const MOST_CELLS = 100_000;
const NEAR = 0.12;
const MOST_STEPS = 50;
const MOSTLY_COUNTED = 0.9; // of neighbors, one that skips steps counted as half; panels lack some rows
const FEWEST_COUNTED = 7; // neighbors a series; fewer are grades or classes
/** A table that repeats a tenth of its times is not nine tenths right: most of its steps are merged from several rows. */
const HARSH = 4;

/**
 * What a reading would give, in one figure and in shares: filled cells that it uses, cells that are times and numbers as
 * they should be, neighbours one step apart, rows whose series has no other row of their time; and how many points.
 */
export function score(proposal: Proposal, table: Table) {
  const { axis, aggregate, across, columns, groups, areEvents = false, prior } = proposal;
  const counted = (aggregate ? [periodsWithRows(axis, aggregate)] : timesOf(proposal, table)).map(countSteps);
  const sum = (of: 'near' | 'pairs' | 'repeats' | 'size') => counted.reduce((all, list) => all + list[of], 0);
  const [near, pairs] = [sum('near'), sum('pairs')];
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  const facts = areEvents ? table.columns.filter(({ name }) => isFactName(name)) : [];
  const named = new Set([
    ...axis.columns,
    ...(groups?.columns ?? []),
    ...[...columns, ...facts].map(({ name }) => name),
  ]);
  const filledOf = (those: readonly Column[]) => those.reduce((cells, { filled }) => cells + filled, 0);
  const numbers = columns.reduce((good, { numbers: own, filled }) => good + Math.min(filled, own?.parsed ?? 0), 0);
  const shares = {
    used: share(filledOf(table.columns.filter(({ name }) => named.has(name))), filledOf(table.columns)),
    typed:
      (columns.length === 0 && facts.length > 0 ? 1 : share(numbers, filledOf(columns))) *
      (1 - share(axis.badCount, table.rows)),
    regular: axis.columns.length === 0 && !across ? 0 : share(near, pairs),
    unique: share(sum('size') - sum('repeats'), sum('size')),
  };
  const sizes = counted.map(({ size, repeats }) => size - repeats).sort((a, b) => a - b);
  // steps without a date count on within each series; numbers of things leap or come again
  const isCounted = counted.length * FEWEST_COUNTED <= pairs && shares.unique === 1 && near >= pairs * MOSTLY_COUNTED;
  const points = hasPoints(proposal, isCounted) ? (sizes[sizes.length >> 1] ?? 0) : 0;
  const enough = Math.min(1, Math.log2(1 + points) / Math.log2(1 + ENOUGH_POINTS));
  const parts = { ...shares, unique: shares.unique ** HARSH, points: enough };
  const weights = Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][];
  const total = weights.reduce((all, [part, weight]) => all + weight * parts[part], prior);
  const series = (groups?.names.length ?? 1) * Math.max(1, across ? 1 : columns.length);
  return { ...shares, series, points, score: columns.length === 0 && !areEvents ? 0 : total };
}

function hasPoints(proposal: Proposal, isCounted: boolean): boolean {
  const { axis, columns, areEvents = false } = proposal;
  if (axis.kind === 'row' && axis.columns.length > 0 && !isCounted) return false;
  const timeOf = timesIn(proposal);
  const isKnown = (column: Column, index: number) =>
    column.numbers?.values.some((value, row) => !Number.isNaN(value + timeOf(row, index)));
  return columns.length === 0 ? areEvents : columns.some(isKnown);
}

function periodsWithRows({ times, zone = UTC }: TimeAxis, { step }: Resampling): Float64Array {
  const known = times.subarray(0, MOST_CELLS).filter((time) => !Number.isNaN(time));
  const periods = periodsOf(step, zone, known[0] ?? 0);
  return Float64Array.from(new Set(known.map((time) => periods.indexOf(time))), (index) => periods.startOf(index));
}

function timesOf(proposal: Proposal, table: Table): Float64Array[] {
  const { groups, across, columns } = proposal;
  const timeOf = timesIn(proposal);
  const width = across ? columns.length : 1;
  const length = Math.min(table.rows, Math.ceil(MOST_CELLS / width));
  const lists = groups
    ? rowsByGroup({ ...groups, codes: groups.codes.subarray(0, length) })
    : [Uint32Array.from({ length }, (_, row) => row)];
  const used = lists.filter((rows) => rows.length > 0).slice(0, MOST_SERIES);
  return used.map((rows) =>
    Float64Array.from({ length: rows.length * width }, (_, cell) =>
      timeOf(rows[Math.floor(cell / width)]!, cell % width),
    ),
  );
}

export function countSteps(times: Float64Array) {
  const known = times.filter((time) => !Number.isNaN(time));
  if (!isRising(known)) known.sort();
  const steps = known.subarray(1).map((time, index) => time - known[index]!);
  const forward = steps.filter((step) => step > 0);
  const sorted = forward.toSorted();
  const usual = sorted[sorted.length >> 1] ?? NaN;
  let near = 0;
  for (const step of forward) {
    const count = step / usual;
    const whole = Math.round(count);
    if (whole >= 1 && whole <= MOST_STEPS && Math.abs(count - whole) <= NEAR * Math.sqrt(whole))
      near += whole === 1 ? 1 : 0.5;
  }
  return { size: known.length, repeats: steps.length - forward.length, pairs: forward.length, near, usual };
}

export interface Groups {
  readonly codes: Float64Array;
  readonly names: readonly string[];
  readonly columns: readonly string[];
}

export const variety = (column: Column): number =>
  column.texts ? column.texts.numbers.size : codesOf(column).names.length;

export function joinGroups(columns: readonly Column[]): Groups | undefined {
  const [first, ...others] = columns.map(codesOf);
  if (!first) return undefined;
  let groups: Pick<Groups, 'codes' | 'names'> = first;
  for (const { codes: own, names } of others) {
    const before = groups;
    const known = new Map<number, number>();
    const codes = own.map((code, row) => codeIn(known, code * before.names.length + before.codes[row]!));
    const nameOf = (key: number) =>
      [before.names[key % before.names.length]!, names[Math.floor(key / before.names.length)]!]
        .filter((name) => name !== '')
        .join('/');
    groups = { codes, names: Array.from(known.keys(), nameOf) };
  }
  return { ...groups, columns: columns.map(({ name }) => name) };
}

export function rowsByGroup({ codes, names }: Groups): Uint32Array[] {
  const used = new Uint32Array(names.length);
  for (const code of codes) used[code]!++;
  const rows = Array.from(used, (size) => new Uint32Array(size));
  used.fill(0);
  codes.forEach((code, row) => (rows[code]![used[code]!++] = row));
  return rows;
}

export function timesByGroup(times: Float64Array, groups?: Groups): Float64Array[] {
  if (!groups) return [times];
  const rows = rowsByGroup({ ...groups, codes: groups.codes.subarray(0, times.length) });
  return rows.map((own) => Float64Array.from(own, (row) => times[row]!));
}

export function countRepeats(times: Float64Array, groups?: Groups): number {
  const lists = timesByGroup(times, groups).filter((list) => !isRising(list, true));
  return lists.reduce((sum, list) => sum + list.length - withoutRepeats(list.toSorted()).length, 0);
}

const MOSTLY_NUMBERS = 0.9;
const FLAGS = /^(?:true|false|yes|no|y|n|ja|nein|j|wahr|falsch|oui|non|sí|si|да|нет|)$/i;

export const mayBeValue = (column: Column): boolean =>
  isNumeric(column) && column.times.every(({ format }) => format.digits === true);

export function isFlag(column: Column): boolean {
  const { texts, numbers } = column;
  if (texts) return texts.numbers.size <= 3 && [...texts.numbers.keys()].every((text) => FLAGS.test(text));
  if (!numbers?.whole) return false;
  const { values } = numbers;
  const isEither = (value: number) => Number.isNaN(value) || value === 0 || value === 1;
  return values.every(isEither) && values.includes(0) && values.includes(1);
}

const CALENDAR = ['year', 'month', 'quarter', 'week', 'weekday'] as const;

/** The columns that may be forecast; flags, codes, constants and parts of dates only where no others are left. */
export function findValues(columns: readonly Column[], axis: TimeAxis, groups?: Groups): readonly Column[] {
  const wanted: readonly ((column: Column) => boolean)[] = [
    (column) => !isBeside(column, axis, groups),
    (column) => !isFlag(column) && !(column.filled > 2 && isConstant(column.numbers!.values)),
    ({ numbers, filled }) => numbers!.parsed >= (filled - numbers!.words.length) * MOSTLY_NUMBERS,
    ({ numbers, name }) => !(numbers!.whole && isCodeName(name) && !isValueName(name)),
    ({ times }) => !times.some(({ format, reading }) => format.id === 'compact' && reading.badCount === 0),
    (column) => !CALENDAR.some((part) => isCalled(column.name, part) && partNumbers(column, part)),
  ];
  return wanted.reduce((left, isWanted) => {
    const those = left.filter(isWanted);
    return those.length > 0 ? those : left;
  }, columns.filter(mayBeValue));
}

export function countsRows(column: Column): boolean {
  const first = column.numbers?.values[0];
  return column.rows >= 3 && (first === 0 || first === 1) && countsOn(column);
}

/** Whether whole numbers count on by one from row to row, up or down, as loggers number their readings. */
export function countsOn({ numbers }: Column): boolean {
  if (!numbers?.whole) return false;
  const { values } = numbers;
  const step = values[1]! < values[0]! ? -1 : 1;
  return values.every((value, row) => value === values[0]! + step * row);
}

export function isBeside(column: Column, axis: TimeAxis, groups?: Groups): boolean {
  const { name, numbers, rows } = column;
  const isId = isIdName(name) && !isValueName(name);
  if (column.isLong && isId) return true;
  if (isIndexName(name) && (countsRows(column) || (isUnnamed(name) && groups !== undefined))) return true;
  const { values, whole } = numbers!;
  if (isTimeAgain(column, values, axis)) return true;
  if (groups) return isFixed(values, groups, isFactName(name));
  // of one series, facts and numbers that name something are the same in each row
  return (isFactName(name) || (rows > 2 && whole && isId)) && new Set(values).size === 1;
}

const YEAR = 365.2425 * DAY;
const hourOf = (time: number): number => Math.floor(timeOfDay(time) / HOUR);
const PARTS: readonly ((time: number) => number)[] = [
  ...(['year', 'month', 'day'] as const).map((part) => (time: number) => civilOf(time)[part]),
  hourOf,
];

/** Whether numbers say the time of their rows once more: a year, a count since 1970, the hour in any zone, a part. */
function isTimeAgain({ name, times }: Column, values: Float64Array, axis: TimeAxis): boolean {
  if (axis.kind === 'row') return false;
  const isAlways = (of: (time: number, row: number) => number, near: number) => {
    const first = of(axis.times[0]!, 0);
    return axis.times.every((time, row) => Math.abs(of(time, row) - first) <= near);
  };
  const isYear = (value: number, row: number) => Math.abs(value - 1970 - axis.times[row]! / YEAR) < 0.1;
  const isSerial = (value: number, row: number) => Math.abs(SERIAL_DAYS.parse(String(value)) - axis.times[row]!) <= DAY;
  if (values[0]! > 10_000 && values.every(isSerial)) return true;
  if (values[0]! > 1000 && values[0]! < 3000 && values.every(isYear)) return true;
  const epoch = times.find(({ format }) => format.id.startsWith('epoch'))?.reading;
  const counted = epoch?.badCount === 0 ? epoch.values.all() : undefined;
  if (counted && isAlways((time, row) => counted[row]! - time, 1000)) return true;
  // midnight of any zone is before noon of its day in UTC
  const isPart = (part: (time: number) => number) =>
    [0, DAY / 2].some((noon) =>
      values.every((value, row) => Number.isNaN(axis.times[row]!) || value === part(axis.times[row]! + noon)),
    );
  if ((isTimeName(name) || (!isUnnamed(name) && !isRising(values, true))) && PARTS.some(isPart)) return true;
  const isHour = axis.kind === 'instant' && values.every((value) => value >= 0 && value <= 24);
  const isWholeDay = isHour && new Set(values.subarray(0, 1000)).size >= 24;
  return isWholeDay && isAlways((time, row) => (values[row]! - hourOf(time) + 48) % 24, 0);
}

function isFixed(values: Float64Array, { codes, names }: Groups, sameForAll: boolean): boolean {
  const known = new Float64Array(names.length).fill(NaN);
  const isOther = (value: number, row: number) => {
    const before = known[codes[row]!]!;
    if (Number.isNaN(before)) known[codes[row]!] = value;
    return value !== before && !Number.isNaN(value + before);
  };
  if (values.some(isOther)) return false;
  return sameForAll || (names.length > 1 && values.length >= 3 * names.length && new Set(known).size > 1);
}
