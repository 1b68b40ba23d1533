import type { ChartView, Notice } from '../../chart/types.ts';
import {
  DEFAULT_VIEW,
  type ImageExport,
  type PanelState,
  type PredictionRef,
  type Status,
  type ViewState,
  type WebviewMessage,
} from '../../editor/views/chart/protocol.ts';
import type { ChartControls, CompareView } from '../../editor/views/analysis/protocol.ts';
import { createChartTab } from './chart-tab.ts';
import { createCompareTable, overlaysOf } from './compare.ts';
import { createControls } from './controls.ts';
import { type Decoration, PLAIN } from '../../chart/decoration.ts';
import { themeColors } from '../shared/colors.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { contextMenu } from '../shared/menu.ts';
import { frameOf } from '../../chart/frame.ts';
import { type ChartActions, exportItems, headerOf, noticeOf } from './header.ts';
import { pngOf } from './png.ts';
import { svgOf } from '../../chart/picture.ts';
import { type StatusView, createStatusView } from './status.ts';
import { createTable } from './table.ts';
import { type ViewChange, changed, visible } from './view.ts';
import { boundsOf } from '../../chart/bounds.ts';

/** What the page needs of the editor around it. */
export interface Host {
  post(message: WebviewMessage): void;
  save(state: PanelState): void;
  restore(): PanelState | undefined;
}

/** The whole page of a panel. */
export interface Page {
  show(ref: PredictionRef, chart: ChartView): void;
  status(ref: PredictionRef, title: string, status: Status): void;
  notice(notice: Notice | undefined): void;
  controls(controls: ChartControls | undefined): void;
  compared(view: CompareView | undefined): void;
  redraw(): void;
}

interface Shown {
  readonly ref: PredictionRef;
  readonly redraw: () => void;
  readonly decorate: (decoration: Decoration) => void;
  readonly svg: () => string;
  readonly destroy: () => void;
}

/** Handled by the page itself, which draws the picture. */
const SAVE_PICTURE = 'save-picture';

const TABS = [
  { tab: 'chart', label: 'Chart' },
  { tab: 'table', label: 'Table' },
] as const;

/** Makes the page inside an element. It keeps its view across charts of the same prediction and across reloads. */
export function createPage(root: HTMLElement, host: Host): Page {
  let colors = themeColors();
  let shown: Shown | undefined;
  let current: { readonly view: StatusView; readonly key: string } | undefined;
  let view: ViewState = DEFAULT_VIEW;
  const top = h('div.status-place');
  const content = h('div.content');
  const notices = h('div.notices', { attributes: { role: 'status' } });
  const head = h('div.head');
  const controls = createControls({
    change: (change) => {
      host.post({ type: 'change', change });
    },
    back: () => {
      host.post({ type: 'back' });
    },
    compare: (isOpen) => {
      host.post({ type: 'compare', do: isOpen ? 'open' : 'close' });
    },
  });
  const comparison = createCompareTable(host.post);
  let decoration = PLAIN;
  let former: readonly string[] = host.restore()?.former ?? [];
  root.replaceChildren(top, notices, head, controls.element, content);

  function save(ref: PredictionRef) {
    const state: PanelState = { predictionId: ref.predictionId, serviceId: ref.serviceId, view, former };
    host.save(state);
    return state;
  }

  const remembered = (ref: PredictionRef): ViewState => {
    const state = host.restore();
    return state && equal(state, ref) ? state.view : DEFAULT_VIEW;
  };

  function clear() {
    shown?.destroy();
    shown = undefined;
    head.replaceChildren();
    content.replaceChildren();
  }

  async function draw(kind: ImageExport) {
    if (!shown) return;
    const svg = shown.svg();
    try {
      const data = kind === 'svg' ? new TextEncoder().encode(svg) : await pngOf(svg);
      host.post({ type: 'export', kind, data });
    } catch (error) {
      host.post({ type: 'problem', message: `The picture could not be drawn: ${String(error)}` });
    }
  }

  async function copyPicture() {
    if (!shown) return;
    try {
      const picture = pngOf(shown.svg()).then((bytes) => new Blob([bytes.slice()], { type: 'image/png' }));
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
      host.post({ type: 'copied' });
    } catch (error) {
      host.post({ type: 'problem', message: `The picture was not copied: ${String(error)}` });
      notice({
        sentence: 'This editor did not let the picture be copied.',
        actions: [{ id: SAVE_PICTURE, label: 'Save Picture as PNG…' }],
      });
    }
  }

  const actions: ChartActions = {
    save(kind) {
      if (kind === 'png' || kind === 'svg') void draw(kind);
      else host.post({ type: 'export', kind });
    },
    copyPicture: () => void copyPicture(),
    showLines(first, last) {
      host.post({ type: 'lines', first, last });
    },
    act(id) {
      if (id === SAVE_PICTURE) void draw('png');
      else host.post({ type: 'action', id });
    },
  };

  function notice(now: Notice | undefined) {
    notices.replaceChildren(...(now ? [noticeOf(now, actions.act)] : []));
  }

  function show(ref: PredictionRef, chart: ChartView) {
    // another forecast of the same series is looked at as the one before it, save for the part of time
    const moved = shown && !equal(shown.ref, ref);
    view = moved ? { tab: view.tab, hiddenBands: view.hiddenBands } : remembered(ref);
    clear();
    top.replaceChildren();
    notice(undefined);
    current = undefined;
    const frame = frameOf(chart);
    const header = headerOf(chart, actions);
    if (frame.times.length === 0) {
      head.append(header);
      content.append(h('p.empty', {}, 'There are no points to draw.'));
      save(ref);
      return;
    }
    const bounds = boundsOf(frame);
    const chartTab = createChartTab(chart, frame, bounds, view, () => colors, change);
    const table = createTable(frame, chart.title, chart.valueLabel);
    const panels = { chart: chartTab.element, table: table.element };
    const tabs = tabList(panels, (tab) => {
      change({ do: 'tab', tab });
    });
    head.append(header);
    content.append(tabs.element, panels.chart, panels.table);
    chartTab.element.append(comparison.element);
    chartTab.decorate(decoration);
    for (const panel of Object.values(panels)) contextMenu(panel, 'Chart', exportItems(actions));

    function change(what: ViewChange) {
      view = changed(view, what);
      apply();
      host.post({ type: 'state', state: save(ref) });
    }

    function apply() {
      tabs.show(view.tab);
      panels.chart.hidden = view.tab !== 'chart';
      panels.table.hidden = view.tab !== 'table';
      if (view.tab === 'chart') chartTab.show(view);
      else table.show();
    }

    const resized = new ResizeObserver(() => {
      if (view.tab === 'table') table.show();
    });
    resized.observe(panels.table);
    shown = {
      ref,
      redraw: chartTab.redraw,
      decorate: chartTab.decorate,
      svg: () => svgOf(chart, frame, visible(view, bounds), view.hiddenBands, decoration),
      destroy: () => {
        resized.disconnect();
        chartTab.destroy();
      },
    };
    apply();
    save(ref);
  }

  return {
    show,
    status(ref, title, status) {
      if (!shown) view = remembered(ref);
      const strip = shown !== undefined;
      const key = JSON.stringify([ref.serviceId, ref.predictionId, title, strip]);
      if (current?.key !== key || !current.view.update(status)) {
        current = { view: createStatusView(status, title, actions.act, strip), key };
        top.replaceChildren(current.view.element);
      }
      save(ref);
    },
    notice,
    controls(now) {
      controls.show(now);
      former = now?.former ?? former;
      if (shown) save(shown.ref);
    },
    compared(compared) {
      comparison.show(compared);
      controls.setComparing(compared !== undefined);
      decoration = { ...decoration, lines: overlaysOf(compared) };
      shown?.decorate(decoration);
    },
    redraw() {
      colors = themeColors();
      shown?.redraw();
    },
  };
}

const equal = (a: PredictionRef, b: PredictionRef) => a.predictionId === b.predictionId && a.serviceId === b.serviceId;

function tabList(panels: Record<ViewState['tab'], HTMLElement>, choose: (tab: ViewState['tab']) => void) {
  const buttons = TABS.map(({ tab, label }) => {
    const id = `tab-${tab}`;
    const panel = panels[tab];
    panel.id = `panel-${tab}`;
    setAttribute(panel, 'role', 'tabpanel');
    setAttribute(panel, 'aria-labelledby', id);
    const attributes = { id, type: 'button', role: 'tab', 'aria-controls': panel.id };
    const click = () => {
      choose(tab);
    };
    return { tab, button: h('button.tab', { attributes, on: { click } }, label) };
  });
  const element = h(
    'div.tabs',
    {
      attributes: { role: 'tablist', 'aria-label': 'Views of the data' },
      on: {
        keydown: ({ key }) => {
          if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
          const other = buttons.find(({ button }) => button !== document.activeElement);
          if (!other) return;
          choose(other.tab);
          other.button.focus();
        },
      },
    },
    ...buttons.map(({ button }) => button),
  );
  return {
    element,
    show(current: ViewState['tab']) {
      for (const { tab, button } of buttons) {
        setAttribute(button, 'aria-selected', String(tab === current));
        setAttribute(button, 'tabindex', tab === current ? 0 : -1);
      }
    },
  };
}
