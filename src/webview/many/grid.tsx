import * as l10n from '@vscode/l10n';
import type { RefObject, TargetedEvent } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { sparklineOf } from '../../chart/trace.ts';
import type { SeriesRow } from '../../editor/many-series/protocol.ts';
import { Sparkline, useVisibleRows } from '../shared/drawing.tsx';
import { Icon } from '../shared/elements.tsx';
import {
  aboutRow,
  type Column,
  type Figure,
  type FigureColumn,
  FIGURES,
  type ManyList,
  NOTHING,
  textOf,
} from './list.ts';

/** Height of a row in pixels, as in the style sheet. */
export const ROW = 32;
const SPARE = 6;
const COLUMNS = Object.keys(FIGURES) as FigureColumn[];

interface GridProps {
  readonly list: ManyList;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly isLoading: boolean;
}

/** A grid of however many rows, of which only those in sight are there; with mouse and keyboard as a list of the editor. */
export function Grid({ list, scroller, isLoading }: GridProps) {
  const { value: rows } = list.shown;
  const active = rows.findIndex(({ id }) => id === list.active.value);
  const { ids } = list.selection.value;
  const { first, end, see } = useVisibleRows(scroller, { count: rows.length, row: ROW, spare: SPARE });
  useLayoutEffect(() => {
    if (list.restored > 0 && rows.length * ROW > list.restored) {
      scroller.current!.scrollTop = list.restored;
      list.restored = 0;
    }
    // a shorter list: keep the scroll position of the person
    if (list.isWhole) list.restored = 0;
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
      {...keysOf(list, rows, active)}
      {...clicksOf(list, rows)}
      onScroll={({ currentTarget }) => {
        list.scrolled(currentTarget.scrollTop);
        see();
      }}
    >
      <Heads list={list} />
      <div class="rows" role="rowgroup" style={{ height: `${String(rows.length * ROW)}px` }}>
        {rows.slice(first, end).map((row, offset) => {
          const index = first + offset;
          return <Row key={row.id} row={row} index={index} isSelected={ids.has(row.id)} isActive={index === active} />;
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: SeriesRow;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
}

const Row = ({ row, index, isSelected, isActive }: RowProps) => (
  <div
    id={`row-${String(index)}`}
    class={`row${row.hasFailed ? ' failed' : ''}${isActive ? ' active' : ''}`}
    role="row"
    data-index={index}
    // the row of the heads is the first
    aria-rowindex={index + 2}
    aria-selected={isSelected}
    title={aboutRow(row)}
    style={{ top: `${String(index * ROW)}px` }}
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

function keysOf(list: ManyList, rows: readonly SeriesRow[], active: number) {
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
    else if (key === 'a' && (ctrlKey || metaKey)) list.selectAll();
    else if (key === 'Escape' && list.selection.value.ids.size > 0) list.selection.value = NOTHING;
    else if (!(key in to)) return;
    event.preventDefault();
  };
  const onFocus = ({ currentTarget: { scrollTop } }: TargetedEvent<HTMLDivElement, FocusEvent>) => {
    if (active < 0) list.active.value = rows[Math.min(rows.length - 1, Math.ceil(scrollTop / ROW))]?.id;
  };
  return { onKeyDown, onFocus };
}

function clicksOf(list: ManyList, rows: readonly SeriesRow[]) {
  const onRow = (act: (id: string, event: MouseEvent, target: Element) => void) => (event: MouseEvent) => {
    const { target } = event;
    const index = target instanceof Element && target.closest<HTMLElement>('.row')?.dataset['index'];
    if (index) act(rows[Number(index)]!.id, event, target);
  };
  const onClick = onRow((id, { ctrlKey, metaKey, shiftKey }, target) => {
    const isToggle = target.closest('.select') !== null || ctrlKey || metaKey;
    list.select(id, shiftKey ? 'range' : isToggle ? 'toggle' : 'only');
  });
  const onDblClick = onRow((id) => {
    list.active.value = id;
    list.open();
  });
  return { onClick, onDblClick };
}

/** The heads of the columns: each sorts by its column, and once more the other way round. */
function Heads({ list }: { readonly list: ManyList }) {
  const { value: order } = list.order;
  const plain = (kind: string, label: string) => (
    <div key={kind} class={`cell ${kind}`} role="columnheader">
      <span class="sr-only">{label}</span>
    </div>
  );
  const head = (column: Column, { label, about, startsAscending = false }: Omit<Figure, 'write'>) => {
    const isSorted = column === order.column;
    const sort = () => {
      list.order.value = { column, isDescending: isSorted ? !order.isDescending : !startsAscending };
    };
    return (
      <div
        key={column}
        class={column === 'name' ? 'cell name' : `cell figure ${column}`}
        role="columnheader"
        aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      >
        <button type="button" class="sort" title={about} onClick={sort}>
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
