import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { axesOf } from '../../chart/axes.ts';
import {
  type Bounds,
  type Decoration,
  type Frame,
  indexFrom,
  indexOf,
  levelName,
  nearest,
  PLAIN,
  type Range,
  seriesTraces,
  type Shown,
  shownIntervals,
  spread,
  type Trace,
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

function useSeen(context: TabContext) {
  const { view, change, shown } = context;
  const { key, frame } = shown;
  const { bounds } = frame;
  const { range, hiddenIntervals } = view.value;
  const isChosen = range?.of === key;
  const setRange = (next?: Range) =>
    change({ range: next && !same(next, bounds.initial) ? { ...next, of: key } : undefined });
  return { ...context, frame, bounds, range: seenOf(shown, view.value), isChosen, hiddenIntervals, setRange };
}

type Seen = ReturnType<typeof useSeen>;

const CLOSER = 0.6;

/** The cursor of a chart, moved by keys; the mouse only puts it. */
function useCursor({ frame, bounds, range, target, setRange }: Seen, textAt: (row: number) => string) {
  const { value: wanted } = target;
  const last = frame.times.length - 1;
  const [cursor, setCursor] = useState<{ readonly row: number; readonly byKey: boolean }>();
  const [said, say] = useState('');
  const row = cursor && Math.min(cursor.row, last);
  /** Moves it to a row, and the view so far that it is in sight. */
  const moveTo = (to: number) => {
    const at = Math.max(0, Math.min(last, to));
    const moved = including(range, frame.times[at]!, bounds);
    if (!same(moved, range)) setRange(moved);
    setCursor({ row: at, byKey: true });
    say(textAt(at));
  };
  const leave = () => setCursor(undefined);
  const by = (steps: number) => () => moveTo(row === undefined ? entryOf(frame, range) : row + steps);
  const closer = (factor: number) => () =>
    setRange(zoom(range, factor, row === undefined ? (range.min + range.max) / 2 : frame.times[row]!, bounds));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: by(-1),
    ArrowRight: by(1),
    PageUp: by(-10),
    PageDown: by(10),
    Home: () => moveTo(0),
    End: () => moveTo(last),
    '+': closer(CLOSER),
    '=': closer(CLOSER),
    '-': closer(1 / CLOSER),
    _: closer(1 / CLOSER),
    0: () => setRange(),
    Escape: leave,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!Object.hasOwn(keys, event.key) || last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]!();
  };
  const reached = useRef<typeof wanted>(undefined);
  useLayoutEffect(() => {
    if (!wanted || reached.current === wanted) return;
    reached.current = wanted;
    moveTo(nearest(frame.times, wanted.time));
  });
  const onCursor = (at: number | undefined) => {
    if (at !== undefined) setCursor({ row: at, byKey: false });
    else if (!cursor?.byKey) leave();
  };
  return { row, said, onKeyDown, onBlur: leave, onCursor };
}

const KEY_HELP = l10n.t(
  'Left and right arrow: point by point. Page up and down: ten points. Home, End: first and last point. Plus, minus: zoom. Zero: reset zoom. The Table tab lists all values.',
);

export function ChartTab(context: TabContext) {
  const seen = useSeen(context);
  const { frame, bounds, range, isChosen, hiddenIntervals, setRange, decoration, shown } = seen;
  const { title, summary, detail, figures } = shown.chart;
  const what = { frame, hiddenIntervals, decoration };
  const traces = useMemo(() => tracesOf(what), Object.values(what));
  const fullest = useMemo(() => fullestOf(what), Object.values(what));
  const { row, said, onKeyDown, onBlur, onCursor } = useCursor(seen, (at) => spoken(readout(what, at)));
  const attributes = {
    tabIndex: 0,
    role: 'application',
    'aria-roledescription': l10n.t('chart'),
    'aria-label': [title, summary, detail, ...figures.map(({ text }) => text)].filter(Boolean).join('. '),
    'aria-description': KEY_HELP,
    onKeyDown,
    onBlur,
    onDblClick: () => setRange(isChosen || same(bounds.initial, bounds.whole) ? bounds.initial : bounds.whole),
  } as const;
  const scene = { traces, range, axes: axesOf({ below: frame.time }) };
  return (
    <>
      <Legend {...seen} />
      <DockedReadout
        now={readout(what, row ?? frame.times.length - 1)}
        fullest={fullest}
        isAtCursor={row !== undefined}
      />
      <Plot {...{ frame, scene, attributes, onCursor }} cursor={row} onRange={setRange} />
      <Overview frame={frame} range={range} onRange={setRange} />
      <div class="sr-only" aria-live="polite">
        {said}
      </div>
    </>
  );
}

/** Where the keyboard's cursor begins: at the first forecast step if it is in sight, else in the middle. */
function entryOf(frame: Frame, { min, max }: Range): number {
  const first = frame.forecast?.times[0];
  if (first !== undefined && first >= min && first <= max) return indexFrom(frame.times, first);
  return nearest(frame.times, (min + max) / 2);
}

function Legend({ shown: { chart }, frame, bounds, range, isChosen, hiddenIntervals, setRange, change }: Seen) {
  const shown = shownIntervals(frame.forecast, hiddenIntervals).map(({ level }) => level);
  const levels = shownIntervals(frame.forecast, []).map(({ level }) => level);
  const toggle = (level: number) => {
    const others = hiddenIntervals.filter((one) => one !== level);
    change({ hiddenIntervals: others.length < hiddenIntervals.length ? others : [...others, level] });
  };
  return (
    <div class="legend">
      <LegendItem kind="history" label={chart.valueLabel} />
      {frame.forecast && <LegendItem kind="forecast" label={l10n.t('Forecast')} />}
      {levels.length > 0 && (
        <div class="intervals" role="group" aria-label={l10n.t('Prediction intervals')}>
          {levels.toReversed().map((level) => (
            <Button key={level} class="tool toggle" aria-pressed={shown.includes(level)} run={() => toggle(level)}>
              <Swatch kind="interval" layers={shown.indexOf(level) + 1} />
              {levelName(level)}
            </Button>
          ))}
        </div>
      )}
      <div class="zoom">
        {!same(bounds.whole, bounds.initial) && !same(range, bounds.whole) && (
          <Button run={() => setRange(bounds.whole)}>{l10n.t('Show All')}</Button>
        )}
        {isChosen && <Button run={() => setRange()}>{l10n.t('Reset Zoom')}</Button>}
      </div>
    </div>
  );
}

interface ReadoutEntry {
  readonly kind: 'history' | 'forecast' | 'interval' | 'other' | 'naive';
  /** Of another line: which of the further colors. */
  readonly color?: number | undefined;
  readonly label: string;
  readonly value: string;
  /** Of an interval: how many of the shown intervals lie over each other here. */
  readonly layers?: number;
}

/** The values at a row of the frame's times: what was observed, what is forecast, and the shown intervals, narrowest first. */
export function readout({ frame, hiddenIntervals = [], decoration = PLAIN }: Shown, row: number) {
  const { times, history, forecast, value, valueLabel } = frame;
  const time = times[row]!;
  const observed = indexOf(history.times, time);
  const ahead = forecast ? indexOf(forecast.times, time) : -1;
  const entries: ReadoutEntry[] = [];
  const add = (entry: Omit<ReadoutEntry, 'value'>, number: number | undefined, isMissing = false) => {
    const write = entry.kind === 'history' ? value.observed : value.predicted;
    if (Number.isFinite(number)) entries.push({ ...entry, value: write(number!) });
    else if (isMissing) entries.push({ ...entry, value: l10n.t('missing') });
  };
  add({ kind: 'history', label: valueLabel }, history.values[observed], observed >= 0 && ahead < 0);
  add({ kind: 'forecast', label: l10n.t('Forecast') }, forecast?.values[ahead], ahead >= 0);
  for (const { label, line, color } of decoration.lines)
    add({ kind: color === undefined ? 'history' : 'other', color, label }, valueAt(line, time));
  const intervals = shownIntervals(forecast, hiddenIntervals).flatMap(({ level, lower, upper }, index) => {
    const limits = [lower[ahead], upper[ahead]].filter(Number.isFinite).map((limit) => value.predicted(limit!));
    const entry = { kind: 'interval', label: levelName(level), layers: index + 1 } as const;
    return limits.length === 2 ? [{ ...entry, value: limits.join(' – ') }] : [];
  });
  return { time: frame.time.write(time), entries: [...entries, ...intervals.reverse()] };
}

type Readout = ReturnType<typeof readout>;

const SAMPLED = 100;

/** Of the readouts of a chart the longest, among many that are evenly spread. */
function fullestOf(what: Shown): Readout {
  const { times, forecast = what.frame.history } = what.frame;
  const sampled = [...spread(times, SAMPLED), ...spread(forecast.times, SAMPLED)];
  const readouts = sampled.map((time) => readout(what, indexOf(times, time)));
  const length = (one: Readout) => spoken(one).length;
  return readouts.reduce((longest, one) => (length(one) > length(longest) ? one : longest));
}

export function spoken({ time, entries }: Readout): string {
  const parts = entries.map(({ kind, label, value }) => {
    if (kind !== 'interval') return `${label} ${value}`;
    const [lower, upper] = value.split(' – ') as [string, string];
    return l10n.t('{0} between {1} and {2}', label, lower, upper);
  });
  return `${time}: ${parts.join(', ')}`;
}

export const Swatch = ({ kind, layers = 1, color }: Pick<ReadoutEntry, 'kind' | 'layers' | 'color'>) => (
  <span
    class={`swatch ${kind}${color === undefined ? '' : ` other-${String(color)}`}`}
    aria-hidden="true"
    style={kind === 'interval' ? { '--strength': String(intervalStrength(layers)) } : undefined}
  />
);

export const LegendItem = ({ label, ...swatch }: Omit<ReadoutEntry, 'value'>) => (
  <span class="item">
    <Swatch {...swatch} />
    <span>{label}</span>
  </span>
);

interface DockedProps {
  readonly now: Readout;
  /** The line is never lower than these values need, so that the plot keeps its place. */
  readonly fullest: Readout;
  readonly isAtCursor: boolean;
}

/** The line above the plot with the values at the cursor, else at a default moment; they are announced elsewhere. */
const DockedReadout = ({ now, fullest, isAtCursor }: DockedProps) => (
  <div class="docked" aria-hidden="true">
    <div class={isAtCursor ? 'readout' : 'readout resting'}>{entriesOf(now)}</div>
    <div class="room">{entriesOf(fullest)}</div>
  </div>
);

const entriesOf = ({ time, entries }: Readout) => (
  <>
    <span class="time">{time}</span>
    {entries.map(({ label, value, ...swatch }, index) => (
      <span key={index} class="entry">
        <Swatch {...swatch} />
        <span class="label">{label}</span>
        <span class="value">{value}</span>
      </span>
    ))}
  </>
);

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
  /** A moment that the keyboard's cursor is to go to. */
  readonly target: Signal<{ readonly time: number } | undefined>;
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

/** The part of a chart that is seen: the one that the person chose, else that which is shown at first. */
export const seenOf = ({ key, frame: { bounds } }: TabContext['shown'], { range }: View): Range =>
  range?.of === key ? within(range, bounds) : bounds.initial;

export const same = (a: Range, b: Range): boolean => {
  const tolerance = (a.max - a.min) * 1e-6;
  return Math.abs(a.min - b.min) <= tolerance && Math.abs(a.max - b.max) <= tolerance;
};
