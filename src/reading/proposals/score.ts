import { isRising } from '../../calendar/grid.ts';
import { UTC } from '../../calendar/zone.ts';
import type { TimeAxis, Column } from '../columns/column.ts';
import type { Table } from '../columns/table.ts';
import { periodsOf } from '../series/aggregate.ts';
import type { Resampling, TimeKind } from '../types.ts';
import type { Part } from './time-parts.ts';
import type { Groups } from './values.ts';

export interface Proposal {
  /** The same for the same reading of a file of these columns. */
  readonly id: string;
  readonly axis: TimeAxis;
  readonly groups?: Groups;
  readonly columns: readonly Column[];
  /** Where times run across: the instant of each cell, `NaN` for none. @param index of the column among `columns` */
  readonly across?: { readonly timeKind: TimeKind; readonly timeOf: (row: number, index: number) => number };
  readonly aggregate?: Resampling;
  readonly areEvents?: boolean;
  /** The part of a year that only plain numbers speak for, so that another reading is as likely. */
  readonly guess?: Part;
  /** How much the names speak for it, and how much it supposes; small beside what it gives. */
  readonly prior: number;
}

export const timesIn = ({
  axis,
  across,
}: Pick<Proposal, 'axis' | 'across'>): ((row: number, index: number) => number) =>
  across?.timeOf ?? ((row) => axis.times[row]!);

export const areSeriesRows = ({ axis, across }: Proposal): boolean => across !== undefined && axis.columns.length === 0;

export interface Scored extends Proposal {
  readonly evidence: ReturnType<typeof score>;
}

const WEIGHTS = { unique: 0.3, regular: 0.25, points: 0.25, typed: 0.1, used: 0.1 };
const ENOUGH_POINTS = 30;
const MOST_SERIES = 500;
const MOST_CELLS = 100_000;
const NEAR = 0.12;
const MOST_STEPS = 50;
/** A table that repeats a tenth of its times is not nine tenths right: most of its steps are merged from several rows. */
const HARSH = 4;

/**
 * What a reading would give, in one figure and in shares: filled cells that it uses, cells that are times and numbers as
 * they should be, neighbours one step apart, rows whose series has no other row of their time; and how many points.
 */
export function score(proposal: Proposal, table: Table) {
  const { axis, aggregate, across, columns, groups, areEvents = false, prior } = proposal;
  const counted = (aggregate ? [periodsWithRows(axis, aggregate)] : timesOf(proposal, table)).map(countSteps);
  const sum = (each: (list: ReturnType<typeof countSteps>) => number) =>
    counted.reduce((all, list) => all + each(list), 0);
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  const named = new Set([...axis.columns, ...(groups?.columns ?? []), ...columns.map(({ name }) => name)]);
  const filledOf = (those: readonly Column[]) => those.reduce((cells, { filled }) => cells + filled, 0);
  const numbers = columns.reduce((good, { numbers: own, filled }) => good + Math.min(filled, own?.parsed ?? 0), 0);
  const shares = {
    used: share(filledOf(table.columns.filter(({ name }) => named.has(name))), filledOf(table.columns)),
    typed: share(numbers, filledOf(columns)) * (1 - share(axis.badCount, table.rows)),
    regular:
      axis.kind === 'row' && !across
        ? 0
        : share(
            sum(({ near }) => near),
            sum(({ pairs }) => pairs),
          ),
    unique: share(
      sum(({ size, repeats }) => size - repeats),
      sum(({ size }) => size),
    ),
  };
  const sizes = counted.map(({ size, repeats }) => size - repeats).sort((a, b) => a - b);
  const points = hasPoints(proposal) ? (sizes[sizes.length >> 1] ?? 0) : 0;
  const enough = Math.min(1, Math.log2(1 + points) / Math.log2(1 + ENOUGH_POINTS));
  const total =
    WEIGHTS.unique * shares.unique ** HARSH +
    WEIGHTS.regular * shares.regular +
    WEIGHTS.points * enough +
    WEIGHTS.typed * shares.typed +
    WEIGHTS.used * shares.used +
    prior;
  const series = (groups?.names.length ?? 1) * Math.max(1, across ? 1 : columns.length);
  return { ...shares, series, points, score: columns.length === 0 && !areEvents ? 0 : total };
}

function hasPoints(proposal: Proposal): boolean {
  const { columns, areEvents = false } = proposal;
  const timeOf = timesIn(proposal);
  const isPoint = (value: number, row: number, index: number) =>
    !Number.isNaN(value) && !Number.isNaN(timeOf(row, index));
  return columns.length === 0
    ? areEvents
    : columns.some((each, index) => each.numbers?.values.some((value, row) => isPoint(value, row, index)));
}

function periodsWithRows({ times, zone = UTC }: TimeAxis, { step }: Resampling): Float64Array {
  const known = times.subarray(0, MOST_CELLS).filter((time) => !Number.isNaN(time));
  const periods = periodsOf(step, zone, known[0] ?? 0);
  return Float64Array.from(new Set(known.map((time) => periods.indexOf(time))), (index) => periods.startOf(index));
}

function timesOf(proposal: Proposal, table: Table): Float64Array[] {
  const { groups, across, columns } = proposal;
  const timeOf = timesIn(proposal);
  const lists = new Map<number, number[]>();
  const width = across ? columns.length : 1;
  const rows = Math.min(table.rows, Math.ceil(MOST_CELLS / width));
  for (let row = 0; row < rows; row++) {
    const code = groups?.codes[row] ?? 0;
    const list = lists.get(code) ?? [];
    if (list.length === 0) {
      if (lists.size >= MOST_SERIES) continue;
      lists.set(code, list);
    }
    for (let index = 0; index < width; index++) list.push(timeOf(row, index));
  }
  return Array.from(lists.values(), (list) => Float64Array.from(list));
}

export function countSteps(times: Float64Array) {
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
