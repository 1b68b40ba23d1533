import type { Box } from '../../chart/axes.ts';
import { type Decoration, colorOf, dashOf } from '../../chart/decoration.ts';
import { type Range, indexFrom } from '../../chart/frame.ts';
import type { Colors } from '../../chart/print.ts';
import { type Projection, traceLine } from '../../chart/trace.ts';
import type { Points } from '../../chart/types.ts';
import { canvasPen, clipped } from './canvas-pen.ts';

/** Further apart than this many rings, a column of a chart would be full of them. */
const MOST_RINGS = 2000;
const RING = 5;

/** Draws what lies over a chart. `ratio` is device pixels per CSS pixel. */
export function paintDecoration(
  context: CanvasRenderingContext2D,
  { lines, marks }: Decoration,
  range: Range,
  to: Projection,
  box: Box,
  colors: Colors,
  ratio: number,
): void {
  clipped(context, box, () => {
    context.lineWidth = 2 * ratio;
    context.lineJoin = 'round';
    for (const one of lines) {
      const { line, color } = one;
      const path = new Path2D();
      traceLine(canvasPen(path, ratio), line, range, Infinity, to);
      context.strokeStyle = colorOf(one, colors);
      context.setLineDash(color === undefined ? [] : dashOf(color).map((length) => length * ratio));
      context.stroke(path);
      if (color === undefined) dots(context, line, range, to, colors.history, ratio);
    }
    context.setLineDash([]);
    context.strokeStyle = colors.odd;
    const [from, end] = [indexFrom(marks.times, range.min), indexFrom(marks.times, range.max)];
    for (let index = Math.max(from, end - MOST_RINGS); index < end; index++) {
      context.beginPath();
      context.arc(to.x(marks.times[index]!), to.y(marks.values[index]!), RING * ratio, 0, 2 * Math.PI);
      context.stroke();
    }
  });
}

/** Observations after the forecast are few: each is a dot of its own. */
function dots(
  context: CanvasRenderingContext2D,
  { times, values }: Points,
  range: Range,
  to: Projection,
  color: string,
  ratio: number,
): void {
  context.fillStyle = color;
  const [from, end] = [indexFrom(times, range.min), indexFrom(times, range.max)];
  if (end - from > 200) return;
  for (let index = from; index < end; index++) {
    if (!Number.isFinite(values[index])) continue;
    context.beginPath();
    context.arc(to.x(times[index]!), to.y(values[index]!), 3 * ratio, 0, 2 * Math.PI);
    context.fill();
  }
}
