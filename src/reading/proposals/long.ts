import { type Frequency, isBelowDay } from '../../calendar/frequency.ts';
import type { TimeAxis } from '../columns/axis.ts';
import type { Column } from '../columns/column.ts';
import { isIdName, isIndexName, isNumberOfRow, isValueName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { rowPattern, type RowPattern, SAMPLE, suggestAggregate, suggestStep } from '../series/aggregate.ts';
import { type LayoutChoice, SeriesError } from '../types.ts';
import { type AxisProposal, type DateOrder, findAxes, rowAxis, wantedColumn } from './axes.ts';
import { countSteps, type Proposal } from './score.ts';
import {
  countRepeats,
  findValues,
  isBeside,
  isFlag,
  isNumeric,
  joinGroups,
  mayBeValue,
  timesByGroup,
  valuesOf,
  variety,
} from './values.ts';

/** Putting rows together supposes more than taking them as they are. */
const EVENTS_PRIOR = -0.05;
/** But for rows that each have a number of their own. */
const ORDERS_PRIOR = 0.1;
/** Times that no column has are a last resort. */
const ROWS_PRIOR = -0.2;

export function proposeLong(table: Table, layout: LayoutChoice, hint: DateOrder): readonly Proposal[] {
  const axes = findAxes(table, layout, hint);
  const isOpen = layout.timeColumn === undefined && axes.every(({ axis }) => axis.kind !== 'row');
  const all = isOpen ? [...axes, { axis: rowAxis(table), prior: ROWS_PRIOR }] : axes;
  return all.flatMap((each) => withKeys(table, each, layout));
}

function withKeys(table: Table, { axis, prior }: AxisProposal, layout: LayoutChoice): Proposal[] {
  const free = table.columns.filter(({ name, filled }) => !axis.columns.includes(name) && filled > 0);
  const by = (keys: readonly Column[]): Proposal => {
    const groups = keys.length > 0 ? joinGroups(keys, table.rows) : undefined;
    const left = free.filter((each) => !keys.includes(each));
    const wanted = layout.valueColumns?.map((name) => withNumbers(wantedColumn(table, name)));
    const columns = wanted ?? findValues(left, axis, groups);
    const id = JSON.stringify(['rows', axis.columns, keys.map(({ name }) => name)]);
    return { id, axis, ...(groups ? { groups } : {}), columns, prior };
  };
  const events = (keys: readonly Column[]) => withEvents(by(keys), layout, table);
  if (layout.idColumns) return events(layout.idColumns.map((name) => wantedColumn(table, name)));
  const keys = findKeys(table, axis, free);
  if (keys.length > 0) return [...(areLevels(by(keys)) ? events(keys) : [asWanted(by(keys), layout)]), ...events([])];
  const sensor = axis.kind === 'instant' ? findSensor(axis, free) : undefined;
  return sensor ? [...events([sensor]), ...events([])] : events([]);
}

function withNumbers(column: Column): Column {
  if (column.numbers) return column;
  throw new SeriesError('unknown-column', said`The column “${column.name}” has no numbers. Choose another one.`);
}

/** A regular reading, put together to longer steps where the person wants that. */
const asWanted = (proposal: Proposal, { aggregate }: LayoutChoice): Proposal =>
  aggregate ? { ...proposal, aggregate } : proposal;

/** A reading as it is, and as events where its rows are some. */
function withEvents(proposal: Proposal, layout: LayoutChoice, table: Table): Proposal[] {
  const { axis, columns } = proposal;
  const isOpen = layout.aggregate !== null && layout.frequency === undefined;
  if (!isOpen || axis.kind === 'row' || axis.kind === 'period' || axis.grains) return [asWanted(proposal, layout)];
  const known = axis.times.subarray(0, SAMPLE);
  const pattern = rowPattern(known, axis.zone);
  const areOrders = pattern.kind !== 'events' && areNumbered(proposal, pattern, table);
  if (!areOrders && (pattern.kind !== 'events' || areSlips(pattern, known))) return [asWanted(proposal, layout)];
  const events = { ...proposal, id: proposal.id.replace('rows', 'events'), areEvents: true };
  if (layout.aggregate) return [{ ...events, aggregate: layout.aggregate }];
  // a question asks how to combine the values
  const aggregate = { step: stepOf(proposal), by: columns.length > 0 ? 'sum' : 'count' } as const;
  return [proposal, { ...events, aggregate, prior: proposal.prior + (areOrders ? ORDERS_PRIOR : EVENTS_PRIOR) }];
}

const areLevels = ({ axis: { times }, groups, columns }: Proposal): boolean =>
  columns.length > 0 &&
  columns.every((column) => {
    const own = valuesOf(column).subarray(0, SAMPLE);
    return suggestAggregate(times.subarray(0, SAMPLE), own, groups?.codes) === 'mean';
  });

/** The step that suits the series with the most rows; levels get hours if each hour has one. */
function stepOf(proposal: Proposal): Frequency {
  const { axis, groups } = proposal;
  const longest = timesByGroup(axis.times, groups).reduce((most, each) => (each.length > most.length ? each : most));
  return suggestStep(longest, axis.zone, areLevels(proposal) ? 'hour' : 'day');
}

const MOST_SLIPS = 0.2;
const FEWEST_STEPS = 7;
/** Rows that are even within their series, and neighbors one step apart in a series with slips. */
const MOSTLY = 0.8;

/** Rows that come twice are slips in a series of regular steps, unless there are many of them. */
function areSlips({ repeated }: RowPattern, times: Float64Array): boolean {
  if (repeated === 0 || repeated > MOST_SLIPS) return false;
  const { pairs, near } = countSteps(times);
  return pairs < FEWEST_STEPS || near >= pairs * MOSTLY;
}

const FEWEST_ROWS = 20;

/** Whether rows at even hours are orders: each has a number of its own, and amounts that are not alike from row to row. */
function areNumbered({ axis, columns }: Proposal, { frequency }: RowPattern, table: Table): boolean {
  if (axis.kind !== 'instant' || !frequency || !isBelowDay(frequency) || table.rows <= FEWEST_ROWS) return false;
  const isNumber = (column: Column) =>
    isNumberOfRow(column.name) && !isIndexName(column.name) && variety(column) >= table.rows;
  const measured = columns.filter(({ name }) => !isNumberOfRow(name));
  const areAmounts = () => measured.every((column) => suggestAggregate(axis.times, valuesOf(column)) === 'sum');
  return table.columns.some(isNumber) && areAmounts();
}

/** Least share of rows whose time was there before, for a table to be taken as several series below each other. */
const LEAST_REPEATS = 0.05;
/** Each of the columns that may tell series apart is tried without; no table needs more of them than this. */
const MOST_KEYS = 24;
/** A key stands in this many rows at least, on average: a nearly unique column names rows and no series. */
const LEAST_ROWS = 2;
/** Keys that leave more of the repeats than this explain nothing. */
const MOST_LEFT = 0.9;

const isNamed = (column: Column): boolean =>
  column.texts !== undefined && /^(?:unique_?id|series_?id|item_?id)$/i.test(column.name);
const isMeasure = (column: Column): boolean => !column.texts && !isIdName(column.name);
const mayBeKey = (column: Column): boolean =>
  column.texts !== undefined || (isNumeric(column) && column.numbers?.whole === true && !isValueName(column.name));

/** The smallest set of columns of few values that tells the rows of one time apart, by that effect; names break ties. */
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

const LEAST_READINGS = 8;
/** Readings of one sensor are this even; sales that many shops have by turns are less so. */
const EVEN = 0.9;

/** The column that tells readings of several sensors apart, which share no times: those of each are even, or a level. */
export function findSensor({ times, zone }: TimeAxis, free: readonly Column[]): Column | undefined {
  const known = times.subarray(0, SAMPLE);
  const sensors = free.filter(
    (column) =>
      column.texts && variety(column) > 1 && variety(column) * LEAST_READINGS <= column.filled && !isFlag(column),
  );
  if (sensors.length === 0) return undefined;
  const values = free.filter(mayBeValue).map((column) => valuesOf(column).subarray(0, SAMPLE));
  const filled = (each: Float64Array) => known.filter((_, row) => !Number.isNaN(each[row]!));
  const kindOf = (own: Float64Array) => {
    const { kind, even } = rowPattern(own, zone);
    const { pairs, near } = countSteps(own);
    // instants of two sensors by turns are on steps too, but not one step apart
    return kind === 'steps' && near < pairs * MOSTLY
      ? 'readings'
      : kind === 'readings' && even < EVEN
        ? 'events'
        : kind;
  };
  const kinds = new Set(values.map((each) => kindOf(filled(each))));
  if (values.length === 0 || kinds.has('steps') || kinds.has('few')) return undefined;
  const isLevel = (each: Float64Array, codes?: Float64Array) => suggestAggregate(known, each, codes) === 'mean';
  const mixed = values.filter((each) => !isLevel(each));
  return sensors.find((column) => {
    const groups = joinGroups([column], times.length);
    const codes = groups.codes.subarray(0, SAMPLE);
    const inEven = timesByGroup(known, { ...groups, codes }).reduce((rows, own) => {
      const kind = kindOf(own);
      // what is even as a whole must be more than that in all of its parts
      return kind === 'steps' || (kind === 'readings' && !kinds.has('readings')) ? rows + own.length : rows;
    }, 0);
    if (kinds.has('readings')) return inEven === known.length;
    return inEven >= known.length * MOSTLY || mixed.some((each) => isLevel(each, groups.codes));
  });
}
