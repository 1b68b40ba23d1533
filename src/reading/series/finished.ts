import { DAY, HOUR, WEEK } from '../../calendar/civil.ts';
import type { Frequency } from '../../calendar/frequency.ts';
import { inferFrequency, withoutRepeats } from '../../calendar/infer.ts';
import { isRising } from '../../calendar/order.ts';
import { addSteps, stepIndex } from '../../calendar/steps.ts';
import type { Zone } from '../../calendar/zone.ts';

/** When the rows of a series come: at regular steps, or by a rate that goes by the hour of the week. */
export interface Rhythm {
  readonly zone: Zone;
  /** First and last row on the wall. */
  readonly first: number;
  readonly last: number;
  /** Of a series with regular steps, how many of them have a row. */
  readonly steps?: { readonly frequency: Frequency; readonly filled: number };
  /** Rows per hour in each hour of a cycle, which begins with a Monday; one number where nothing repeats. */
  readonly rates: Float64Array;
}

/** 1970-01-05, a Monday. */
const MONDAY = 4 * DAY;
/** So many cycles must be seen for the hour to be told by them. */
const CYCLES = 2;
/** A period is incomplete where it would be this improbable to see no row in what is left of it. */
const IMPROBABLE = 0.05;
/** And where this share of its rows is still to come. */
const WORTH = 0.01;

/** The rhythm of rows in any order. @param times epoch milliseconds, at least one of them finite */
export function rhythmOf(times: Float64Array, zone: Zone): Rhythm {
  const known = isRising(times) && Number.isFinite(times[0]) ? times : times.filter(Number.isFinite).sort();
  const distinct = withoutRepeats(known);
  const frequency = inferFrequency(distinct, zone);
  const [first, last] = [zone.toWall(known[0]!), zone.toWall(known.at(-1)!)];
  const steps = frequency && {
    frequency,
    filled: Math.min(1, distinct.length / (stepIndex(first, last, frequency) + 1)),
  };
  return { zone, first, last, ...(steps ? { steps } : {}), rates: steps ? new Float64Array(0) : ratesOf(known, zone) };
}

/** Rows per hour of the week, of the day where fewer weeks are seen, or in all. */
function ratesOf(times: Float64Array, zone: Zone): Float64Array {
  const [first, last] = [zone.toWall(times[0]!), zone.toWall(times.at(-1)!)];
  const span = last - first;
  const cycle = span >= CYCLES * WEEK ? WEEK : span >= CYCLES * DAY ? DAY : HOUR;
  const rates = new Float64Array(cycle / HOUR);
  if (cycle === HOUR) return rates.fill(span > 0 ? (times.length * HOUR) / span : 0);
  for (const time of times) rates[Math.floor(((((zone.toWall(time) - MONDAY) % cycle) + cycle) % cycle) / HOUR)]!++;
  return rates.map((rows) => (rows * cycle) / span);
}

/** Rows that are expected from one time on the wall to another. */
function expected(rates: Float64Array, from: number, to: number): number {
  let rows = 0;
  for (let hour = from; hour < to; hour += HOUR) {
    const place = Math.floor((hour - MONDAY) / HOUR) % rates.length;
    rows += rates[place < 0 ? place + rates.length : place]! * Math.min(1, (to - hour) / HOUR);
  }
  return rows;
}

/** Start and end of a period in epoch milliseconds; the end belongs to the next one. */
export type Period = readonly [start: number, end: number];

/** Whether no row in a stretch of a period would be improbable, and what is missing is worth speaking of. */
function lacks(rates: Float64Array, stretch: Period, period: Period): boolean {
  const missed = expected(rates, ...stretch);
  return Math.exp(-missed) < IMPROBABLE && missed > WORTH * expected(rates, ...period);
}

/** Rates by the hour say nothing about the hour that a row is in: where there are several, whole hours are looked at. */
const hourUp = (wall: number, { rates }: Rhythm) => (rates.length > 1 ? Math.ceil((wall + 1) / HOUR) * HOUR : wall);
const hourDown = (wall: number, { rates }: Rhythm) => (rates.length > 1 ? Math.floor(wall / HOUR) * HOUR : wall);

/**
 * Whether the last period is over, by the data and not by today's date: it is not where rows would still have come. Of
 * regular rows the next step, and of events the rows that such hours of the week have brought so far, would have to lie
 * in it, and to see none of them be improbable (below 5 %).
 * @param until the last instant that is known of, epoch milliseconds; it may be later than the last row
 */
export function isFinished(rhythm: Rhythm, period: Period, until: number): boolean {
  const { zone, steps, rates, last } = rhythm;
  const [start, end] = [zone.toWall(period[0]), zone.toWall(period[1])];
  const from = Math.max(last, zone.toWall(until));
  if (!steps) return !lacks(rates, [hourUp(from, rhythm), end], [start, end]);
  const { frequency } = steps;
  const next = stepIndex(last, from, frequency) + 1;
  return !isImprobable(steps, (step) => addSteps(last, frequency, next + step) < end);
}

/** Whether the data begins with the first period, judged as in {@link isFinished}. @param since its first known instant */
export function isWhole(rhythm: Rhythm, period: Period, since: number): boolean {
  const { zone, steps, rates, first } = rhythm;
  const [start, end] = [zone.toWall(period[0]), zone.toWall(period[1])];
  const to = Math.min(first, zone.toWall(since));
  if (!steps) return !lacks(rates, [start, hourDown(to, rhythm)], [start, end]);
  const { frequency } = steps;
  const before = stepIndex(first, to, frequency) - 1;
  return !isImprobable(steps, (step) => addSteps(first, frequency, before - step) >= start);
}

/** Whether so many steps without a row, of those from 0 that lie in the period, are improbable. */
function isImprobable({ filled }: NonNullable<Rhythm['steps']>, isInPeriod: (step: number) => boolean): boolean {
  let chance = 1;
  for (let step = 0; isInPeriod(step) && chance >= IMPROBABLE; step++) chance *= 1 - filled;
  return chance < IMPROBABLE;
}
