import { fixedStep, type Frequency } from '../../calendar/frequency.ts';
import { DAY } from '../../calendar/civil.ts';
import { inferFrequency } from '../../calendar/grid.ts';
import { areAll, type TimeAxis, codesOf, type Column, isNumeric } from '../columns/column.ts';
import { isFactName, isIdName, isIndexName, isNumberOfRow, isValueName } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { type LayoutChoice, SeriesError } from '../types.ts';
import { rowPattern, SAMPLE, suggestAggregate, suggestStep } from '../series/aggregate.ts';
import { type AxisProposal, type DateOrder, findAxes, rowAxis, wantedColumn } from './axes.ts';
import {
  countSteps,
  type Proposal,
  countsOn,
  countRepeats,
  findValues,
  isBeside,
  isFlag,
  joinGroups,
  mayBeValue,
  timesByGroup,
  variety,
} from './proposal.ts';

const EVENTS_PRIOR = -0.05; // putting rows together supposes more than taking them as they are
const SLIPS_PRIOR = -0.3; // and even more where rows that come twice are slips in a series of regular steps
const ORDERS_PRIOR = 0.1; // but for rows that each have a number of their own
/** Sensors that share no times are told apart where that makes even steps of uneven ones. */
const SENSOR_PRIOR = -0.05;
const MOST_SENSORS = 4;
const ROWS_PRIOR = -0.2; // times that no column has are a last resort

export function proposeLong(table: Table, layout: LayoutChoice, hint: DateOrder): readonly Proposal[] {
  const axes = findAxes(table, layout, hint);
  const isOpen = layout.timeColumn === undefined && axes.every(({ axis }) => axis.kind !== 'row');
  const all = isOpen ? [...axes, { axis: rowAxis(table), prior: ROWS_PRIOR }] : axes;
  return all.flatMap((each) => withKeys(table, each, layout));
}

function withKeys(table: Table, { axis, prior }: AxisProposal, layout: LayoutChoice): Proposal[] {
  const free = table.columns.filter(({ name, filled }) => !axis.columns.includes(name) && filled > 0);
  const by = (keys: readonly Column[]): Proposal => {
    const left = free.filter((each) => !keys.includes(each));
    const wanted = layout.valueColumns?.map((name) => withNumbers(wantedColumn(table, name)));
    const groups = joinGroups([...keys, ...(wanted ?? left).flatMap(({ currencies }) => currencies ?? [])]);
    const columns = wanted ?? findValues(left, axis, groups);
    const id = JSON.stringify(['rows', axis.columns, keys.map(({ name }) => name)]);
    return { id, axis, groups, columns, guess: axis.guess, prior };
  };
  const events = (keys: readonly Column[]) => withEvents(by(keys), layout, table);
  if (layout.idColumns) return events(layout.idColumns.map((name) => wantedColumn(table, name)));
  const keys = findKeys(table, axis, free);
  if (keys.length > 0) return [...(areLevels(by(keys)) ? events(keys) : [asWanted(by(keys), layout)]), ...events([])];
  const sensors = axis.kind === 'instant' ? free.filter(mayBeSensor) : [];
  const bySensor = sensors.flatMap((sensor) => {
    const isNamed = sensor.texts !== undefined || isIdName(sensor.name);
    if (isNamed && areMixedLevels(sensor, axis, free)) return [{ sensor, prior: 0 }];
    return areEvener(sensor, axis) ? [{ sensor, prior: SENSOR_PRIOR }] : [];
  });
  return [
    ...bySensor
      .slice(0, MOST_SENSORS)
      .flatMap(({ sensor, prior }) => events([sensor]).map((each) => ({ ...each, prior: each.prior + prior }))),
    ...events([]),
  ];
}

function withNumbers(column: Column): Column {
  if (column.numbers) return column;
  throw new SeriesError('unknown-column', said`The column “${column.name}” has no numbers. Choose another one.`);
}

const asWanted = (proposal: Proposal, { aggregate }: LayoutChoice): Proposal =>
  aggregate ? { ...proposal, aggregate } : proposal;

function withEvents(proposal: Proposal, layout: LayoutChoice, table: Table): Proposal[] {
  const { axis, columns } = proposal;
  const isOpen = layout.aggregate !== null && layout.frequency === undefined;
  const measured = columns.filter(({ name }) => !isFactName(name));
  // months with several rows each are series by keys, unless nothing is measured
  const isTimed = axis.kind !== 'row' && (axis.kind !== 'period' || measured.length === 0);
  const mayBeEvents = isOpen && isTimed && !axis.grains;
  const rows = asWanted(proposal, layout);
  const prior = mayBeEvents ? eventsPrior(proposal, table) : undefined;
  if (prior === undefined) return [rows];
  const aggregate = layout.aggregate ?? { step: stepOf(proposal), by: measured.length > 0 ? 'sum' : 'count' };
  const id = proposal.id.replace('rows', 'events');
  const own = layout.valueColumns ? columns : measured;
  const events = { ...proposal, id, areEvents: true, columns: own, aggregate, prior: proposal.prior + prior };
  return layout.aggregate && prior !== SLIPS_PRIOR ? [events] : [rows, events];
}

function eventsPrior(proposal: Proposal, table: Table): number | undefined {
  const times = proposal.axis.times.subarray(0, SAMPLE);
  const pattern = rowPattern(times, proposal.axis.zone);
  if (pattern.kind !== 'events') return areNumbered(proposal, pattern, table) ? ORDERS_PRIOR : undefined;
  return areSlips(pattern, times) ? SLIPS_PRIOR : EVENTS_PRIOR;
}

const areLevels = ({ axis: { times }, groups, columns }: Proposal): boolean =>
  columns.length > 0 &&
  columns.every((column) => suggestAggregate(times, column.numbers!.values, groups?.codes) === 'mean');

function stepOf(proposal: Proposal): Frequency {
  const { axis, groups } = proposal;
  const longest = timesByGroup(axis.times, groups).reduce((most, each) => (each.length > most.length ? each : most));
  const period = axis.kind === 'period' ? inferFrequency(longest.filter(Number.isFinite).sort()) : undefined;
  if (period) return period;
  return suggestStep(longest, axis.zone, areLevels(proposal) ? 'hour' : 'day');
}

type Pattern = ReturnType<typeof rowPattern>;

const MOST_SLIPS = 0.2;
const FEWEST_STEPS = 7;
/** Rows that are even within their series, and neighbors one step apart in a series with slips. */
const MOSTLY = 0.8;

/** Rows that come twice are slips in a series of regular steps, unless there are many of them. */
function areSlips({ repeated }: Pattern, times: Float64Array): boolean {
  if (repeated === 0 || repeated > MOST_SLIPS) return false;
  const { pairs, near } = countSteps(times);
  return pairs < FEWEST_STEPS || near >= pairs * MOSTLY;
}

const FEWEST_ROWS = 20;

/** Whether rows at even hours are orders: each has a number of its own, which counts no rows, and amounts that differ. */
function areNumbered({ axis, columns }: Proposal, { frequency }: Pattern, table: Table): boolean {
  const step = frequency && fixedStep(frequency);
  if (axis.kind !== 'instant' || !step || step >= DAY || table.rows <= FEWEST_ROWS) return false;
  const [first = NaN] = axis.times;
  // what a clock starts is some seconds or minutes late each time
  if (!areAll(axis.times, (time) => (time - first) % step === 0)) return false;
  const isNumber = (column: Column) =>
    isNumberOfRow(column.name) && !isIndexName(column.name) && !countsOn(column) && variety(column) >= table.rows;
  const measured = columns.filter(({ name }) => !isNumberOfRow(name));
  const areAmounts = () => measured.every((column) => suggestAggregate(axis.times, column.numbers!.values) === 'sum');
  return table.columns.some(isNumber) && areAmounts();
}

const LEAST_REPEATS = 0.05;
const MOST_KEYS = 24;
/** A key stands in this many rows at least, on average: a nearly unique column names rows and no series. */
const LEAST_ROWS = 2;
const MOST_LEFT = 0.9;
const LEAST_TOLD = 0.25; // of rows, as flags tell a few apart by chance

const isNamed = (column: Column): boolean =>
  column.texts !== undefined && /^(?:unique_?id|series_?id|item_?id)$/i.test(column.name);
const isMeasure = (column: Column): boolean => !column.texts && !isIdName(column.name);
const mayBeKey = (column: Column): boolean =>
  column.texts !== undefined || (isNumeric(column) && column.numbers?.whole === true && !isValueName(column.name));

/** The smallest set of columns of few values that tells the rows of one time apart, by that effect; names break ties. */
export function findKeys(table: Table, axis: TimeAxis, free: readonly Column[]): readonly Column[] {
  const named = free.filter(isNamed);
  if (axis.columns.length === 0) return named;
  const repeats = countRepeats(axis.times);
  if (repeats < Math.max(1, table.rows * LEAST_REPEATS)) return named.filter((column) => variety(column) === 1);
  const varieties = new Map(free.filter(mayBeKey).map((each) => [each, variety(each)]));
  const varied = [...varieties]
    .filter(([{ filled }, many]) => many > 1 && many * LEAST_ROWS <= filled)
    .map(([column]) => column);
  const isTelling = (column: Column) => !isFlag(column) || isIdName(column.name);
  const likely = varied.filter(isTelling).toSorted((a, b) => Number(isMeasure(a)) - Number(isMeasure(b)));
  let kept = withValuesLeft(likely.slice(0, MOST_KEYS), free, axis);
  const left = (keys: readonly Column[]) => countRepeats(axis.times, joinGroups(keys));
  // yes and no, 0 and 1 say something of a row, unless they are called a key or nothing else tells many rows apart
  const withFlags = [...kept, ...varied.filter((column) => !isTelling(column))];
  if (left(kept) >= table.rows * LEAST_TOLD && left(withFlags) === 0) kept = withFlags;
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
  const ways = [keys, keys.filter((each) => each !== mostVaried), named];
  return ways.find(isLeft) ?? named.filter((each) => !isAmount(each));
}

const LEAST_READINGS = 8;

function mayBeSensor(column: Column): boolean {
  if (!mayBeKey(column) || isFlag(column)) return false;
  const rows = Math.min(column.filled, SAMPLE);
  const many = column.texts ? variety(column) : new Set(column.numbers!.values.subarray(0, SAMPLE)).size;
  return many > 1 && many * LEAST_READINGS <= rows;
}

function areEvener(sensor: Column, axis: TimeAxis): boolean {
  const times = axis.times.subarray(0, SAMPLE);
  const share = (lists: readonly Float64Array[]) => {
    const counted = lists.map(countSteps);
    return counted.reduce((sum, { near }) => sum + near, 0) / counted.reduce((sum, { pairs }) => sum + pairs, 0);
  };
  const own = share(timesByGroup(times, joinGroups([sensor])));
  return own >= MOSTLY && own > share([times]);
}

function areMixedLevels(sensor: Column, { times }: TimeAxis, free: readonly Column[]): boolean {
  const { codes } = codesOf(sensor);
  const isLevel = (values: Float64Array, by?: Float64Array) => suggestAggregate(times, values, by) === 'mean';
  return free
    .filter(mayBeValue)
    .some((column) => !isLevel(column.numbers!.values) && isLevel(column.numbers!.values, codes));
}
