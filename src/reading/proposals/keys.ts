import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isIdName, isValueName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { rowPattern, SAMPLE, suggestAggregate } from '../series/events.ts';
import {
  countRepeats,
  isBeside,
  isFlag,
  isNumeric,
  joinGroups,
  mayBeValue,
  timesByGroup,
  valuesOf,
  variety,
} from './values.ts';

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
/** Numbers that are called nothing that tells series apart. */
const isMeasure = (column: Column): boolean => !column.texts && !isIdName(column.name);
const mayBeKey = (column: Column): boolean =>
  column.texts !== undefined || (isNumeric(column) && column.numbers?.whole === true && !isValueName(column.name));

/**
 * The smallest set of columns of few values that tells the rows of one time apart, by that effect alone; names decide only
 * between columns that have the same. Empty where times do not repeat, or nothing explains it.
 */
export function findKeys(table: Table, axis: TimeAxis, free: readonly Column[]): readonly Column[] {
  const named = free.filter(isNamed);
  if (axis.kind === 'row') return named;
  const repeats = countRepeats(axis.times);
  if (repeats < Math.max(1, table.rows * LEAST_REPEATS)) return named.filter((column) => variety(column) === 1);
  const varieties = new Map(free.filter(mayBeKey).map((each) => [each, variety(each)]));
  const varied = [...varieties.keys()].filter((column) => {
    const many = varieties.get(column)!;
    // yes and no, 0 and 1 say something of a row, unless they are called a key
    return many > 1 && many * LEAST_ROWS <= column.filled && (!isFlag(column) || isIdName(column.name));
  });
  const likely = varied.toSorted((a, b) => Number(isMeasure(a)) - Number(isMeasure(b))).slice(0, MOST_KEYS);
  let kept = withValuesLeft(likely, free, axis);
  const left = (keys: readonly Column[]) => countRepeats(axis.times, joinGroups(keys, table.rows));
  const least = kept.length > 0 ? left(kept) : repeats;
  if (least > repeats * MOST_LEFT) return named;
  const mostVaried = kept.toSorted(
    (a, b) =>
      Number(isMeasure(b)) - Number(isMeasure(a)) ||
      varieties.get(b)! - varieties.get(a)! ||
      table.columns.indexOf(b) - table.columns.indexOf(a),
  );
  for (const column of mostVaried) {
    const others = kept.filter((other) => other !== column);
    if (others.length > 0 && left(others) <= least) kept = others;
  }
  return table.columns.filter((column) => kept.includes(column));
}

/** Keys without a value would leave nothing to forecast: numbers without a key's name are values rather, and long ones amounts. */
function withValuesLeft(keys: readonly Column[], free: readonly Column[], axis: TimeAxis): readonly Column[] {
  const isLeft = (those: readonly Column[]) =>
    free.some((column) => mayBeValue(column) && !those.includes(column) && !isBeside(column, axis));
  const isAmount = ({ isLong, name }: Column) => isLong && !isIdName(name);
  const named = keys.filter((each) => !isMeasure(each));
  const [mostVaried] = keys.filter(isMeasure).toSorted((a, b) => variety(b) - variety(a));
  const ways = [
    keys,
    keys.filter((each) => each !== mostVaried),
    named,
    keys.filter((each) => !isAmount(each)),
    named.filter((each) => !isAmount(each)),
  ];
  return ways.find(isLeft) ?? named.filter(({ texts, isLong }) => texts && !isLong);
}

/** A sensor that tells of itself has so many rows at least. */
const LEAST_READINGS = 8;
/** Rows of a time series whose own rows are even. */
const MOSTLY = 0.8;
/** Readings of one sensor are this even; sales that many shops have by turns are less so. */
const EVEN = 0.9;

/**
 * The column that tells readings of several sensors apart, which share no times: all rows with a value together are chance
 * events, but those of each sensor are readings, or a level that changes now and then.
 */
export function findSensor({ times, zone }: TimeAxis, free: readonly Column[]): Column | undefined {
  const known = times.subarray(0, SAMPLE);
  const sensors = free.filter(
    (column) =>
      column.texts && variety(column) > 1 && variety(column) * LEAST_READINGS <= column.filled && !isFlag(column),
  );
  if (sensors.length === 0) return undefined;
  const values = free.filter(mayBeValue).map((column) => valuesOf(column).subarray(0, SAMPLE));
  const filled = (each: Float64Array) => known.filter((_, row) => !Number.isNaN(each[row]!));
  if (values.length === 0 || values.some((each) => rowPattern(filled(each), zone).kind !== 'events')) return undefined;
  const isLevel = (each: Float64Array, codes?: Float64Array) => suggestAggregate(known, each, codes) === 'mean';
  const mixed = values.filter((each) => !isLevel(each));
  return sensors.find((column) => {
    const groups = joinGroups([column], times.length);
    const codes = groups.codes.subarray(0, SAMPLE);
    const inEven = timesByGroup(known, { ...groups, codes }).reduce((rows, own) => {
      const { kind, even } = rowPattern(own, zone);
      return kind === 'steps' || (kind === 'readings' && even >= EVEN) ? rows + own.length : rows;
    }, 0);
    return inEven >= known.length * MOSTLY || mixed.some((each) => isLevel(each, groups.codes));
  });
}
