import { DAY } from '../../calendar/civil.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isCodeName, isFactName, isIdName, isIndexName, isTimeName, isUnnamed, isValueName } from '../columns/names.ts';
import type { Decimal } from '../values/numbers.ts';
import type { Groups } from './groups.ts';
import { isPartAgain } from './time-parts.ts';

const YEAR = 365.2425 * DAY;
/** Share of a column's filled cells that must be numbers for it to hold values. */
const LEAST_NUMBERS = 0.6;
const FLAGS = /^(?:true|false|yes|no|y|n|ja|nein|j|wahr|falsch|oui|non|sí|si|да|нет|)$/i;

export function isNumeric(column: Column): boolean {
  return column.numbers !== undefined && column.filled > 0 && column.numbers.parsed >= column.filled * LEAST_NUMBERS;
}

/** Whether a column has numbers, and no times that are more than digits. */
export const mayBeValue = (column: Column): boolean =>
  isNumeric(column) && column.times.every(({ format }) => format.digits === true);

/** Whether a column says yes or no of a row. */
export function isFlag(column: Column): boolean {
  if (column.texts)
    return column.texts.numbers.size <= 3 && [...column.texts.numbers.keys()].every((text) => FLAGS.test(text));
  if (!column.numbers?.whole) return false;
  const values = valuesOf(column);
  return (
    values.includes(0) &&
    values.includes(1) &&
    values.every((value) => Number.isNaN(value) || value === 0 || value === 1)
  );
}

export const valuesOf = ({ numbers }: Column): Float64Array =>
  numbers!.reading(numbers!.verdict().decimal).reading.values.all();

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
  const numeric = columns.filter((column) => mayBeValue(column));
  const values = numeric.filter((column) => !isBeside(column, axis, groups));
  const kinds = [
    (column: Column) => !isFlag(column) && !(column.filled > 2 && isConstant(column)),
    (column: Column) => column.numbers!.parsed >= column.filled * MOSTLY_NUMBERS,
    (column: Column) => !(column.numbers!.whole && isCodeName(column.name) && !isValueName(column.name)),
  ];
  return kinds.reduce(
    (left, isMeasured) => {
      const measured = left.filter(isMeasured);
      return measured.length > 0 ? measured : left;
    },
    values.length > 0 ? values : numeric,
  );
}

/** Beside other columns, one with more cells that are no numbers holds codes rather. */
const MOSTLY_NUMBERS = 0.9;

/** 0, 1, 2, … or 1, 2, 3, …: a row number and no value. */
export function countsRows(column: Column): boolean {
  if (!column.numbers?.whole || column.rows < 3) return false;
  const values = valuesOf(column);
  return (values[0] === 0 || values[0] === 1) && values.every((value, row) => value === values[0]! + row);
}

/** Whether a column of numbers is no measurement: a row number, the time once more, or a fact about its series. */
export function isBeside(column: Column, axis: TimeAxis, groups?: Groups): boolean {
  if (column.isLong && isIdName(column.name) && !isValueName(column.name)) return true;
  if (isIndexName(column.name) && (countsRows(column) || (isUnnamed(column.name) && groups !== undefined))) return true;
  const values = valuesOf(column);
  const likeYear = values[0]! > 1000 && values[0]! < 3000;
  if (likeYear && isTimeAgain(values, axis)) return true;
  if (isEpochAgain(column, axis)) return true;
  if (isTimeName(column.name) && isPartAgain(column.name, values, axis.times)) return true;
  if (!groups) return isFact(column) && new Set(values).size === 1;
  return isFixed(values, groups, isFactName(column.name));
}

/** Years with a fraction that say the same as the time column. */
function isTimeAgain(values: Float64Array, axis: TimeAxis): boolean {
  if (axis.kind === 'row') return false;
  return values.every((value, row) => Math.abs(value - (1970 + axis.times[row]! / YEAR)) < 0.1);
}

/** A count since 1970 that is the time column's, or as much later in each row, such as the end of its span. */
function isEpochAgain({ times }: Column, axis: TimeAxis): boolean {
  const epoch = axis.kind === 'row' ? undefined : times.find(({ format }) => format.id.startsWith('epoch'));
  if (!epoch || epoch.reading.badCount > 0) return false;
  const counted = epoch.reading.values.all();
  const after = counted[0]! - axis.times[0]!;
  return counted.every((time, row) => Math.abs(time - axis.times[row]! - after) < 1000);
}

/** Whether a column is called a fact, or a number that names something: of one series those are the same in each row. */
const isFact = ({ name, numbers, rows }: Column): boolean =>
  isFactName(name) || (rows > 2 && numbers?.whole === true && isIdName(name) && !isValueName(name));

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
export function usualDecimal(columns: readonly Column[]): Decimal | undefined {
  for (const column of columns) {
    const verdict = column.numbers?.verdict();
    if (verdict?.evidence === 'certain') return verdict.decimal;
  }
  return undefined;
}
