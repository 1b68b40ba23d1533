import * as l10n from '@vscode/l10n';
import type { ChartView } from '../../chart/types.ts';
import type { ViewState } from '../../editor/views/chart/protocol.ts';
import { type Colors, bandStrength } from '../../chart/print.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { type Decoration, PLAIN } from '../../chart/decoration.ts';
import { type Frame, type Range, indexFrom, nearest, shownBands } from '../../chart/frame.ts';
import { KEY_HELP, keyCommand } from './keyboard.ts';
import { createDense } from './dense.ts';
import { createOverview } from './overview.ts';
import { type Plot, createPlot } from './plot.ts';
import { levelName } from '../../chart/format.ts';
import { readout, spoken } from './readout.ts';
import { createDockedReadout, swatch } from './docked.ts';
import type { Bounds } from '../../chart/bounds.ts';
import { type ViewChange, including, pan, same, visible, within, zoom } from './view.ts';

/** The chart tab: legend, drawing, overview, and the cursor of mouse and keyboard. */
export interface ChartTab {
  readonly element: HTMLElement;
  /** Shows a view; the element must be in the page. */
  show(view: ViewState): void;
  /** Lays other lines and rings over the chart. */
  decorate(decoration: Decoration): void;
  /** Moves the keyboard’s cursor to a moment, and the view so far that it is in sight. */
  goTo(time: number): void;
  redraw(): void;
  destroy(): void;
}

/** Makes the chart tab of a frame. Changes of the view are only announced; they come back through `show`. */
export function createChartTab(
  chart: ChartView,
  frame: Frame,
  bounds: Bounds,
  initial: ViewState,
  colors: () => Colors,
  change: (change: ViewChange) => void,
): ChartTab {
  let view = initial;
  let plot: Plot | undefined;
  let decoration = PLAIN;
  /** Where the cursor is, and whether the keyboard brought it there. */
  let cursor: { readonly row: number; readonly byKey: boolean } | undefined;
  /** While the cursor is put back where it was, what the plot tells of it is nothing new. */
  let isPuttingBack = false;

  const setRange = (range: Range) => {
    change(same(range, bounds.initial) ? { do: 'reset' } : { do: 'range', range });
  };
  const range = () => visible(view, bounds);

  const toggles = shownBands(frame.forecast, [])
    .toReversed()
    .map(({ level }) => {
      const mark = swatch('band');
      const button = h(
        'button.tool.toggle',
        {
          attributes: { type: 'button' },
          on: {
            click: () => {
              change({ do: 'band', level });
            },
          },
        },
        mark,
        levelName(level),
      );
      return { level, mark, button };
    });
  const reset = tool(l10n.t('Reset Zoom'), () => {
    change({ do: 'reset' });
  });
  const all = tool(l10n.t('Show All'), () => {
    setRange(bounds.whole);
  });
  const legend = h(
    'div.legend',
    {},
    h('span.item', {}, swatch('history'), h('span.name', {}, chart.valueLabel)),
    ...(frame.forecast ? [h('span.item', {}, swatch('forecast'), l10n.t('Forecast'))] : []),
    ...(toggles.length > 0
      ? [
          h(
            'div.bands',
            { attributes: { role: 'group', 'aria-label': l10n.t('Prediction intervals') } },
            ...toggles.map(({ button }) => button),
          ),
        ]
      : []),
    h('div.zoom', {}, all, reset),
  );

  const docked = createDockedReadout();
  const live = h('div.sr-only', { attributes: { 'aria-live': 'polite' } });
  const surface = h('div.plot', {
    attributes: {
      tabindex: 0,
      role: 'application',
      'aria-roledescription': l10n.t('chart'),
      'aria-label': [chart.title, chart.summary, chart.detail, ...chart.figures.map(({ text }) => text)]
        .filter(Boolean)
        .join('. '),
      'aria-description': KEY_HELP,
    },
    on: {
      keydown: onKey,
      blur: () => {
        leave();
      },
    },
  });
  const dense = createDense(frame.history, () => {
    overview.redraw();
  });
  const overview = createOverview(frame, bounds, colors, dense, setRange);
  const element = h('div.chart', {}, legend, docked.element, surface, overview.element, live);

  function onKey(event: KeyboardEvent) {
    const command = keyCommand(event);
    if (!command || frame.times.length === 0) return;
    event.preventDefault();
    switch (command.do) {
      case 'step':
        moveTo(cursor ? cursor.row + command.by : entry());
        break;
      case 'jump':
        moveTo(command.to === 'first' ? 0 : frame.times.length - 1);
        break;
      case 'zoom': {
        const around = cursor ? frame.times[cursor.row]! : (range().min + range().max) / 2;
        setRange(zoom(range(), command.factor, around, bounds));
        break;
      }
      case 'reset':
        change({ do: 'reset' });
        break;
      case 'leave':
        leave();
        break;
    }
  }

  /** Where the keyboard cursor begins: at the first forecast step if it is in sight, else in the middle. */
  function entry(): number {
    const { min, max } = range();
    const first = frame.forecast?.times[0];
    if (first !== undefined && first >= min && first <= max) return indexFrom(frame.times, first);
    return nearest(frame.times, (min + max) / 2);
  }

  function moveTo(row: number) {
    cursor = { row: Math.max(0, Math.min(frame.times.length - 1, row)), byKey: true };
    const moved = including(range(), frame.times[cursor.row]!, bounds);
    if (moved !== range() && !same(moved, range())) setRange(moved);
    putCursor();
    live.textContent = spoken(readout(frame, cursor.row, chart.valueLabel, view.hiddenBands, decoration));
  }

  function leave() {
    cursor = undefined;
    putCursor();
  }

  /** Puts the cursor where it belongs after the plot has moved, and tells what is there. */
  function putCursor() {
    isPuttingBack = true;
    plot?.setCursor(cursor?.row);
    isPuttingBack = false;
    tell();
  }

  /** Without a cursor, the end of the forecast. */
  function tell() {
    const row = cursor?.row ?? frame.times.length - 1;
    docked.show(readout(frame, row, chart.valueLabel, view.hiddenBands, decoration), cursor !== undefined);
  }

  function create(): Plot {
    return createPlot(
      surface,
      frame,
      { range: range(), hiddenBands: view.hiddenBands, colors, dense },
      {
        onRange: (next) => {
          setRange(within(next, bounds));
        },
        onReset: () => {
          setRange(view.range || same(bounds.initial, bounds.whole) ? bounds.initial : bounds.whole);
        },
        onWheel: ({ zoom: factor, shift, around }) => {
          const { min, max } = range();
          setRange(
            shift === 0 ? zoom({ min, max }, factor, around, bounds) : pan({ min, max }, shift * (max - min), bounds),
          );
        },
        onCursor: (row) => {
          if (isPuttingBack || (row === undefined && cursor?.byKey)) return;
          cursor = row === undefined ? undefined : { row, byKey: false };
          tell();
        },
      },
    );
  }

  const observer = new ResizeObserver(() => {
    if (surface.clientWidth === 0) return;
    plot?.resize();
    putCursor();
    overview.redraw();
  });
  observer.observe(surface);

  return {
    element,
    show(next) {
      view = next;
      const shown = shownBands(frame.forecast, view.hiddenBands).map(({ level }) => level);
      for (const { level, mark, button } of toggles) {
        const at = shown.indexOf(level);
        setAttribute(button, 'aria-pressed', String(at >= 0));
        mark.style.setProperty('--strength', String(bandStrength(at + 1)));
      }
      all.hidden = same(bounds.whole, bounds.initial) || same(range(), bounds.whole);
      reset.hidden = view.range === undefined;
      overview.show(range());
      if (plot) plot.show(range(), view.hiddenBands);
      else {
        plot = create();
        plot.decorate(decoration);
        overview.redraw();
      }
      putCursor();
    },
    goTo(time) {
      moveTo(nearest(frame.times, time));
    },
    decorate(next) {
      decoration = next;
      if (!plot) return;
      plot.decorate(next);
      putCursor();
    },
    redraw() {
      plot?.redraw();
      overview.redraw();
    },
    destroy() {
      dense.end();
      observer.disconnect();
      plot?.destroy();
    },
  };
}

function tool(label: string, run: () => void): HTMLButtonElement {
  return h('button.tool', { attributes: { type: 'button', hidden: true }, on: { click: run } }, label);
}
