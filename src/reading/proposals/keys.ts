import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isIdName, isValueName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { rowPattern, suggestAggregate, type RowPattern } from '../series/events.ts';
import { countRepeats, joinGroups, rowsByGroup, variety } from './groups.ts';
import { isBeside, isFlag, isNumeric, mayBeValue, valuesOf } from './values.ts';

/** Least share of rows whose time was there before, for a table to be taken as several series below each other. */
const LEAST_REPEATS = 0.05;
/** Each of the columns that may tell series apart is tried without; no table needs more of them than this. */
const MOST_KEYS = 24;
/** A key stands in this many rows at least, on average: a nearly unique column names rows and no series. */
const LEAST_ROWS = 2;
/** Keys that leave more of the repeats than this explain nothing. */
const MOST_LEFT = 0.9;

/** The columns of one name for all rows that say of which series they are. */
const isNamed = (column: Column): boolean =>
  column.texts !== undefined && /^(?:unique_?id|series_?id|item_?id)$/i.test(column.name);

/**
 * The smallest set of columns of few values that tells the rows of one time apart, by that effect alone; names decide only
 * between columns that have the same. Empty where times do not repeat, or nothing explains it.
 */
export function findKeys(table: Table, axis: TimeAxis, free: readonly Column[]): readonly Column[] {
  const named = free.filter(isNamed);
  if (axis.kind === 'row') return named;
  const repeats = countRepeats(axis.times);
  if (repeats < Math.max(1, table.rows * LEAST_REPEATS)) return named.filter((column) => variety(column) === 1);
  const varieties = new Map(free.filter((each) => mayBeKey(each)).map((each) => [each, variety(each)]));
  const varied = [...varieties.keys()].filter((column) => {
    const many = varieties.get(column)!;
    return many > 1 && many * LEAST_ROWS <= column.filled && !isFlagOfRows(column);
  });
  let kept = withValuesLeft(mostLikely(varied), free, axis);
  if (kept.length === 0) return named;
  const least = countRepeats(axis.times, joinGroups(kept, table.rows));
  if (least > repeats * MOST_LEFT) return named;
  const mostVaried = kept.toSorted(
    (a, b) =>
      Number(isMeasure(b)) - Number(isMeasure(a)) ||
      varieties.get(b)! - varieties.get(a)! ||
      table.columns.indexOf(b) - table.columns.indexOf(a),
  );
  for (const column of mostVaried) {
    const others = kept.filter((other) => other !== column);
    if (others.length === 0) break;
    if (countRepeats(axis.times, joinGroups(others, table.rows)) <= least) kept = others;
  }
  return kept.toSorted((a, b) => table.columns.indexOf(a) - table.columns.indexOf(b));
}

/** A sensor that tells of itself has so many rows at least. */
const LEAST_READINGS = 8;
/** Rows of a time series whose own rows are even. */
const MOSTLY = 0.8;
/** Rows that are looked at. */
const MOST_ROWS = 10_000;

/**
 * The column that tells readings of several sensors apart, which share no times: all rows with a value together are chance
 * events, but those of each sensor are readings, or a level that changes now and then.
 */
export function findSensor({ times, zone }: TimeAxis, free: readonly Column[]): Column | undefined {
  const known = times.subarray(0, MOST_ROWS);
  const sensors = free.filter(
    (column) =>
      column.texts && variety(column) > 1 && variety(column) * LEAST_READINGS <= column.filled && !isFlag(column),
  );
  if (sensors.length === 0) return undefined;
  const values = free.filter(mayBeValue).map((column) => valuesOf(column).subarray(0, MOST_ROWS));
  const areEvents = (each: Float64Array) =>
    rowPattern(
      known.map((time, row) => (Number.isNaN(each[row]!) ? NaN : time)),
      zone,
    ).kind === 'events';
  if (values.length === 0 || !values.every(areEvents)) return undefined;
  const isLevel = (codes?: Float64Array) => (each: Float64Array) => suggestAggregate(known, each, codes) === 'mean';
  const mixed = values.filter((each) => !isLevel()(each));
  return sensors.find((column) => {
    const groups = joinGroups([column], times.length);
    const lists = rowsByGroup({ ...groups, codes: groups.codes.subarray(0, MOST_ROWS) });
    const even = lists.filter((rows) =>
      isEven(
        rowPattern(
          Float64Array.from(rows, (row) => times[row]!),
          zone,
        ),
      ),
    );
    const inEven = even.reduce((sum, rows) => sum + rows.length, 0);
    return inEven >= known.length * MOSTLY || mixed.some(isLevel(groups.codes));
  });
}

/** Readings of one sensor are this even; sales that many shops have by turns are less so. */
const EVEN = 0.9;

const isEven = ({ kind, evidence }: RowPattern): boolean =>
  kind === 'steps' || (kind === 'readings' && (evidence.even ?? 0) >= EVEN);

const mayBeKey = (column: Column): boolean =>
  column.texts !== undefined || (isNumeric(column) && column.numbers?.whole === true && !isValueName(column.name));

/** Numbers that are called nothing that tells series apart. */
const isMeasure = (column: Column): boolean => !column.texts && !isIdName(column.name);

/** Yes and no, 0 and 1 say something of a row, unless they are called a key. */
const isFlagOfRows = (column: Column): boolean => isFlag(column) && !isIdName(column.name);

const mostLikely = (columns: readonly Column[]): readonly Column[] =>
  [...columns.filter((each) => !isMeasure(each)), ...columns.filter(isMeasure)].slice(0, MOST_KEYS);

/** Keys without a value would leave nothing to forecast: numbers without a key's name are values rather, and long ones amounts. */
function withValuesLeft(keys: readonly Column[], free: readonly Column[], axis: TimeAxis): readonly Column[] {
  const isLeft = (those: readonly Column[]) =>
    free.some((column) => mayBeValue(column) && !those.includes(column) && !isBeside(column, axis));
  const isAmount = ({ isLong, name }: Column) => isLong && !isIdName(name);
  const named = keys.filter((each) => !isMeasure(each));
  const measures = keys.filter(isMeasure).toSorted((a, b) => variety(b) - variety(a));
  const ways = [
    keys,
    keys.filter((each) => each !== measures[0]),
    named,
    keys.filter((each) => !isAmount(each)),
    named.filter((each) => !isAmount(each)),
  ];
  return ways.find((those) => isLeft(those)) ?? named.filter(({ texts, isLong }) => texts && !isLong);
}
