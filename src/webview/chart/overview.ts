import type { Colors } from '../../chart/print.ts';
import { h } from '../shared/dom.ts';
import { type Frame, type Range, extent, valueRange } from '../../chart/frame.ts';
import { projection } from '../../chart/axes.ts';
import { canvasPen } from './canvas-pen.ts';
import { type Dense, paintDense } from './dense.ts';
import { joined, traceLine } from '../../chart/trace.ts';
import type { Bounds } from '../../chart/bounds.ts';
import { pan, same, within } from './view.ts';

/** The strip below the chart: the whole series, with the visible part marked. */
export interface Overview {
  readonly element: HTMLElement;
  show(range: Range): void;
  redraw(): void;
}

type Grip = 'start' | 'end' | 'window';

/** Makes the strip. Dragging the marked part moves it, dragging its edges zooms, a click elsewhere brings it there. */
export function createOverview(
  frame: Frame,
  bounds: Bounds,
  colors: () => Colors,
  dense: Dense,
  onRange: (range: Range) => void,
): Overview {
  const { whole } = bounds;
  const canvas = h('canvas');
  const start = h('div.grip.start');
  const end = h('div.grip.end');
  const marked = h('div.window', {}, start, end);
  const element = h('div.overview', { attributes: { 'aria-hidden': 'true' } }, canvas, marked);
  let range = whole;
  let drag: { grip: Grip; time: number; range: Range } | undefined;

  const timeAt = (event: PointerEvent) => {
    const { left, width } = element.getBoundingClientRect();
    return whole.min + ((event.clientX - left) / width) * (whole.max - whole.min);
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    const time = timeAt(event);
    const grip: Grip = event.target === start ? 'start' : event.target === end ? 'end' : 'window';
    if (grip === 'window' && event.target !== marked) onRange(pan(range, time - (range.min + range.max) / 2, bounds));
    drag = { grip, time, range };
  });
  element.addEventListener('pointermove', (event) => {
    if (!drag) return;
    const by = timeAt(event) - drag.time;
    const { min, max } = drag.range;
    if (drag.grip === 'window') onRange(pan(drag.range, by, bounds));
    else if (drag.grip === 'start') onRange(within({ min: Math.min(min + by, max - bounds.shortest), max }, bounds));
    else onRange(within({ min, max: Math.max(max + by, min + bounds.shortest) }, bounds));
  });
  const release = () => {
    drag = undefined;
  };
  element.addEventListener('pointerup', release);
  element.addEventListener('pointercancel', release);

  function redraw() {
    const ratio = devicePixelRatio;
    const width = (canvas.width = Math.round(element.clientWidth * ratio));
    const height = (canvas.height = Math.round(element.clientHeight * ratio));
    const context = canvas.getContext('2d');
    if (!context || width === 0 || height === 0) return;
    const levels = frame.forecast?.bands.map(({ level }) => level) ?? [];
    const values = valueRange(extent(frame, whole, levels, [], dense.known()));
    const box = { left: 0, top: 3 * ratio, width, height: height - 6 * ratio };
    const to = projection(whole, values, box);
    context.lineWidth = ratio;
    context.lineCap = 'round';
    const { history, forecast } = colors();
    const many = dense.of(whole, box);
    if (many) paintDense(context, many, whole, frame.gap, to, box, history, ratio);
    for (const [points, color, gap] of [
      [many ? undefined : frame.history, history, frame.gap],
      [joined(frame), forecast, Infinity],
    ] as const) {
      if (!points) continue;
      const path = new Path2D();
      traceLine(canvasPen(path, ratio), points, whole, gap, to);
      context.strokeStyle = color;
      context.stroke(path);
    }
  }

  return {
    element,
    redraw,
    show(next) {
      range = next;
      marked.classList.toggle('whole', same(range, whole));
      const share = (time: number) => ((time - whole.min) / (whole.max - whole.min)) * 100;
      marked.style.left = `${String(share(range.min))}%`;
      marked.style.right = `${String(100 - share(range.max))}%`;
    },
  };
}
