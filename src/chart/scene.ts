import * as l10n from '@vscode/l10n';
import { indexFrom, type Range, valueRange } from './frame.ts';
import {
  type Box,
  type Colors,
  drawLines,
  FADED,
  type Ink,
  INTERVAL_ALPHA,
  type Pen,
  type Projection,
  projection,
  type Segment,
} from './pen.ts';
import { columnsOf, extentOf as extentOfLine } from './extremes.ts';
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

/** What is drawn around a scene. */
export interface Axes {
  /** Whether zero belongs to the value axis. */
  readonly isZeroShown?: boolean | undefined;
  /** Draws the axes of what is seen. @returns the box that is left */
  readonly draw: (pen: Pen, seen: { readonly range: Range; readonly values: Range }, place: Box, colors: Colors) => Box;
}

/** Where a scene was drawn. */
export interface Layout {
  readonly box: Box;
  readonly to: Projection;
  readonly values: Range;
}

const DASH = [3, 3];

/** Draws a scene with the labels of its axes into a place. */
export function drawScene(pen: Pen, scene: Scene, place: Box, colors: Colors): Layout {
  const values = scene.values ?? valueRange(extentOf(scene));
  const box = scene.axes?.draw(pen, { range: scene.range, values }, place, colors) ?? place;
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

/** How a line of a hue is stroked; further lines also differ by their dashes. */
export const inkOf = (hue: Hue, colors: Colors, width = hue === 'history' ? 1.5 : 2): Stroke =>
  typeof hue === 'number'
    ? { stroke: colors.others[hue % colors.others.length]!, width, dash: DASHES[hue % DASHES.length]! }
    : { stroke: colors[hue], width };

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
  const words = l10n.t('beyond the range that the history supports');
  const spot = { x: x + 6, y: box.top + 4 + colors.fontSize };
  if (pen.widthOf(words) <= right - x - 8) pen.text(words, spot, { color: colors.muted });
}
