import * as l10n from '@vscode/l10n';
import { useMemo, useRef, useState } from 'preact/hooks';
import { inDigits, inPercent, inSignificant } from '../../calendar/digits.ts';
import type { ManyAction, ManyIntent, ManyState, SeriesRow } from '../../editor/many-series/protocol.ts';
import { viewOf } from '../../editor/views/shared/protocol.ts';
import type { KeepingProps, PageProps } from '../shared/show-page.tsx';

export type ManyProps = PageProps<ManyState, ManyIntent> & Pick<KeepingProps, 'kept' | 'keep'>;

/** A share with its sign: `+4.2%`, `−0.3%`. */
function signed(share: number): string {
  const digits = Math.abs(share) >= 10 ? 0 : 1;
  const isNone = Number(Math.abs(share * 100).toFixed(digits)) === 0;
  return inPercent((isNone ? '' : share < 0 ? '−' : '+') + inDigits(Math.abs(share * 100), digits));
}

const short = (value: number): string => inSignificant(value, 5);
const percent = (share: number): string => String(Math.round(Math.abs(share) * 100));

export interface Figure {
  readonly label: string;
  readonly about: string;
  readonly write: (value: number) => string;
  /** Small errors are wanted first, large numbers of the others. */
  readonly startsAscending?: boolean;
}

export type FigureColumn = 'last' | 'next' | 'change' | 'error' | 'coverage';
export type Column = FigureColumn | 'name';

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

export type Order = Readonly<{ column: Column; isDescending: boolean }>;

const USUAL_ORDER: Order = { column: 'error', isDescending: false };

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

/** What the person sees of a list and has chosen; ids of rows may be of such as are gone. */
export interface View {
  readonly order: Order;
  readonly filter: string;
  readonly selected: readonly string[];
  readonly anchor?: string | undefined;
  readonly active?: string | undefined;
  readonly top: number;
}

const USUAL: View = { order: USUAL_ORDER, filter: '', selected: [], top: 0 };
const SAMPLE = { ...USUAL, selected: [''], anchor: '', active: '' };

export type ManyList = ReturnType<typeof useList>;

export function useList({ state: { rows }, send, kept, keep }: ManyProps) {
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
