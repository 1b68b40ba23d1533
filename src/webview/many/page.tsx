import * as l10n from '@vscode/l10n';
import type { RefObject, TargetedEvent } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { inDigits, inPercent, inSignificant } from '../../calendar/digits.ts';
import { sparklineScene } from '../../chart/frame.ts';
import type { ManyAction, ManyIntent, ManyState, SeriesRow } from '../../editor/many-series/protocol.ts';
import { Sparkline, useVisibleRows } from '../shared/drawing.tsx';
import { Button, figureOf, Icon, MenuButton } from '../shared/elements.tsx';
import { viewOf } from '../../editor/views/shared/protocol.ts';
import type { KeepingProps, PageProps } from '../shared/show-page.tsx';

type ManyProps = PageProps<ManyState, ManyIntent> & Pick<KeepingProps, 'kept' | 'keep'>;

/** A share with its sign: `+4.2%`, `−0.3%`. */
function signed(share: number): string {
  const digits = Math.abs(share) >= 10 ? 0 : 1;
  const isNone = Number(Math.abs(share * 100).toFixed(digits)) === 0;
  return inPercent((isNone ? '' : share < 0 ? '−' : '+') + inDigits(Math.abs(share * 100), digits));
}

const short = (value: number): string => inSignificant(value, 5);
const percent = (share: number): string => String(Math.round(share * 100));

export interface Figure {
  readonly label: string;
  readonly about: string;
  readonly write: (value: number) => string;
  readonly startsAscending?: boolean;
}

export type FigureColumn = 'last' | 'next' | 'change' | 'error' | 'coverage';
type Column = FigureColumn | 'name';

export const FIGURES: Readonly<Record<FigureColumn, Figure>> = {
  last: { label: l10n.t('Last'), about: l10n.t('The last observation'), write: short },
  next: { label: l10n.t('Next'), about: l10n.t('The forecast of the first step ahead'), write: short },
  change: {
    label: l10n.t('Change'),
    about: l10n.t('From the last observation to the first step ahead'),
    write: signed,
  },
  error: {
    label: l10n.t('Error'),
    about: l10n.t('Symmetric mean absolute percentage error (sMAPE) on the holdout at the end of the series'),
    write: (value) => inPercent(inDigits(value, 1)),
    startsAscending: true,
  },
  coverage: {
    label: l10n.t('Coverage'),
    about: l10n.t('Share of the holdout inside the 80% interval'),
    write: (value) => inPercent(percent(value)),
  },
};

/** The figure of a row; a change as a share of the last observation, none where that is 0. */
export function figureIn(row: SeriesRow, column: FigureColumn): number | undefined {
  const { last, next } = row;
  if (column !== 'change') return row[column];
  return last && next !== undefined ? (next - last) / Math.abs(last) : undefined;
}

export function textOf(row: SeriesRow, column: FigureColumn): string {
  const value = figureIn(row, column);
  return value === undefined ? '–' : FIGURES[column].write(value);
}

export function aboutRow({ name, model, error, skill, coverage }: SeriesRow): string {
  const lines = [model === undefined ? name : `${name} · ${model}`];
  if (error !== undefined) lines.push(l10n.t('{0}% error on the holdout', inDigits(error, 1)));
  if (skill !== undefined) lines.push(skill);
  if (coverage !== undefined) lines.push(l10n.t('its 80% interval covered {0}%', percent(coverage)));
  return lines.join('\n');
}

type Order = Readonly<{ column: Column; isDescending: boolean }>;

/** Rows in an order, by name among equals; what has no value comes last either way, and what failed at the very end. */
export function sorted(rows: readonly SeriesRow[], { column, isDescending }: Order): SeriesRow[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = isDescending ? -1 : 1;
  if (column === 'name') return rows.toSorted((a, b) => sign * compare(a.name, b.name));
  const keyed = rows.map((row) => {
    const value = figureIn(row, column);
    const rank = (row.hasFailed ? 4 : row.state === undefined ? 0 : 2) + Number(value === undefined);
    return { row, value: value ?? 0, rank };
  });
  keyed.sort((a, b) => a.rank - b.rank || sign * (a.value - b.value) || compare(a.row.name, b.row.name));
  return keyed.map(({ row }) => row);
}

export function filtered(rows: readonly SeriesRow[], filter: string): readonly SeriesRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, model = '', state = '' }) => {
    const text = `${name} ${model} ${state}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface View {
  readonly order: Order;
  readonly filter: string;
  readonly selected: readonly string[];
  readonly anchor?: string | undefined;
  readonly active?: string | undefined;
  readonly top: number;
}

const USUAL: View = { order: { column: 'error', isDescending: false }, filter: '', selected: [], top: 0 };
const SAMPLE = { ...USUAL, selected: [''], anchor: '', active: '' };

type ManyList = ReturnType<typeof useList>;

function useList({ state: { rows }, send, kept, keep }: ManyProps) {
  const [view, setView] = useState(() => viewOf(USUAL, SAMPLE, kept));
  const latest = useRef(view);
  const { order, filter, selected, anchor, active } = view;
  const ids = useMemo(() => new Set(selected), [selected]);
  const shown = useMemo(() => sorted(filtered(rows, filter), order), [rows, filter, order]);
  const change = (parts: Partial<View>) => {
    latest.current = { ...latest.current, ...parts };
    setView(latest.current);
    keep(latest.current);
  };
  return {
    view,
    ids,
    shown,
    change,
    /** Selects a row alone, from the anchor to it, or as one more or less. */
    select(id: string, how: 'only' | 'range' | 'toggle') {
      const ends = [anchor, id].map((one) => shown.findIndex((row) => row.id === one));
      const isRange = how === 'range' && !ends.includes(-1);
      const range = isRange ? shown.slice(Math.min(...ends), Math.max(...ends) + 1).map((row) => row.id) : [id];
      const toggled = ids.has(id) ? selected.filter((one) => one !== id) : [...selected, id];
      change({ active: id, selected: how === 'toggle' ? toggled : range, anchor: isRange ? anchor : id });
    },
    /** Opens a row, by default that which the keyboard is at, else the first that is selected, else the first. */
    open(id = active) {
      const row = shown.find((one) => one.id === id) ?? shown.find((one) => ids.has(one.id)) ?? shown[0];
      if (row) send({ type: 'open', id: row.id });
    },
    do(action: ManyAction) {
      const chosen = shown.filter((row) => ids.has(row.id));
      send({ type: 'do', action, ids: (chosen.length > 0 ? chosen : shown).map((row) => row.id) });
    },
  };
}

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
        <Sparkline of={row} sceneOf={sparklineScene} />
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
