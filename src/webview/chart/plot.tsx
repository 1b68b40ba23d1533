import type { HTMLAttributes } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type Frame, type Range, nearest, valueAt } from '../../chart/frame.ts';
import type { Layout, Scene } from '../../chart/scene.ts';
import { type Trace } from '../../chart/trace.ts';
import type { Points } from '../../chart/types.ts';
import { Drawing } from '../shared/drawing.tsx';

interface PlotProps {
  readonly frame: Frame;
  readonly scene: Scene;
  /** The row of the frame's times at which the cursor is. */
  readonly cursor: number | undefined;
  readonly attributes: HTMLAttributes<HTMLDivElement>;
  /** The person chose a part of the time axis by dragging. */
  readonly onRange: (range: Range) => void;
  readonly onReset: () => void;
  /** Wheel: `zoom` above 1 shows more; `shift` is a share of the visible part. Both around a moment. */
  readonly onTurn: (wheel: { zoom: number; shift: number; around: number }) => void;
  /** The mouse is at a row of the frame's times, or gone. */
  readonly onCursor: (row: number | undefined) => void;
}

/** From how far on a press that moves is a drag, in pixels. */
const DRAG = 5;

/** The large drawing, with its cursor and the selection by dragging. */
export function Plot({ frame, scene, cursor, attributes, onRange, onReset, onTurn, onCursor }: PlotProps) {
  const surface = useRef<HTMLDivElement>(null);
  const layout = useRef<Layout | undefined>(undefined);
  const drag = useRef<number | undefined>(undefined);
  const [selected, select] = useState<Range>();
  const { range } = scene;

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
    if (selected) onRange(selected);
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    onTurn(turnOf(event, layout.current?.box.width ?? 1, timeAt(event.clientX)));
  };
  const over: Trace[] = cursor === undefined ? [] : cursorTraces(frame, cursor);
  if (selected) over.push({ kind: 'span', ...selected });
  return (
    <div
      ref={surface}
      class="plot"
      {...attributes}
      {...{ onPointerMove, onPointerDown, onPointerUp, onPointerCancel, onWheel }}
      onPointerLeave={() => onCursor(undefined)}
      onDblClick={onReset}
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

/** What a wheel does: zoom, or to the side or with Shift a move. @param width of what is seen, in pixels */
function turnOf({ deltaX, deltaY, deltaMode, shiftKey }: WheelEvent, width: number, around: number) {
  const lines = deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
  const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX;
  const isAlong = Math.abs(sideways) > 0 && (shiftKey || Math.abs(sideways) > Math.abs(deltaY));
  if (isAlong) return { zoom: 1, shift: (sideways * lines) / width, around };
  return { zoom: Math.exp(Math.max(-200, Math.min(200, deltaY * lines)) * 0.0025), shift: 0, around };
}

/** A line at a moment, and a disc on each line of the frame that has a value there. */
function cursorTraces({ times, history, forecast }: Frame, row: number): Trace[] {
  const time = times[row]!;
  const disc = (of: Points | undefined, hue: 'history' | 'forecast'): Trace => {
    const values = Float64Array.of(of ? valueAt(of, time) : NaN);
    return { kind: 'dots', points: { times: Float64Array.of(time), values }, hue, radius: 4 };
  };
  return [{ kind: 'rule', at: time }, disc(history, 'history'), disc(forecast, 'forecast')];
}
