import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Bounds } from '../../chart/bounds.ts';
import { type Decoration, tracesOf } from '../../chart/chart-traces.ts';
import { levelName } from '../../chart/format.ts';
import { type Frame, type Range, indexFrom, nearest, shownBands } from '../../chart/frame.ts';
import type { ChartView } from '../../chart/types.ts';
import type { ViewState } from '../../editor/views/chart/protocol.ts';
import { useExtremes } from './extremes.ts';
import { KEY_HELP, type KeyCommand, keyCommand } from './keyboard.ts';
import { Overview } from './overview.tsx';
import { Plot } from './plot.tsx';
import { DockedReadout, readout, spoken, Swatch } from './readout.tsx';
import { type ViewChange, including, pan, same, visible, within, zoom } from './view.ts';

interface ChartTabProps {
  readonly chart: ChartView;
  readonly frame: Frame;
  readonly bounds: Bounds;
  readonly view: ViewState;
  /** Lines and rings over the chart. */
  readonly decoration: Decoration;
  /** A moment that the keyboard's cursor is to go to. */
  readonly target?: { readonly time: number } | undefined;
  readonly change: (change: ViewChange) => void;
}

/** Where the cursor is, and whether the keyboard brought it there. */
interface Cursor {
  readonly row: number;
  readonly byKey: boolean;
}

/** The cursor of a chart, moved by keys; the mouse only puts it. */
function useCursor({ frame, bounds, view, target, change }: ChartTabProps, told: (row: number) => string) {
  const range = visible(view, bounds);
  const last = frame.times.length - 1;
  const [cursor, setCursor] = useState<Cursor>();
  const [said, say] = useState('');
  const row = cursor && Math.min(cursor.row, last);
  const setRange = (next: Range) => {
    change(same(next, bounds.initial) ? { do: 'reset' } : { do: 'range', range: next });
  };
  /** Moves it to a row, and the view so far that it is in sight. */
  const moveTo = (to: number) => {
    const at = Math.max(0, Math.min(last, to));
    const moved = including(range, frame.times[at]!, bounds);
    if (!same(moved, range)) setRange(moved);
    setCursor({ row: at, byKey: true });
    say(told(at));
  };
  const leave = () => {
    setCursor(undefined);
  };
  const obey = (command: KeyCommand) => {
    if (command.do === 'step') moveTo(row === undefined ? entryOf(frame, range) : row + command.by);
    else if (command.do === 'jump') moveTo(command.to === 'first' ? 0 : last);
    else if (command.do === 'reset') change({ do: 'reset' });
    else if (command.do === 'leave') leave();
    else {
      const around = row === undefined ? (range.min + range.max) / 2 : frame.times[row]!;
      setRange(zoom(range, command.factor, around, bounds));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const command = keyCommand(event);
    if (!command || last < 0) return;
    event.preventDefault();
    obey(command);
  };
  const reached = useRef<ChartTabProps['target']>(undefined);
  useLayoutEffect(() => {
    if (!target || reached.current === target) return;
    reached.current = target;
    moveTo(nearest(frame.times, target.time));
  });
  const onCursor = (at: number | undefined) => {
    if (at !== undefined) setCursor({ row: at, byKey: false });
    else if (!cursor?.byKey) leave();
  };
  return { row, said, setRange, onKeyDown, onBlur: leave, onCursor };
}

/** The chart: legend, drawing, overview, and the cursor of mouse and keyboard. */
export function ChartTab(props: ChartTabProps) {
  const { chart, frame, bounds, view, decoration, change } = props;
  const { hiddenBands } = view;
  const range = visible(view, bounds);
  const extremes = useExtremes(frame.history);
  const { valueLabel } = chart;
  const traces = useMemo(
    () => tracesOf({ frame, valueLabel, hiddenBands, decoration, extremes }),
    [frame, valueLabel, hiddenBands, decoration, extremes],
  );
  const readFrom = { frame, valueLabel, hiddenBands, decoration };
  const { row, said, setRange, onKeyDown, onBlur, onCursor } = useCursor(props, (at) => spoken(readout(readFrom, at)));
  const label = [chart.title, chart.summary, chart.detail, ...chart.figures.map(({ text }) => text)];
  const attributes = {
    tabIndex: 0,
    role: 'application',
    'aria-roledescription': l10n.t('chart'),
    'aria-label': label.filter(Boolean).join('. '),
    'aria-description': KEY_HELP,
    onKeyDown,
    onBlur,
  } as const;
  return (
    <>
      <Legend chart={chart} frame={frame} bounds={bounds} view={view} setRange={setRange} change={change} />
      <DockedReadout told={readout(readFrom, row ?? frame.times.length - 1)} isAtCursor={row !== undefined} />
      <Plot
        {...{ frame, attributes, onCursor }}
        cursor={row}
        scene={{ traces, range, axes: { below: frame.time } }}
        onRange={(next) => {
          setRange(within(next, bounds));
        }}
        onReset={() => {
          setRange(view.range || same(bounds.initial, bounds.whole) ? bounds.initial : bounds.whole);
        }}
        onTurn={({ zoom: factor, shift, around }) => {
          const by = shift * (range.max - range.min);
          setRange(shift === 0 ? zoom(range, factor, around, bounds) : pan(range, by, bounds));
        }}
      />
      <Overview frame={frame} bounds={bounds} extremes={extremes} range={range} onRange={setRange} />
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

type LegendProps = Pick<ChartTabProps, 'chart' | 'frame' | 'bounds' | 'view' | 'change'> & {
  readonly setRange: (range: Range) => void;
};

/** What the lines are, intervals to switch on and off, and buttons of zoom where there is something to zoom. */
function Legend({ chart, frame, bounds, view, setRange, change }: LegendProps) {
  const range = visible(view, bounds);
  const shown = shownBands(frame.forecast, view.hiddenBands).map(({ level }) => level);
  const levels = shownBands(frame.forecast, []).map(({ level }) => level).reverse(); // prettier-ignore
  const all = () => {
    setRange(bounds.whole);
  };
  const reset = () => {
    change({ do: 'reset' });
  };
  return (
    <div class="legend">
      <span class="item">
        <Swatch kind="history" />
        <span>{chart.valueLabel}</span>
      </span>
      {frame.forecast && (
        <span class="item">
          <Swatch kind="forecast" />
          {l10n.t('Forecast')}
        </span>
      )}
      {levels.length > 0 && (
        <div class="bands" role="group" aria-label={l10n.t('Prediction intervals')}>
          {levels.map((level) => (
            <button
              key={level}
              type="button"
              class="tool toggle"
              aria-pressed={shown.includes(level)}
              onClick={() => {
                change({ do: 'band', level });
              }}
            >
              <Swatch kind="band" layers={shown.indexOf(level) + 1} />
              {levelName(level)}
            </button>
          ))}
        </div>
      )}
      <div class="zoom">
        {!same(bounds.whole, bounds.initial) && !same(range, bounds.whole) && (
          <button type="button" class="tool" onClick={all}>
            {l10n.t('Show All')}
          </button>
        )}
        {view.range && (
          <button type="button" class="tool" onClick={reset}>
            {l10n.t('Reset Zoom')}
          </button>
        )}
      </div>
    </div>
  );
}
