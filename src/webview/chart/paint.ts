import { type Axes, type Box, beyondHistory } from '../../chart/axes.ts';
import { type Frame, type Range, shownBands } from '../../chart/frame.ts';
import { placeLabels } from '../../chart/labels.ts';
import { BAND_ALPHA, type Colors, FADED } from '../../chart/print.ts';
import { type Projection, bandPieces, traceOutline } from '../../chart/trace.ts';
import { canvasPen, clipped } from './canvas-pen.ts';

/** Draws grid and labels onto a canvas. `ratio` is device pixels per CSS pixel. */
export function paintAxes(
  context: CanvasRenderingContext2D,
  axes: Axes,
  to: Projection,
  box: Box,
  colors: Colors,
  ratio: number,
): void {
  const line = (fromX: number, fromY: number, toX: number, toY: number) => {
    context.moveTo(Math.round(fromX) + 0.5, Math.round(fromY) + 0.5);
    context.lineTo(Math.round(toX) + 0.5, Math.round(toY) + 0.5);
  };
  const bottom = box.top + box.height;
  context.save();
  context.setLineDash([]); // the plot’s own dashes of the forecast may still be set
  context.lineWidth = Math.max(1, Math.floor(ratio));
  context.strokeStyle = colors.text;
  context.globalAlpha = colors.contrast ? 0.3 : 0.1;
  context.beginPath();
  for (const { value } of axes.values) line(box.left, to.y(value), box.left + box.width, to.y(value));
  context.stroke();
  context.globalAlpha = colors.contrast ? 0.8 : 0.3;
  context.beginPath();
  for (const { time } of axes.times) line(to.x(time), bottom, to.x(time), bottom + 5 * ratio);
  line(box.left, bottom, box.left + box.width, bottom);
  context.stroke();

  context.globalAlpha = 1;
  context.fillStyle = colors.muted;
  context.font = `${String(colors.fontSize * ratio)}px ${colors.fontFamily}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { value, label } of axes.values) context.fillText(label, box.left - 8 * ratio, to.y(value));
  context.textBaseline = 'top';
  context.textAlign = 'center';
  const ticks = axes.times.map(({ time, ...rest }) => ({ at: to.x(time), ...rest }));
  const widthOf = (text: string) => context.measureText(text).width;
  for (const { at, label, context: second } of placeLabels(ticks, widthOf, 0, context.canvas.width, 8 * ratio)) {
    context.fillText(label, at, bottom + 8 * ratio);
    if (second !== undefined) context.fillText(second, at, bottom + (8 + colors.fontSize * 1.3) * ratio);
  }
  context.restore();
}

/** Draws the bands, widest first, and the line where the forecast begins. */
export function paintForecast(
  context: CanvasRenderingContext2D,
  frame: Frame,
  range: Range,
  hiddenBands: readonly number[],
  to: Projection,
  box: Box,
  colors: Colors,
  ratio: number,
): void {
  clipped(context, box, () => {
    context.fillStyle = context.strokeStyle = colors.forecast;
    context.lineWidth = ratio;
    for (const band of shownBands(frame.forecast, hiddenBands)) {
      for (const piece of bandPieces(frame, frame.forecast!, band)) {
        const outline = new Path2D();
        traceOutline(canvasPen(outline, ratio), piece, range, to);
        context.globalAlpha = BAND_ALPHA;
        context.fill(outline);
        // a single step has no area
        context.globalAlpha = colors.contrast ? 0.6 : piece.times.length === 1 ? 3 * BAND_ALPHA : 0;
        if (context.globalAlpha > 0) context.stroke(outline);
      }
    }
    if (frame.divide !== undefined) {
      const x = Math.round(to.x(frame.divide)) + 0.5;
      context.globalAlpha = colors.contrast ? 1 : 0.55;
      context.strokeStyle = colors.muted;
      context.setLineDash([3 * ratio, 3 * ratio]);
      context.beginPath();
      context.moveTo(x, box.top);
      context.lineTo(x, box.top + box.height);
      context.stroke();
    }
  });
}

/** Steps in which the forecast fades. */
const FADING = 15;

/** Covers what lies beyond what the history supports, more and more, and says so. */
export function paintFading(
  context: CanvasRenderingContext2D,
  { supportedUntil, forecast }: Frame,
  to: Projection,
  { left, top, width, height }: Box,
  colors: Colors,
  ratio: number,
): void {
  const end = forecast?.times.at(-1);
  if (supportedUntil === undefined || end === undefined) return;
  const right = left + width;
  const from = to.x(supportedUntil);
  const x = Math.max(left, from);
  if (x >= right) return;
  context.save();
  context.fillStyle = colors.background;
  const step = Math.max(1, Math.ceil((to.x(end) - from) * 0.01));
  for (let strip = 0; strip <= FADING; strip++) {
    const start = Math.max(x, from + strip * step);
    const stop = Math.min(right, strip === FADING ? right : from + (strip + 1) * step);
    if (stop <= start) continue;
    context.globalAlpha = (FADED * strip) / FADING;
    context.fillRect(Math.round(start), top, Math.round(stop) - Math.round(start), height);
  }
  context.globalAlpha = 1;
  context.fillStyle = colors.muted;
  context.font = `${String(colors.fontSize * ratio)}px ${colors.fontFamily}`;
  context.textBaseline = 'top';
  const words = beyondHistory();
  const room = right - x - 8 * ratio;
  if (context.measureText(words).width <= room) context.fillText(words, x + 6 * ratio, top + 4 * ratio);
  context.restore();
}
