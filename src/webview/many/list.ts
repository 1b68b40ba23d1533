import { batch, computed, effect, signal } from '@preact/signals';
import type { ManyAction, ManyIntent, ManyState, SeriesRow } from '../../editor/many-series/protocol.ts';
import { isRecord } from '../../editor/views/shared/protocol.ts';
import { type Column, FIGURES, filtered, type Order, sorted, USUAL_ORDER } from './columns.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined };

/** How a row is selected: alone, from the anchor to it, or as one more or less. */
export type Selecting = 'only' | 'range' | 'toggle';

/** How long after the last scrolling the view is kept, in milliseconds; what a person does is kept at once. */
const KEEP_AFTER = 200;

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
  isWhole = false;
  readonly #send: (intent: ManyIntent) => void;
  readonly #keep: () => void;
  #top = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  /** @param kept what was chosen of it before; what is unreadable in it is as at first */
  constructor(kept: unknown, send: (intent: ManyIntent) => void, keep: (view: unknown) => void) {
    const { order, filter, top, selected } = isRecord(kept) ? kept : {};
    const { column, isDescending } = isRecord(order) ? order : {};
    if (column === 'name' || Object.hasOwn(FIGURES, String(column)))
      this.order.value = { column: column as Column, isDescending: isDescending === true };
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

  read({ rows, isLoading }: Pick<ManyState, 'rows' | 'isLoading'>): void {
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

  select(id: string, how: Selecting): void {
    this.active.value = id;
    const { ids, anchor } = this.selection.value;
    if (how === 'toggle') {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      this.selection.value = { ids: next, anchor: id };
      return;
    }
    const shown = this.shown.value.map((row) => row.id);
    const ends = [shown.indexOf(anchor ?? ''), shown.indexOf(id)];
    const isRange = how === 'range' && !ends.includes(-1);
    const range = isRange ? shown.slice(Math.min(...ends), Math.max(...ends) + 1) : [id];
    this.selection.value = { ids: new Set(range), anchor: isRange ? anchor : id };
  }

  selectAll(): void {
    this.selection.value = { ids: new Set(this.shown.value.map(({ id }) => id)), anchor: this.active.value };
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

  scrolled(top: number): void {
    this.#top = top;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(this.#keep, KEEP_AFTER);
  }
}
