import { type Box, axesOf, projection } from '../../chart/axes.ts';
import { axisLabels } from '../../chart/format.ts';
import { type Frame, type Range, indexFrom, valueRange } from '../../chart/frame.ts';
import { placeLabels } from '../../chart/labels.ts';
import { valueTicks } from '../../chart/ticks.ts';
import { type Pen, textPen, traceLine } from '../../chart/trace.ts';
import type { Points } from '../../chart/types.ts';

/** A line of a small chart; its look is a class of the style sheet. */
export interface SmallLine {
  readonly points: Points;
  readonly look: 'history' | 'forecast' | 'naive' | 'part' | 'actual';
  /** Broken between points further apart than this. */
  readonly gap?: number;
}

/** What a small chart shows. */
export interface SmallChart {
  /** What it shows, for who does not see it. */
  readonly label: string;
  readonly height: number;
  readonly range: Range;
  readonly lines: readonly SmallLine[];
  readonly areas?: readonly {
    readonly times: Float64Array;
    readonly lower: Float64Array;
    readonly upper: Float64Array;
  }[];
  /** Where dashed lines stand. */
  readonly rules?: readonly number[];
  readonly isZeroShown?: boolean;
  /** Labels of the axis below; those of the frame’s times where absent. */
  readonly ticks?: readonly { readonly at: number; readonly label: string }[];
  /** Without labels below, where another chart on the same axis has them. */
  readonly isBare?: boolean;
}

const FONT = 11;
/** Mean width of a character, in ems. */
const CHARACTER = 0.58;
const LEFT = 56;
const RIGHT = 12;
const widthOf = (text: string) => text.length * CHARACTER * FONT;

/** Draws a small chart as SVG, which follows the theme by its classes. @param width in CSS pixels */
export function smallChart(frame: Frame, chart: SmallChart, width: number): SVGElement {
  const { height, range, lines, areas = [], rules = [], isBare = false, isZeroShown = false } = chart;
  const values = fitted(chart);
  const bottom = isBare ? 6 : 34;
  const box: Box = { left: LEFT, top: 6, width: Math.max(60, width - LEFT - RIGHT), height: height - 6 - bottom };
  const to = projection(range, values, box);
  const base = box.top + box.height;
  const right = box.left + box.width;
  const grid = valueTicks(values.min, values.max, Math.max(2, Math.floor(box.height / 32)));
  const names = axisLabels(grid);
  const parts: SVGElement[] = [
    ...grid.flatMap((value, index) => [
      node('line', { x1: box.left, x2: right, y1: to.y(value), y2: to.y(value), class: 'grid' }),
      words(names[index]!, box.left - 6, to.y(value) + 4, 'end'),
    ]),
    ...(isZeroShown && values.min < 0 && values.max > 0
      ? [node('line', { x1: box.left, x2: right, y1: to.y(0), y2: to.y(0), class: 'axis' })]
      : []),
    ...areas.map((area) => node('path', { d: outline(area, to), class: 'area' })),
    ...rules.map((time) => node('line', { x1: to.x(time), x2: to.x(time), y1: box.top, y2: base, class: 'rule' })),
    ...lines.map(({ points, look, gap = Infinity }) =>
      node('path', {
        d: written((pen) => {
          traceLine(pen, points, range, gap, to);
        }),
        class: `line ${look}`,
      }),
    ),
  ];
  if (!isBare) parts.push(...below(frame, chart, to, box));
  const svg = node('svg', {
    viewBox: `0 0 ${String(width)} ${String(height)}`,
    width,
    height,
    class: 'small-chart',
    role: 'img',
    'aria-label': chart.label,
  });
  svg.append(...parts);
  return svg;
}

function below(frame: Frame, { range, ticks }: SmallChart, to: ReturnType<typeof projection>, box: Box): SVGElement[] {
  const base = box.top + box.height;
  const marks = ticks
    ? ticks.map(({ at, label }) => ({ at: to.x(at), label }))
    : axesOf(frame, range, { min: 0, max: 1 }, box.width, box.height).times.map(({ time, ...rest }) => ({
        at: to.x(time),
        ...rest,
      }));
  return [
    node('line', { x1: box.left, x2: box.left + box.width, y1: base, y2: base, class: 'axis' }),
    ...placeLabels(marks, widthOf, 0, box.left + box.width + RIGHT).flatMap(({ at, label, context }) => [
      words(label, at, base + 14, 'middle'),
      ...(context === undefined ? [] : [words(context, at, base + 28, 'middle')]),
    ]),
  ];
}

/** The value axis for what is in the range. */
function fitted({ lines, areas = [], range, isZeroShown }: SmallChart): Range {
  let low = isZeroShown ? 0 : Infinity;
  let high = isZeroShown ? 0 : -Infinity;
  const scan = (times: Float64Array, values: Float64Array) => {
    const end = Math.min(times.length, indexFrom(times, range.max) + 1);
    for (let index = indexFrom(times, range.min); index < end; index++) {
      const value = values[index]!;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  };
  for (const { points } of lines) scan(points.times, points.values);
  for (const { times, lower, upper } of areas) {
    scan(times, lower);
    scan(times, upper);
  }
  return valueRange(low <= high ? { min: low, max: high } : undefined);
}

function outline(
  { times, lower, upper }: NonNullable<SmallChart['areas']>[number],
  to: ReturnType<typeof projection>,
): string {
  return written((pen) => {
    times.forEach((time, index) => {
      if (index === 0) pen.moveTo(to.x(time), to.y(upper[index]!));
      else pen.lineTo(to.x(time), to.y(upper[index]!));
    });
    for (let index = times.length - 1; index >= 0; index--) pen.lineTo(to.x(times[index]!), to.y(lower[index]!));
  });
}

function written(draw: (pen: Pen) => void): string {
  const pen = textPen();
  draw(pen);
  return pen.written();
}

function words(content: string, x: number, y: number, anchor: string): SVGElement {
  const text = node('text', { x, y, 'text-anchor': anchor });
  text.textContent = content;
  return text;
}

function node(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, typeof value === 'number' ? String(Number(value.toFixed(1))) : value);
  }
  return element;
}
