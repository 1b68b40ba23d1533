import { batch, computed, effect, signal, type Signal } from '@preact/signals';
import type { Deed, HostMessage, SeriesRow, SetRef, WebviewMessage } from '../../editor/views/many-series/protocol.ts';
import { filtered, type Order, sorted } from './order.ts';
import { type Selection, within } from './selection.ts';
import type { ManyState } from './state.ts';

export interface Outside {
  readonly post: (message: WebviewMessage) => void;
  readonly save: (state: SetRef & ManyState) => void;
}

/** How long after the last scrolling what is shown is kept, in milliseconds; what a person does is kept at once. */
const KEEP_AFTER = 200;

/** What a page of many series shows, and what was chosen of it. */
export class ManyList {
  readonly head = signal<Extract<HostMessage, { type: 'head' }> | undefined>(undefined);
  readonly all = signal<readonly SeriesRow[]>([]);
  readonly order: Signal<Order>;
  readonly filter: Signal<string>;
  readonly selection: Signal<Selection>;
  /** Id of the row at which the keyboard is. */
  readonly active = signal<string | undefined>(undefined);
  /** How far it is to be scrolled as soon as it is long enough, in pixels. */
  restored: number;
  /** Whether all rows have come. */
  isWhole = false;
  readonly shown = computed(() => sorted(filtered(this.all.value, this.filter.value), this.order.value));
  readonly #outside: Outside;
  #coming: SeriesRow[] = [];
  #isEmpty = true;
  #top = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  /** @param before what was chosen of it */
  constructor(before: ManyState, outside: Outside) {
    this.#outside = outside;
    this.order = signal(before.order);
    this.filter = signal(before.filter);
    this.selection = signal<Selection>({ ids: new Set(before.selected), anchor: undefined });
    this.restored = before.top;
    effect(() => {
      this.#keep();
    });
  }

  get isLoading(): boolean {
    return this.head.value?.isLoading !== false;
  }

  take({ rows, isFirst, isLast }: Extract<HostMessage, { type: 'rows' }>): void {
    if (isFirst) {
      this.#coming = [];
      this.#isEmpty = this.all.value.length === 0;
    }
    this.#coming.push(...rows);
    // a list that is there changes at once, an empty one fills as they come
    if (!this.#isEmpty && !isLast) return;
    this.isWhole = isLast;
    batch(() => {
      this.all.value = [...this.#coming];
      if (isLast) this.selection.value = within(this.selection.value, new Set(this.all.value.map(({ id }) => id)));
      if (!this.shown.value.some(({ id }) => id === this.active.value)) this.active.value = undefined;
    });
  }

  /** Opens the row that the keyboard is at, else the first that is selected, else the first. */
  open(): void {
    const { ids } = this.selection.value;
    const { value: rows } = this.shown;
    const row = rows.find(({ id }) => id === this.active.value) ?? rows.find(({ id }) => ids.has(id)) ?? rows[0];
    if (row) this.#outside.post({ type: 'open', id: row.id });
  }

  /** Does something with the selected rows that are shown, or with all that are. */
  do(deed: Deed): void {
    const ids = this.shown.value.map(({ id }) => id);
    const selected = ids.filter((id) => this.selection.value.ids.has(id));
    this.#outside.post({ type: 'deed', deed, ids: selected.length > 0 ? selected : ids });
  }

  act(id: string): void {
    this.#outside.post({ type: 'action', id });
  }

  /** Keeps how far it is scrolled, once it is at rest. */
  scrolled(top: number): void {
    this.#top = top;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => {
      this.#keep();
    }, KEEP_AFTER);
  }

  /** A page that is hidden ends at once, and what waits with it. */
  #keep(): void {
    const { value: head } = this.head;
    const [order, filter, { ids }] = [this.order.value, this.filter.value, this.selection.value];
    if (!head || head.isLoading) return;
    this.#outside.save({ ...head.ref, order, filter, top: this.#top, selected: [...ids] });
  }
}
