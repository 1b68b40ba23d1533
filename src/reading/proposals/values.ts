import { DAY, HOUR, timeOfDay } from '../../calendar/civil.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isCodeName, isFactName, isIdName, isIndexName, isTimeName, isUnnamed, isValueName } from '../columns/names.ts';
import type { Decimal } from '../values/numbers.ts';
import type { Groups } from './groups.ts';
import { isPartAgain } from './time-parts.ts';

const YEAR = 365.2425 * DAY;
/** Share of a column's filled cells that must be numbers for it to hold values. */
const LEAST_NUMBERS = 0.6;
/** Beside other columns, one with more cells that are no numbers holds codes rather. */
const MOSTLY_NUMBERS = 0.9;
const FLAGS = /^(?:true|false|yes|no|y|n|ja|nein|j|wahr|falsch|oui|non|sí|si|да|нет|)$/i;

export const isNumeric = ({ numbers, filled }: Column): boolean =>
  numbers !== undefined && filled > 0 && numbers.parsed >= filled * LEAST_NUMBERS;

/** Whether a column has numbers, and no times that are more than digits. */
export const mayBeValue = (column: Column): boolean =>
  isNumeric(column) && column.times.every(({ format }) => format.digits === true);

export const valuesOf = ({ numbers }: Column): Float64Array =>
  numbers!.reading(numbers!.verdict().decimal).reading.values.all();

/** Whether a column says yes or no of a row. */
export function isFlag(column: Column): boolean {
  const { texts, numbers } = column;
  if (texts) return texts.numbers.size <= 3 && [...texts.numbers.keys()].every((text) => FLAGS.test(text));
  if (!numbers?.whole) return false;
  const values = valuesOf(column);
  const isEither = (value: number) => Number.isNaN(value) || value === 0 || value === 1;
  return values.every(isEither) && values.includes(0) && values.includes(1);
}

/** Whether all cells of a column that have a number have the same. */
export function isConstant(column: Column): boolean {
  const values = valuesOf(column);
  const first = values.find((value) => !Number.isNaN(value));
  return values.every((value) => Number.isNaN(value) || value === first);
}

/**
 * The columns that may be forecast: numbers that are no key, no row number, not the time once more, no fact about their
 * series, and, where others are left, no flags, no codes and not the same throughout.
 */
export function findValues(columns: readonly Column[], axis: TimeAxis, groups?: Groups): readonly Column[] {
  const wanted: readonly ((column: Column) => boolean)[] = [
    (column) => !isBeside(column, axis, groups),
    (column) => !isFlag(column) && !(column.filled > 2 && isConstant(column)),
    ({ numbers, filled }) => numbers!.parsed >= filled * MOSTLY_NUMBERS,
    ({ numbers, name }) => !(numbers!.whole && isCodeName(name) && !isValueName(name)),
  ];
  return wanted.reduce((left, isWanted) => {
    const those = left.filter(isWanted);
    return those.length > 0 ? those : left;
  }, columns.filter(mayBeValue));
}

/** 0, 1, 2, … or 1, 2, 3, …: a row number and no value. */
export function countsRows(column: Column): boolean {
  if (!column.numbers?.whole || column.rows < 3) return false;
  const values = valuesOf(column);
  return (values[0] === 0 || values[0] === 1) && values.every((value, row) => value === values[0]! + row);
}

/** Whether a column of numbers is no measurement: a row number, the time once more, or a fact about its series. */
export function isBeside(column: Column, axis: TimeAxis, groups?: Groups): boolean {
  const { name, numbers, rows } = column;
  const isId = isIdName(name) && !isValueName(name);
  if (column.isLong && isId) return true;
  if (isIndexName(name) && (countsRows(column) || (isUnnamed(name) && groups !== undefined))) return true;
  const values = valuesOf(column);
  if (isTimeAgain(column, values, axis)) return true;
  if (groups) return isFixed(values, groups, isFactName(name));
  // of one series, facts and numbers that name something are the same in each row
  return (isFactName(name) || (rows > 2 && numbers?.whole === true && isId)) && new Set(values).size === 1;
}

/**
 * Whether numbers say the time of their rows once more: years with a fraction, a part of the date, or a count since 1970
 * that is the same, or as much later in each row, such as the end of its span.
 */
function isTimeAgain({ name, times }: Column, values: Float64Array, axis: TimeAxis): boolean {
  if (axis.kind !== 'row') {
    const isYear = (value: number, row: number) => Math.abs(value - (1970 + axis.times[row]! / YEAR)) < 0.1;
    if (values[0]! > 1000 && values[0]! < 3000 && values.every(isYear)) return true;
    const epoch = times.find(({ format }) => format.id.startsWith('epoch'));
    const counted = epoch?.reading.badCount === 0 ? epoch.reading.values.all() : undefined;
    const after = counted ? counted[0]! - axis.times[0]! : NaN;
    if (counted?.every((time, row) => Math.abs(time - axis.times[row]! - after) < 1000)) return true;
  }
  return (isTimeName(name) && isPartAgain(name, values, axis.times)) || isHourAgain(values, axis);
}

/** Whether numbers count the hours of each day, in whatever zone: no measure goes round with the clock to the hour. */
function isHourAgain(values: Float64Array, { times, kind }: TimeAxis): boolean {
  const ahead = (value: number, row: number) => (value - Math.floor(timeOfDay(times[row]!) / HOUR) + 48) % 24;
  const first = ahead(values[0]!, 0);
  if (kind !== 'instant' || Number.isNaN(first) || new Set(values.subarray(0, 1000)).size < 24) return false;
  return values.every((value, row) => value >= 0 && value <= 24 && ahead(value, row) === first);
}

/** Whether each series has only one value, and, unless `sameForAll`, not all the same. */
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

/** Decimal sign of the columns that leave no doubt, for those that do. */
export const usualDecimal = (columns: readonly Column[]): Decimal | undefined =>
  columns.map(({ numbers }) => numbers?.verdict()).find((verdict) => verdict?.evidence === 'certain')?.decimal;
