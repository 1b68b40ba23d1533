import type { Box } from '../../chart/axes.ts';
import { DOT_RADIUS, type Pen } from '../../chart/trace.ts';

/** A pen that draws on a canvas path. `ratio` is device pixels per CSS pixel. */
export function canvasPen(path: Path2D, ratio: number): Pen {
  const radius = DOT_RADIUS * ratio;
  return {
    moveTo: (x, y) => {
      path.moveTo(x, y);
    },
    lineTo: (x, y) => {
      path.lineTo(x, y);
    },
    dot: (x, y) => {
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 2 * Math.PI);
    },
  };
}

/** Draws within a box of a canvas only; lines have no dashes of what was drawn before. */
export function clipped(context: CanvasRenderingContext2D, { left, top, width, height }: Box, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.setLineDash([]);
  draw();
  context.restore();
}
