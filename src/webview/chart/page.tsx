import * as l10n from '@vscode/l10n';
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type Decoration, frameOf } from '../../chart/frame.ts';
import type { ChartView, Figure, Notice } from '../../chart/chart-view.ts';
import type { ChartState, DataExport, ImageExport, SentIntent, Status } from '../../editor/views/chart/protocol.ts';
import { viewOf } from '../../editor/views/shared/protocol.ts';
import {
  ActionLink,
  Buttons,
  Facts,
  factsOf,
  Icon,
  LineLinks,
  MenuButton,
  type MenuItem,
  useContextMenu,
  Warning,
} from '../shared/elements.tsx';
import type { KeepingProps, PageProps } from '../shared/show-page.tsx';
import { analysisTabs } from './analysis-tabs.tsx';
import { ChartTab, DEFAULT_VIEW, SAMPLE_VIEW, seenOf, type Tab, type TabContext, type View } from './chart-tab.tsx';
import { CompareTable, Controls } from './controls.tsx';
import { Table } from './table.tsx';
import { PRINT } from '../../chart/scene.ts';
import { drawPicture, SIZE, svgOf } from '../../chart/picture.ts';
import { canvasPen } from '../shared/drawing.tsx';

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
  const shown = useMemo(() => state.shown && { ...state.shown, frame: frameOf(state.shown.chart) }, [state.shown]);
  const decoration = useDecoration(state);
  useLayoutEffect(() => {
    refusal.value = undefined;
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
            seen={{ state, send, shown, view, change, decoration }}
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

type ContentProps = Readonly<{ seen: Omit<TabContext, 'cursor'>; items: readonly MenuItem[] }>;

function Content({ seen, items }: ContentProps) {
  const { state, send, view, change, shown } = seen;
  const cursor: TabContext['cursor'] = useSignal(undefined);
  const menu = useContextMenu(l10n.t('Chart'), items);
  const offered = state.controls?.analyses ?? [];
  const tabs = TABS.filter(([id]) => id in ALWAYS || offered.some((one) => one === id));
  const { value: wanted } = useComputed(() => view.value.tab);
  const current = tabs.some(([id]) => id === wanted) ? wanted : 'chart';
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
          <Component {...seen} cursor={cursor} />
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

const EXPORTS: readonly (readonly [DataExport | ImageExport, string])[] = [
  ['csv', l10n.t('Save as CSV…')],
  ['xlsx', l10n.t('Save as Excel…')],
  ['json', l10n.t('Save as JSON…')],
  ['file', l10n.t('Save as Forecast File…')],
  ['untitled', l10n.t('Open as Text')],
  ['png', l10n.t('Save Image as PNG…')],
  ['svg', l10n.t('Save Image as SVG…')],
];

const exportItems = (
  { save, copy, act }: ChartActions,
  { forecast, menu = [] }: Pick<ChartView, 'forecast' | 'menu'>,
): MenuItem[] => [
  { label: l10n.t('Copy Data'), run: () => save('copy') },
  { label: l10n.t('Copy Image'), run: copy },
  'separator',
  ...EXPORTS.filter(([kind]) => kind !== 'file' || forecast).map(([kind, label]) => ({ label, run: () => save(kind) })),
  ...(menu.length > 0 ? (['separator'] as const) : []),
  ...menu.map(({ id, label }) => ({ label, run: () => act(id) })),
];

export function Header({ chart, actions: own }: { readonly chart: ChartView; readonly actions: ChartActions }) {
  const { title, summary, reading = [], detail, figures, remarks = [], advice, warnings, actions = [] } = chart;
  const { act, send } = own;
  const facts = [...factsOf(summary), ...reading.map((action) => <ActionLink key={action.id} {...{ action, act }} />)];
  const about = figures.map((figure, index) => <FigureOf key={index} {...figure} id={`figure-${String(index)}`} />);
  const scores = [...factsOf(detail), ...about];
  const notices = [...(advice ? [advice] : []), ...warnings.map((sentence) => ({ sentence, actions: [] }))];
  return (
    <header>
      <div class="top">
        <h1 title={title}>{title}</h1>
        <div class="toolbar" role="group" aria-label={l10n.t('Actions')}>
          <Buttons actions={actions} act={act} />
          <MenuButton name={l10n.t('Export')} items={exportItems(own, chart)} />
        </div>
      </div>
      <Facts class="summary" facts={facts} />
      {scores.length > 0 && <Facts class="summary scores" facts={scores} />}
      {remarks.map(({ text, lines, action }) => (
        <p key={text} class="remark">
          <span>{text}</span>
          <LineLinks lines={lines} show={(first, last) => send({ type: 'lines', first, last })} />
          {action && <ActionLink {...{ action, act }} />}
        </p>
      ))}
      {notices.map((notice) => (
        <NoticeOf key={notice.sentence} notice={notice} act={act} />
      ))}
    </header>
  );
}

/** A figure of accuracy with its meaning on hover, and on click for people without a mouse. */
const FigureOf = ({ text, about, isPoor, id }: Figure & { readonly id: string }) => (
  <>
    <button type="button" class={isPoor ? 'figure poor' : 'figure'} title={about} popovertarget={id}>
      {isPoor && <Icon name="warning" />}
      {text}
    </button>
    <div class="about" id={id} popover="auto">
      {about}
    </div>
  </>
);

const NoticeOf = ({ notice, act }: { readonly notice: Notice } & Pick<ChartActions, 'act'>) => (
  <Warning>
    <span>{notice.sentence}</span>
    {notice.actions.map((action) => (
      <ActionLink key={action.id} action={action} act={act} />
    ))}
  </Warning>
);

type StatusProps = Pick<ChartActions, 'act'> & Readonly<{ status: Status; title: string; isStrip: boolean }>;

/** Where a prediction stands: as a strip above a chart that is already there, else in the middle of an empty page. */
export function StatusOf({ status, title, isStrip, act }: StatusProps) {
  const { kind, sentence, progress, actions = [] } = status;
  const hasFailed = kind === 'failed';
  return (
    // what failed is read out at once, so that it is an element of its own
    <section key={kind} class={isStrip ? 'status strip' : 'status'} role={hasFailed ? 'alert' : 'status'}>
      {!isStrip && <h1>{title}</h1>}
      <p>{sentence}</p>
      {kind === 'waiting' && <progress value={progress} aria-label={l10n.t('Progress')} />}
      {actions.length > 0 && (
        <div class="buttons">
          <Buttons actions={actions} act={act} primary={hasFailed ? 0 : -1} />
        </div>
      )}
    </section>
  );
}

export type Picture = Parameters<typeof svgOf>;

async function pngOf([chart, seen]: Picture): Promise<Blob> {
  const canvas = new OffscreenCanvas(2 * SIZE.width, 2 * SIZE.height);
  drawPicture(canvasPen(canvas.getContext('2d')!, 2, PRINT), chart, seen);
  return canvas.convertToBlob();
}

const SAVE_PICTURE = 'save-picture';

export type ChartActions = ReturnType<typeof actionsOf>;

type Host = Pick<PageProps<ChartState, SentIntent> & KeepingProps, 'send' | 'log'>;

export function actionsOf(
  { send, log }: Host,
  picture: () => Picture | undefined,
  refusal: Signal<Notice | undefined>,
) {
  const savePicture = async (kind: ImageExport, drawn: Picture) => {
    const data = kind === 'svg' ? new Blob([svgOf(...drawn)]) : await pngOf(drawn);
    send({ type: 'picture', kind, data: new Uint8Array(await data.arrayBuffer()) });
  };
  const save = (kind: DataExport | ImageExport) => {
    if (kind !== 'png' && kind !== 'svg') return send({ type: 'export', kind });
    const drawn = picture();
    if (!drawn) return;
    savePicture(kind, drawn).catch((error: unknown) => log.error(`The picture could not be drawn: ${String(error)}`));
  };
  const copy = async () => {
    const drawn = picture();
    if (!drawn) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawn) })]);
      refusal.value = undefined;
      send({ type: 'copied' });
    } catch (error) {
      log.error(`The picture was not copied: ${String(error)}`);
      const actions = [{ id: SAVE_PICTURE, label: l10n.t('Save Image as PNG…') }];
      refusal.value = { sentence: l10n.t('The editor did not allow the image to be copied.'), actions };
    }
  };
  const act = (id: string) => (id === SAVE_PICTURE ? save('png') : send({ type: 'action', id }));
  return { save, copy, act, send };
}
