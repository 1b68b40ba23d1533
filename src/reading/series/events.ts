import { DAY, HOUR, MINUTE, SECOND } from '../../calendar/civil.ts';
import { fixedFrequency, fixedStep, type Frequency } from '../../calendar/frequency.ts';
import { inferFrequency, medianOf, withoutRepeats } from '../../calendar/infer.ts';
import { isRising } from '../../calendar/order.ts';
import { stepIndex } from '../../calendar/steps.ts';
import { UTC, type Zone } from '../../calendar/zone.ts';
import type { Aggregate } from '../types.ts';
import { aggregate, type Aggregated, periodsOf } from './aggregate.ts';

/**
 * What the rows of one series are by their times: values at regular `steps`; `readings` of a sensor whose clock is not
 * exact; `events`, one row each; or too `few` to tell.
 */
export interface RowPattern {
  readonly kind: 'steps' | 'readings' | 'events' | 'few';
  /** Of steps their frequency, of readings their pace. */
  readonly frequency?: Frequency;
  /** Share of rows at the instant of another one. */
  readonly repeated: number;
  /** Share of neighbors that lie between half and one and a half of the median apart. */
  readonly even: number;
}

/** Rows that are looked at to tell what the rows of a large table are. */
export const SAMPLE = 20_000;
const FEWEST_ROWS = 8;
/** More rows than this at the instant of another one are no slips. */
const MOST_REPEATED = 0.05;
/** Steps of which fewer have a row are instants that only happen to lie on a grid, such as the dates of orders. */
const LEAST_FILLED = 0.6;
/** Of neighbours of a sensor so many are about one pace apart; of chance events 35 % are (exponential distances). */
const LEAST_EVEN = 0.7;
/** And hardly any are closer than a quarter of the pace; of chance events 16 % are. */
const MOST_CLOSE = 0.05;

/**
 * Tells events from values at regular steps and from readings, by structure alone: how many rows share an instant, whether
 * instants lie on a grid, and how even the distances are. The rows of several series must be told apart before.
 * @param times epoch milliseconds in any order; those that are not finite are left out
 */
export function rowPattern(times: Float64Array, zone: Zone = UTC): RowPattern {
  const known = isRising(times) && !times.some(Number.isNaN) ? times : times.filter(Number.isFinite).sort();
  const distinct = withoutRepeats(known);
  const repeated = known.length > 0 ? 1 - distinct.length / known.length : 0;
  const diffs = Float64Array.from(
    { length: Math.max(0, distinct.length - 1) },
    (_, at) => distinct[at + 1]! - distinct[at]!,
  );
  const median = medianOf(diffs);
  const shareOf = (keep: (diff: number) => boolean) => diffs.filter(keep).length / diffs.length;
  const even = shareOf((diff) => diff >= 0.5 * median && diff <= 1.5 * median);
  const pattern = (kind: RowPattern['kind'], frequency?: Frequency) => ({
    kind,
    repeated,
    even,
    ...(frequency ? { frequency } : {}),
  });
  if (known.length < FEWEST_ROWS) return pattern('few');
  if (repeated > MOST_REPEATED) return pattern('events');
  const frequency = inferFrequency(distinct, zone);
  if (frequency && (!isFraction(frequency) || fixedStep(frequency) === median)) {
    const filled = distinct.length / (stepIndex(distinct[0]!, distinct.at(-1)!, frequency) + 1);
    const areSteps = filled >= LEAST_FILLED || !isScattered(distinct, frequency);
    return areSteps ? pattern('steps', frequency) : pattern('events');
  }
  const isSensor =
    even >= LEAST_EVEN && shareOf((diff) => diff < 0.25 * median) <= MOST_CLOSE && turnsIn(times) <= MOST_REPEATED;
  return isSensor ? pattern('readings', fixedFrequency(nearestPace(median))) : pattern('events');
}

/** Whether a step is of no whole seconds, as the mean distance of readings is whose clock is late by turns. */
export const isFraction = (frequency: Frequency): boolean => {
  const step = fixedStep(frequency) ?? DAY;
  return step > SECOND && step % SECOND !== 0;
};

/** The share of rows that go against the order of most: a sensor writes its readings one after the other. */
function turnsIn(times: Float64Array): number {
  let [up, down] = [0, 0];
  for (let row = 1; row < times.length; row++) {
    if (times[row]! > times[row - 1]!) up++;
    else if (times[row]! < times[row - 1]!) down++;
  }
  return Math.min(up, down) / times.length;
}

/** Whether steps without a row stand everywhere, as those of events do, and not in a few outages. */
function isScattered(times: Float64Array, frequency: Frequency): boolean {
  let gaps = 0;
  for (let row = 1; row < times.length; row++) if (stepIndex(times[row - 1]!, times[row]!, frequency) > 1) gaps++;
  return gaps > 0.2 * times.length;
}

/** Paces that sensors are set to. */
const PACES = [
  ...[SECOND, MINUTE].flatMap((unit) => [1, 2, 5, 10, 15, 20, 30].map((count) => count * unit)),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((count) => count * HOUR),
];

/** The pace that a sensor was set to, or its measured one, in whole seconds where it is longer than one. */
function nearestPace(measured: number): number {
  const set = PACES.find((pace) => Math.abs(measured / pace - 1) <= 0.15);
  return set ?? (measured > 1000 ? Math.round(measured / 1000) * 1000 : Math.max(1, Math.round(measured)));
}

/**
 * Readings on the steps of their pace: the mean of those within a step. A clock that drifts leaves single steps without
 * one, which get the mean of both neighbours; two and more without a reading are an outage and stay missing.
 * @param pace of {@link rowPattern}; a fixed step
 */
export function toPace(
  times: Float64Array,
  values: Float64Array,
  pace: Frequency,
  zone: Zone = UTC,
): Aggregated | undefined {
  const means = aggregate(times, values, { step: pace, by: 'mean' }, { zone, partial: true, closed: false });
  if (!means) return undefined;
  const { rows } = means;
  const filled = means.values.map((value, cell) => {
    const isDrift = rows[cell] === 0 && rows[cell - 1]! > 0 && rows[cell + 1]! > 0;
    return isDrift ? (means.values[cell - 1]! + means.values[cell + 1]!) / 2 : value;
  });
  return { ...means, values: filled };
}

const STEPS = (['minute', 'hour', 'day', 'week', 'month', 'quarter'] as const).map((unit): Frequency => ({
  unit,
  count: 1,
}));
const PER_HOUR = 1;
const PER_DAY = 2;
/** Periods without any row among those that have some; beyond it longer periods say more. */
const MOST_EMPTY = 0.25;
/** Fewer days are too few to forecast from, and hours are looked at. */
const FEWEST_PERIODS = 7;

/**
 * The step that events are best counted by: the day, as most people do; a longer one where more than a quarter of the days
 * have no row, and a shorter one where there are fewer than seven of them. Days of the week that never have a row are
 * closed, not empty.
 * @param times epoch milliseconds in any order
 * @param shortest that is taken though there are seven days: levels are told by the hour where each has one
 */
export function suggestStep(times: Float64Array, zone: Zone = UTC, shortest: 'hour' | 'day' = 'day'): Frequency {
  const known = times.filter(Number.isFinite);
  let place = shortest === 'day' ? PER_DAY : PER_HOUR;
  while (place < STEPS.length - 1 && emptyShare(known, STEPS[place]!, zone) > MOST_EMPTY) place++;
  const isShort = (step: Frequency) => periodCount(known, step, zone) < FEWEST_PERIODS;
  while (place > 0 && place <= PER_DAY && isShort(STEPS[place]!) && emptyShare(known, STEPS[place - 1]!, zone) <= 0.5) {
    place--;
  }
  return STEPS[place]!;
}

function periodsWithRows(times: Float64Array, step: Frequency, zone: Zone): Float64Array {
  const { indexOf } = periodsOf(step, zone, times[0] ?? 0);
  const indices = times.map(indexOf);
  return withoutRepeats(isRising(indices) ? indices : indices.sort());
}

function periodCount(times: Float64Array, step: Frequency, zone: Zone): number {
  const indices = periodsWithRows(times, step, zone);
  return indices.length === 0 ? 0 : indices.at(-1)! - indices[0]! + 1;
}

/** The share of periods without a row, but for weekdays that never have any. */
function emptyShare(times: Float64Array, step: Frequency, zone: Zone): number {
  const indices = periodsWithRows(times, step, zone);
  if (indices.length === 0) return 0;
  const span = indices.at(-1)! - indices[0]! + 1;
  const isDay = fixedStep(step) === DAY;
  const weekdays = isDay && span >= 21 ? new Set(indices.map((day) => day % 7)).size : 7;
  return Math.max(0, 1 - indices.length / ((span * weekdays) / 7));
}

/**
 * How events are best put together: amounts, which say nothing about each other, are summed; a level such as a weight or a
 * price, whose neighbours are alike, is averaged. By the ratio of von Neumann (1941): half the mean squared difference
 * of neighbours over the variance, about 1 for what is independent; of several series within each of them.
 * @param codes the series of each row, where there are several
 */
export function suggestAggregate(times: Float64Array, values: Float64Array, codes?: Float64Array): Aggregate {
  const codeOf = (row: number) => codes?.[row] ?? 0;
  const order = Array.from(times.keys()).filter((row) => Number.isFinite(times[row]!) && Number.isFinite(values[row]!));
  if (order.length < FEWEST_ROWS) return 'sum';
  if (codes || !isRising(times)) order.sort((a, b) => codeOf(a) - codeOf(b) || times[a]! - times[b]! || a - b);
  let [squares, differences] = [0, 0];
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && codeOf(order[to]!) === codeOf(order[from]!)) to++;
    const own = order.slice(from, to).map((row) => values[row]!);
    const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
    for (const [place, value] of own.entries()) {
      squares += (value - mean) ** 2;
      if (place > 0) differences += (value - own[place - 1]!) ** 2;
    }
  }
  return squares > 0 && differences / (2 * squares) < LEVEL ? 'mean' : 'sum';
}

/** Below this ratio of von Neumann neighbours are alike: a correlation above a half. */
const LEVEL = 0.5;
