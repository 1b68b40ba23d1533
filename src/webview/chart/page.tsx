import * as l10n from '@vscode/l10n';
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { frameOf } from '../../chart/frame.ts';
import type { Decoration } from '../../chart/trace.ts';
import type { Notice } from '../../chart/types.ts';
import type { ChartState, SentIntent } from '../../editor/views/chart/protocol.ts';
import { viewOf } from '../../editor/views/shared/protocol.ts';
import { type MenuItem, useContextMenu } from '../shared/menu.tsx';
import type { KeepingProps, PageProps } from '../shared/show-page.tsx';
import { actionsOf, type Picture } from './actions.ts';
import { analysisTabs } from './analysis-tabs.tsx';
import { ChartTab } from './chart-tab.tsx';
import { CompareTable } from './compare.tsx';
import { Controls } from './controls.tsx';
import { exportItems, Header, NoticeOf, StatusOf } from './header.tsx';
import { Table } from './table.tsx';
import { DEFAULT_VIEW, SAMPLE_VIEW, seenOf, type Tab, type TabContext, type View } from './view.ts';

const ALWAYS: Readonly<Record<string, Tab>> = {
  chart: {
    title: l10n.t('Chart'),
    component: (context) => (
      <>
        <ChartTab {...context} />
        <CompareTable view={context.state.compared} send={context.send} />
      </>
    ),
  },
  table: { title: l10n.t('Table'), component: Table },
};
const TABS = Object.entries({ ...ALWAYS, ...analysisTabs });

export function ChartPage({ state, send, log, kept, keep }: PageProps<ChartState, SentIntent> & KeepingProps) {
  const { standing, notice, actuals } = state;
  const view = useSignal(viewOf(DEFAULT_VIEW, SAMPLE_VIEW, kept));
  const refusal = useSignal<Notice | undefined>(undefined);
  const target = useSignal<{ readonly time: number } | undefined>(undefined);
  const shown = useMemo(() => state.shown && { ...state.shown, frame: frameOf(state.shown.chart) }, [state.shown]);
  const decoration = useDecoration(state);
  useLayoutEffect(() => {
    refusal.value = target.value = undefined;
  }, [state.shown]);
  const change = (parts: Partial<View>) => {
    view.value = { ...view.value, ...parts };
    keep(view.value);
  };
  const isEmpty = shown?.frame.times.length === 0;
  const picture = (): Picture | undefined => {
    if (!shown || isEmpty) return undefined;
    const { chart, frame } = shown;
    const { hiddenIntervals } = view.value;
    return [chart, { frame, range: seenOf(shown, view.value), hiddenIntervals, decoration }];
  };
  const actions = actionsOf({ send, log }, picture, refusal);
  const { act } = actions;
  return (
    <>
      <div class="status-place">{standing && <StatusOf {...standing} isStrip={shown !== null} act={act} />}</div>
      <div class="notices" role="status">
        {[notice, refusal.value].map((one, index) => one && <NoticeOf key={index} notice={one} act={act} />)}
      </div>
      <div class="head">{shown && <Header chart={shown.chart} actions={actions} />}</div>
      <p class="actuals" role="status" hidden={!actuals}>
        {actuals?.sentence}
      </p>
      <Controls controls={state.controls} isComparing={state.compared !== null} send={send} />
      <div class="content">
        {isEmpty && <p class="empty">{l10n.t('There are no points to draw.')}</p>}
        {shown && !isEmpty && (
          <Content
            key={shown.key}
            context={{ state, send, shown, view, change, decoration, target }}
            items={exportItems(actions, shown.chart)}
          />
        )}
      </div>
    </>
  );
}

const useDecoration = ({ compared, actuals, analyses: { anomalies } }: ChartState): Decoration =>
  useMemo(() => {
    const found = typeof anomalies === 'object' && 'view' in anomalies ? anomalies.view.points : [];
    const others = (compared?.rows ?? []).flatMap(({ line, label, isMain }, index) =>
      line && !isMain ? [{ label, line, color: index - 1 }] : [],
    );
    const since = actuals ? [{ label: l10n.t('Actual'), line: actuals.line }] : [];
    const times = Float64Array.from(found, ({ time }) => time);
    return { lines: [...others, ...since], marks: { times, values: Float64Array.from(found, ({ value }) => value) } };
  }, [compared, actuals, anomalies]);

function Content({ context, items }: { readonly context: TabContext; readonly items: readonly MenuItem[] }) {
  const { state, send, view, change, shown } = context;
  const menu = useContextMenu(l10n.t('Chart'), items);
  const offered = state.controls?.analyses ?? [];
  const tabs = TABS.filter(([id]) => id in ALWAYS || offered.some((one) => one === id));
  const { value: wanted } = useComputed(() => view.value.tab);
  const current = tabs.some(([id]) => id === wanted) ? wanted : 'chart';
  /** Asks for what a tab shows, once, and again after a failure. */
  const ask = (tab: string) => {
    const analysis = offered.find((one) => one === tab);
    const found = analysis && state.analyses[analysis];
    const isMissing = found === undefined || (typeof found === 'object' && 'problem' in found);
    if (analysis && isMissing) send({ type: 'analyze', analysis });
  };
  useLayoutEffect(() => ask(current), [shown.key, offered.join()]);
  const choose = (tab: string) => {
    change({ tab });
    ask(tab);
  };
  return (
    <>
      <Tabs tabs={tabs.map(([id, { title }]) => [id, title])} current={current} choose={choose} />
      {TABS.map(([id, { component: Component }]) => (
        <div
          key={id}
          id={`panel-${id}`}
          class={id in ALWAYS ? id : `analysis ${id}`}
          role="tabpanel"
          aria-labelledby={`tab-${id}`}
          hidden={id !== current}
          onContextMenu={id in ALWAYS ? menu.onContextMenu : undefined}
        >
          <Component {...context} />
        </div>
      ))}
      {menu.menu}
    </>
  );
}

type TabsProps = Readonly<{
  tabs: readonly (readonly [string, string])[];
  current: string;
  choose: (tab: string) => void;
}>;

/** Tabs are one stop of the Tab key, walked with the arrows. */
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
          onClick={() => choose(tab)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
