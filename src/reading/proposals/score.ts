import { isRising } from '../../calendar/order.ts';
import type { Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';

import { periodsOf } from '../series/aggregate.ts';
import type { Resampling } from '../types.ts';
import { UTC } from '../../calendar/zone.ts';
import type { Proposal } from './proposal.ts';

/** What a reading would give. All are shares from 0 to 1, but for `series` and `points`. */
export interface Evidence {
  /** Filled cells of the table that it makes use of. */
  readonly used: number;
  /** Cells of times and values that are times and numbers. */
  readonly typed: number;
  /** Neighbours within a series that are one step apart. */
  readonly regular: number;
  /** Rows whose series has no other row of the same time. */
  readonly unique: number;
  readonly series: number;
  /** Of the median series. */
  readonly points: number;
  /** All in one figure; the reading with the highest is taken. */
  readonly score: number;
}

const WEIGHTS = { unique: 0.3, regular: 0.25, points: 0.25, typed: 0.1, used: 0.1 };
/** A series with this many points has enough. */
const ENOUGH_POINTS = 30;
/** Series and cells that are looked at. */
const MOST_SERIES = 500;
const MOST_CELLS = 100_000;
/** Neighbours this near to a whole number of steps are on the grid, as months of 28 to 31 days are. */
const NEAR = 0.12;
/** Neighbours further apart are not on one grid. */
const MOST_STEPS = 50;
/** A table that repeats a tenth of its times is not nine tenths right: most of its steps are merged from several rows. */
const HARSH = 4;

/** What a reading would give, from a part of the table that is as large as is needed to tell. */
export function score(proposal: Proposal, table: Table): Evidence {
  const { axis, aggregate, across, values, prior } = proposal;
  const lists = aggregate ? [periodsWithRows(proposal, aggregate)] : timesOf(proposal, table);
  const counted = lists.map(countSteps);
  const sum = (each: (list: Counted) => number) => counted.reduce((all, list) => all + each(list), 0);
  const rows = sum(({ size }) => size);
  const pairs = sum((list) => list.pairs);
  const columns = across?.columns ?? values;
  const keys = proposal.groups?.columns ?? [];
  const isUsed = ({ name }: Column) => keys.includes(name) || axis.columns.includes(name);
  const filled = table.columns.reduce((cells, column) => cells + column.filled, 0);
  const used = table.columns.reduce(
    (cells, column) => cells + (isUsed(column) || columns.includes(column) ? column.filled : 0),
    0,
  );
  const shares = {
    used: filled === 0 ? 0 : used / filled,
    typed: typedShare(columns, axis.badCount, table.rows),
    regular: axis.kind === 'row' && !across ? 0 : pairs === 0 ? 0 : sum(({ near }) => near) / pairs,
    unique: rows === 0 ? 0 : 1 - sum(({ repeats }) => repeats) / rows,
  };
  const points = counted.map(({ size, repeats }) => size - repeats).sort((a, b) => a - b)[counted.length >> 1] ?? 0;
  const enough = Math.min(1, Math.log2(1 + points) / Math.log2(1 + ENOUGH_POINTS));
  const total =
    WEIGHTS.unique * shares.unique ** HARSH +
    WEIGHTS.regular * shares.regular +
    WEIGHTS.points * enough +
    WEIGHTS.typed * shares.typed +
    WEIGHTS.used * shares.used +
    prior;
  const series =
    across?.isShared && !proposal.groups
      ? table.rows
      : (proposal.groups?.names.length ?? 1) * Math.max(1, values.length);
  return { ...shares, series, points, score: columns.length === 0 && !proposal.areEvents ? 0 : total };
}

function typedShare(columns: readonly Column[], badTimes: number, rows: number): number {
  const [parsed, filled] = columns.reduce(
    ([good, all], { numbers, filled: own }) => [good + Math.min(own, numbers?.parsed ?? 0), all + own],
    [0, 0],
  );
  return filled === 0 || rows === 0 ? 0 : (parsed / filled) * (1 - badTimes / rows);
}

/** The periods that have a row, of rows that are put together. */
function periodsWithRows({ axis }: Proposal, { step }: Resampling): Float64Array {
  const known = axis.times.subarray(0, MOST_CELLS).filter((time) => !Number.isNaN(time));
  const periods = periodsOf(step, axis.zone ?? UTC, known[0] ?? 0);
  return Float64Array.from(new Set(known.map((time) => periods.indexOf(time))), (index) => periods.startOf(index));
}

/** The times of some of the series, in the order of the rows. */
function timesOf({ axis, groups, across }: Proposal, table: Table): Float64Array[] {
  const lists = new Map<number, number[]>();
  const width = across?.columns.length ?? 1;
  const rows = Math.min(table.rows, Math.ceil(MOST_CELLS / width));
  if (!groups && !across) return [axis.times.subarray(0, rows)];
  for (let row = 0; row < rows; row++) {
    const code = groups?.codes[row] ?? (across?.isShared ? row : 0);
    let list = lists.get(code);
    if (!list) {
      if (lists.size >= MOST_SERIES) continue;
      lists.set(code, (list = []));
    }
    if (!across) list.push(axis.times[row]!);
    else for (let index = 0; index < width; index++) list.push(across.timeOf(row, index));
  }
  return [...lists.values()].map((list) => Float64Array.from(list));
}

interface Counted {
  readonly size: number;
  readonly repeats: number;
  readonly pairs: number;
  /** Pairs one step apart count whole, those some steps apart half. */
  readonly near: number;
}

/** How many neighbours in the order of time are near to whole steps of the usual one. */
export function countSteps(times: Float64Array): Counted {
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
  return { size: known.length, repeats: steps.length - forward.length, pairs: forward.length, near };
}
