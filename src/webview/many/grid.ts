import * as l10n from '@vscode/l10n';
import type { SeriesRow } from '../../editor/views/many-series/protocol.ts';
import type { Colors } from '../../chart/print.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { createHeads } from './heads.ts';
import { ROW, RowList } from './list.ts';
import type { Order } from './order.ts';
import { extended, NOTHING, only, type Selection, toggled } from './selection.ts';

/** A grid of however many rows, of which only those in sight are there; with mouse and keyboard as a list of the editor. */
export interface Grid {
  readonly element: HTMLElement;
  show(rows: readonly SeriesRow[], order: Order, selection: Selection): void;
  /** Opens the row that the keyboard is at, or the first that is selected. */
  openActive(): void;
  recolor(colors: Colors): void;
  paint(): void;
}

export interface GridEvents {
  readonly open: (row: SeriesRow) => void;
  readonly select: (selection: Selection) => void;
  readonly sort: (order: Order) => void;
  readonly scrolled: () => void;
}

export function createGrid(colors: Colors, { open, select, sort, scrolled }: GridEvents): Grid {
  let rows: readonly SeriesRow[] = [];
  let selection = NOTHING;
  let active = -1;
  let isPlanned = false;
  const list = new RowList(colors);
  const heads = createHeads(sort);
  const element = h(
    'div.grid',
    {
      attributes: { role: 'grid', tabindex: 0, 'aria-label': l10n.t('Forecasts'), 'aria-multiselectable': 'true' },
      on: { keydown: onKey, click: onClick, dblclick: onDoubleClick, scroll: onScroll, focus: onFocus },
    },
    heads.element,
    list.element,
  );

  function paint(): void {
    list.paint(element.scrollTop, element.clientHeight, selection.ids, active);
    setAttribute(element, 'aria-activedescendant', list.idOf(active));
  }

  /** Once for each frame, however often it is scrolled. */
  function onScroll(): void {
    scrolled();
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      paint();
    });
  }

  function choose(next: Selection): void {
    selection = next;
    select(next);
    paint();
  }

  function onFocus(): void {
    if (active < 0 && rows.length > 0) active = Math.min(rows.length - 1, Math.ceil(element.scrollTop / ROW));
    paint();
  }

  /** Goes to a row, in sight. */
  function go(index: number, isExtending: boolean): void {
    if (rows.length === 0) return;
    active = Math.max(0, Math.min(rows.length - 1, index));
    const { offsetHeight } = heads.element;
    const start = active * ROW;
    if (start < element.scrollTop) element.scrollTop = start;
    const room = element.clientHeight - offsetHeight - ROW;
    if (start > element.scrollTop + room) element.scrollTop = start - room;
    const { id } = rows[active]!;
    choose(isExtending ? extended(selection, id, ids()) : only(id));
  }

  const ids = () => rows.map(({ id }) => id);

  function onKey(event: KeyboardEvent): void {
    if (event.target !== element) return;
    const page = Math.max(1, Math.floor(element.clientHeight / ROW) - 2);
    const to: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const row = rows[active];
    if (event.key in to) go(to[event.key]!, event.shiftKey);
    else if (event.key === 'Enter' && row) open(row);
    else if (event.key === ' ' && row) choose(toggled(selection, row.id));
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      choose({ ids: new Set(ids()), anchor: row?.id });
    } else if (event.key === 'Escape' && selection.ids.size > 0) choose(NOTHING);
    else return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent): void {
    const index = list.indexAt(event.target);
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || !row) return;
    active = index;
    const isMark = event.target instanceof Element && event.target.closest('.select') !== null;
    if (event.shiftKey) choose(extended(selection, row.id, ids()));
    else if (isMark || event.ctrlKey || event.metaKey) choose(toggled(selection, row.id));
    else choose(only(row.id));
  }

  function onDoubleClick({ target }: MouseEvent): void {
    const index = list.indexAt(target);
    if (index !== undefined && rows[index]) open(rows[index]);
  }

  return {
    element,
    show(next, order, selected) {
      const at = rows[active]?.id;
      rows = next;
      selection = selected;
      active = at === undefined ? -1 : rows.findIndex(({ id }) => id === at);
      setAttribute(element, 'aria-rowcount', rows.length + 1);
      heads.show(order);
      list.set(rows);
      paint();
    },
    openActive() {
      const row = rows[active] ?? rows.find(({ id }) => selection.ids.has(id)) ?? rows[0];
      if (row) open(row);
    },
    recolor(next) {
      list.recolor(next);
      paint();
    },
    paint,
  };
}
