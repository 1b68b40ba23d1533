import { inferFrequency, medianOf, withoutRepeats } from './infer.ts';
import { DAY, HOUR } from './civil.ts';
import { approximateStep, fixedStep, type Frequency } from './frequency.ts';
import { hasNaN, isRising } from './order.ts';
import { addSteps, stepIndex } from './steps.ts';
import { UTC, type Zone } from './zone.ts';

/** Observations on a regular grid, or by row where there is no regular step. */
export interface Grid {
  /** `undefined`: irregular, one value per distinct instant. */
  readonly frequency?: Frequency;
  /** Instant of the first value, epoch milliseconds UTC; `NaN` for an empty series. */
  readonly start: number;
  /** One value per step (per row where irregular); `NaN` where it is missing or the step has no observation. */
  readonly values: Float64Array;
  /** Steps without an observation; a row whose value is missing is none of them. */
  readonly gaps: number;
  /** Observations merged into another of the same instant or step: their mean counts. */
  readonly duplicates: number;
  /** Instant of a step, also beyond the end (irregular: the last row plus multiples of the median spacing). */
  readonly timeAt: (step: number) => number;
}

export interface GridOptions {
  /** Takes this step instead of an inferred one; `null` keeps the rows as they are. */
  readonly frequency?: Frequency | null;
  /** Whose days and months are counted; UTC by default. */
  readonly zone?: Zone;
}

/** A grid may have this many cells per observation, and this many in any case; beyond it rows are kept as they are. */
const CELLS_PER_ROW = 50;
const CELLS_AT_LEAST = 10_000;

interface Rows {
  times: Float64Array;
  values: Float64Array;
}

/** Rows with a real instant in time order; rows of one instant stay in their order. Input is not changed. */
function inOrder(times: Float64Array, values: Float64Array): Rows {
  if (isRising(times) && !hasNaN(times)) return { times, values };
  const order = Array.from(times.keys()).filter((row) => Number.isFinite(times[row]!));
  order.sort((a, b) => times[a]! - times[b]! || a - b);
  return {
    times: Float64Array.from(order, (row) => times[row]!),
    values: Float64Array.from(order, (row) => values[row]!),
  };
}

/** Means per cell; a cell without any number is `NaN`. `cellOf` gives rising cells for rising rows. */
function meanPerCell(rows: Rows, cells: number, cellOf: (row: number) => number) {
  const values = new Float64Array(cells).fill(NaN);
  let filled = 0;
  let duplicates = 0;
  let row = 0;
  while (row < rows.times.length) {
    const cell = cellOf(row);
    let sum = 0;
    let numbers = 0;
    const first = row;
    for (; row < rows.times.length && cellOf(row) === cell; row++) {
      const value = rows.values[row]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      numbers++;
    }
    values[cell] = numbers > 0 ? sum / numbers : NaN;
    filled++;
    duplicates += row - first - 1;
  }
  return { values, filled, duplicates };
}

/**
 * Puts observations on the grid of their frequency. `times` are epoch milliseconds (UTC) in any order, rows without a
 * finite time are left out; `values` may hold `NaN` for missing. Observations of one step become their mean. A grid that
 * would be almost all gap (a date of another century) is not made: such rows are kept as irregular.
 */
export function toGrid(times: Float64Array, values: Float64Array, options: GridOptions = {}): Grid {
  const rows = inOrder(times, values);
  const size = rows.times.length;
  if (size === 0) return { start: NaN, values: new Float64Array(0), gaps: 0, duplicates: 0, timeAt: () => NaN };
  const start = rows.times[0]!;
  const wanted = options.frequency === undefined ? inferFrequency(rows.times, options.zone) : options.frequency;
  const clock = wanted ? clockOf(rows.times, wanted, options.zone ?? UTC) : UTC;
  const origin = clock.toWall(start);
  const indexOf = (row: number, frequency: Frequency) => stepIndex(origin, clock.toWall(rows.times[row]!), frequency);
  const cells = wanted ? indexOf(size - 1, wanted) + 1 : 0;
  if (!wanted || cells > Math.max(CELLS_AT_LEAST, size * CELLS_PER_ROW)) return byRow(rows);
  const { values: gridded, filled, duplicates } = meanPerCell(rows, cells, (row) => indexOf(row, wanted));
  return {
    frequency: wanted,
    start,
    values: gridded,
    gaps: cells - filled,
    duplicates,
    timeAt: (step) => clock.fromWall(addSteps(origin, wanted, step)),
  };
}

/** The longest series is judged by so many of its rows. */
const JUDGED = 2000;

/**
 * The clock that steps are counted on: the zone's for days and longer, and for hours where more of them are whole steps
 * on it than without it (00:00, 06:00, 12:00 … also after the clocks have changed).
 */
export function clockOf(times: Float64Array, frequency: Frequency, zone: Zone): Zone {
  if (zone === UTC || approximateStep(frequency) >= DAY) return zone;
  const step = fixedStep(frequency) ?? 0;
  if (zone.fixed || step < 2 * HOUR) return UTC;
  const offGrid = (clock: Zone) => {
    const stride = Math.max(1, Math.floor(times.length / JUDGED));
    let off = 0;
    for (let row = 0; row < times.length; row += stride) {
      if ((clock.toWall(times[row]!) - clock.toWall(times[0]!)) % step !== 0) off++;
    }
    return off;
  };
  return offGrid(zone) < offGrid(UTC) ? zone : UTC;
}

function byRow(rows: Rows): Grid {
  const distinct = withoutRepeats(rows.times);
  let cell = 0;
  const merged = meanPerCell(rows, distinct.length, (row) => {
    while (distinct[cell]! < rows.times[row]!) cell++;
    return cell;
  });
  const last = distinct.length - 1;
  const diffs = new Float64Array(last).map((_, i) => distinct[i + 1]! - distinct[i]!);
  const spacing = last > 0 ? medianOf(diffs) : approximateStep({ unit: 'day', count: 1 });
  const timeAt = (step: number): number => {
    if (step < 0) return distinct[0]! + step * spacing;
    return step <= last ? distinct[Math.floor(step)]! : distinct[last]! + (step - last) * spacing;
  };
  return { start: distinct[0]!, values: merged.values, gaps: 0, duplicates: merged.duplicates, timeAt };
}
