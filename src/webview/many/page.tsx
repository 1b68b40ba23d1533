import * as l10n from '@vscode/l10n';
import type { RefObject, TargetedEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { inDigits } from '../../calendar/digits.ts';
import { sparklineOf } from '../../chart/trace.ts';
import type { ManyAction, ManyState, SeriesRow } from '../../editor/many-series/protocol.ts';
import { Sparkline, useVisibleRows } from '../shared/drawing.tsx';
import { Button, figureOf, Icon } from '../shared/elements.tsx';
import { MenuButton } from '../shared/menu.tsx';
import { aboutRow, type Column, type Figure, type FigureColumn, FIGURES } from './list.ts';
import { type ManyList, type ManyProps, textOf, useList } from './list.ts';

export function ManyPage(props: ManyProps) {
  const { state, send } = props;
  const { ref, problem, levels, actions } = state;
  const list = useList(props);
  const scroller = useRef<HTMLDivElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const words = l10n.t('Filter by name, model, or status');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    filter.current!.select();
  };
  const down = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    scroller.current!.focus();
  };
  return (
    <div class="page" onKeyDown={onKeyDown}>
      <header>
        <div class="top">
          <h1>{ref.label}</h1>
          <Toolbar list={list} actions={actions} />
        </div>
        {problem !== null && (
          <div class="problem" role="alert">
            <p>{problem}</p>
            <Button class="button" run={() => send({ type: 'retry' })}>
              {l10n.t('Try Again')}
            </Button>
          </div>
        )}
        {levels && <Levels levels={levels} />}
        <div class="line">
          <input
            ref={filter}
            class="filter"
            type="search"
            placeholder={words}
            aria-label={words}
            value={list.view.filter}
            onInput={({ currentTarget }) => {
              scroller.current!.scrollTop = 0;
              list.change({ filter: currentTarget.value });
            }}
            onKeyDown={down}
          />
          <p class="count" role="status">
            {countOf(list, state)}
          </p>
        </div>
      </header>
      <Grid list={list} scroller={scroller} isLoading={state.isLoading} />
    </div>
  );
}

function countOf({ shown, ids }: ManyList, { rows: all, isLoading }: ManyState): string {
  if (isLoading && all.length === 0) return l10n.t('Loading…');
  const selected = shown.filter(({ id }) => ids.has(id)).length;
  const failed = all.filter(({ hasFailed }) => hasFailed).length;
  return [
    shown.length === all.length
      ? l10n.t('{0} series', inDigits(all.length))
      : l10n.t('{0} of {1} series', inDigits(shown.length), inDigits(all.length)),
    ...(selected > 0 ? [l10n.t('{0} selected', inDigits(selected))] : []),
    ...(failed > 0 ? [l10n.t('{0} failed', inDigits(failed))] : []),
  ].join(' · ');
}

const FILES: readonly (readonly [ManyAction, string])[] = [
  ['save-csv', l10n.t('CSV…')],
  ['save-json', l10n.t('JSON…')],
  ['save-xlsx', l10n.t('Excel…')],
];

function Toolbar({ list, actions }: { readonly list: ManyList; readonly actions: readonly ManyAction[] }) {
  const isIdle = list.shown.length === 0;
  const button = (label: string, run: () => void) => (
    <Button disabled={isIdle} run={run}>
      {label}
    </Button>
  );
  const offered = (action: ManyAction, label: string) =>
    actions.includes(action) && button(label, () => list.do(action));
  const items = FILES.flatMap(([action, label]) =>
    actions.includes(action) ? [{ label, run: () => list.do(action) }] : [],
  );
  return (
    <div class="toolbar" role="toolbar" aria-label={l10n.t('With the selected series')}>
      {button(l10n.t('Open Chart'), () => list.open())}
      {offered('again', l10n.t('Forecast Again…'))}
      {items.length > 0 && <MenuButton name={l10n.t('Save')} items={items} disabled={isIdle} />}
      {offered('dataset', l10n.t('Create Dataset…'))}
      {offered('tune', l10n.t('Fine-Tune…'))}
    </div>
  );
}

export function Levels({ levels }: { readonly levels: NonNullable<ManyState['levels']> }) {
  const about = l10n.t(
    'Mean scaled error on a holdout of one horizon; below 1 is better than the usual change over a season. In parentheses: the error when each series is forecast separately.',
  );
  const labelOf = (series: number, index: number): string => {
    const count = inDigits(series);
    if (index === levels.length - 1) return l10n.t('{0} series', count);
    if (series === 1) return index === 0 ? l10n.t('grand total') : l10n.t('1 total');
    return l10n.t('{0} totals', count);
  };
  return (
    <div class="levels">
      <span title={about}>
        {l10n.t(
          'Series and totals add up at every step. Error of each level, in parentheses when forecast separately:',
        )}
      </span>
      {levels.map(({ series, mase, mase_alone: alone }, index) => (
        <span key={index}>
          {labelOf(series, index)} <b>{figureOf(mase, 2)}</b> ({figureOf(alone, 2)})
        </span>
      ))}
    </div>
  );
}

/** Height of a row in pixels, as in the style sheet. */
export const ROW = 32;
const SPARE = 6;
const COLUMNS = Object.keys(FIGURES) as FigureColumn[];

type GridProps = Readonly<{ list: ManyList; scroller: RefObject<HTMLDivElement | null>; isLoading: boolean }>;

/** A grid of however many rows, of which only those in sight are there; with mouse and keyboard as a list of the editor. */
function Grid({ list, scroller, isLoading }: GridProps) {
  const { shown: rows, view } = list;
  const active = rows.findIndex(({ id }) => id === view.active);
  const { first, end, see } = useVisibleRows(scroller, { count: rows.length, row: ROW, spare: SPARE });
  const restored = useRef(view.top);
  useLayoutEffect(() => {
    const { current: top } = restored;
    if (top > 0 && rows.length * ROW > top) scroller.current!.scrollTop = top;
    // a shorter list: keep the scroll position of the person
    if (rows.length * ROW > top || !isLoading) restored.current = 0;
    see();
  }, [rows]);
  return (
    <div
      ref={scroller}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={l10n.t('Forecasts')}
      aria-multiselectable="true"
      aria-busy={isLoading ? 'true' : undefined}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={active >= first && active < end ? `row-${String(active)}` : undefined}
      {...keysOf(list, active)}
      onScroll={see}
      onScrollEnd={({ currentTarget }) => list.change({ top: currentTarget.scrollTop })}
    >
      <Heads list={list} />
      <div class="rows" role="rowgroup" style={{ height: `${String(rows.length * ROW)}px` }}>
        {rows.slice(first, end).map((row, offset) => {
          const index = first + offset;
          return <Row key={row.id} {...{ list, row, index }} isActive={index === active} />;
        })}
      </div>
    </div>
  );
}

type RowProps = Readonly<{ list: ManyList; row: SeriesRow; index: number; isActive: boolean }>;

const Row = ({ list, row, index, isActive }: RowProps) => (
  <div
    id={`row-${String(index)}`}
    class={`row${row.hasFailed ? ' failed' : ''}${isActive ? ' active' : ''}`}
    role="row"
    // the row of the heads is the first
    aria-rowindex={index + 2}
    aria-selected={list.ids.has(row.id)}
    title={aboutRow(row)}
    style={{ top: `${String(index * ROW)}px` }}
    onClick={({ target, ctrlKey, metaKey, shiftKey }) => {
      const isToggle = (target as Element).closest('.select') !== null || ctrlKey || metaKey;
      list.select(row.id, shiftKey ? 'range' : isToggle ? 'toggle' : 'only');
    }}
    onDblClick={() => list.open(row.id)}
  >
    <div class="cell select" role="gridcell">
      <span class="mark" aria-hidden="true">
        <Icon name="check" />
      </span>
    </div>
    <div class="cell name" role="gridcell">
      {row.name}
    </div>
    <div class="cell drawing" role="gridcell">
      {row.state === undefined && row.past ? (
        <Sparkline of={row} sceneOf={sparklineOf} />
      ) : (
        <span class="state">{row.state ?? l10n.t('no sparkline')}</span>
      )}
    </div>
    {COLUMNS.map((column) => (
      <div key={column} class={`cell figure ${column}`} role="gridcell">
        {textOf(row, column)}
      </div>
    ))}
  </div>
);

function keysOf(list: ManyList, active: number) {
  const { shown: rows } = list;
  const go = (grid: HTMLElement, index: number, isExtending: boolean) => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    const start = to * ROW;
    if (start < grid.scrollTop) grid.scrollTop = start;
    const room = grid.clientHeight - (grid.querySelector<HTMLElement>('.heads')?.offsetHeight ?? 0) - ROW;
    if (start > grid.scrollTop + room) grid.scrollTop = start - room;
    list.select(rows[to]!.id, isExtending ? 'range' : 'only');
  };
  const onKeyDown = (event: TargetedEvent<HTMLDivElement, KeyboardEvent>) => {
    const { key, currentTarget: grid, target, ctrlKey, metaKey, shiftKey } = event;
    if (target !== grid) return;
    const page = Math.max(1, Math.floor(grid.clientHeight / ROW) - 2);
    const to: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const row = rows[active];
    if (key in to && rows.length > 0) go(grid, to[key]!, shiftKey);
    else if (key === 'Enter' && row) list.open();
    else if (key === ' ' && row) list.select(row.id, 'toggle');
    else if (key === 'a' && (ctrlKey || metaKey)) list.change({ selected: rows.map(({ id }) => id), anchor: row?.id });
    else if (key === 'Escape' && list.ids.size > 0) list.change({ selected: [], anchor: undefined });
    else if (!(key in to)) return;
    event.preventDefault();
  };
  const onFocus = ({ currentTarget: { scrollTop } }: TargetedEvent<HTMLDivElement, FocusEvent>) => {
    if (active < 0) list.change({ active: rows[Math.min(rows.length - 1, Math.ceil(scrollTop / ROW))]?.id });
  };
  return { onKeyDown, onFocus };
}

/** The heads of the columns: each sorts by its column, and once more the other way round. */
function Heads({ list }: { readonly list: ManyList }) {
  const { order } = list.view;
  const plain = (kind: string, label: string) => (
    <div key={kind} class={`cell ${kind}`} role="columnheader">
      <span class="sr-only">{label}</span>
    </div>
  );
  const head = (column: Column, { label, about, startsAscending = false }: Omit<Figure, 'write'>) => {
    const isSorted = column === order.column;
    const isDescending = isSorted ? !order.isDescending : !startsAscending;
    return (
      <div
        key={column}
        class={column === 'name' ? 'cell name' : `cell figure ${column}`}
        role="columnheader"
        aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      >
        <button
          type="button"
          class="sort"
          title={about}
          onClick={() => list.change({ order: { column, isDescending } })}
        >
          {label}
          <Icon name="chevron" />
        </button>
      </div>
    );
  };
  return (
    <div class="heads" role="row" aria-rowindex={1}>
      {plain('select', l10n.t('Selected'))}
      {head('name', { label: l10n.t('Series'), about: l10n.t('The name of the series'), startsAscending: true })}
      {plain('drawing', l10n.t('Sparkline'))}
      {COLUMNS.map((column) => head(column, FIGURES[column]))}
    </div>
  );
}
