import { useMemo, useRef } from 'preact/hooks';
import type { Frame, Range } from '../../chart/frame.ts';
import { seriesTraces } from '../../chart/trace.ts';
import { Drawing } from '../shared/drawing.tsx';
import { pan, same, within } from './view.ts';

interface OverviewProps {
  readonly frame: Frame;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

/**
 * The strip below the chart: the whole series, with the visible part marked. Dragging the marked part moves it, dragging its
 * edges zooms, a click elsewhere brings it there.
 */
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
