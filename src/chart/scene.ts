import * as l10n from '@vscode/l10n';
import { axisLabels, type TimeFormat } from './format.ts';
import { indexFrom, type Range, valueRange } from './frame.ts';
import {
  INTERVAL_ALPHA,
  type Box,
  type Colors,
  crisp,
  FADED,
  type Ink,
  type Pen,
  type Projection,
  projection,
} from './pen.ts';
import { columnsOf, extentOf as extentOfLine } from './extremes.ts';
import { rowTicks, timeTicks, valueTicks } from './ticks.ts';
import { type Hue, isDense, type Trace, traceLine, traceOutline } from './trace.ts';

/** What is drawn in one place. */
export interface Scene {
  /** From the lowest to the one on top. */
  readonly traces: readonly Trace[];
  /** What lies over them for a moment, to which the value axis is not fitted. */
  readonly over?: readonly Trace[];
  readonly range: Range;
  /** Of the value axis, which fits the traces by default. */
  readonly values?: Range | undefined;
  /** Absent where neither axis has labels. */
  readonly axes?: Axes | undefined;
}

export interface Axes {
  /** How times are labeled, or the labels; absent where another picture of the same axis has them. */
  readonly below?: TimeFormat | readonly { readonly at: number; readonly label: string }[] | undefined;
  /** Whether zero belongs to the value axis. */
  readonly isZeroShown?: boolean;
  /** The least room for labels of values, for pictures below each other. */
  readonly gutter?: number;
}

/** Where a scene was drawn. */
export interface Layout {
  readonly box: Box;
  readonly to: Projection;
  readonly values: Range;
}

const MARGIN = { top: 8, right: 16, bare: 6, labels: 8 };
/** Pixels from one label to the next, at least; a clock's second line is wide, and a small picture has little room. */
const SPACING = { date: 64, clock: 92, value: 44, smallValue: 28 };
const SMALL = 200;
const LINE_HEIGHT = 1.3;
const DASH = [3, 3];

/** Draws a scene with the labels of its axes into a place. */
export function drawScene(pen: Pen, scene: Scene, place: Box, colors: Colors): Layout {
  const values = scene.values ?? valueRange(extentOf(scene));
  const box = scene.axes ? drawAxes(pen, { ...scene, axes: scene.axes, values }, place, colors) : place;
  const to = projection(scene.range, values, box, pen.pixel);
  const work = { pen, range: scene.range, box, to, colors };
  const traces = [...scene.traces, ...(scene.over ?? [])];
  // a line along an end of the value axis is drawn whole, and so is a dot at an end of the axis of time
  pen.inside({ ...box, top: box.top - 1, height: box.height + 2 }, () => {
    for (const trace of traces) if (trace.kind !== 'dots') drawTrace(work, trace);
  });
  for (const trace of traces) if (trace.kind === 'dots') drawTrace(work, trace);
  return { box, to, values };
}

/** Smallest and largest finite number of all traces in the range. */
export function extentOf({ traces, range, axes }: Scene): Range | undefined {
  const extents = traces.flatMap((trace) => {
    if (trace.kind === 'line') return [extentOfLine(trace.line, range, trace.extremes)];
    if (trace.kind !== 'area') return [];
    return trace.pieces.flatMap(({ times, lower, upper }) =>
      [lower, upper].map((values) => extentOfLine({ times, values }, range)),
    );
  });
  if (axes?.isZeroShown) extents.push({ min: 0, max: 0 });
  return extents.reduce(
    (all, one) => (all && one ? { min: Math.min(all.min, one.min), max: Math.max(all.max, one.max) } : (all ?? one)),
    undefined,
  );
}

const DASHES: readonly (readonly number[])[] = [
  [7, 4],
  [2, 3],
  [9, 3, 2, 3],
];

type Stroke = Ink & { readonly stroke: string; readonly width: number };

/** How a line of a hue is stroked: further ones are told apart by their dashes too. */
export const inkOf = (hue: Hue, colors: Colors, width = hue === 'history' ? 1.5 : 2): Stroke =>
  typeof hue === 'number'
    ? { stroke: colors.others[hue % colors.others.length]!, width, dash: DASHES[hue % DASHES.length]! }
    : { stroke: colors[hue], width };

/** Draws grid, labels and the lower axis. @returns the box that is left */
function drawAxes(
  pen: Pen,
  { range, values, axes }: Scene & { readonly axes: Axes; readonly values: Range },
  place: Box,
  colors: Colors,
): Box {
  const { below, gutter = 0, isZeroShown } = axes;
  const lineHeight = colors.fontSize * LINE_HEIGHT;
  const under = (lines: number) => (below ? lines * lineHeight + 2 * MARGIN.labels : MARGIN.bare);
  const spacing = place.height < SMALL ? SPACING.smallValue : SPACING.value;
  const most = Math.floor((place.height - MARGIN.top - under(2)) / spacing);
  const marks = valueTicks(values.min, values.max, Math.max(2, most));
  const names = axisLabels(marks);
  const widest = Math.max(0, ...names.map((name) => pen.widthOf(name)));
  const left = place.left + Math.max(gutter, Math.ceil(widest) + 2 * MARGIN.labels);
  const width = Math.max(60, place.left + place.width - MARGIN.right - left);
  const ticks = below ? ticksOf(below, range, width) : [];
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
  const { muted: color, fontSize } = colors;
  marks.forEach((value, index) => {
    pen.text(names[index]!, { x: left - MARGIN.labels, y: to.y(value) + fontSize * 0.35 }, { color, align: 'end' });
  });
  const placed = ticks.map(({ at, ...tick }) => ({ at: to.x(at), ...tick }));
  const ends = { left: place.left, right: place.left + place.width };
  for (const { at, label, context = '' } of placeLabels(placed, (text) => pen.widthOf(text), ends)) {
    [label, context].forEach((text, line) => {
      const y = axis + MARGIN.labels + fontSize * 0.85 + line * lineHeight;
      if (text !== '') pen.text(text, { x: at, y }, { color, align: 'middle' });
    });
  }
  return box;
}

function ticksOf(below: NonNullable<Axes['below']>, { min, max }: Range, width: number): readonly PlacedLabel[] {
  if (!('zone' in below)) return below;
  const count = Math.floor(width / (below.clock ? SPACING.clock : SPACING.date));
  const ticks = below.rows ? rowTicks(min, max, count) : timeTicks({ min, max }, count, below);
  return ticks.map(({ time, ...tick }) => ({ at: time, ...tick }));
}

type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** Level and upright lines, one pixel wide and sharp. */
function drawLines(pen: Pen, segments: readonly Segment[], ink: Ink): void {
  if (segments.length === 0) return;
  const sharp = (at: number) => crisp(at, pen.pixel);
  pen.path((outline) => {
    for (const [fromX, fromY, toX, toY] of segments) {
      outline.moveTo(sharp(fromX), sharp(fromY));
      outline.lineTo(sharp(toX), sharp(toY));
    }
  }, ink);
}

interface Work {
  readonly pen: Pen;
  readonly range: Range;
  readonly box: Box;
  readonly to: Projection;
  readonly colors: Colors;
}

type TraceOf<K extends Trace['kind']> = Extract<Trace, { readonly kind: K }>;

const drawers: { readonly [K in Trace['kind']]: (work: Work, trace: TraceOf<K>) => void } = {
  line: drawLine,
  area: drawArea,
  dots: drawDots,
  fade: drawFading,
  rule: ({ pen, box, to, colors }, { at }) => {
    const upright: Segment = [to.x(at), box.top, to.x(at), box.top + box.height];
    drawLines(pen, [upright], { stroke: colors.muted, dash: DASH, alpha: colors.contrast ? 1 : 0.55 });
  },
  span: ({ pen, box, to, colors }, { min, max }) => {
    const left = to.x(min);
    pen.rects([{ ...box, left, width: to.x(max) - left }], { fill: colors.forecast, alpha: 0.25 });
  },
};

function drawTrace<K extends Trace['kind']>(work: Work, trace: TraceOf<K>): void {
  const draw = drawers[trace.kind as K];
  draw(work, trace);
}

function drawLine({ pen, range, to, colors }: Work, { line, hue, width, extremes }: TraceOf<'line'>): void {
  const ink = inkOf(hue, colors, width);
  const { times, values } = line;
  if (!isDense(times, range, to)) {
    pen.path((outline) => {
      traceLine(outline, line, range, to);
    }, ink);
    return;
  }
  const { columns, joins } = columnsOf(line, range, to, extremes);
  const thick = Math.max(1, Math.round(ink.width / pen.pixel));
  const before = Math.floor((thick - 1) / 2);
  const bars = columns.map(({ at, low, high }): Box => {
    const [top, bottom] = [to.y(high) - ink.width / 2, to.y(low) + ink.width / 2];
    return { left: (at - before) * pen.pixel, top, width: thick * pen.pixel, height: bottom - top };
  });
  pen.rects(bars, { fill: ink.stroke });
  pen.path((outline) => {
    for (const [from, end] of joins) {
      outline.moveTo(to.x(times[from]!), to.y(values[from]!));
      outline.lineTo(to.x(times[end]!), to.y(values[end]!));
    }
  }, ink);
}

/** An area; in high contrast, and where a single step has none, its edge. */
function drawArea({ pen, range, to, colors }: Work, { pieces, alpha = INTERVAL_ALPHA }: TraceOf<'area'>): void {
  for (const piece of pieces) {
    const trace: Parameters<Pen['path']>[0] = (outline) => {
      traceOutline(outline, piece, range, to);
    };
    pen.path(trace, { fill: colors.forecast, alpha });
    const edge = colors.contrast ? 0.6 : piece.times.length === 1 ? 3 * alpha : 0;
    if (edge > 0) pen.path(trace, { stroke: colors.forecast, alpha: edge });
  }
}

/** Further apart than these many discs or rings, a picture would be full of them. */
const MOST_DOTS = { discs: 200, rings: 2000 };

function drawDots({ pen, range, to, colors }: Work, { points, hue, radius, isRing }: TraceOf<'dots'>): void {
  const { stroke } = inkOf(hue, colors);
  const { times, values } = points;
  const first = indexFrom(times, range.min);
  const last = indexFrom(times, range.max);
  const end = times[last] === range.max ? last + 1 : last;
  if (!isRing && end - first > MOST_DOTS.discs) return;
  for (let index = Math.max(first, end - MOST_DOTS.rings); index < end; index++) {
    if (!Number.isFinite(values[index])) continue;
    const center = { x: to.x(times[index]!), y: to.y(values[index]!) };
    pen.circle(center, radius, isRing ? { stroke, width: 2 } : { fill: stroke });
  }
}

/** Steps in which what is not supported fades. */
const FADING = 15;

function drawFading({ pen, box, to, colors }: Work, { from, until }: TraceOf<'fade'>): void {
  const right = box.left + box.width;
  const start = to.x(from);
  const x = Math.max(box.left, start);
  if (x >= right) return;
  const step = Math.max(1, Math.ceil((to.x(until) - start) * 0.01));
  for (let strip = 0; strip <= FADING; strip++) {
    const left = Math.round(Math.max(x, start + strip * step));
    const end = Math.round(Math.min(right, strip === FADING ? right : start + (strip + 1) * step));
    if (end <= left) continue;
    pen.rects([{ ...box, left, width: end - left }], { fill: colors.background, alpha: (FADED * strip) / FADING });
  }
  const words = l10n.t('beyond what the history supports');
  const spot = { x: x + 6, y: box.top + 4 + colors.fontSize };
  if (pen.widthOf(words) <= right - x - 8) pen.text(words, spot, { color: colors.muted });
}

/** A label where it is drawn: centred on `at`, in pixels. */
export interface PlacedLabel {
  readonly at: number;
  readonly label: string;
  /** Second line. */
  readonly context?: string;
}

/** Pixels between two labels, at least. */
const SPACE = 8;

/**
 * Places the labels of an axis so that none loses a character: one that would stick out at an end is moved inwards, one
 * that would touch its neighbour is left out, and its second line goes to the next.
 * @param labels with their places in pixels, ascending
 * @param widthOf of a text, in pixels
 * @param left,right where the picture ends
 */
export function placeLabels(
  labels: readonly PlacedLabel[],
  widthOf: (text: string) => number,
  { left, right }: { readonly left: number; readonly right: number },
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  let end = -Infinity;
  let waiting: string | undefined;
  for (const { at, label, context = waiting } of labels) {
    const half = Math.max(widthOf(label), widthOf(context ?? '')) / 2;
    const moved = Math.min(Math.max(at, left + half), right - half);
    if (moved - half < Math.max(left, end + SPACE)) {
      waiting = context;
      continue;
    }
    placed.push({ at: moved, label, ...(context !== undefined && { context }) });
    end = moved + half;
    waiting = undefined;
  }
  return placed;
}
