import * as l10n from '@vscode/l10n';
import { useMemo, useRef, useState } from 'preact/hooks';
import { axesOf } from '../../chart/axes.ts';
import type { Bounds, Decoration, Frame, Range, Shown, Trace } from '../../chart/frame.ts';
import {
  indexFrom,
  indexOf,
  levelName,
  nearest,
  PLAIN,
  seriesTraces,
  shownIntervals,
  spread,
  tracesOf,
  valueAt,
} from '../../chart/frame.ts';
import { intervalStrength, type Layout, type Scene } from '../../chart/scene.ts';
import { Button } from '../shared/elements.tsx';
import type { FunctionComponent, HTMLAttributes } from 'preact';
import type { Points } from '../../chart/chart-view.ts';
import { Drawing } from '../shared/drawing.tsx';
import type { Signal } from '@preact/signals';
import type { ChartState, SentIntent } from '../../editor/views/chart/protocol.ts';

const show = ({ shown: { key, frame }, change }: TabContext, range?: Range) =>
  change({ range: range && !same(range, frame.bounds.initial) ? { ...range, of: key } : undefined });

const rowOf = ({ cursor: { value }, shown: { frame } }: TabContext): number | undefined =>
  value && Math.min(value.row, frame.times.length - 1);

export function moveTo(context: TabContext, row: number): void {
  const { shown, view, cursor } = context;
  const { times, bounds } = shown.frame;
  const at = Math.max(0, Math.min(times.length - 1, row));
  const range = seenOf(shown, view.value);
  const moved = including(range, times[at]!, bounds);
  if (!same(moved, range)) show(context, moved);
  cursor.value = { row: at, byKey: true };
}

const CLOSER = 0.6;

const KEY_HELP = l10n.t(
  'Left and right arrow: point by point. Page up and down: ten points. Home, End: first and last point. Plus, minus: zoom. Zero: reset zoom. The Table tab lists all values.',
);

function onKey(context: TabContext, event: KeyboardEvent): void {
  const { shown, view, cursor } = context;
  const { frame } = shown;
  const { times, bounds } = frame;
  const row = rowOf(context);
  const range = seenOf(shown, view.value);
  const by = (steps: number) => () => moveTo(context, row === undefined ? entryOf(frame, range) : row + steps);
  const closer = (factor: number) => () =>
    show(context, zoom(range, factor, row === undefined ? (range.min + range.max) / 2 : times[row]!, bounds));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: by(-1),
    ArrowRight: by(1),
    PageUp: by(-10),
    PageDown: by(10),
    Home: () => moveTo(context, 0),
    End: () => moveTo(context, times.length - 1),
    '+': closer(CLOSER),
    '=': closer(CLOSER),
    '-': closer(1 / CLOSER),
    _: closer(1 / CLOSER),
    0: () => show(context),
    Escape: () => {
      cursor.value = undefined;
    },
  };
  if (!Object.hasOwn(keys, event.key) || times.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key]!();
}

/** Where the keyboard's cursor begins: at the first forecast step if it is in sight, else in the middle. */
function entryOf(frame: Frame, { min, max }: Range): number {
  const first = frame.forecast?.times[0];
  if (first !== undefined && first >= min && first <= max) return indexFrom(frame.times, first);
  return nearest(frame.times, (min + max) / 2);
}

export function ChartTab(context: TabContext) {
  const { decoration, shown, view, cursor } = context;
  const { chart, frame, key } = shown;
  const { bounds, times } = frame;
  const { range: chosen, hiddenIntervals } = view.value;
  const range = seenOf(shown, view.value);
  const what = { frame, hiddenIntervals, decoration };
  const traces = useMemo(() => tracesOf(what), Object.values(what));
  const widths = useMemo(() => widthsOf(what), Object.values(what));
  const row = rowOf(context);
  const now = readout(what, row ?? times.length - 1);
  const onRange = (next?: Range) => show(context, next);
  const onCursor = (at: number | undefined) => {
    if (at !== undefined) cursor.value = { row: at, byKey: false };
    else if (!cursor.value?.byKey) cursor.value = undefined;
  };
  const isWhole = chosen?.of === key || same(bounds.initial, bounds.whole);
  const { title, summary, detail, figures } = chart;
  const attributes = {
    tabIndex: 0,
    role: 'application',
    'aria-roledescription': l10n.t('chart'),
    'aria-label': [title, summary, detail, ...figures.map(({ text }) => text)].filter(Boolean).join('. '),
    'aria-description': KEY_HELP,
    onKeyDown: (event: KeyboardEvent) => onKey(context, event),
    onBlur: () => {
      cursor.value = undefined;
    },
    onDblClick: () => onRange(isWhole ? undefined : bounds.whole),
  } as const;
  const scene = { traces, range, axes: axesOf({ below: frame.time }) };
  return (
    <>
      <Legend {...{ context, now, widths }} isResting={row === undefined} />
      <Plot {...{ frame, scene, attributes, onCursor, onRange }} cursor={row} />
      <Overview {...{ frame, range, onRange }} />
      <div class="sr-only" aria-live="polite">
        {cursor.value?.byKey && spoken(now)}
      </div>
    </>
  );
}

interface Entry {
  readonly kind: 'history' | 'forecast' | 'interval' | 'other' | 'naive';
  readonly color?: number | undefined;
  readonly label: string;
  readonly layers?: number;
}

type LegendProps = Readonly<{ context: TabContext; now: Readout; widths: readonly number[]; isResting: boolean }>;

/** The names of all that is drawn, with their values at the cursor, else at the last moment; these are announced elsewhere. */
function Legend({ context, now, widths, isResting }: LegendProps) {
  const { shown, view, change } = context;
  const { bounds } = shown.frame;
  const { range: chosen, hiddenIntervals: hidden } = view.value;
  const [timeWidth, ...valueWidths] = widths.map((width) => `${String(width)}ch`);
  const toggle = (level: number) =>
    change({ hiddenIntervals: hidden.includes(level) ? hidden.filter((one) => one !== level) : [...hidden, level] });
  const items = now.entries.map(({ level, value, ...entry }, index) => {
    const name = <LegendItem {...entry} />;
    return (
      <span key={index} class="item">
        {level === undefined ? (
          name
        ) : (
          <Button class="tool toggle" aria-pressed={!hidden.includes(level)} run={() => toggle(level)}>
            {name}
          </Button>
        )}
        <span class="value" aria-hidden="true" style={{ minWidth: valueWidths[index] }}>
          {value}
        </span>
      </span>
    );
  });
  const isInterval = (_: unknown, index: number) => now.entries[index]!.level !== undefined;
  const intervals = items.filter(isInterval);
  return (
    <div class={isResting ? 'legend readout resting' : 'legend readout'}>
      <span class="time" aria-hidden="true" style={{ minWidth: timeWidth }}>
        {now.time}
      </span>
      {items.slice(0, items.length - intervals.length)}
      {intervals.length > 0 && (
        <div class="intervals" role="group" aria-label={l10n.t('Prediction intervals')}>
          {intervals}
        </div>
      )}
      <div class="zoom">
        {!same(bounds.whole, bounds.initial) && !same(seenOf(shown, view.value), bounds.whole) && (
          <Button run={() => show(context, bounds.whole)}>{l10n.t('Show All')}</Button>
        )}
        {chosen?.of === shown.key && <Button run={() => show(context)}>{l10n.t('Reset Zoom')}</Button>}
      </div>
    </div>
  );
}

/** All that is drawn, with the values at a row of the frame's times: lines, and the intervals, narrowest first. */
export function readout({ frame, hiddenIntervals = [], decoration = PLAIN }: Shown, row: number) {
  const { times, history, forecast, value, valueLabel } = frame;
  const time = times[row]!;
  const observed = indexOf(history.times, time);
  const ahead = forecast ? indexOf(forecast.times, time) : -1;
  const entries: (Entry & { readonly level?: number; readonly value: string })[] = [];
  const add = (entry: Entry, number: number | undefined, isMissing = false) => {
    const write = entry.kind === 'history' ? value.observed : value.predicted;
    const none = isMissing ? l10n.t('missing') : '';
    entries.push({ ...entry, value: Number.isFinite(number) ? write(number!) : none });
  };
  add({ kind: 'history', label: valueLabel }, history.values[observed], observed >= 0 && ahead < 0);
  if (forecast) add({ kind: 'forecast', label: l10n.t('Forecast') }, forecast.values[ahead], ahead >= 0);
  for (const { label, line, color } of decoration.lines)
    add({ kind: color === undefined ? 'history' : 'other', color, label }, valueAt(line, time));
  const shown = shownIntervals(forecast, hiddenIntervals).map(({ level }) => level);
  for (const { level, lower, upper } of shownIntervals(forecast, []).toReversed()) {
    const layers = shown.indexOf(level) + 1;
    const limits = [lower[ahead], upper[ahead]].filter(Number.isFinite).map((limit) => value.predicted(limit!));
    const written = layers > 0 && limits.length === 2 ? limits.join(' – ') : '';
    entries.push({ kind: 'interval', level, label: levelName(level), layers, value: written });
  }
  return { time: frame.time.write(time), entries };
}

type Readout = ReturnType<typeof readout>;

const SAMPLED = 100;

/** How long the time and each value of a readout are at most, in characters, among many evenly spread: so nothing moves with the cursor. */
function widthsOf(what: Shown): number[] {
  const { times, forecast = what.frame.history } = what.frame;
  const sampled = [...spread(times, SAMPLED), ...spread(forecast.times, SAMPLED)];
  const lengths = sampled.map((at) => {
    const { time, entries } = readout(what, indexOf(times, at));
    return [time, ...entries.map(({ value }) => value)].map((text) => text.length);
  });
  return lengths.reduce((widest, row) => widest.map((width, index) => Math.max(width, row[index]!)));
}

export function spoken({ time, entries }: Readout): string {
  const parts = entries.flatMap(({ kind, label, value }) => {
    if (value === '' || kind !== 'interval') return value === '' ? [] : [`${label} ${value}`];
    const [lower, upper] = value.split(' – ') as [string, string];
    return [l10n.t('{0} between {1} and {2}', label, lower, upper)];
  });
  return `${time}: ${parts.join(', ')}`;
}

export const Swatch = ({ kind, layers = 1, color }: Pick<Entry, 'kind' | 'layers' | 'color'>) => (
  <span
    class={`swatch ${kind}${color === undefined ? '' : ` other-${String(color)}`}`}
    aria-hidden="true"
    style={kind === 'interval' ? { '--strength': String(intervalStrength(layers)) } : undefined}
  />
);

export const LegendItem = ({ label, ...swatch }: Entry) => (
  <span class="item">
    <Swatch {...swatch} />
    <span>{label}</span>
  </span>
);

interface PlotProps {
  readonly frame: Frame;
  readonly scene: Scene;
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

export type Typed = Pick<Extract<SentIntent, { readonly type: 'suppose' }>, 'cells' | 'name'>;

/** What the person sees of a chart and has chosen. `of`: the key of the chart that a part is about; another one has its own. */
export interface View {
  readonly tab: string;
  readonly range?: (Range & { readonly of: string }) | undefined;
  readonly hiddenIntervals: readonly number[];
  readonly typed?: (Typed & { readonly of: string }) | undefined;
}

export interface TabContext {
  readonly state: ChartState;
  readonly send: (intent: SentIntent) => void;
  readonly shown: NonNullable<ChartState['shown']> & { readonly frame: Frame };
  readonly view: Signal<View>;
  readonly change: (parts: Partial<View>) => void;
  readonly decoration: Decoration;
  readonly cursor: Signal<{ readonly row: number; readonly byKey: boolean } | undefined>;
}

export interface Tab {
  readonly title: string;
  readonly component: FunctionComponent<TabContext>;
}

export const DEFAULT_VIEW: View = { tab: 'chart', hiddenIntervals: [] };

export const SAMPLE_VIEW: Record<keyof View, unknown> = {
  tab: '',
  range: { min: 0, max: 0, of: '' },
  hiddenIntervals: [0],
  typed: { cells: [{ column: '', time: 0 }], name: '', of: '' },
};

/** Moves and, if it must, cuts a range so that it lies inside the whole and is not too short. */
export function within({ min, max }: Range, { whole, shortest }: Bounds): Range {
  const span = Math.min(Math.max(max - min, shortest), whole.max - whole.min);
  const centre = (min + max) / 2;
  const start = Math.min(Math.max(centre - span / 2, whole.min), whole.max - span);
  return { min: start, max: start + span };
}

export function zoom({ min, max }: Range, factor: number, around: number, bounds: Bounds): Range {
  const span = Math.min(Math.max((max - min) * factor, bounds.shortest), bounds.whole.max - bounds.whole.min);
  const share = max > min ? (around - min) / (max - min) : 0.5;
  return within({ min: around - share * span, max: around + (1 - share) * span }, bounds);
}

export const pan = ({ min, max }: Range, by: number, bounds: Bounds): Range =>
  within({ min: min + by, max: max + by }, bounds);

/** The range with one moment in it: the same one if it already is, else moved by as little as needed. */
export function including(range: Range, time: number, bounds: Bounds): Range {
  const edge = (range.max - range.min) * 0.05;
  if (time < range.min) return pan(range, time - range.min - edge, bounds);
  return time > range.max ? pan(range, time - range.max + edge, bounds) : range;
}

export const seenOf = ({ key, frame: { bounds } }: TabContext['shown'], { range }: View): Range =>
  range?.of === key ? within(range, bounds) : bounds.initial;

export const same = (a: Range, b: Range): boolean => {
  const tolerance = (a.max - a.min) * 1e-6;
  return Math.abs(a.min - b.min) <= tolerance && Math.abs(a.max - b.max) <= tolerance;
};
