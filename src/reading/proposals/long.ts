import { isBelowDay, type Frequency } from '../../calendar/frequency.ts';
import type { Column } from '../columns/column.ts';
import { isIndexName, isNumberOfRow } from '../columns/names.ts';
import type { Table } from '../columns/table.ts';
import { said } from '../phrase.ts';
import { rowPattern, SAMPLE, suggestAggregate, suggestStep, type RowPattern } from '../series/events.ts';
import { SeriesError, type LayoutChoice } from '../types.ts';
import { findAxes, rowAxis, wantedColumn, type AxisProposal, type DateOrder } from './axes.ts';
import { findKeys, findSensor } from './keys.ts';
import { countSteps, type Proposal } from './score.ts';
import { findValues, joinGroups, timesByGroup, valuesOf, variety } from './values.ts';

/** Putting rows together supposes more than taking them as they are. */
const EVENTS_PRIOR = -0.05;
/** But for rows that each have a number of their own. */
const ORDERS_PRIOR = 0.1;
/** Times that no column has are a last resort. */
const ROWS_PRIOR = -0.2;

/** Readings of a table whose rows have a time each: one series, several identified by keys, or events. */
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

/** @throws SeriesError for a column that was chosen when it had numbers */
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

/** Whether all values are levels within their series, which are averaged and not summed. */
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
/** The share of neighbours one step apart in a series with slips. */
const MOSTLY = 0.8;

/** Rows that come twice are slips in a series of regular steps, unless there are many of them. */
function areSlips({ repeated }: RowPattern, times: Float64Array): boolean {
  if (repeated === 0 || repeated > MOST_SLIPS) return false;
  const { pairs, near } = countSteps(times);
  return pairs < FEWEST_STEPS || near >= pairs * MOSTLY;
}

const FEWEST_ROWS = 20;

/**
 * Whether rows at even hours are orders all the same: each has a number of its own that says so, and amounts that are not
 * alike from row to row, as readings of a sensor are.
 */
function areNumbered({ axis, columns }: Proposal, { frequency }: RowPattern, table: Table): boolean {
  if (axis.kind !== 'instant' || !frequency || !isBelowDay(frequency) || table.rows <= FEWEST_ROWS) return false;
  const isNumber = (column: Column) =>
    isNumberOfRow(column.name) && !isIndexName(column.name) && variety(column) >= table.rows;
  const measured = columns.filter(({ name }) => !isNumberOfRow(name));
  const areAmounts = () => measured.every((column) => suggestAggregate(axis.times, valuesOf(column)) === 'sum');
  return table.columns.some(isNumber) && areAmounts();
}
