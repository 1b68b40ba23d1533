import { civilOf, DAY, daysFromCivil, HOUR, MINUTE, SECOND, WEEK } from '../../calendar/civil.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { fixedFrequency, fixedStep, monthStep, isInOpenTime, stepIndex } from '../../calendar/frequency.ts';
import { inferOpenTime, MONDAY } from '../../calendar/open-time.ts';
import { inferFrequency, medianOf, withoutRepeats, hasNaN, isRising } from '../../calendar/grid.ts';
import { fixedZone, UTC, type Zone } from '../../calendar/zone.ts';
import type { Aggregate, Resampling } from '../types.ts';

interface AggregateOptions {
  readonly zone?: Zone;
  readonly until?: number | undefined;
  /** What a sum or a count without a row is: of events 0 (default), of a regular series missing. */
  readonly empty?: 'zero' | 'missing';
  /** `false`: no time is closed, and a Sunday without a row is an empty day. */
  readonly closed?: boolean | undefined;
  readonly partial?: boolean;
}

const MOST_PERIODS = 5_000_000;

/**
 * Aggregates rows, in any order, to periods of the calendar of a zone. Missing values count as rows but not in sums, means
 * and extremes. A first period that began before the data and a last one that is not over are left out.
 * @param times epoch milliseconds UTC @returns `undefined` where the rows span more than {@link MOST_PERIODS} periods
 */
export function aggregate(
  times: Float64Array,
  values: Float64Array,
  { step, by }: Resampling,
  options: AggregateOptions = {},
) {
  const { zone = UTC, empty = 'zero' } = options;
  const order = orderOf(times);
  const known = Float64Array.from(order, (row) => times[row]!);
  if (known.length === 0) return undefined;
  const periods = periodsOf(step, zone, known[0]!);
  const [begin, until] = [known[0]!, Math.max(known.at(-1)!, options.until ?? -Infinity)];
  const first = periods.indexOf(begin);
  const cells = periods.indexOf(until) - first + 1;
  if (cells > MOST_PERIODS) return undefined;
  const starts = Float64Array.from({ length: cells + 1 }, (_, cell) => periods.startOf(first + cell));
  const sorted = { times: known, values: Float64Array.from(order, (row) => values[row]!) };
  const tally = tallied(sorted, by, cells, (time) => periods.indexOf(time) - first);
  const { rows } = tally;
  let [from, to] = [0, cells];
  if (options.partial !== true) {
    const usual = usualEnds(known, starts, tally);
    const midnight = zone.fromWall(Math.floor(zone.toWall(begin) / DAY) * DAY);
    if (midnight - starts[0]! > usual.before) from++;
    if (starts[cells]! - until > usual.after) to--;
  }
  const walls = starts.map((start) => zone.toWall(start));
  const filled = walls.filter((_, cell) => rows[cell]! > 0);
  const open = options.closed === false ? undefined : inferOpenTime(filled, fixedStep(step) ?? NaN);
  const frequency = open ? { ...step, open } : step;
  const kept = Uint32Array.from({ length: Math.max(0, to - from) }, (_, cell) => from + cell).filter(
    (cell) => rows[cell]! > 0 || isInOpenTime(walls[cell]!, frequency),
  );
  const ofEmpty = empty === 'zero' && (by === 'sum' || by === 'count') ? 0 : NaN;
  return {
    frequency,
    times: Float64Array.from(kept, (cell) => starts[cell]!),
    values: Float64Array.from(kept, (cell) => (Number.isNaN(tally.values[cell]) ? ofEmpty : tally.values[cell]!)),
    rows: Uint32Array.from(kept, (cell) => rows[cell]!),
    unfinished: to < cells ? rows[cells - 1]! : 0,
    unstarted: from > 0 && cells > 1 ? rows[0]! : 0,
  };
}

/** Rows with a time, in the order of time; of one instant the last one counts, which stands first where the newest does. */
function orderOf(times: Float64Array): Uint32Array {
  const order = Uint32Array.from(times.keys()).filter((row) => Number.isFinite(times[row]!));
  if (times.length > 1 && times[0]! > times.at(-1)!) order.reverse();
  const isSorted = order.every((row, at) => at === 0 || times[row]! >= times[order[at - 1]!]!);
  return isSorted ? order : order.sort((a, b) => times[a]! - times[b]!);
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

const COMBINED: Readonly<Record<Aggregate, (values: Float64Array, rows: number) => number>> = {
  sum: sumOf,
  mean: (values) => sumOf(values) / values.length,
  count: (_, rows) => rows,
  last: (values) => values.at(-1)!,
  min: (values) => values.reduce((least, value) => Math.min(least, value)),
  max: (values) => values.reduce((most, value) => Math.max(most, value)),
};

function tallied(
  { times, values }: Readonly<Record<'times' | 'values', Float64Array>>,
  by: Aggregate,
  cells: number,
  cellOf: (time: number) => number,
) {
  const rows = new Uint32Array(cells);
  const [firsts, lasts] = [new Float64Array(cells), new Float64Array(cells)];
  const result = new Float64Array(cells).fill(NaN);
  for (let row = 0; row < times.length;) {
    const [first, cell] = [row, cellOf(times[row]!)];
    while (row < times.length && cellOf(times[row]!) === cell) row++;
    rows[cell] = row - first;
    [firsts[cell], lasts[cell]] = [times[first]!, times[row - 1]!];
    const known = values.subarray(first, row).filter((value) => !Number.isNaN(value));
    if (known.length > 0 || by === 'count') result[cell] = COMBINED[by](known, row - first);
  }
  return { rows, firsts, lasts, values: result };
}

const MOST_DISTANCES = 50_000;
const USUAL = 0.95;

/** How long it is at most until the first row of a period and after its last one; a period is over where no more is left. */
function usualEnds(known: Float64Array, starts: Float64Array, { firsts, lasts, rows }: ReturnType<typeof tallied>) {
  const distinct = withoutRepeats(known);
  const between: number[] = [];
  const stride = Math.ceil(distinct.length / MOST_DISTANCES);
  for (let row = 1; row < distinct.length; row += stride) between.push(distinct[row]! - distinct[row - 1]!);
  const inner = Array.from(rows.keys())
    .slice(1, -1)
    .filter((cell) => rows[cell]! > 0);
  const most = (times: number[]) => times.sort((a, b) => a - b)[Math.ceil(times.length * USUAL) - 1] ?? 0;
  return {
    before: Math.max(most(between), most(inner.map((cell) => firsts[cell]! - starts[cell]!))),
    after: Math.max(most(between), most(inner.map((cell) => starts[cell + 1]! - lasts[cell]!))),
  };
}

/**
 * Steps below two hours are counted in hours that pass, so that the hour that clocks show twice stays two; longer ones from
 * midnight, Monday or the first of the month on the wall. @param start an instant of the series
 */
export function periodsOf(step: Frequency, zone: Zone, start: number) {
  const months = monthStep(step);
  if (months !== undefined) {
    return {
      indexOf: (time: number) => {
        const { year, month } = civilOf(zone.toWall(time));
        return Math.floor((year * 12 + month - 1) / months);
      },
      startOf: (index: number) => {
        const year = Math.floor((index * months) / 12);
        return zone.fromWall(daysFromCivil(year, index * months - year * 12 + 1, 1) * DAY);
      },
    };
  }
  const length = fixedStep(step) ?? DAY;
  const clock = length < 2 * HOUR ? fixedZone(zone.toWall(start) - start) : zone;
  const anchor = length % WEEK === 0 ? MONDAY : 0;
  return {
    indexOf: (time: number) => Math.floor((clock.toWall(time) - anchor) / length),
    startOf: (index: number) => clock.fromWall(index * length + anchor),
  };
}

export const SAMPLE = 20_000;
const FEWEST_ROWS = 8;
const MOST_REPEATED = 0.05;
/** Steps of which fewer have a row are instants that only happen to lie on a grid, such as the dates of orders. */
const LEAST_FILLED = 0.6;
const MOST_GAPS = 0.2;
const LEAST_EVEN = 0.7;
const MOST_CLOSE = 0.05; // and hardly any are closer than a quarter of the interval; of chance events 16 % are

/** What rows are by their times: values at `steps`, `readings` of a sensor, `events`, or `few`; and repeats. */
export function rowPattern(times: Float64Array, zone: Zone = UTC) {
  const known = isRising(times) && !hasNaN(times) ? times : times.filter(Number.isFinite).sort();
  const distinct = withoutRepeats(known);
  const repeated = known.length > 0 ? 1 - distinct.length / known.length : 0;
  const pattern = (kind: 'steps' | 'readings' | 'events' | 'few', frequency?: Frequency) => ({
    kind,
    repeated,
    frequency,
  });
  if (known.length < FEWEST_ROWS) return pattern('few');
  if (repeated > MOST_REPEATED) return pattern('events');
  const diffs = distinct.subarray(1).map((time, at) => time - distinct[at]!);
  const median = medianOf(diffs);
  const frequency = inferFrequency(distinct, zone);
  if (frequency && (!isFraction(frequency) || fixedStep(frequency) === median)) {
    const filled = distinct.length / (stepIndex(distinct[0]!, distinct.at(-1)!, frequency) + 1);
    const isGap = (time: number, at: number) => stepIndex(distinct[at]!, time, frequency) > 1;
    const areScattered = () => distinct.subarray(1).filter(isGap).length > MOST_GAPS * distinct.length;
    return filled >= LEAST_FILLED || !areScattered() ? pattern('steps', frequency) : pattern('events');
  }
  const shareOf = (least: number, most: number) =>
    diffs.filter((diff) => diff >= least * median && diff <= most * median).length / diffs.length;
  const isSensor = shareOf(0.5, 1.5) >= LEAST_EVEN && 1 - shareOf(0.25, Infinity) <= MOST_CLOSE;
  return isSensor && turnsIn(times) <= MOST_REPEATED
    ? pattern('readings', fixedFrequency(nearestInterval(median)))
    : pattern('events');
}

export const isFraction = (frequency: Frequency): boolean => {
  const step = fixedStep(frequency) ?? DAY;
  return step > SECOND && step % SECOND !== 0;
};

function turnsIn(times: Float64Array): number {
  const up = times.filter((time, row) => time > times[row - 1]!).length;
  const down = times.filter((time, row) => time < times[row - 1]!).length;
  return Math.min(up, down) / times.length;
}

const INTERVALS = [
  ...[SECOND, MINUTE].flatMap((unit) => [1, 2, 5, 10, 15, 20, 30].map((count) => count * unit)),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((count) => count * HOUR),
];

/** The sampling interval that a sensor was set to, or its measured one, in whole seconds where it is longer than one. */
function nearestInterval(measured: number): number {
  const set = INTERVALS.find((interval) => Math.abs(measured / interval - 1) <= 0.15);
  return set ?? (measured > 1000 ? Math.round(measured / 1000) * 1000 : Math.max(1, Math.round(measured)));
}

/** Readings on the steps of their sampling interval, as means; a single empty step gets that of its neighbours. */
export function onSamplingInterval(times: Float64Array, values: Float64Array, step: Frequency, zone: Zone = UTC) {
  const means = aggregate(times, values, { step, by: 'mean' }, { zone, partial: true, closed: false });
  if (!means) return undefined;
  const { rows } = means;
  const filled = means.values.map((value, cell) => {
    const isDrift = rows[cell] === 0 && rows[cell - 1]! > 0 && rows[cell + 1]! > 0;
    return isDrift ? (means.values[cell - 1]! + means.values[cell + 1]!) / 2 : value;
  });
  return { ...means, values: filled };
}

const STEPS = (['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter'] as const).map((unit): Frequency => ({
  unit,
  count: 1,
}));
const PER_HOUR = 2;
const PER_DAY = 3;
const MOST_EMPTY = 0.25;
const FEWEST_PERIODS = 10; // of fewer points no forecast is tested

/**
 * The step that events are best counted by: the day; a longer one where many days have no row, a shorter one where there are
 * few of them. @param shortest that is taken though there are enough days: levels are read by the hour
 */
export function suggestStep(times: Float64Array, zone: Zone = UTC, shortest: 'hour' | 'day' = 'day'): Frequency {
  const known = times.filter(Number.isFinite);
  const used = (place: number) => usedPeriods(known, STEPS[place]!, zone);
  let place = shortest === 'day' ? PER_DAY : PER_HOUR;
  while (place < STEPS.length - 1 && used(place).empty > MOST_EMPTY) place++;
  while (place > 0 && place <= PER_DAY && used(place).filled < FEWEST_PERIODS && used(place - 1).empty <= 0.5) place--;
  return STEPS[place]!;
}

/** Periods from the first to the last with a row, and the share without any, but for weekdays that never have one. */
function usedPeriods(times: Float64Array, step: Frequency, zone: Zone) {
  const { indexOf } = periodsOf(step, zone, times[0] ?? 0);
  const indices = withoutRepeats(times.map(indexOf).sort());
  if (indices.length === 0) return { filled: 0, empty: 0 };
  const periods = indices.at(-1)! - indices[0]! + 1;
  const weekdays = fixedStep(step) === DAY && periods >= 21 ? new Set(indices.map((day) => day % 7)).size : 7;
  return { filled: indices.length, empty: Math.max(0, 1 - indices.length / ((periods * weekdays) / 7)) };
}

/**
 * Amounts, which say nothing about each other, are summed; a level, whose neighbours are alike, is averaged. By the ratio of
 * von Neumann (1941): half the mean squared difference of neighbours over the variance, about 1 for what is independent.
 */
export function suggestAggregate(times: Float64Array, values: Float64Array, codes?: Float64Array): Aggregate {
  const codeOf = (row: number) => codes?.[row] ?? 0;
  const sample = Array.from(values.subarray(0, SAMPLE).keys());
  const order = sample.filter((row) => Number.isFinite(times[row]!) && Number.isFinite(values[row]!));
  if (order.length < FEWEST_ROWS) return 'sum';
  order.sort((a, b) => codeOf(a) - codeOf(b) || times[a]! - times[b]! || a - b);
  let [squares, differences] = [0, 0];
  for (const own of Map.groupBy(order, codeOf).values()) {
    const mean = own.reduce((sum, row) => sum + values[row]!, 0) / own.length;
    own.forEach((row, place) => {
      squares += (values[row]! - mean) ** 2;
      if (place > 0) differences += (values[row]! - values[own[place - 1]!]!) ** 2;
    });
  }
  return squares > 0 && differences / (2 * squares) < LEVEL ? 'mean' : 'sum';
}

/** Below this ratio of von Neumann neighbors are alike: a correlation above a half. */
const LEVEL = 0.5;
