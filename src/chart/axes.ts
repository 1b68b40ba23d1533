import { DAY, HOUR, MINUTE, SECOND, civilOf, daysFromCivil } from '../calendar/civil.ts';
import { isoInstant, shortMonth, writeYear } from '../calendar/format.ts';
import { axisLabels, type Range, type TimeFormat } from './frame.ts';
import { type Axes, type Box, type Colors, drawLines, type Pen, projection, type Segment } from './scene.ts';

interface AxesOptions {
  readonly below?: TimeFormat | readonly Tick[] | undefined;
  readonly isZeroShown?: boolean;
  readonly gutter?: number;
}

export const axesOf = (options: AxesOptions): Axes => ({
  isZeroShown: options.isZeroShown,
  draw: (pen, seen, place, colors) => drawAxes(pen, { ...options, ...seen }, place, colors),
});

const MARGIN = { top: 8, right: 16, bare: 6, labels: 8 };
/** Pixels from one label to the next, at least; a clock's second line is wide, and a small picture has little room. */
const SPACING = { date: 64, clock: 92, value: 44, smallValue: 28 };
const SMALL = 200;

/** Draws grid, labels and the lower axis. @returns the box that is left */
function drawAxes(
  pen: Pen,
  options: AxesOptions & { readonly range: Range; readonly values: Range },
  place: Box,
  colors: Colors,
): Box {
  const { range, values, below, gutter = 0, isZeroShown } = options;
  const { muted: color, fontSize } = colors;
  const lineHeight = fontSize * 1.3;
  const under = (lines: number) => (below ? lines * lineHeight + 2 * MARGIN.labels : MARGIN.bare);
  const spacing = place.height < SMALL ? SPACING.smallValue : SPACING.value;
  const most = Math.floor((place.height - MARGIN.top - under(2)) / spacing);
  const marks = valueTicks(values.min, values.max, Math.max(2, most));
  const names = axisLabels(marks);
  const widest = Math.max(0, ...names.map((name) => pen.widthOf(name)));
  const left = place.left + Math.max(gutter, Math.ceil(widest) + 2 * MARGIN.labels);
  const width = Math.max(60, place.left + place.width - MARGIN.right - left);
  const spaceOf = ({ clock }: TimeFormat) => (clock ? SPACING.clock : SPACING.date);
  const ticks = below && 'zone' in below ? timeTicks(range, Math.floor(width / spaceOf(below)), below) : (below ?? []);
  const lines = ticks.some(({ context }) => context !== undefined) ? 2 : 1;
  const height = place.height - Math.ceil(under(lines)) - MARGIN.top;
  const box = { left, top: place.top + MARGIN.top, width, height: Math.max(20, height) };
  const to = projection(range, values, box, pen.pixel);
  const strength = colors.contrast ? { grid: 0.3, axis: 0.8 } : { grid: 0.1, axis: 0.3 };
  const level = (y: number): Segment => [left, y, left + width, y];
  const levels = marks.map((value) => level(to.y(value)));
  drawLines(pen, levels, { stroke: colors.text, alpha: strength.grid });
  const axis = box.top + box.height;
  const edges = below ? [level(axis), ...ticks.map(({ at }): Segment => [to.x(at), axis, to.x(at), axis + 5])] : [];
  if (isZeroShown && values.min < 0 && values.max > 0) edges.push(level(to.y(0)));
  drawLines(pen, edges, { stroke: colors.text, alpha: strength.axis });
  marks.forEach((value, index) => {
    pen.text(names[index]!, { x: left - MARGIN.labels, y: to.y(value) + fontSize * 0.35 }, { color, align: 'end' });
  });
  const placed = ticks.map((tick) => ({ ...tick, at: to.x(tick.at) }));
  const ends = { min: place.left, max: place.left + place.width };
  for (const { at, label, context = '' } of placeLabels(placed, (text) => pen.widthOf(text), ends)) {
    [label, context].forEach((text, line) => {
      const y = axis + MARGIN.labels + fontSize * 0.85 + line * lineHeight;
      if (text !== '') pen.text(text, { x: at, y }, { color, align: 'middle' });
    });
  }
  return box;
}

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

interface Tick {
  readonly at: number;
  readonly label: string;
  readonly context?: string | undefined;
}

/** The distance of ticks, in milliseconds; `months` where it is a number of these. */
type Interval = Readonly<{ length: number; months?: number }>;

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

/** At most `count` ticks at round moments of the zone's clock and calendar; without times, the numbers of rows. */
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
  return Array.from(walls(interval, zone.toWall(min), zone.toWall(max)), (wall) => {
    const [label, context] = labelsOf(wall, interval, quarters);
    return { at: zone.fromWall(wall), label, context };
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

const SPACE = 8;

/** Places labels whole: moved inward at an end, left out beside a neighbor; a second line only where it changes. */
export function placeLabels(labels: readonly Tick[], widthOf: (text: string) => number, ends: Range): Tick[] {
  const placed: Tick[] = [];
  let end = -Infinity;
  let written: string | undefined;
  for (const { at, label, context: below } of labels) {
    const context = below === written ? undefined : below;
    const half = Math.max(widthOf(label), widthOf(context ?? '')) / 2;
    const moved = Math.min(Math.max(at, ends.min + half), ends.max - half);
    if (moved - half < Math.max(ends.min, end + SPACE)) continue;
    placed.push({ at: moved, label, context });
    [written, end] = [below, moved + half];
  }
  return placed;
}
