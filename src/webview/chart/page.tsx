import * as l10n from '@vscode/l10n';
import type { ReadonlySignal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import type { Colors } from '../../chart/print.ts';
import type { ViewState } from '../../editor/views/chart/protocol.ts';
import { watchTheme } from '../shared/colors.ts';
import { Theme } from '../shared/drawing.tsx';
import { useContextMenu } from '../shared/menu.tsx';
import { AnomaliesTab } from './anomalies-tab.tsx';
import { BacktestTab } from './backtest-tab.tsx';
import { ChartTab } from './chart-tab.tsx';
import { CompareTable } from './compare.tsx';
import { Controls } from './controls.tsx';
import { DecompositionTab } from './decomposition-tab.tsx';
import { Header, NoticeOf, exportItems } from './header.tsx';
import { ChartState, type Host, type ShownChart } from './state.ts';
import { StatusOf } from './status.tsx';
import { Table } from './table.tsx';

type Tab = ViewState['tab'];

/** Shows the page of a chart inside an element. */
export function createPage(root: HTMLElement, host: Host, theme: ReadonlySignal<Colors> = watchTheme()): ChartState {
  const state = new ChartState(host);
  render(
    <Theme value={theme}>
      <ChartPage state={state} />
    </Theme>,
    root,
  );
  return state;
}

function ChartPage({ state }: { readonly state: ChartState }) {
  const { value: shown } = state.shown;
  const { value: standing } = state.standing;
  const { value: since } = state.since;
  const notices = [state.told.value, state.refusal.value].filter((one) => one !== undefined);
  const key = shown && JSON.stringify([shown.ref.serviceId, shown.ref.predictionId]);
  return (
    <>
      <div class="status-place">
        {standing && <StatusOf {...standing} isStrip={shown !== undefined} act={state.act} />}
      </div>
      <div class="notices" role="status">
        {notices.map((notice, index) => (
          <NoticeOf key={index} notice={notice} act={state.act} />
        ))}
      </div>
      <div class="head">{shown && <Header chart={shown.chart} state={state} />}</div>
      <p class="came" role="status" hidden={!since}>
        {since?.sentence}
      </p>
      <Controls state={state} />
      <div class="content">
        {shown && shown.frame.times.length === 0 && <p class="empty">{l10n.t('There are no points to draw.')}</p>}
        {shown && shown.frame.times.length > 0 && <Content key={key} shown={shown} state={state} />}
      </div>
    </>
  );
}

const names = (): readonly (readonly [tab: Tab, label: string])[] => [
  ['chart', l10n.t('Chart')],
  ['table', l10n.t('Table')],
  ['backtest', l10n.t('Backtest')],
  ['parts', l10n.t('Decomposition')],
  ['odd', l10n.t('Anomalies')],
];

/** The tabs of a chart, of which one is seen. */
function Content({ shown, state }: { readonly shown: ShownChart; readonly state: ChartState }) {
  const items = exportItems(state, shown.chart);
  const { value: found } = state.found;
  const chart = useContextMenu(l10n.t('Chart'), items);
  const table = useContextMenu(l10n.t('Chart'), items);
  const { value: tab } = state.tab;
  const there = names().filter(([name]) => name === 'chart' || name === 'table' || state.looks.value.includes(name));
  const panel = (name: Tab, content: ComponentChildren, kind?: string, menu?: typeof chart) => (
    <div
      id={`panel-${name}`}
      class={kind ?? `look ${name}`}
      role="tabpanel"
      aria-labelledby={`tab-${name}`}
      hidden={name !== tab}
      onContextMenu={menu?.onContextMenu}
    >
      {content}
      {menu?.menu}
    </div>
  );
  return (
    <>
      <Tabs
        tabs={there}
        current={tab}
        choose={(name) => {
          state.change({ do: 'tab', tab: name });
        }}
      />
      {panel(
        'chart',
        <>
          <ChartTab
            {...shown}
            view={state.view.value}
            decoration={state.decoration.value}
            target={state.target.value}
            change={(what) => {
              state.change(what);
            }}
          />
          <CompareTable view={state.comparison.value} send={state.host.post} />
        </>,
        'chart',
        chart,
      )}
      {panel('table', <Table shown={shown} state={state} />, 'table', table)}
      {panel('backtest', <BacktestTab frame={shown.frame} found={found.backtest} />)}
      {panel('parts', <DecompositionTab frame={shown.frame} found={found.parts} />)}
      {panel('odd', <AnomaliesTab frame={shown.frame} found={found.odd} state={state} />)}
    </>
  );
}

interface TabsProps {
  /** Those that there are. */
  readonly tabs: readonly (readonly [tab: Tab, label: string])[];
  readonly current: Tab;
  readonly choose: (tab: Tab) => void;
}

/** Tabs, usable with mouse and keyboard: one stop of the Tab key, walked with the arrows. */
export function Tabs({ tabs, current, choose }: TabsProps) {
  const onKeyDown = ({ key, altKey, ctrlKey, metaKey, currentTarget }: KeyboardEvent) => {
    const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
    // with these it is a key of the editor, such as that which goes back
    if (by === 0 || altKey || ctrlKey || metaKey) return;
    const at = tabs.findIndex(([tab]) => `tab-${tab}` === document.activeElement?.id);
    const [other] = tabs[(at + by + tabs.length) % tabs.length]!;
    choose(other);
    (currentTarget as HTMLElement).querySelector<HTMLElement>(`#tab-${other}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={l10n.t('Views of the data')} onKeyDown={onKeyDown}>
      {tabs.map(([tab, label]) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          type="button"
          class="tab"
          role="tab"
          aria-controls={`panel-${tab}`}
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => {
            choose(tab);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
