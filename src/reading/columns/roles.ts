import { said } from '../phrase.ts';
import { DAY } from '../../calendar/civil.ts';
import { isRising } from '../../calendar/order.ts';
import type { Column } from './column.ts';
import { isPartAgain } from './combine.ts';
import { isFactName, isTimeName, isIdName, isIndexName, isUnnamed, isValueName } from './names.ts';
import type { Decimal } from '../values/numbers.ts';
import type { Table } from './table.ts';
import { unknownColumn } from './time-axis.ts';
import type { TimeAxis } from './axis.ts';
import { SeriesError, type LayoutChoice } from '../types.ts';

const YEAR = 365.2425 * DAY;
/** Share of a column's filled cells that must be numbers for it to hold values. */
const LEAST_NUMBERS = 0.6;
/** Least share of rows whose time was there before, for a table to be taken as several series below each other. */
const LEAST_REPEATS = 0.05;

/** Series of a long table: a number for each row, and a name for each number. */
export interface Groups {
  readonly codes: Float64Array;
  readonly names: readonly string[];
  readonly columns: readonly string[];
}

/** Which columns hold values, and which tell the series apart. */
export interface Roles {
  readonly values: readonly Column[];
  readonly groups: Groups | undefined;
}

function isNumeric(column: Column): boolean {
  return column.numbers !== undefined && column.filled > 0 && column.numbers.parsed >= column.filled * LEAST_NUMBERS;
}

/** 0, 1, 2, … or 1, 2, 3, …: a row number and no value. */
function countsRows(column: Column): boolean {
  if (!column.numbers?.whole || column.rows < 3) return false;
  const { reading } = column.numbers.reading('.');
  if (reading.values.first !== 0 && reading.values.first !== 1) return false;
  const values = reading.values.peek();
  return values.every((value, row) => value === values[0]! + row);
}

function numericCodes(column: Column): { codes: Float64Array; names: string[] } {
  const values = column.numbers!.reading('.').reading.values.peek();
  const known = new Map<number, number>();
  const codes = values.map((value) => {
    let code = known.get(value);
    if (code === undefined) known.set(value, (code = known.size));
    return code;
  });
  return { codes, names: [...known.keys()].map((value) => (Number.isNaN(value) ? '' : String(value))) };
}

function codesOf(column: Column): { codes: Float64Array; names: readonly string[] } {
  if (!column.texts) return numericCodes(column);
  return { codes: column.texts.codes.peek(), names: [...column.texts.numbers.keys()] };
}

function joinGroups(columns: readonly Column[], rows: number): Groups {
  const parts = columns.map(codesOf);
  const [only] = parts;
  const labels = columns.map(({ name }) => name);
  if (parts.length === 1 && only) return { ...only, columns: labels };
  const codes = new Float64Array(rows);
  let first = new Map<number, number>();
  let groups = 1;
  for (const part of parts) {
    const known = new Map<number, number>();
    first = new Map();
    for (let row = 0; row < rows; row++) {
      const key = part.codes[row]! * groups + codes[row]!;
      let code = known.get(key);
      if (code === undefined) {
        known.set(key, (code = known.size));
        first.set(code, row);
      }
      codes[row] = code;
    }
    groups = known.size;
  }
  const names = Array.from(first.values(), (row) =>
    parts
      .map((part) => part.names[part.codes[row]!] ?? '')
      .filter((name) => name !== '')
      .join('/'),
  );
  return { codes, names, columns: labels };
}

/** Whether the rows of each series are in time order without repeats, as they are in most long tables. */
function riseWithin(times: Float64Array, codes: Float64Array): boolean {
  const last = new Map<number, number>();
  for (let row = 0; row < times.length; row++) {
    const time = times[row]!;
    const before = last.get(codes[row]!);
    if (before !== undefined && !(time > before)) return false;
    last.set(codes[row]!, time);
  }
  return true;
}

/** Rows whose time occurred before, of all rows or of those of the same series. */
function countRepeats(times: Float64Array, codes?: Float64Array): number {
  let repeats = 0;
  if (!codes) {
    const sorted = times.slice().sort();
    for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) repeats++;
    return repeats;
  }
  if (riseWithin(times, codes)) return 0;
  const order = Uint32Array.from(times, (_, row) => row);
  order.sort((a, b) => codes[a]! - codes[b]! || times[a]! - times[b]! || a - b);
  for (let i = 1; i < order.length; i++) {
    const [row, before] = [order[i]!, order[i - 1]!];
    if (times[row] === times[before] && codes[row] === codes[before]) repeats++;
  }
  return repeats;
}

function variety(column: Column): number {
  return column.texts ? column.texts.numbers.size : numericCodes(column).names.length;
}

/** The fewest columns that tell the rows of one time apart; columns that only describe a series are left out. */
function findIds(table: Table, axis: TimeAxis, free: readonly Column[]): Column[] {
  const named = free.filter((column) => column.texts && /^(?:unique_?id|series_?id|item_?id)$/i.test(column.name));
  if (axis.kind === 'row') return named;
  // long tables cannot rise without repeats; this saves the sorting of large single series
  const repeats = isRising(axis.times, true) ? 0 : countRepeats(axis.times);
  if (repeats < Math.max(1, table.rows * LEAST_REPEATS)) return named.filter((column) => variety(column) === 1);
  const numbers = free.filter(
    (column) =>
      !column.texts && isNumeric(column) && column.numbers?.whole && isIdName(column.name) && !isValueName(column.name),
  );
  const varieties = new Map([...free.filter(({ texts }) => texts), ...numbers].map((each) => [each, variety(each)]));
  const varied = [...varieties.keys()].filter((column) => {
    const many = varieties.get(column)!;
    // long numbers are amounts where hardly any comes twice
    return many > 1 && !(column.isLong && (isValueName(column.name) || 2 * many > column.filled));
  });
  // ids without a value would leave nothing to forecast: long numbers are amounts rather
  const amounts = varied.filter(({ isLong, name }) => isLong && !isIdName(name));
  const isValue = (column: Column) => !varied.includes(column) && mayBeValue(column) && !isBeside(column, axis);
  const likely = amounts.length === 0 || free.some(isValue) ? varied : varied.filter((each) => !amounts.includes(each));
  let kept = likely.length > MOST_IDS ? mostLikelyIds(likely) : likely;
  if (kept.length === 0) return named;
  const least = countRepeats(axis.times, joinGroups(kept, table.rows).codes);
  if (least > repeats * 0.9) return named;
  const mostVaried = kept.toSorted(
    (a, b) => varieties.get(b)! - varieties.get(a)! || table.columns.indexOf(b) - table.columns.indexOf(a),
  );
  for (const column of mostVaried) {
    const others = kept.filter((other) => other !== column);
    if (others.length === 0) break;
    if (countRepeats(axis.times, joinGroups(others, table.rows).codes) <= least) kept = others;
  }
  return kept.toSorted((a, b) => table.columns.indexOf(a) - table.columns.indexOf(b));
}

/** Each of the columns that may tell series apart is tried without; no table needs more of them than this. */
const MOST_IDS = 24;

const mostLikelyIds = (columns: readonly Column[]): Column[] =>
  [
    ...new Set([...columns.filter(({ name }) => isIdName(name)).slice(0, MOST_IDS), ...columns.slice(0, MOST_IDS)]),
  ].slice(0, MOST_IDS);

function wantedColumns(table: Table, names: readonly string[]): Column[] {
  const known = new Map(table.columns.map((column) => [column.name, column]));
  return names.map((name) => {
    const column = known.get(name);
    if (!column) throw unknownColumn(name, table);
    return column;
  });
}

/** @throws SeriesError for a column that was chosen when it had numbers */
function withNumbers(column: Column): Column {
  if (column.numbers) return column;
  throw new SeriesError('unknown-column', said`The column “${column.name}” has no numbers. Choose another one.`);
}

/** Decides what the columns beside the time are for. */
export function findRoles(table: Table, axis: TimeAxis, layout: LayoutChoice): Roles {
  const free = table.columns.filter(({ name, filled }) => !axis.columns.includes(name) && filled > 0);
  const ids = layout.idColumns ? wantedColumns(table, layout.idColumns) : findIds(table, axis, free);
  const groups = ids.length > 0 ? joinGroups(ids, table.rows) : undefined;
  if (layout.valueColumns) return { values: wantedColumns(table, layout.valueColumns).map(withNumbers), groups };
  const numeric = free.filter((column) => !ids.includes(column) && mayBeValue(column));
  const values = numeric.filter((column) => !isBeside(column, axis, groups));
  return { values: values.length > 0 ? values : numeric, groups };
}

/** Whether a column of numbers is no measurement: a row number, the time once more, or a fact about its series. */
function isBeside(column: Column, axis: TimeAxis, groups?: Groups): boolean {
  if (column.isLong && isIdName(column.name) && !isValueName(column.name)) return true;
  if (isIndexName(column.name) && (countsRows(column) || (isUnnamed(column.name) && groups !== undefined))) return true;
  const { values } = column.numbers!.reading(column.numbers!.verdict().decimal).reading;
  const likeYear = values.first > 1000 && values.first < 3000;
  if (likeYear && isTimeAgain(values.peek(), axis)) return true;
  if (isEpochAgain(column, axis)) return true;
  if (isTimeName(column.name) && isPartAgain(column.name, values.peek(), axis.times)) return true;
  if (!groups) return isFact(column) && new Set(values.peek()).size === 1;
  return isFixed(values.peek(), groups, isFactName(column.name));
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
  const counted = epoch.reading.values.peek();
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

/** Whether a column has numbers, and no times that are more than digits. */
function mayBeValue(column: Column): boolean {
  return isNumeric(column) && column.times.every(({ format }) => format.digits === true);
}

/** Decimal sign of the columns that leave no doubt, for those that do. */
export function usualDecimal(columns: readonly Column[]): Decimal | undefined {
  for (const column of columns) {
    const verdict = column.numbers?.verdict();
    if (verdict?.evidence === 'certain') return verdict.decimal;
  }
  return undefined;
}
