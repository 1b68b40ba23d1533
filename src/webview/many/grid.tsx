import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { SeriesRow } from '../../editor/many-series/protocol.ts';
import { Icon } from '../shared/elements.tsx';
import { Sparkline } from '../shared/drawing.tsx';
import { useVisibleRows } from '../shared/visible-rows.ts';
import { aboutRow, cellsOf, sparklineOf } from './cells.ts';
import { extended, type ManyList, NOTHING, only, type Selection, toggled } from './list.ts';
import { COLUMNS, type Column } from './order.ts';

/** Height of a row in pixels, as in the style sheet. */
export const ROW = 32;
/** Rows that are there above and below what is in sight. */
const SPARE = 6;

interface GridProps {
  readonly list: ManyList;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** A grid of however many rows, of which only those in sight are there; with mouse and keyboard as a list of the editor. */
export function Grid({ list, scroller, isLoading }: GridProps & { readonly isLoading: boolean }) {
  const { value: rows } = list.shown;
  const active = rows.findIndex(({ id }) => id === list.active.value);
  const { ids } = list.selection.value;
  const { first, end, see } = useVisibleRows(scroller, { count: rows.length, row: ROW, spare: SPARE });
  useLayoutEffect(() => {
    if (list.restored > 0 && rows.length * ROW > list.restored) {
      scroller.current!.scrollTop = list.restored;
      list.restored = 0;
    }
    // the list got shorter: keep the scroll position of the person
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
      {...keysOf({ list, scroller })}
      {...clicksOf({ list, scroller })}
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

function Row({ row, index, isSelected, isActive }: RowProps) {
  const cells = cellsOf(row);
  return (
    <div
      id={`row-${String(index)}`}
      class={['row', ...(row.hasFailed ? ['failed'] : []), ...(isActive ? ['active'] : [])].join(' ')}
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
      {Object.entries(cells).map(([kind, text]) => (
        <div key={kind} class={`cell figure ${kind}`} role="gridcell">
          {text}
        </div>
      ))}
    </div>
  );
}

/** The rows of a list as they are gone through and selected. */
function walk({ list, scroller }: GridProps) {
  const { value: rows } = list.shown;
  const ids = () => rows.map(({ id }) => id);
  const active = rows.findIndex(({ id }) => id === list.active.value);
  const choose = (index: number, selection: Selection) => {
    list.active.value = rows[index]?.id;
    list.selection.value = selection;
  };
  /** Goes to a row, in sight. */
  const go = (index: number, isExtending: boolean) => {
    if (rows.length === 0) return;
    const to = Math.max(0, Math.min(rows.length - 1, index));
    const grid = scroller.current!;
    const start = to * ROW;
    if (start < grid.scrollTop) grid.scrollTop = start;
    const room = grid.clientHeight - (grid.querySelector<HTMLElement>('.heads')?.offsetHeight ?? 0) - ROW;
    if (start > grid.scrollTop + room) grid.scrollTop = start - room;
    const { id } = rows[to]!;
    choose(to, isExtending ? extended(list.selection.value, id, ids()) : only(id));
  };
  return { rows, ids, active, choose, go };
}

/** What is done with the keyboard. */
function keysOf({ list, scroller }: GridProps) {
  const { rows, ids, active, choose, go } = walk({ list, scroller });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    const page = Math.max(1, Math.floor(scroller.current!.clientHeight / ROW) - 2);
    const to: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const row = rows[active];
    const { value: selection } = list.selection;
    if (event.key in to) go(to[event.key]!, event.shiftKey);
    else if (event.key === 'Enter' && row) list.open();
    else if (event.key === ' ' && row) choose(active, toggled(selection, row.id));
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey))
      choose(active, { ids: new Set(ids()), anchor: row?.id });
    else if (event.key === 'Escape' && selection.ids.size > 0) choose(active, NOTHING);
    else return;
    event.preventDefault();
  };
  const onFocus = () => {
    if (active >= 0) return;
    list.active.value = rows[Math.min(rows.length - 1, Math.ceil(scroller.current!.scrollTop / ROW))]?.id;
  };
  return { onKeyDown, onFocus };
}

/** What is done with the mouse. */
function clicksOf({ list, scroller }: GridProps) {
  const { rows, ids, choose } = walk({ list, scroller });
  const indexAt = (target: EventTarget | null) => {
    const index = target instanceof Element ? target.closest<HTMLElement>('.row')?.dataset['index'] : undefined;
    return index === undefined ? -1 : Number(index);
  };
  const onClick = (event: MouseEvent) => {
    const index = indexAt(event.target);
    const row = rows[index];
    if (!row) return;
    const isMark = event.target instanceof Element && event.target.closest('.select') !== null;
    const { value: selection } = list.selection;
    if (event.shiftKey) choose(index, extended(selection, row.id, ids()));
    else choose(index, isMark || event.ctrlKey || event.metaKey ? toggled(selection, row.id) : only(row.id));
  };
  const onDblClick = ({ target }: MouseEvent) => {
    const row = rows[indexAt(target)];
    if (!row) return;
    list.active.value = row.id;
    list.open();
  };
  return { onClick, onDblClick };
}

const words = (): Readonly<Record<Column, readonly [label: string, about: string]>> => ({
  name: [l10n.t('Series'), l10n.t('The name of the series')],
  last: [l10n.t('Last'), l10n.t('The last observation')],
  next: [l10n.t('Next'), l10n.t('The forecast of the first step ahead')],
  change: [l10n.t('Change'), l10n.t('From the last observation to the first step ahead')],
  error: [
    l10n.t('Error'),
    l10n.t('Symmetric mean absolute percentage error (sMAPE) on the holdout at the end of the series'),
  ],
  coverage: [l10n.t('Coverage'), l10n.t('Share of the holdout inside the 80% interval')],
});

/** Names and small errors are wanted first, large numbers of the others. */
const startsDescending = (column: Column): boolean => column !== 'name' && column !== 'error';

/** The heads of the columns: each sorts by its column, and once more the other way round. */
function Heads({ list }: { readonly list: ManyList }) {
  const { value: order } = list.order;
  const said = words();
  const plain = (kind: string, label: string) => (
    <div key={kind} class={`cell ${kind}`} role="columnheader">
      <span class="sr-only">{label}</span>
    </div>
  );
  const head = (column: Column) => {
    const isSorted = column === order.column;
    const sort = () => {
      list.order.value = { column, isDescending: isSorted ? !order.isDescending : startsDescending(column) };
    };
    return (
      <div
        key={column}
        class={column === 'name' ? 'cell name' : `cell figure ${column}`}
        role="columnheader"
        aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      >
        <button type="button" class="sort" title={said[column][1]} onClick={sort}>
          {said[column][0]}
          <Icon name="chevron" />
        </button>
      </div>
    );
  };
  const [name, ...figures] = COLUMNS;
  return (
    <div class="heads" role="row" aria-rowindex={1}>
      {plain('select', l10n.t('Selected'))}
      {head(name)}
      {plain('drawing', l10n.t('Sparkline'))}
      {figures.map(head)}
    </div>
  );
}
