import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { axesOf } from '../../chart/axes.ts';
import { levelName, spread } from '../../chart/format.ts';
import { type Frame, indexFrom, indexOf, nearest, type Range, shownIntervals, valueAt } from '../../chart/frame.ts';
import { intervalStrength } from '../../chart/pen.ts';
import { PLAIN, type Shown, tracesOf } from '../../chart/trace.ts';
import { Button } from '../shared/elements.tsx';
import { Overview, Plot } from './plot.tsx';
import { including, same, seenOf, type TabContext, zoom } from './view.ts';

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
