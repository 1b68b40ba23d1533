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
import { rowTicks, timeTicks, valueTicks } from './ticks.ts';
import { DENSE, type Piece, traceLine, traceOutline, type Trace, type Hue } from './trace.ts';

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
  readonly axes?: Axes;
}

export interface Axes {
  /** How times are labeled, or the labels; absent where another picture of the same axis has them. */
  readonly below?: TimeFormat | readonly { readonly at: number; readonly label: string }[];
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
  const work = { pen, scene, box, to, colors };
  const traces = [...scene.traces, ...(scene.over ?? [])];
  // a line along an end of the value axis is drawn whole, and so is a dot at an end of the axis of time
  pen.inside({ ...box, top: box.top - 1, height: box.height + 2 }, () => {
    for (const trace of traces) if (trace.kind !== 'dots') drawTrace(work, trace);
  });
  for (const trace of traces) if (trace.kind === 'dots') drawDots(work, trace);
  return { box, to, values };
}

/** Smallest and largest finite number of all traces in the range. */
export function extentOf({ traces, range, axes }: Scene): Range | undefined {
  let [low, high] = axes?.isZeroShown ? [0, 0] : [Infinity, -Infinity];
  const scan = (times: ArrayLike<number>, values: ArrayLike<number>) => {
    for (let index = indexFrom(times, range.min); index < times.length && times[index]! <= range.max; index++) {
      const value = values[index]!;
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  };
  for (const trace of traces) {
    if (trace.kind === 'line' && trace.extremes) {
      const { min = Infinity, max = -Infinity } = trace.extremes.extent(range) ?? {};
      low = Math.min(low, min);
      high = Math.max(high, max);
    } else if (trace.kind === 'line') scan(trace.line.times, trace.line.values);
    else if (trace.kind === 'area') {
      for (const { times, lower, upper } of trace.pieces) {
        scan(times, lower);
        scan(times, upper);
      }
    }
  }
  return low <= high ? { min: low, max: high } : undefined;
}

const DASHES: readonly (readonly number[])[] = [
  [7, 4],
  [2, 3],
  [9, 3, 2, 3],
];

/** How a line of a hue is stroked: further ones are told apart by their dashes too. */
export const inkOf = (hue: Hue, colors: Colors, width = hue === 'history' ? 1.5 : 2): Ink & { stroke: string } =>
  typeof hue === 'number'
    ? { stroke: colors.others[hue % colors.others.length]!, width, dash: DASHES[hue % DASHES.length]! }
    : { stroke: colors[hue], width };

/** Draws grid, labels and the lower axis. @returns the box that is left */
function drawAxes(
  pen: Pen,
  scene: Scene & { readonly axes: Axes; readonly values: Range },
  place: Box,
  colors: Colors,
): Box {
  const { range, values, axes } = scene;
  const { below, gutter = 0, isZeroShown } = axes;
  const lineHeight = colors.fontSize * LINE_HEIGHT;
  const rough = place.height - MARGIN.top - (below ? 2 * lineHeight + 2 * MARGIN.labels : MARGIN.bare);
  const spacing = place.height < SMALL ? SPACING.smallValue : SPACING.value;
  const marks = valueTicks(values.min, values.max, Math.max(2, Math.floor(rough / spacing)));
  const names = axisLabels(marks);
  const widest = Math.max(0, ...names.map((name) => pen.widthOf(name)));
  const left = place.left + Math.max(gutter, Math.ceil(widest) + 2 * MARGIN.labels);
  const right = place.left + place.width - MARGIN.right;
  const width = Math.max(60, right - left);
  const ticks = below ? ticksOf(below, range, width) : [];
  const lines = ticks.some(({ context }) => context !== undefined) ? 2 : 1;
  const bottom = place.top + place.height - (below ? Math.ceil(lines * lineHeight) + 2 * MARGIN.labels : MARGIN.bare);
  const top = place.top + MARGIN.top;
  const box = { left, top, width, height: Math.max(20, bottom - top) };
  const to = projection(range, values, box, pen.pixel);
  const strength = colors.contrast ? { grid: 0.3, axis: 0.8 } : { grid: 0.1, axis: 0.3 };
  const edge = left + width;
  const level = (y: number): Segment => [left, y, edge, y];
  drawLines(
    pen,
    marks.map((value) => level(to.y(value))),
    { stroke: colors.text, alpha: strength.grid },
  );
  const isCrossed = isZeroShown && values.min < 0 && values.max > 0;
  const axis = box.top + box.height;
  const under = below ? [level(axis), ...ticks.map(({ at }): Segment => [to.x(at), axis, to.x(at), axis + 5])] : [];
  drawLines(pen, [...under, ...(isCrossed ? [level(to.y(0))] : [])], { stroke: colors.text, alpha: strength.axis });
  const lettering = { color: colors.muted };
  marks.forEach((value, index) => {
    const spot = { x: left - MARGIN.labels, y: to.y(value) + colors.fontSize * 0.35 };
    pen.text(names[index]!, spot, { ...lettering, align: 'end' });
  });
  const placed = ticks.map(({ at, ...tick }) => ({ at: to.x(at), ...tick }));
  const base = axis + MARGIN.labels + colors.fontSize * 0.85;
  const edges = { left: place.left, right: place.left + place.width };
  for (const { at, label, context } of placeLabels(placed, (text) => pen.widthOf(text), edges)) {
    // prettier-ignore
    pen.text(label, { x: at, y: base }, { ...lettering, align: 'middle' });
    if (context !== undefined) pen.text(context, { x: at, y: base + lineHeight }, { ...lettering, align: 'middle' });
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
  const trace = (outline: Parameters<Parameters<Pen['path']>[0]>[0]) => {
    for (const [fromX, fromY, toX, toY] of segments) {
      outline.moveTo(crisp(fromX, pen.pixel), crisp(fromY, pen.pixel));
      outline.lineTo(crisp(toX, pen.pixel), crisp(toY, pen.pixel));
    }
  };
  pen.path(trace, ink);
}

interface Work {
  readonly pen: Pen;
  readonly scene: Scene;
  readonly box: Box;
  readonly to: Projection;
  readonly colors: Colors;
}

/** Further apart than these many discs or rings, a picture would be full of them. */
const MOST_DOTS = { discs: 200, rings: 2000 };

function drawTrace(work: Work, trace: Exclude<Trace, { kind: 'dots' }>): void {
  const { pen, box, to, colors } = work;
  switch (trace.kind) {
    case 'line':
      drawLine(work, trace);
      break;
    case 'area':
      for (const piece of trace.pieces) drawArea(work, piece, trace.alpha);
      break;
    case 'rule':
      drawLines(pen, [[to.x(trace.at), box.top, to.x(trace.at), box.top + box.height]], {
        stroke: colors.muted,
        dash: DASH,
        alpha: colors.contrast ? 1 : 0.55,
      });
      break;
    case 'span': {
      const left = to.x(trace.min);
      pen.rect({ ...box, left, width: to.x(trace.max) - left }, { fill: colors.forecast, alpha: 0.25 });
      break;
    }
    case 'fade':
      drawFading(work, trace);
      break;
  }
}

function drawDots({ pen, scene: { range }, to, colors }: Work, trace: Extract<Trace, { kind: 'dots' }>): void {
  const { points, hue, radius, isRing = false } = trace;
  const { stroke } = inkOf(hue, colors);
  const first = indexFrom(points.times, range.min);
  const last = indexFrom(points.times, range.max);
  const end = points.times[last] === range.max ? last + 1 : last;
  if (!isRing && end - first > MOST_DOTS.discs) return;
  for (let index = Math.max(first, end - MOST_DOTS.rings); index < end; index++) {
    if (!Number.isFinite(points.values[index])) continue;
    const center = { x: to.x(points.times[index]!), y: to.y(points.values[index]!) };
    pen.circle(center, radius, isRing ? { stroke, width: 2 } : { fill: stroke });
  }
}

function drawLine({ pen, scene: { range }, to, colors }: Work, trace: Extract<Trace, { kind: 'line' }>): void {
  const { line, hue, width, extremes } = trace;
  const ink = inkOf(hue, colors, width);
  const count = indexFrom(line.times, range.max) - indexFrom(line.times, range.min);
  if (!extremes || count <= DENSE * to.columns) {
    pen.path((outline) => {
      traceLine(outline, line, range, to);
    }, ink);
    return;
  }
  const joins: Segment[] = [];
  const half = ink.width! / 2;
  pen.bars((bar) => {
    extremes.trace(range, line.gap ?? Infinity, to, {
      column: (x, low, high) => {
        bar(x, high - half, low + half);
      },
      line: (...ends) => joins.push(ends),
    });
  }, ink);
  pen.path((outline) => {
    for (const [fromX, fromY, toX, toY] of joins) {
      outline.moveTo(fromX, fromY);
      outline.lineTo(toX, toY);
    }
  }, ink);
}

/** An area; in high contrast, and where a single step has none, its edge. */
function drawArea({ pen, scene: { range }, to, colors }: Work, piece: Piece, alpha = INTERVAL_ALPHA): void {
  const trace = (outline: Parameters<typeof traceOutline>[0]) => {
    traceOutline(outline, piece, range, to);
  };
  pen.path(trace, { fill: colors.forecast, alpha });
  const edge = colors.contrast ? 0.6 : piece.times.length === 1 ? 3 * alpha : 0;
  if (edge > 0) pen.path(trace, { stroke: colors.forecast, alpha: edge });
}

/** Steps in which what is not supported fades. */
const FADING = 15;

function drawFading({ pen, box, to, colors }: Work, { from, until }: Extract<Trace, { kind: 'fade' }>): void {
  const right = box.left + box.width;
  const start = to.x(from);
  const x = Math.max(box.left, start);
  if (x >= right) return;
  const step = Math.max(1, Math.ceil((to.x(until) - start) * 0.01));
  for (let strip = 0; strip <= FADING; strip++) {
    const left = Math.max(x, start + strip * step);
    const end = Math.min(right, strip === FADING ? right : start + (strip + 1) * step);
    if (end <= left) continue;
    const strips = { left: Math.round(left), width: Math.round(end) - Math.round(left) };
    pen.rect({ ...box, ...strips }, { fill: colors.background, alpha: (FADED * strip) / FADING });
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
    const half = Math.max(widthOf(label), context === undefined ? 0 : widthOf(context)) / 2;
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
