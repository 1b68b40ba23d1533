import type { ChartView, ViewState } from '../../editor/views/chart/protocol.ts';
import { type Colors, bandStrength } from '../shared/colors.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { type Frame, type Range, indexFrom, nearest, shownBands } from './frame.ts';
import { KEY_HELP, keyCommand } from './keyboard.ts';
import { createOverview } from './overview.ts';
import { type Plot, createPlot } from './plot.ts';
import { levelName, readout, spoken } from './readout.ts';
import { createTooltip, swatch } from './tooltip.ts';
import { type Bounds, type ViewChange, including, pan, same, visible, within, zoom } from './view.ts';

/** The chart tab: legend, drawing, overview, and the cursor of mouse and keyboard. */
export interface ChartTab {
  readonly element: HTMLElement;
  /** Shows a view; the element must be in the page. */
  show(view: ViewState): void;
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
  let keyRow: number | undefined;

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
  const reset = tool('Reset Zoom', () => {
    change({ do: 'reset' });
  });
  const all = tool('Show All', () => {
    setRange(bounds.whole);
  });
  const legend = h(
    'div.legend',
    {},
    h('span.item', {}, swatch('history'), h('span.name', {}, chart.valueLabel)),
    ...(frame.forecast ? [h('span.item', {}, swatch('forecast'), 'Forecast')] : []),
    ...(toggles.length > 0
      ? [
          h(
            'div.bands',
            { attributes: { role: 'group', 'aria-label': 'Prediction intervals' } },
            ...toggles.map(({ button }) => button),
          ),
        ]
      : []),
    h('div.zoom', {}, all, reset),
  );

  const tooltip = createTooltip();
  const live = h('div.sr-only', { attributes: { 'aria-live': 'polite' } });
  const surface = h('div.plot', {
    attributes: {
      tabindex: 0,
      role: 'application',
      'aria-roledescription': 'chart',
      'aria-label': [chart.title, chart.summary, chart.detail].filter(Boolean).join('. '),
      'aria-description': KEY_HELP,
    },
    on: {
      keydown: onKey,
      blur: () => {
        leave();
      },
    },
  });
  surface.append(tooltip.element);
  const overview = createOverview(frame, bounds, colors, setRange);
  const element = h('div.chart', {}, legend, surface, overview.element, live);

  function onKey(event: KeyboardEvent) {
    const command = keyCommand(event);
    if (!command || frame.times.length === 0) return;
    event.preventDefault();
    switch (command.do) {
      case 'step':
        moveTo(keyRow === undefined ? entry() : keyRow + command.by);
        break;
      case 'jump':
        moveTo(command.to === 'first' ? 0 : frame.times.length - 1);
        break;
      case 'zoom': {
        const around = keyRow === undefined ? (range().min + range().max) / 2 : frame.times[keyRow]!;
        setRange(zoom(range(), command.factor, around, bounds));
        if (keyRow !== undefined) plot?.setCursor(keyRow);
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
    keyRow = Math.max(0, Math.min(frame.times.length - 1, row));
    const moved = including(range(), frame.times[keyRow]!, bounds);
    if (moved !== range() && !same(moved, range())) setRange(moved);
    plot?.setCursor(keyRow);
    live.textContent = spoken(readout(frame, keyRow, chart.valueLabel, view.hiddenBands));
  }

  function leave() {
    keyRow = undefined;
    plot?.setCursor(undefined);
  }

  function create(): Plot {
    return createPlot(
      surface,
      frame,
      { range: range(), hiddenBands: view.hiddenBands, colors },
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
        onCursor: (row, x, y) => {
          if (row === undefined) tooltip.hide();
          else tooltip.show(readout(frame, row, chart.valueLabel, view.hiddenBands), x, y);
        },
      },
    );
  }

  const observer = new ResizeObserver(() => {
    if (surface.clientWidth === 0) return;
    plot?.resize();
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
        overview.redraw();
      }
    },
    redraw() {
      plot?.redraw();
      overview.redraw();
    },
    destroy() {
      observer.disconnect();
      plot?.destroy();
    },
  };
}

function tool(label: string, run: () => void): HTMLButtonElement {
  return h('button.tool', { attributes: { type: 'button', hidden: true }, on: { click: run } }, label);
}
