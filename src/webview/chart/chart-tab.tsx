import * as l10n from '@vscode/l10n';
import { axesOf } from '../../chart/axes.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Frame, indexFrom, nearest, type Range, shownIntervals } from '../../chart/frame.ts';
import { tracesOf } from '../../chart/trace.ts';
import { levelName } from '../../chart/format.ts';
import { Button } from '../shared/elements.tsx';
import { Overview, Plot } from './plot.tsx';
import { DockedReadout, LegendItem, readout, spoken, Swatch } from './readout.tsx';
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

/** How much a key zooms. */
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

/** The chart: legend, drawing, overview, and the cursor of mouse and keyboard. */
export function ChartTab(context: TabContext) {
  const seen = useSeen(context);
  const { frame, bounds, range, isChosen, hiddenIntervals, setRange, decoration, shown } = seen;
  const { title, summary, detail, figures } = shown.chart;
  const what = { frame, hiddenIntervals, decoration };
  const traces = useMemo(() => tracesOf(what), Object.values(what));
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
        fullest={readout(what, indexFrom(frame.times, frame.forecast?.times[0] ?? 0))}
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

/** What the lines are, intervals to switch on and off, and buttons of zoom where there is something to zoom. */
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
