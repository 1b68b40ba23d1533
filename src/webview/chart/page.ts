import * as l10n from '@vscode/l10n';
import type { ChartView, Notice } from '../../chart/types.ts';
import {
  DEFAULT_VIEW,
  type PanelState,
  type PredictionRef,
  type Status,
  type ViewState,
  type WebviewMessage,
} from '../../editor/views/chart/protocol.ts';
import type {
  ActualsView,
  ChartControls,
  CompareView,
  Look,
  Seen,
  Supposed,
} from '../../editor/views/analysis/protocol.ts';
import { createChartTab } from './chart-tab.ts';
import { createCompareTable, overlaysOf } from './compare.ts';
import { createControls } from './controls.ts';
import { type Decoration, PLAIN } from '../../chart/decoration.ts';
import { themeColors } from '../shared/colors.ts';
import { h, writtenOn } from '../shared/dom.ts';
import { contextMenu } from '../shared/menu.ts';
import { frameOf } from '../../chart/frame.ts';
import { type ChartActions, exportItems, headerOf, noticeOf } from './header.ts';
import { createKept, equal, type Typed } from './kept.ts';
import { createLooks } from './looks.ts';
import { createPictures } from './pictures.ts';
import { svgOf } from '../../chart/picture.ts';
import { type StatusView, createStatusView } from './status.ts';
import { createTable } from './table.ts';
import { createTabs } from './tabs.ts';
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
  seen(predictionId: string, seen: Seen): void;
  actuals(actuals: ActualsView | undefined): void;
  redraw(): void;
}

interface Shown {
  readonly ref: PredictionRef;
  readonly redraw: () => void;
  readonly decorate: (decoration: Decoration) => void;
  readonly seen: (seen: Seen) => void;
  /** The tabs that there are have changed. */
  readonly offer: () => void;
  readonly svg: () => string;
  readonly destroy: () => void;
}

/** Handled by the page itself, which draws the picture. */
const SAVE_PICTURE = 'save-picture';

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
    testColumns: () => {
      host.post({ type: 'test-columns' });
    },
  });
  const comparison = createCompareTable(host.post);
  let decoration = PLAIN;
  let looks: readonly Look[] = [];
  let canSuppose = false;
  const kept = createKept(host);
  let told: Notice | undefined;
  let refusal: Notice | undefined;
  const came = h('p.came', { attributes: { role: 'status', hidden: true } });
  let compared: CompareView | undefined;
  let actuals: ActualsView | undefined;
  root.replaceChildren(top, notices, head, came, controls.element, content);

  function clear() {
    shown?.destroy();
    shown = undefined;
    head.replaceChildren();
    content.replaceChildren();
  }

  const pictures = createPictures(
    () => shown?.svg(),
    host.post,
    (isCopied) => {
      const sentence = l10n.t('This editor did not let the picture be copied.');
      const actions = [{ id: SAVE_PICTURE, label: l10n.t('Save Picture as PNG…') }];
      refusal = isCopied ? undefined : { sentence, actions };
      tell();
    },
  );

  const actions: ChartActions = {
    save(kind) {
      if (kind === 'png' || kind === 'svg') pictures.save(kind);
      else host.post({ type: 'export', kind });
    },
    copyPicture: pictures.copy,
    showLines(first, last) {
      host.post({ type: 'lines', first, last });
    },
    act(id) {
      if (id === SAVE_PICTURE) pictures.save('png');
      else host.post({ type: 'action', id });
    },
  };

  function tell() {
    notices.replaceChildren(...[told, refusal].flatMap((one) => (one ? [noticeOf(one, actions.act)] : [])));
  }

  function show(ref: PredictionRef, chart: ChartView) {
    // another forecast of the same series is looked at as the one before it, save for the part of time
    const moved = shown && !equal(shown.ref, ref);
    view = moved ? { tab: view.tab, hiddenBands: view.hiddenBands } : kept.view(ref);
    if (moved) {
      decoration = { lines: overlaysOf(compared), marks: PLAIN.marks };
      actuals = undefined;
      came.hidden = true;
    }
    const writeOn = moved ? undefined : writtenOn(content, '.scenario>input');
    clear();
    top.replaceChildren();
    told = refusal = undefined;
    tell();
    current = undefined;
    const frame = frameOf(chart);
    const header = headerOf(chart, actions);
    if (frame.times.length === 0) {
      head.append(header);
      content.append(h('p.empty', {}, l10n.t('There are no points to draw.')));
      kept.save(ref, view);
      return;
    }
    const bounds = boundsOf(frame);
    const chartTab = createChartTab(chart, frame, bounds, view, () => colors, change);
    const { title, valueLabel, known } = chart;
    const suppose = (name: string, cells: readonly Supposed[]) => {
      host.post({ type: 'suppose', name, cells });
      change({ do: 'tab', tab: 'chart' });
    };
    const keep = (typed: Typed) => {
      kept.save(ref, view, typed);
    };
    const supposed = { typed: kept.supposed(ref), keep };
    const table = createTable(frame, { title, valueLabel, known, suppose, supposed });
    table.decorate(decoration.marks, decoration.lines);
    table.setEditable(canSuppose);
    const more = createLooks(frame, host.post, (time) => {
      change({ do: 'tab', tab: 'chart' });
      chartTab.goTo(time);
    });
    const panels = { chart: chartTab.element, table: table.element, ...more.elements };
    const tabs = createTabs(panels, (tab) => {
      change({ do: 'tab', tab });
    });
    head.append(header);
    content.append(tabs.element, ...Object.values(panels));
    chartTab.element.append(comparison.element);
    chartTab.decorate(decoration);
    for (const panel of [panels.chart, panels.table]) contextMenu(panel, l10n.t('Chart'), exportItems(actions, chart));

    function change(what: ViewChange) {
      view = changed(view, what);
      apply();
      host.post({ type: 'state', state: kept.save(ref, view) });
    }

    function apply() {
      const offered = ['chart', 'table', ...looks] as const;
      const tab = offered.find((one) => one === view.tab) ?? 'chart';
      tabs.show(tab, offered);
      if (tab === 'chart') chartTab.show(view);
      else if (tab === 'table') table.show();
      else more.open(tab);
    }

    const resized = new ResizeObserver(() => {
      if (view.tab === 'table') table.show();
      else if (view.tab !== 'chart' && looks.includes(view.tab)) more.open(view.tab);
    });
    resized.observe(content);
    shown = {
      ref,
      redraw: chartTab.redraw,
      decorate: (now) => {
        chartTab.decorate(now);
        table.decorate(now.marks, now.lines);
      },
      offer: () => {
        table.setEditable(canSuppose);
        apply();
      },
      seen: more.seen,
      svg: () => svgOf(chart, frame, visible(view, bounds), view.hiddenBands, decoration),
      destroy: () => {
        resized.disconnect();
        chartTab.destroy();
      },
    };
    apply();
    writeOn?.();
    kept.save(ref, view);
  }

  /** Lays other forecasts and what has come since over the chart. */
  function overlay() {
    const actual = actuals ? [{ label: l10n.t('Actual'), line: actuals.line }] : [];
    decoration = { ...decoration, lines: [...overlaysOf(compared), ...actual] };
    shown?.decorate(decoration);
  }

  return {
    show,
    status(ref, title, status) {
      if (!shown) view = kept.view(ref);
      const strip = shown !== undefined;
      const key = JSON.stringify([ref.serviceId, ref.predictionId, title, strip]);
      if (current?.key !== key || !current.view.update(status)) {
        current = { view: createStatusView(status, title, actions.act, strip), key };
        top.replaceChildren(current.view.element);
      }
      kept.save(ref, view);
    },
    notice(now) {
      told = now;
      tell();
    },
    controls(now) {
      controls.show(now);
      if (now) kept.setFormer(now.former);
      if (shown) kept.save(shown.ref, view);
      if (!now || (now.looks.join() === looks.join() && (now.canSuppose === true) === canSuppose)) return;
      looks = now.looks;
      canSuppose = now.canSuppose === true;
      shown?.offer();
    },
    compared(now) {
      comparison.show(now);
      controls.setComparing(now !== undefined);
      compared = now;
      overlay();
    },
    actuals(now) {
      actuals = now;
      came.hidden = !now;
      came.textContent = now?.sentence ?? '';
      overlay();
    },
    seen(predictionId, seen) {
      if (shown?.ref.predictionId !== predictionId) return;
      shown.seen(seen);
      if (seen.look !== 'odd' || !('view' in seen)) return;
      const times = Float64Array.from(seen.view.points, ({ time }) => time);
      const values = Float64Array.from(seen.view.points, ({ value }) => value);
      decoration = { ...decoration, marks: { times, values } };
      shown.decorate(decoration);
    },
    redraw() {
      colors = themeColors();
      shown?.redraw();
    },
  };
}
