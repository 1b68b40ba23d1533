import { inferFrequency, medianOf, withoutRepeats } from './infer.ts';
import { HOUR } from './civil.ts';
import { approximateStep, fixedStep, type Frequency, isBelowDay } from './frequency.ts';
import type { OpenTime } from './open-time.ts';
import { hasNaN, isRising } from './order.ts';
import { addSteps, isInOpenTime, stepIndex } from './steps.ts';
import { UTC, type Zone } from './zone.ts';

/** Observations on a regular grid, or by row where there is no regular step. */
export interface Grid {
  readonly frequency?: Frequency;
  /** Instant of the first value, epoch milliseconds UTC; `NaN` for an empty series. */
  readonly start: number;
  /** One value per step (per row where irregular); `NaN` where it is missing or the step has no observation. */
  readonly values: Float64Array;
  /** Steps without an observation; a row whose value is missing is none of them. */
  readonly gaps: number;
  /** Observations merged into another of the same instant or step: their mean counts. */
  readonly duplicates: number;
  /** Observations in closed time, such as those of one special Sunday: they are left out. */
  readonly outside: number;
  /** Instant of a step, also beyond the end (irregular: the last row plus multiples of the median spacing). */
  readonly timeAt: (step: number) => number;
}

export interface GridOptions {
  readonly frequency?: Frequency | null;
  readonly zone?: Zone;
  /** When it is open, where the step is inferred but that is known; `null`: always, so that what has no row is missing. */
  readonly open?: OpenTime | null | undefined;
}

/** A grid may have this many cells per observation, and this many in any case; beyond it rows are kept as they are. */
const CELLS_PER_ROW = 50;
const CELLS_AT_LEAST = 10_000;

interface Rows {
  times: Float64Array;
  values: Float64Array;
}

const rowsAt = ({ times, values }: Rows, rows: readonly number[]): Rows => ({
  times: Float64Array.from(rows, (row) => times[row]!),
  values: Float64Array.from(rows, (row) => values[row]!),
});

/** Rows with a real instant in time order; rows of one instant stay in their order. Input is not changed. */
function inOrder(times: Float64Array, values: Float64Array): Rows {
  if (isRising(times) && !hasNaN(times)) return { times, values };
  const order = Array.from(times.keys()).filter((row) => Number.isFinite(times[row]!));
  return rowsAt(
    { times, values },
    order.sort((a, b) => times[a]! - times[b]! || a - b),
  );
}

/** Means per cell; a cell without any number is `NaN`. `cellOf` gives rising cells for rising rows. */
function meanPerCell(rows: Rows, cells: number, cellOf: (row: number) => number) {
  const values = new Float64Array(cells).fill(NaN);
  const size = rows.times.length;
  let filled = 0;
  let duplicates = 0;
  let next = size > 0 ? cellOf(0) : 0;
  for (let row = 0; row < size;) {
    const cell = next;
    const first = row;
    let sum = 0;
    let numbers = 0;
    do {
      const value = rows.values[row++]!;
      if (!Number.isNaN(value)) {
        sum += value;
        numbers++;
      }
      if (row < size) next = cellOf(row);
    } while (row < size && next === cell);
    values[cell] = numbers > 0 ? sum / numbers : NaN;
    filled++;
    duplicates += row - first - 1;
  }
  return { values, filled, duplicates };
}

/**
 * Puts observations in any order on the grid of their frequency. Those of one step become their mean, those in closed time
 * are left out. Rows whose grid would be almost all gap (a date of another century) are kept as irregular.
 */
export function toGrid(times: Float64Array, values: Float64Array, options: GridOptions = {}): Grid {
  const all = inOrder(times, values);
  const { zone = UTC } = options;
  const wanted = options.frequency === undefined ? frequencyOf(all, zone, options.open) : options.frequency;
  if (!wanted || all.times.length === 0) return byRow(all);
  const clock = clockOf(all.times, wanted, zone);
  const rows = inOpenTime(all, wanted, clock);
  if (rows.times.length === 0) return byRow(all);
  const origin = clock.toWall(rows.times[0]!);
  const indexOf = (time: number) => stepIndex(origin, clock.toWall(time), wanted);
  const cells = indexOf(all.times.at(-1)!) + 1;
  if (cells > Math.max(CELLS_AT_LEAST, rows.times.length * CELLS_PER_ROW)) return byRow(all);
  const { values: gridded, filled, duplicates } = meanPerCell(rows, cells, (row) => indexOf(rows.times[row]!));
  return {
    frequency: wanted,
    start: rows.times[0]!,
    values: gridded,
    gaps: cells - filled,
    duplicates,
    outside: all.times.length - rows.times.length,
    timeAt: (step) => clock.fromWall(addSteps(origin, wanted, step)),
  };
}

/** The frequency of all rows, and what is open by those with a value: Sundays that are written without one are closed. */
function frequencyOf({ times, values }: Rows, zone: Zone, open: OpenTime | null | undefined): Frequency | undefined {
  const frequency = inferFrequency(times, zone, open !== null);
  if (open && frequency && (isBelowDay(frequency) || frequency.unit === 'day')) return { ...frequency, open };
  if (open !== undefined || frequency?.open || !hasNaN(values)) return frequency;
  const known = times.filter((_, row) => !Number.isNaN(values[row]!));
  const { open: found, ...step } = inferFrequency(known, zone) ?? {};
  return found && frequency && isSameStep(step, frequency) ? { ...frequency, open: found } : frequency;
}

const isSameStep = (a: Partial<Frequency>, b: Frequency) => a.unit === b.unit && a.count === b.count;

/** The rows that are in open time; the same ones where all are. @param clock of {@link clockOf} */
export function inOpenTime(rows: Rows, frequency: Frequency, clock: Zone): Rows {
  if (!frequency.open) return rows;
  const isInside = (time: number) => isInOpenTime(clock.toWall(time), frequency);
  if (rows.times.every(isInside)) return rows;
  const all = Array.from(rows.times.keys());
  return rowsAt(
    rows,
    all.filter((row) => isInside(rows.times[row]!)),
  );
}

const JUDGED = 2000;

/**
 * The clock that steps are counted on: the zone's for days and longer and where hours are closed, and for hours where more
 * of them are whole steps on it than without it (00:00, 06:00, 12:00 … also after the clocks have changed).
 */
export function clockOf(times: Float64Array, frequency: Frequency, zone: Zone): Zone {
  if (zone === UTC || frequency.open || !isBelowDay(frequency)) return zone;
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
  const diffs = distinct.subarray(1).map((time, i) => time - distinct[i]!);
  const spacing = last > 0 ? medianOf(diffs) : approximateStep({ unit: 'day', count: 1 });
  const timeAt = (step: number): number => {
    if (step < 0) return distinct[0]! + step * spacing;
    return step <= last ? distinct[Math.floor(step)]! : distinct[last]! + (step - last) * spacing;
  };
  return {
    start: distinct[0] ?? NaN,
    values: merged.values,
    gaps: 0,
    duplicates: merged.duplicates,
    outside: 0,
    timeAt,
  };
}
