import { DAY, HOUR, MINUTE, SECOND, civilOf, daysFromCivil } from '../calendar/civil.ts';
import { isoInstant, writeYear, shortMonth } from '../calendar/format.ts';
import type { Zone } from '../calendar/zone.ts';

const YEAR = 365.2425 * DAY;
const MONTH = YEAR / 12;

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

/** A label of the time axis; `context` is the second line, such as the year, written where it changes. */
export interface TimeTick {
  readonly time: number;
  readonly label: string;
  readonly context?: string;
}

interface Interval {
  readonly length: number;
  readonly unit: 'clock' | 'day' | 'week' | 'month' | 'year';
  readonly count: number;
}

const of = (unit: Interval['unit'], length: number, counts: number[]): Interval[] =>
  counts.map((count) => ({ unit, count, length: length * count }));

const INTERVALS: Interval[] = [
  ...of('clock', 1, [1, 2, 5, 10, 20, 50, 100, 200, 500]),
  ...of('clock', SECOND, [1, 2, 5, 10, 15, 30]),
  ...of('clock', MINUTE, [1, 2, 5, 10, 15, 30]),
  ...of('clock', HOUR, [1, 2, 3, 6, 12]),
  ...of('day', DAY, [1, 2]),
  ...of('week', 7 * DAY, [1]),
  ...of('month', MONTH, [1, 3, 6]),
  ...of('year', YEAR, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000]),
];

/**
 * Ticks of a time axis at round moments of the zone's own clock and calendar, at most `count` of them and none closer
 * than `finest` milliseconds. With `quarters` every label says one.
 */
export function timeTicks(
  { min, max }: { readonly min: number; readonly max: number },
  count: number,
  { finest, zone, quarters }: { readonly finest: number; readonly zone: Zone; readonly quarters?: boolean },
): TimeTick[] {
  const rough = Math.max((max - min) / Math.max(count, 1), finest * 0.9);
  const interval = INTERVALS.find(({ length }) => length >= rough) ?? INTERVALS.at(-1)!;
  const from = zone.toWall(min);
  const to = zone.toWall(max);
  const ticks: TimeTick[] = [];
  let before: string | undefined;
  for (const wall of walls(interval, from, to)) {
    const [label, context] = quarters ? quarterLabels(wall, interval) : labels(wall, interval);
    ticks.push({ time: zone.fromWall(wall), label, ...(context !== before && context !== undefined && { context }) });
    before = context;
  }
  return ticks;
}

/** Ticks at round row numbers, for a series whose times only count its rows. */
export function rowTicks(min: number, max: number, count: number): TimeTick[] {
  const rows = valueTicks(min / SECOND + 1, max / SECOND + 1, Math.max(1, count));
  return rows.filter(Number.isInteger).map((row) => ({ time: (row - 1) * SECOND, label: String(row) }));
}

function* walls({ unit, count, length }: Interval, from: number, to: number): Generator<number> {
  if (unit === 'clock' || unit === 'day' || unit === 'week') {
    // 1970-01-01 was a Thursday; weeks begin on Mondays
    const origin = unit === 'week' ? 4 * DAY : 0;
    for (let wall = Math.ceil((from - origin) / length) * length + origin; wall <= to; wall += length) yield wall;
    return;
  }
  const months = unit === 'year' ? 12 * count : count;
  const first = civilOf(from);
  let index = Math.floor((first.year * 12 + first.month - 1) / months) * months;
  const wallOf = () => daysFromCivil(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1, 1) * DAY;
  for (let wall = wallOf(); wall <= to; index += months, wall = wallOf()) {
    if (wall >= from) yield wall;
  }
}

function quarterLabels(wall: number, { unit }: Interval): [string, string?] {
  const date = new Date(wall);
  const quarter = `Q${String(Math.floor(date.getUTCMonth() / 3) + 1)}`;
  const year = String(date.getUTCFullYear());
  return unit === 'year' ? [`${quarter} ${year}`] : [quarter, year];
}

function labels(wall: number, { unit, length }: Interval): [string, string?] {
  const { year: y, month: m, day } = civilOf(wall);
  const year = writeYear(y);
  if (unit === 'year') return [year];
  const month = shortMonth(m);
  if (unit === 'month') return [month, year];
  if (unit === 'day' || unit === 'week') return [`${day} ${month}`, year];
  const label = clockOf(wall).slice(0, length >= MINUTE ? 5 : length >= SECOND ? 8 : 12);
  return [label, `${day} ${month} ${year}`];
}

/** `13:05:00.250` */
function clockOf(wall: number): string {
  const [seconds = '', fraction = ''] = isoInstant(wall).split('T')[1]!.replace('Z', '').split('.');
  return `${seconds}.${fraction.padEnd(3, '0')}`;
}
