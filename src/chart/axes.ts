import { axisLabels, type TimeFormat } from './format.ts';
import type { Range } from './frame.ts';
import { type Box, type Colors, drawLines, type Pen, projection, type Segment } from './pen.ts';
import type { Axes } from './scene.ts';
import { placeLabels, type Tick, timeTicks, valueTicks } from './ticks.ts';

interface AxesOptions {
  /** How times are labeled, or the labels; absent where another picture of the same axis has them. */
  readonly below?: TimeFormat | readonly Tick[] | undefined;
  /** Whether zero belongs to the value axis. */
  readonly isZeroShown?: boolean;
  /** The least room for labels of values, for pictures below each other. */
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
