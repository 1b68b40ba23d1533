import { batch, computed, effect, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { inDigits, inPercent, inSignificant } from '../../calendar/digits.ts';
import type { ManyAction, ManyIntent, ManyState, SeriesRow } from '../../editor/many-series/protocol.ts';
import { isRecord } from '../../editor/views/shared/protocol.ts';

/** A share with its sign: `+4.2%`, `−0.3%`. */
function signed(share: number): string {
  const digits = Math.abs(share) >= 10 ? 0 : 1;
  const isNone = Number(Math.abs(share * 100).toFixed(digits)) === 0;
  return inPercent((isNone ? '' : share < 0 ? '−' : '+') + inDigits(Math.abs(share * 100), digits));
}

const short = (value: number): string => inSignificant(value, 5);
const percent = (share: number): string => String(Math.round(Math.abs(share) * 100));

/** A column of figures: what its head says, and how a figure is written. */
export interface Figure {
  readonly label: string;
  readonly about: string;
  readonly write: (value: number) => string;
  /** Small errors are wanted first, large numbers of the others. */
  readonly startsAscending?: boolean;
}

export type FigureColumn = 'last' | 'next' | 'change' | 'error' | 'coverage';
export type Column = FigureColumn | 'name';

/** The columns of figures, which follow the name and the sparkline. */
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
  if (skill !== undefined && skill >= 0)
    lines.push(l10n.t('{0}% better than the seasonal naive baseline', percent(skill)));
  if (skill !== undefined && skill < 0)
    lines.push(l10n.t('{0}% worse than the seasonal naive baseline', percent(skill)));
  if (coverage !== undefined) lines.push(l10n.t('its 80% interval covered {0}%', percent(coverage)));
  return lines.join('\n');
}

export interface Order {
  readonly column: Column;
  readonly isDescending: boolean;
}

export const USUAL_ORDER: Order = { column: 'error', isDescending: false };

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

/** Rows that have every word of a filter in their name, their model or their state. */
export function filtered(rows: readonly SeriesRow[], filter: string): readonly SeriesRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, model = '', state = '' }) => {
    const text = `${name} ${model} ${state}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING: Selection = { ids: new Set(), anchor: undefined };

/** How long after the last scrolling the view is kept, in milliseconds; what a person does is kept at once. */
const KEEP_AFTER = 200;

export class ManyList {
  readonly all = signal<readonly SeriesRow[]>([]);
  readonly order = signal(USUAL_ORDER);
  readonly filter = signal('');
  readonly selection = signal(NOTHING);
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
      this.selection.value = { ...NOTHING, ids: new Set(selected.filter((id) => typeof id === 'string')) };
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
    const { ids, anchor = '' } = this.selection.value;
    const there = new Set(rows.map(({ id }) => id));
    const left = new Set([...ids].filter((id) => there.has(id)));
    batch(() => {
      this.all.value = rows;
      if (!isLoading) this.selection.value = { ids: left, anchor: there.has(anchor) ? anchor : undefined };
      if (!this.shown.value.some(({ id }) => id === this.active.value)) this.active.value = undefined;
    });
  }

  /** Selects a row alone, from the anchor to it, or as one more or less. */
  select(id: string, how: 'only' | 'range' | 'toggle'): void {
    this.active.value = id;
    const { ids, anchor } = this.selection.value;
    const shown = this.shown.value.map((row) => row.id);
    const ends = [shown.indexOf(anchor ?? ''), shown.indexOf(id)];
    const isRange = how === 'range' && !ends.includes(-1);
    const range = isRange ? shown.slice(Math.min(...ends), Math.max(...ends) + 1) : [id];
    const next = new Set(how === 'toggle' ? ids : range);
    if (how === 'toggle' && !next.delete(id)) next.add(id);
    this.selection.value = { ids: next, anchor: isRange ? anchor : id };
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
