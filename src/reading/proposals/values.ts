import { DAY, HOUR, civilOf, timeOfDay } from '../../calendar/civil.ts';
import { withoutRepeats, isRising } from '../../calendar/grid.ts';
import { type TimeAxis, type Column, isConstant, isNumeric } from '../columns/column.ts';
import { isCodeName, isFactName, isIdName, isIndexName, isTimeName, isUnnamed, isValueName } from '../columns/names.ts';

export interface Groups {
  readonly codes: Float64Array;
  readonly names: readonly string[];
  readonly columns: readonly string[];
}

export function codesOf(column: Column): Pick<Groups, 'codes' | 'names'> {
  if (column.texts) return { codes: column.texts.codes.all(), names: [...column.texts.numbers.keys()] };
  const values = column.numbers?.values ?? new Float64Array(column.rows).fill(NaN);
  const known = new Map<number, number>();
  const codes = values.map((value) => codeIn(known, value));
  return { codes, names: [...known.keys()].map((value) => (Number.isNaN(value) ? '' : String(value))) };
}

function codeIn(known: Map<number, number>, value: number): number {
  let code = known.get(value);
  if (code === undefined) known.set(value, (code = known.size));
  return code;
}

export const variety = (column: Column): number =>
  column.texts ? column.texts.numbers.size : codesOf(column).names.length;

export function joinGroups(columns: readonly Column[], rows: number): Groups {
  const labels = columns.map(({ name }) => name);
  const [first, ...others] = columns.map(codesOf);
  if (!first) return { codes: new Float64Array(rows), names: [''], columns: labels };
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
  return { ...groups, columns: labels };
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

/** The columns that may be forecast; flags, codes and constants only where no others are left. */
export function findValues(columns: readonly Column[], axis: TimeAxis, groups?: Groups): readonly Column[] {
  const wanted: readonly ((column: Column) => boolean)[] = [
    (column) => !isBeside(column, axis, groups),
    (column) => !isFlag(column) && !(column.filled > 2 && isConstant(column.numbers!.values)),
    ({ numbers, filled }) => numbers!.parsed >= filled * MOSTLY_NUMBERS,
    ({ numbers, name }) => !(numbers!.whole && isCodeName(name) && !isValueName(name)),
  ];
  return wanted.reduce((left, isWanted) => {
    const those = left.filter(isWanted);
    return those.length > 0 ? those : left;
  }, columns.filter(mayBeValue));
}

export function countsRows(column: Column): boolean {
  if (!column.numbers?.whole || column.rows < 3) return false;
  const { values } = column.numbers;
  return (values[0] === 0 || values[0] === 1) && values.every((value, row) => value === values[0]! + row);
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
  if (values[0]! > 1000 && values[0]! < 3000 && values.every(isYear)) return true;
  const epoch = times.find(({ format }) => format.id.startsWith('epoch'))?.reading;
  const counted = epoch?.badCount === 0 ? epoch.values.all() : undefined;
  if (counted && isAlways((time, row) => counted[row]! - time, 1000)) return true;
  const isPart = (part: (time: number) => number) =>
    values.every((value, row) => Number.isNaN(axis.times[row]!) || value === part(axis.times[row]!));
  if (isTimeName(name) && PARTS.some(isPart)) return true;
  const isHour = axis.kind === 'instant' && values.every((value) => value >= 0 && value <= 24);
  const isWholeDay = isHour && new Set(values.subarray(0, 1000)).size >= 24;
  return isWholeDay && isAlways((time, row) => (values[row]! - hourOf(time) + 48) % 24, 0);
}

function isFixed(values: Float64Array, { codes, names }: Groups, sameForAll: boolean): boolean {
  const known = new Float64Array(names.length).fill(NaN);
  for (let row = 0; row < values.length; row++) {
    const code = codes[row]!;
    if (Number.isNaN(known[code]!)) known[code] = values[row]!;
    else if (!Number.isNaN(values[row]!) && values[row] !== known[code]) return false;
  }
  if (sameForAll) return true;
  return names.length > 1 && values.length >= 3 * names.length && known.some((value) => value !== known[0]);
}
