import { batch, computed, effect, signal } from '@preact/signals';
import type { ManyAction, ManyIntent, ManyState, SeriesRow } from '../../editor/many-series/protocol.ts';
import { isRecord } from '../../editor/views/shared/protocol.ts';
import { COLUMNS, filtered, type Order, sorted, USUAL_ORDER } from './order.ts';

/** Which rows of a list are selected, by their ids, and from where a range is extended. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined };

export const only = (id: string): Selection => ({ ids: new Set([id]), anchor: id });

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** All rows from the anchor to one of them. @param shown ids in their order */
export function extended({ anchor }: Selection, id: string, shown: readonly string[]): Selection {
  const from = anchor === undefined ? -1 : shown.indexOf(anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return only(id);
  return { ids: new Set(shown.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor };
}

/** How long after the last scrolling what is shown is kept, in milliseconds; what a person does is kept at once. */
const KEEP_AFTER = 200;

/** What the person has chosen of a page of many series. */
export class ManyList {
  readonly all = signal<readonly SeriesRow[]>([]);
  readonly order = signal<Order>(USUAL_ORDER);
  readonly filter = signal('');
  readonly selection = signal<Selection>(NOTHING);
  /** Id of the row at which the keyboard is. */
  readonly active = signal<string | undefined>(undefined);
  readonly shown = computed(() => sorted(filtered(this.all.value, this.filter.value), this.order.value));
  /** How far it is to be scrolled as soon as it is long enough, in pixels. */
  restored = 0;
  /** Whether all rows have come. */
  isWhole = false;
  readonly #send: (intent: ManyIntent) => void;
  readonly #keep: () => void;
  #top = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  /** @param kept what was chosen of it before; what is unreadable in it is as at first */
  constructor(kept: unknown, send: (intent: ManyIntent) => void, keep: (view: unknown) => void) {
    const { order, filter, top, selected } = isRecord(kept) ? kept : {};
    const { column: name, isDescending } = isRecord(order) ? order : {};
    const column = COLUMNS.find((one) => one === name);
    if (column) this.order.value = { column, isDescending: isDescending === true };
    if (typeof filter === 'string') this.filter.value = filter;
    if (Array.isArray(selected))
      this.selection.value = { ids: new Set(selected.filter((id) => typeof id === 'string')), anchor: undefined };
    if (typeof top === 'number' && top >= 0) this.restored = top;
    this.#send = send;
    this.#keep = () => {
      const [order, filter, { ids }] = [this.order.value, this.filter.value, this.selection.value];
      // while rows are read it would forget what was selected of them
      if (this.isWhole) keep({ order, filter, top: this.#top, selected: [...ids] });
    };
    effect(this.#keep);
  }

  take({ rows, isLoading }: Pick<ManyState, 'rows' | 'isLoading'>): void {
    // a page that was hidden ends at once, and what waits with it
    this.isWhole = !isLoading;
    const { ids, anchor } = this.selection.value;
    const there = new Set(rows.map(({ id }) => id));
    batch(() => {
      this.all.value = rows;
      if (!isLoading)
        this.selection.value = {
          ids: new Set([...ids].filter((id) => there.has(id))),
          anchor: there.has(anchor ?? '') ? anchor : undefined,
        };
      if (!this.shown.value.some(({ id }) => id === this.active.value)) this.active.value = undefined;
    });
  }

  /** Opens the row that the keyboard is at, else the first that is selected, else the first. */
  open(): void {
    const { ids } = this.selection.value;
    const { value: rows } = this.shown;
    const row = rows.find(({ id }) => id === this.active.value) ?? rows.find(({ id }) => ids.has(id)) ?? rows[0];
    if (row) this.#send({ type: 'open', id: row.id });
  }

  /** Does something with the selected rows that are shown, or with all that are. */
  do(action: ManyAction): void {
    const ids = this.shown.value.map(({ id }) => id);
    const selected = ids.filter((id) => this.selection.value.ids.has(id));
    this.#send({ type: 'do', action, ids: selected.length > 0 ? selected : ids });
  }

  /** Keeps how far it is scrolled, once it is at rest. */
  scrolled(top: number): void {
    this.#top = top;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(this.#keep, KEEP_AFTER);
  }
}
