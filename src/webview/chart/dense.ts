import { clipped } from './canvas-pen.ts';
import type { Box } from '../../chart/axes.ts';
import { type Range, indexFrom } from '../../chart/frame.ts';
import { Pyramid } from '../../chart/pyramid.ts';
import { DENSE, type Projection } from '../../chart/trace.ts';
import type { Points } from '../../chart/types.ts';

/** Fewer points are drawn one by one, whatever part of them is seen. */
const MANY = 5000;

/** The extremes of a long series, from which any part of it is drawn. */
export interface Dense {
  /** Those to draw a part from; `undefined` where it has few points, or they are not computed yet. */
  of(range: Range, box: Box): Pyramid | undefined;
  known(): Pyramid | undefined;
  end(): void;
}

/** Computes the extremes of a series while the page does nothing else. @param onWhole once they are there */
export function createDense(points: Points, onWhole: () => void): Dense {
  const { times } = points;
  const pyramid = times.length > MANY ? new Pyramid(points) : undefined;
  let waiting: number | undefined;
  const grow = () => {
    pyramid?.grow();
    if (pyramid?.isWhole) onWhole();
    else waiting = window.setTimeout(grow);
  };
  if (pyramid) waiting = window.setTimeout(grow);
  const known = () => (pyramid?.isWhole ? pyramid : undefined);
  return {
    known,
    of({ min, max }, { width }) {
      return indexFrom(times, max) - indexFrom(times, min) > DENSE * width ? known() : undefined;
    },
    end() {
      window.clearTimeout(waiting);
    },
  };
}

/** Draws a part of a long series: a bar for each column of pixels, which costs far less than a line through its extremes. */
export function paintDense(
  context: CanvasRenderingContext2D,
  pyramid: Pyramid,
  range: Range,
  gap: number,
  to: Projection,
  box: Box,
  color: string,
  width: number,
): void {
  const bar = Math.max(1, Math.round(width));
  const before = Math.floor((bar - 1) / 2);
  const lines = new Path2D();
  clipped(context, box, () => {
    context.fillStyle = context.strokeStyle = color;
    context.lineWidth = width;
    pyramid.trace(range, gap, to, {
      column: (x, low, high) => {
        context.fillRect(x - before, high - width / 2, bar, low - high + width);
      },
      line: (fromX, fromY, toX, toY) => {
        lines.moveTo(fromX, fromY);
        lines.lineTo(toX, toY);
      },
    });
    context.stroke(lines);
  });
}
