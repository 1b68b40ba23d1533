import type { HTMLAttributes } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type Bounds, type Frame, nearest, type Range, valueAt } from '../../chart/frame.ts';
import type { Layout, Scene } from '../../chart/scene.ts';
import { seriesTraces, type Trace } from '../../chart/trace.ts';
import type { Points } from '../../chart/types.ts';
import { Drawing } from '../shared/drawing.tsx';
import { pan, same, within, zoom } from './view.ts';

interface PlotProps {
  readonly frame: Frame;
  readonly scene: Scene;
  /** A row of the frame's times, at which the cursor is or the mouse puts it. */
  readonly cursor: number | undefined;
  readonly onCursor: (row: number | undefined) => void;
  readonly onRange: (range: Range) => void;
  readonly attributes: HTMLAttributes<HTMLDivElement>;
}

const DRAG = 5;

/** The large drawing: a drag selects a part of its time, a wheel zooms, to the side or with Shift it moves. */
export function Plot({ frame, scene, cursor, attributes, onRange, onCursor }: PlotProps) {
  const surface = useRef<HTMLDivElement>(null);
  const layout = useRef<Layout>(undefined);
  const drag = useRef<number>(undefined);
  const [selected, select] = useState<Range>();
  const { range } = scene;
  const { bounds } = frame;

  const timeAt = (clientX: number) => {
    const { left, width } = layout.current?.box ?? { left: 0, width: 1 };
    const x = clientX - surface.current!.getBoundingClientRect().left - left;
    return range.min + Math.max(0, Math.min(1, x / width)) * (range.max - range.min);
  };
  const onPointerMove = (event: PointerEvent) => {
    const row = nearest(frame.times, timeAt(event.clientX));
    onCursor(row < 0 ? undefined : row);
    const { current: from } = drag;
    if (from === undefined || (!selected && Math.abs(event.clientX - from) < DRAG)) return;
    const [a, b] = [timeAt(event.clientX), timeAt(from)];
    select({ min: Math.min(a, b), max: Math.max(a, b) });
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    drag.current = event.clientX;
    surface.current!.setPointerCapture(event.pointerId);
  };
  const onPointerCancel = () => {
    drag.current = undefined;
    select(undefined);
  };
  const onPointerUp = () => {
    onPointerCancel();
    if (selected) onRange(within(selected, bounds));
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    onRange(afterWheel(event, range, { bounds, width: layout.current?.box.width ?? 1, around: timeAt(event.clientX) }));
  };
  const over = cursor === undefined ? [] : cursorTraces(frame, cursor);
  if (selected) over.push({ kind: 'span', ...selected });
  return (
    <div
      ref={surface}
      class="plot"
      {...attributes}
      {...{ onPointerMove, onPointerDown, onPointerUp, onPointerCancel, onWheel }}
      onPointerLeave={() => onCursor(undefined)}
    >
      <Drawing
        scene={{ ...scene, over }}
        onDrawn={(drawn) => {
          layout.current = drawn;
        }}
      />
    </div>
  );
}

/** The range that a wheel leads to. @param width of what is seen, in pixels */
function afterWheel(
  event: WheelEvent,
  range: Range,
  { bounds, width, around }: { bounds: Bounds; width: number; around: number },
) {
  const { deltaX, deltaY, deltaMode, shiftKey } = event;
  const lines = deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
  const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX;
  if (Math.abs(sideways) > 0 && (shiftKey || Math.abs(sideways) > Math.abs(deltaY)))
    return pan(range, ((sideways * lines) / width) * (range.max - range.min), bounds);
  return zoom(range, Math.exp(Math.max(-200, Math.min(200, deltaY * lines)) * 0.0025), around, bounds);
}

function cursorTraces({ times, history, forecast }: Frame, row: number): Trace[] {
  const time = times[row]!;
  const disc = (of: Points, hue: 'history' | 'forecast'): Trace => {
    const values = Float64Array.of(valueAt(of, time));
    return { kind: 'dots', points: { times: Float64Array.of(time), values }, hue, radius: 4 };
  };
  return [{ kind: 'rule', at: time }, disc(history, 'history'), ...(forecast ? [disc(forecast, 'forecast')] : [])];
}

type OverviewProps = Pick<PlotProps, 'frame' | 'onRange'> & Pick<Scene, 'range'>;

/** The whole series. Dragging the visible part moves it, dragging its edges zooms, a click elsewhere brings it there. */
export function Overview({ frame, range, onRange }: OverviewProps) {
  const { bounds } = frame;
  const { whole, shortest } = bounds;
  const strip = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly grip: string; readonly time: number; readonly range: Range } | undefined>(undefined);
  const drawing = useMemo(() => {
    const traces = seriesTraces({ ...frame, widths: [1, 1] });
    return <Drawing scene={{ traces, range: whole }} margin={[0, 3]} />;
  }, [frame]);
  const timeAt = (event: PointerEvent) => {
    const { left, width } = strip.current!.getBoundingClientRect();
    return whole.min + ((event.clientX - left) / width) * (whole.max - whole.min);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    strip.current!.setPointerCapture(event.pointerId);
    const time = timeAt(event);
    const { grip = '' } = (event.target as HTMLElement).dataset;
    const moved = grip === '' ? pan(range, time - (range.min + range.max) / 2, bounds) : range;
    if (grip === '') onRange(moved);
    drag.current = { grip, time, range: moved };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!drag.current) return;
    const { grip, time, range: before } = drag.current;
    const { min, max } = before;
    const by = timeAt(event) - time;
    if (grip === 'start') onRange(within({ min: Math.min(min + by, max - shortest), max }, bounds));
    else if (grip === 'end') onRange(within({ min, max: Math.max(max + by, min + shortest) }, bounds));
    else onRange(pan(before, by, bounds));
  };
  const release = () => {
    drag.current = undefined;
  };
  const share = (time: number) => `${String(((time - whole.min) / (whole.max - whole.min)) * 100)}%`;
  const place = { left: share(range.min), right: share(whole.max + whole.min - range.max) };
  return (
    <div
      ref={strip}
      class="overview"
      aria-hidden="true"
      {...{ onPointerDown, onPointerMove }}
      onPointerUp={release}
      onPointerCancel={release}
    >
      {drawing}
      <div class={same(range, whole) ? 'window whole' : 'window'} data-grip="window" style={place}>
        <div class="grip start" data-grip="start" />
        <div class="grip end" data-grip="end" />
      </div>
    </div>
  );
}
