import type { SeriesRow } from '../../editor/views/many-series/protocol.ts';
import type { Colors } from '../../chart/print.ts';

export const SPARKLINE = { width: 168, height: 26 } as const;
const MARGIN = 2;

type Drawn = readonly (number | null)[];
type Pen = Pick<
  CanvasRenderingContext2D,
  'clearRect' | 'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'stroke' | 'fill' | 'fillStyle' | 'strokeStyle' | 'lineWidth' | 'globalAlpha' | 'setLineDash'
>; // prettier-ignore

/** Draws the end of a series and the fan of its forecast. */
export function drawSparkline(pen: Pen, { past = [], ahead = [], lower, upper }: SeriesRow, colors: Colors): void {
  const { width, height } = SPARKLINE;
  pen.clearRect(0, 0, width, height);
  const all = [past, ahead, lower ?? [], upper ?? []].flat().filter((value) => value !== null);
  if (all.length === 0) return;
  const least = Math.min(...all);
  const span = Math.max(...all) - least || 1;
  const steps = Math.max(1, past.length + ahead.length - 1);
  const x = (step: number) => MARGIN + (step / steps) * (width - 2 * MARGIN);
  const y = (value: number) => height - MARGIN - ((value - least) / span) * (height - 2 * MARGIN);
  const line = (values: Drawn, start: number) => {
    pen.beginPath();
    let isOn = false;
    values.forEach((value, index) => {
      if (value === null) isOn = false;
      else if (isOn) pen.lineTo(x(start + index), y(value));
      else {
        pen.moveTo(x(start + index), y(value));
        isOn = true;
      }
    });
    pen.stroke();
  };
  const start = past.length;
  if (lower && upper) {
    pen.beginPath();
    const edge = (value: number | null | undefined, index: number) => {
      if (value !== null && value !== undefined) pen.lineTo(x(start + index), y(value));
    };
    upper.forEach(edge);
    for (let index = lower.length - 1; index >= 0; index--) edge(lower[index], index);
    pen.closePath();
    pen.fillStyle = pen.strokeStyle = colors.forecast;
    pen.globalAlpha = colors.contrast ? 0.2 : 0.28;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 1;
    if (colors.contrast) pen.stroke();
  }
  pen.lineWidth = 1.2;
  pen.strokeStyle = colors.history;
  line(past, 0);
  pen.lineWidth = 1.6;
  pen.strokeStyle = colors.forecast;
  // from the last observation on, so that no hole is between the two
  const last = past.at(-1) ?? null;
  line(last === null ? ahead : [last, ...ahead], last === null ? start : start - 1);
}
