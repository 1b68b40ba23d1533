import { type Hue, indexFrom, type Line, type Range, type Trace, valueRange } from './frame.ts';
import * as l10n from '@vscode/l10n';
import type { Points } from './chart-view.ts';

/** What pictures are drawn with: a canvas, the text of an SVG document, or pixels. Lengths are CSS pixels. */
export interface Pen {
  readonly pixel: number;
  path(trace: (outline: Outline) => void, ink: Ink): void;
  text(content: string, spot: Spot, lettering: Lettering): void;
  widthOf(content: string): number;
  inside(box: Box, draw: () => void): void;
}

export type Box = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;
export type Spot = Readonly<Record<'x' | 'y', number>>;

export interface Outline {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(left: number, top: number, width: number, height: number): void;
  circle(x: number, y: number, radius: number): void;
}

export interface Ink {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  /** 0 to 1, 1 by default. */
  readonly alpha?: number;
}

export interface Lettering {
  readonly color: string;
  readonly align?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly bold?: boolean;
}

export type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

export function drawLines(pen: Pen, segments: readonly Segment[], ink: Ink): void {
  if (segments.length === 0) return;
  const sharp = (at: number) => (Math.round(at / pen.pixel) + 0.5) * pen.pixel;
  pen.path((outline) => {
    for (const [fromX, fromY, toX, toY] of segments) {
      outline.moveTo(sharp(fromX), sharp(fromY));
      outline.lineTo(sharp(toX), sharp(toY));
    }
  }, ink);
}

/** Fills rectangles. Many upright ones are much faster on a canvas than a line through their ends. */
export function drawBoxes(pen: Pen, boxes: readonly Box[], ink: Pick<Ink, 'fill' | 'alpha'>): void {
  pen.path((outline) => {
    for (const { left, top, width, height } of boxes) outline.rect(left, top, width, height);
  }, ink);
}

export type Colors = Readonly<typeof PRINT>;

const INTERVAL_ALPHA = 0.15; // how much each interval covers what is below it; nested ones add up

/** How strong the colour is where `layers` intervals lie over each other, 0 to 1. */
export const intervalStrength = (layers: number): number => 1 - (1 - INTERVAL_ALPHA) ** layers;

export const PRINT = {
  text: '#1f1f1f',
  muted: '#5f6368',
  background: '#ffffff',
  history: '#3b3b3b',
  forecast: '#0b62c4',
  others: ['#7b3fb5', '#2d7d32', '#b35c00'],
  anomaly: '#c62828',
  contrast: false,
  fontFamily: 'Arial, "Liberation Sans", "DejaVu Sans", Helvetica, sans-serif',
  fontSize: 12,
};

/** Values beyond this are drawn there, so that differences of two of them stay finite. */
const FURTHEST = Number.MAX_VALUE / 2.1;

type Projection = ReturnType<typeof projection>;

/** From data to a box of a picture. @param pixel the width of a column of pixels */
export const projection = (x: Range, y: Range, { left, top, width, height }: Box, pixel = 1) => ({
  x: (time: number) => left + ((time - x.min) / (x.max - x.min)) * width,
  y: (value: number) => top + ((y.max - Math.max(-FURTHEST, Math.min(FURTHEST, value))) / (y.max - y.min)) * height,
  columns: Math.ceil(width / pixel),
  pixel,
});

export interface Scene {
  readonly traces: readonly Trace[];
  readonly over?: readonly Trace[];
  readonly range: Range;
  readonly values?: Range | undefined;
  readonly axes?: Axes | undefined;
}

export interface Axes {
  readonly isZeroShown?: boolean | undefined;
  readonly draw: (pen: Pen, seen: { readonly range: Range; readonly values: Range }, place: Box, colors: Colors) => Box;
}

export type Layout = ReturnType<typeof drawScene>;

export function drawScene(pen: Pen, scene: Scene, place: Box, colors: Colors) {
  const { range } = scene;
  const values = scene.values ?? valueRange(extentOf(scene));
  const box = scene.axes?.draw(pen, { range, values }, place, colors) ?? place;
  const to = projection(range, values, box, pen.pixel);
  const canvas = { pen, range, box, to, colors };
  const traces = [...scene.traces, ...(scene.over ?? [])];
  // a line along an end of the value axis is drawn whole, and so is a dot at an end of the axis of time
  pen.inside({ ...box, top: box.top - 1, height: box.height + 2 }, () => {
    for (const trace of traces) drawTrace(canvas, trace);
  });
  for (const trace of traces) if (trace.kind === 'dots') drawDots(canvas, trace);
  return { box, to, values };
}

export function extentOf({ traces, range, axes }: Scene): Range | undefined {
  let [min, max] = axes?.isZeroShown ? [0, 0] : [Infinity, -Infinity];
  const include = (times: Float64Array, values: Float64Array) => {
    const { low, high } = extremesOf(values, indexFrom(times, range.min), endOf(times, range));
    [min, max] = [Math.min(min, low), Math.max(max, high)];
  };
  for (const trace of traces) {
    if (trace.kind === 'line') include(trace.line.times, trace.line.values);
    if (trace.kind !== 'area') continue;
    include(trace.times, trace.lower);
    include(trace.times, trace.upper);
  }
  return min <= max ? { min, max } : undefined;
}

function endOf(times: Float64Array, { max }: Range): number {
  const end = indexFrom(times, max);
  return times[end] === max ? end + 1 : end;
}

/** The lowest and the highest finite number of a part of a list; +∞ and −∞ where there is none. */
function extremesOf(values: Float64Array, from: number, end: number): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (let index = from; index < end; index++) {
    const value = values[index]!;
    if (value < low && value > -Infinity) low = value;
    if (value > high && value < Infinity) high = value;
  }
  return { low, high };
}

const DASHES: readonly (readonly number[])[] = [
  [7, 4],
  [2, 3],
  [9, 3, 2, 3],
];

type Stroke = Ink & { readonly stroke: string; readonly width: number };

export const inkOf = (hue: Hue, colors: Colors, width = hue === 'history' ? 1.5 : 2): Stroke =>
  typeof hue === 'number'
    ? { stroke: colors.others[hue % colors.others.length]!, width, dash: DASHES[hue % DASHES.length]! }
    : { stroke: colors[hue], width };

type Canvas = Readonly<{ pen: Pen; range: Range; box: Box; to: Projection; colors: Colors }>;

type TraceOf<K extends Trace['kind']> = Extract<Trace, { readonly kind: K }>;

function drawTrace(canvas: Canvas, trace: Trace): void {
  const { pen, box, to, colors } = canvas;
  if (trace.kind === 'line') drawLine(canvas, trace);
  else if (trace.kind === 'area') drawArea(canvas, trace);
  else if (trace.kind === 'fade') drawFading(canvas, trace);
  else if (trace.kind === 'rule') {
    const x = to.x(trace.at);
    const ink = { stroke: colors.muted, dash: [3, 3], alpha: colors.contrast ? 1 : 0.55 };
    drawLines(pen, [[x, box.top, x, box.top + box.height]], ink);
  } else if (trace.kind === 'span') {
    const left = to.x(trace.min);
    drawBoxes(pen, [{ ...box, left, width: to.x(trace.max) - left }], { fill: colors.forecast, alpha: 0.25 });
  }
}

type Part = readonly [from: number, end: number];

const within = (times: Float64Array, { min, max }: Range): Part => [
  Math.max(0, indexFrom(times, min) - 1),
  Math.min(times.length, indexFrom(times, max) + 2),
];

function* piecesOf(
  { times, gap = Infinity }: Omit<Line, 'values'>,
  [from, end]: Part,
  isKnown: (index: number) => boolean,
): Generator<Part> {
  let start = from;
  for (let index = from; index <= end; index++) {
    const isThere = index < end && isKnown(index);
    if (isThere && (index === start || times[index]! - times[index - 1]! <= gap)) continue;
    if (index > start) yield [start, index];
    start = isThere ? index : index + 1;
  }
}

const isDense = (times: Float64Array, { range, to }: Canvas): boolean =>
  indexFrom(times, range.max) - indexFrom(times, range.min) > 4 * to.columns;

/** The columns of pixels of a part of a line, from left to right; those without a finite number are left out. */
function columnsOf({ times, values }: Line, [from, until]: Part, to: Projection) {
  const columnAt = (index: number) => Math.round(to.x(times[index]!) / to.pixel);
  const columns: { start: number; end: number; at: number; low: number; high: number }[] = [];
  let start = from;
  while (start < until) {
    const at = columnAt(start);
    let [end, after] = [start + 1, until];
    while (end < after) {
      const middle = (end + after) >>> 1;
      if (columnAt(middle) > at) after = middle;
      else end = middle + 1;
    }
    const extremes = extremesOf(values, start, end);
    if (extremes.low <= extremes.high) columns.push({ start, end, at, ...extremes });
    start = end;
  }
  return columns;
}

const DOT_RADIUS = 0.75;

function drawLine(canvas: Canvas, { line, hue, width }: TraceOf<'line'>): void {
  const { pen, range, to, colors } = canvas;
  const { times, values } = line;
  const ink = inkOf(hue, colors, width);
  if (isDense(times, canvas)) return drawDenseLine(canvas, line, ink);
  pen.path((outline) => {
    for (const [start, end] of piecesOf(line, within(times, range), (index) => Number.isFinite(values[index]))) {
      if (end - start === 1) outline.circle(to.x(times[start]!), to.y(values[start]!), DOT_RADIUS);
      else polyline(outline, spotsOf(line, [start, end], to));
    }
  }, ink);
}

/** A bar for each column of pixels; points further apart are joined by lines, but for gaps wider than a column. */
function drawDenseLine({ pen, range, to }: Canvas, line: Line, ink: Stroke): void {
  const { times, values, gap = Infinity } = line;
  const columns = columnsOf(line, within(times, range), to);
  const joins: Part[] = [];
  columns.forEach((column, index) => {
    const before = columns[index - 1];
    if (!before || before.end !== column.start) return;
    const [last, next] = [column.start - 1, column.start];
    if (!Number.isFinite(values[last]) || !Number.isFinite(values[next]) || times[next]! - times[last]! > gap) return;
    if (column.at - before.at > 1) joins.push([last, next + 1]);
    else {
      column.low = Math.min(column.low, values[last]!);
      column.high = Math.max(column.high, values[last]!);
    }
  });
  const thick = Math.max(1, Math.round(ink.width / pen.pixel));
  const before = Math.floor((thick - 1) / 2);
  const bars = columns.map(({ at, low, high }): Box => {
    const [top, bottom] = [to.y(high) - ink.width / 2, to.y(low) + ink.width / 2];
    return { left: (at - before) * pen.pixel, top, width: thick * pen.pixel, height: bottom - top };
  });
  drawBoxes(pen, bars, { fill: ink.stroke });
  pen.path((outline) => {
    for (const join of joins) polyline(outline, spotsOf(line, join, to));
  }, ink);
}

function* spotsOf({ times, values }: Points, [from, end]: Part, to: Projection): Generator<Spot> {
  for (let index = from; index < end; index++) yield { x: to.x(times[index]!), y: to.y(values[index]!) };
}

function polyline(outline: Outline, spots: Iterable<Spot>): void {
  let isFirst = true;
  for (const { x, y } of spots) {
    if (isFirst) outline.moveTo(x, y);
    else outline.lineTo(x, y);
    isFirst = false;
  }
}

function drawArea(canvas: Canvas, { times, lower, upper, alpha = INTERVAL_ALPHA }: TraceOf<'area'>): void {
  const { pen, range, to, colors } = canvas;
  const isKnown = (index: number) => Number.isFinite(lower[index]) && Number.isFinite(upper[index]);
  for (const piece of piecesOf({ times }, within(times, range), isKnown)) {
    const limit = (values: Float64Array, which: 'low' | 'high'): Spot[] => {
      const line = { times, values };
      if (!isDense(times, canvas)) return [...spotsOf(line, piece, to)];
      const columns = columnsOf(line, piece, to).map((one) => ({ x: to.x(times[one.start]!), y: to.y(one[which]) }));
      return [...columns, ...spotsOf(line, [piece[1] - 1, piece[1]], to)];
    };
    const outlined = (outline: Outline) =>
      polyline(outline, [...limit(upper, 'high'), ...limit(lower, 'low').reverse()]);
    pen.path(outlined, { fill: colors.forecast, alpha });
    const edge = colors.contrast ? 0.6 : piece[1] - piece[0] === 1 ? 3 * alpha : 0;
    if (edge > 0) pen.path(outlined, { stroke: colors.forecast, alpha: edge });
  }
}

const MOST_DOTS = { discs: 200, rings: 2000 }; // with more discs or rings than these, a picture would be full of them

function drawDots({ pen, range, to, colors }: Canvas, { points, hue, radius, isRing }: TraceOf<'dots'>): void {
  const { stroke } = inkOf(hue, colors);
  const { times, values } = points;
  const [first, end] = [indexFrom(times, range.min), endOf(times, range)];
  if (!isRing && end - first > MOST_DOTS.discs) return;
  pen.path(
    (outline) => {
      for (let index = Math.max(first, end - MOST_DOTS.rings); index < end; index++)
        if (Number.isFinite(values[index])) outline.circle(to.x(times[index]!), to.y(values[index]!), radius);
    },
    isRing ? { stroke, width: 2 } : { fill: stroke },
  );
}

function drawFading({ pen, box, to, colors }: Canvas, { from }: TraceOf<'fade'>): void {
  const left = Math.max(box.left, to.x(from));
  const width = box.left + box.width - left;
  if (width <= 0) return;
  drawBoxes(pen, [{ ...box, left, width }], { fill: colors.background, alpha: 0.5 });
  const words = l10n.t('beyond the range that the history supports');
  const spot = { x: left + 6, y: box.top + 4 + colors.fontSize };
  if (pen.widthOf(words) <= width - 8) pen.text(words, spot, { color: colors.muted });
}
