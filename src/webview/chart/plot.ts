import uPlot from 'uplot';
import { type Decoration, PLAIN } from '../../chart/decoration.ts';
import { paintDecoration } from './paint-decoration.ts';
import type { Colors } from '../../chart/print.ts';
import { type Frame, type Range, aligned, extent, valueRange } from '../../chart/frame.ts';
import { type Axes, type Box, axesOf, projection } from '../../chart/axes.ts';
import { paintAxes, paintFading, paintForecast } from './paint.ts';
import { canvasPen } from './canvas-pen.ts';
import { type Dense, paintDense } from './dense.ts';
import { joined, traceLine } from '../../chart/trace.ts';

/** What the plot tells its owner. */
export interface PlotEvents {
  /** The person chose a part of the time axis by dragging. */
  readonly onRange: (range: Range) => void;
  /** Double click. */
  readonly onReset: () => void;
  /** Wheel: `zoom` above 1 shows more; `shift` is a share of the visible part. Both around a moment. */
  readonly onWheel: (wheel: { zoom: number; shift: number; around: number }) => void;
  /** The cursor is at a row of the frame's times, or gone. */
  readonly onCursor: (row: number | undefined) => void;
}

/** The large drawing. */
export interface Plot {
  /** Shows a part of the time axis, with the value axis fitted to it. */
  show(range: Range, hiddenBands: readonly number[]): void;
  /** Lays other lines and rings over it. */
  decorate(decoration: Decoration): void;
  /** Moves the cursor to a row of the frame's times, or takes it away. */
  setCursor(row: number | undefined): void;
  /** Draws again with the theme's colours of now. */
  redraw(): void;
  /** Fits the size of the host. */
  resize(): void;
  destroy(): void;
}

/** Width of the line of the history, in CSS pixels. */
const HISTORY = 1.5;
const MARGIN = { top: 8, right: 16, labels: 16 };

/** Draws a frame into a host element with uPlot, which gives the canvas, the cursor and the selection by dragging. */
export function createPlot(
  host: HTMLElement,
  frame: Frame,
  initial: {
    readonly range: Range;
    readonly hiddenBands: readonly number[];
    readonly colors: () => Colors;
    readonly dense: Dense;
  },
  { onRange, onReset, onWheel, onCursor }: PlotEvents,
): Plot {
  const { colors, dense } = initial;
  let { range, hiddenBands } = initial;
  let decoration = PLAIN;
  const fitted = () => {
    const lines = decoration.lines.map(({ line }) => line);
    return valueRange(extent(frame, range, hiddenBands, lines, dense.known()));
  };
  let values = fitted();
  let axes: Axes = { times: [], values: [] };
  const forecastLine = joined(frame);
  const measure = document.createElement('canvas').getContext('2d')!;

  const size = () => ({ width: Math.max(host.clientWidth, 120), height: Math.max(host.clientHeight, 120) });

  /** Chooses the labels for the size and range of now. Gives the room they need, as uPlot's padding. */
  function layOut(): [top: number, right: number, bottom: number, left: number] {
    const { fontSize, fontFamily } = colors();
    const { width, height } = size();
    axes = axesOf(frame, range, values, width - 60, height - 50);
    measure.font = `${String(fontSize)}px ${fontFamily}`;
    const widest = Math.max(0, ...axes.values.map(({ label }) => measure.measureText(label).width));
    const lines = axes.times.some(({ context }) => context !== undefined) ? 2 : 1;
    return [
      MARGIN.top,
      MARGIN.right,
      Math.ceil(fontSize * 1.3 * lines) + MARGIN.labels,
      Math.ceil(widest) + MARGIN.labels,
    ];
  }

  let padding = layOut();
  const box = ({ bbox }: uPlot): Box => bbox;
  const line = (source: typeof forecastLine, gap: number) => (u: uPlot) => {
    const stroke = new Path2D();
    if (source) {
      traceLine(canvasPen(stroke, uPlot.pxRatio), source, range, gap, projection(range, values, box(u)));
    }
    return { stroke, fill: null, clip: null, flags: 0 };
  };
  const observed = line(frame.history, frame.gap);
  const series = (
    stroke: () => string,
    paths: uPlot.Series.PathBuilder,
    rest: Partial<uPlot.Series>,
  ): uPlot.Series => ({
    scale: 'y',
    auto: false,
    stroke,
    paths,
    cap: 'round',
    points: { size: 4, space: 14, fill: stroke },
    ...rest,
  });

  const options: uPlot.Options = {
    ...size(),
    ms: 1,
    legend: { show: false },
    padding: [() => padding[0], () => padding[1], () => padding[2], () => padding[3]],
    scales: {
      x: { time: false, range: () => [range.min, range.max] },
      y: { range: () => [values.min, values.max] },
    },
    axes: [{ show: false }, { show: false }],
    series: [
      {},
      series(
        () => colors().history,
        (u) => (dense.of(range, box(u)) ? null : observed(u)),
        { width: HISTORY },
      ),
      series(() => colors().forecast, line(forecastLine, Infinity), {
        width: 2,
      }),
    ],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false, dist: 5 },
      dataIdx: (u, seriesIndex, row) => (Number.isFinite(u.data[seriesIndex]?.[row]) ? row : null),
      move: (u, left, top) => [left < 0 ? left : u.valToPos(frame.times[u.posToIdx(left)]!, 'x'), top],
      points: { size: 8, width: 1.5, stroke: () => colors().background },
      bind: {
        dblclick: () => () => {
          onReset();
          return null;
        },
      },
    },
    hooks: {
      drawAxes: [
        (u) => {
          const to = projection(range, values, box(u));
          paintAxes(u.ctx, axes, to, box(u), colors(), uPlot.pxRatio);
          paintForecast(u.ctx, frame, range, hiddenBands, to, box(u), colors(), uPlot.pxRatio);
          const many = dense.of(range, box(u));
          if (many) paintDense(u.ctx, many, range, frame.gap, to, box(u), colors().history, HISTORY * uPlot.pxRatio);
        },
      ],
      draw: [
        (u) => {
          const to = projection(range, values, box(u));
          paintFading(u.ctx, frame, to, box(u), colors(), uPlot.pxRatio);
          paintDecoration(u.ctx, decoration, range, to, box(u), colors(), uPlot.pxRatio);
        },
      ],
      setSelect: [
        (u) => {
          const { left, width } = u.select;
          if (width === 0) return;
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onRange({ min: u.posToVal(left, 'x'), max: u.posToVal(left + width, 'x') });
        },
      ],
      setCursor: [
        (u) => {
          const { left = -1, idx } = u.cursor;
          onCursor(left < 0 || idx === null ? undefined : idx);
        },
      ],
    },
  };

  const data = [frame.times, aligned(frame.history, frame.times), aligned(frame.forecast, frame.times)];
  const plot = new uPlot(options, data, host);

  plot.over.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const around = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x');
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      const along = Math.abs(sideways) > 0 && (event.shiftKey || Math.abs(sideways) > Math.abs(event.deltaY));
      const shift = along ? (sideways * lines) / plot.over.clientWidth : 0;
      onWheel({
        zoom: along ? 1 : Math.exp(Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.0025),
        shift,
        around,
      });
    },
    { passive: false },
  );

  function fit() {
    values = fitted();
    padding = layOut();
    plot.batch(() => {
      plot.setScale('x', range);
      plot.setScale('y', values);
      plot.redraw();
    });
  }

  return {
    show(nextRange, nextHidden) {
      range = nextRange;
      hiddenBands = nextHidden;
      fit();
    },
    decorate(next) {
      decoration = next;
      fit();
    },
    setCursor(row) {
      if (row === undefined) {
        plot.setCursor({ left: -10, top: -10 });
        return;
      }
      const value = [plot.data[1]![row], plot.data[2]![row]].find(Number.isFinite) ?? (values.min + values.max) / 2;
      plot.setCursor({ left: plot.valToPos(frame.times[row]!, 'x'), top: plot.valToPos(value, 'y') });
    },
    redraw() {
      padding = layOut();
      plot.redraw(false, true);
    },
    resize() {
      padding = layOut();
      // at once, so that the cursor can be put back where it was
      plot.batch(() => {
        plot.setSize(size());
      });
    },
    destroy() {
      plot.destroy();
    },
  };
}
