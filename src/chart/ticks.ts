import { DAY, HOUR, MINUTE, SECOND, civilOf, daysFromCivil } from '../calendar/civil.ts';
import { isoInstant, shortMonth, writeYear } from '../calendar/format.ts';
import type { TimeFormat } from './format.ts';
import type { Range } from './frame.ts';

/** Round values between `min` and `max`, about `count` of them: multiples of 1, 2, 2.5 or 5 times a power of ten. */
export function valueTicks(min: number, max: number, count: number): number[] {
  const rough = max / count - min / count;
  if (!(rough > 0)) return [min];
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough * 0.999) ?? 10;
  const step = factor * power;
  const ticks: number[] = [];
  for (let index = Math.ceil(min / step - 1e-9); index <= max / step + 1e-9 && ticks.length < 50; index++) {
    ticks.push(Number((index * step).toPrecision(12)) || 0);
  }
  return ticks;
}

/** A label of the time axis, centered on `at`. */
export interface Tick {
  readonly at: number;
  readonly label: string;
  /** The second line, such as the year, written where it changes. */
  readonly context?: string | undefined;
}

/** The distance of ticks, in milliseconds; `months` where it is a number of these. */
interface Interval {
  readonly length: number;
  readonly months?: number;
}

const MONTH = (365.2425 / 12) * DAY;
const of = (unit: number, counts: number[]): Interval[] => counts.map((count) => ({ length: unit * count }));
const YEARS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000];
const INTERVALS: Interval[] = [
  ...of(1, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...of(SECOND, [1, 2, 5, 10, 15, 30]),
  ...of(MINUTE, [1, 2, 5, 10, 15, 30]),
  ...of(HOUR, [1, 2, 3, 6, 12]),
  ...of(DAY, [1, 2, 7]),
  ...[1, 3, 6, ...YEARS.map((years) => 12 * years)].map((months) => ({ months, length: MONTH * months })),
];

/**
 * Ticks of a time axis at round moments of the zone's own clock and calendar, at most `count` of them and none closer
 * than the finest step; with quarters every label says one, and a series without times has the numbers of its rows.
 */
export function timeTicks(
  { min, max }: Range,
  count: number,
  { finest, zone, quarters, rows }: Pick<TimeFormat, 'finest' | 'zone' | 'quarters' | 'rows'>,
): Tick[] {
  if (rows) {
    const marks = valueTicks(min / SECOND + 1, max / SECOND + 1, Math.max(1, count));
    return marks.filter(Number.isInteger).map((row) => ({ at: (row - 1) * SECOND, label: String(row) }));
  }
  const rough = Math.max((max - min) / Math.max(count, 1), finest * 0.9);
  const interval = INTERVALS.find(({ length }) => length >= rough) ?? INTERVALS.at(-1)!;
  let before: string | undefined;
  return Array.from(walls(interval, zone.toWall(min), zone.toWall(max)), (wall) => {
    const [label, context] = labelsOf(wall, interval, quarters);
    const tick = { at: zone.fromWall(wall), label, ...(context !== before && context !== undefined && { context }) };
    before = context;
    return tick;
  });
}

function* walls({ length, months }: Interval, from: number, to: number): Generator<number> {
  if (months === undefined) {
    // 1970-01-01 was a Thursday; weeks begin on Mondays
    const origin = length === 7 * DAY ? 4 * DAY : 0;
    for (let wall = Math.ceil((from - origin) / length) * length + origin; wall <= to; wall += length) yield wall;
    return;
  }
  const { year, month } = civilOf(from);
  let index = Math.floor((year * 12 + month - 1) / months) * months;
  const wallOf = () => daysFromCivil(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1, 1) * DAY;
  for (let wall = wallOf(); wall <= to; index += months, wall = wallOf()) {
    if (wall >= from) yield wall;
  }
}

function labelsOf(wall: number, { length, months }: Interval, quarters: boolean): [label: string, context?: string] {
  const { year: y, month, day } = civilOf(wall);
  const year = writeYear(y);
  const isYearly = months !== undefined && months % 12 === 0;
  const quarter = `Q${String(Math.ceil(month / 3))}`;
  if (isYearly) return [quarters ? `${quarter} ${year}` : year];
  if (quarters) return [quarter, year];
  if (months !== undefined) return [shortMonth(month), year];
  const date = `${String(day)} ${shortMonth(month)}`;
  if (length >= DAY) return [date, year];
  const [seconds = '', fraction = ''] = isoInstant(wall).split('T')[1]!.replace('Z', '').split('.');
  const clock = `${seconds}.${fraction.padEnd(3, '0')}`;
  return [clock.slice(0, length >= MINUTE ? 5 : length >= SECOND ? 8 : 12), `${date} ${year}`];
}

/** Pixels between two labels, at least. */
const SPACE = 8;

/**
 * Places the labels of an axis so that none loses a character: one that would stick out at an end is moved inward, one
 * that would touch its neighbor is left out, and its second line goes to the next.
 * @param labels with their places in pixels, ascending
 * @param widthOf of a text, in pixels
 * @param ends where the picture ends
 */
export function placeLabels(labels: readonly Tick[], widthOf: (text: string) => number, ends: Range): Tick[] {
  const placed: Tick[] = [];
  let end = -Infinity;
  let pending: string | undefined;
  for (const { at, label, context = pending } of labels) {
    const half = Math.max(widthOf(label), widthOf(context ?? '')) / 2;
    const moved = Math.min(Math.max(at, ends.min + half), ends.max - half);
    const fits = moved - half >= Math.max(ends.min, end + SPACE);
    pending = fits ? undefined : context;
    if (!fits) continue;
    placed.push({ at: moved, label, ...(context !== undefined && { context }) });
    end = moved + half;
  }
  return placed;
}
