import type { SeriesRow } from '../../editor/many-series/protocol.ts';

/** What rows can be sorted by. */
export const COLUMNS = ['name', 'last', 'next', 'change', 'error', 'coverage'] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  readonly column: Column;
  readonly isDescending: boolean;
}

export const USUAL_ORDER: Order = { column: 'error', isDescending: false };

/** From the last observation to the first step ahead, as a share of the former; nothing where that is 0. */
export function changeOf({ last, next }: SeriesRow): number | undefined {
  if (last === undefined || next === undefined || last === 0) return undefined;
  return (next - last) / Math.abs(last);
}

const valueOf = (row: SeriesRow, column: Exclude<Column, 'name'>): number | undefined =>
  column === 'change' ? changeOf(row) : row[column];

/** Rows in an order, by name among equals; what has no value comes last either way, and what failed at the very end. */
export function sorted(rows: readonly SeriesRow[], { column, isDescending }: Order): SeriesRow[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({
    row,
    value: column === 'name' ? 0 : valueOf(row, column),
    rest: row.hasFailed ? 2 : row.state === undefined ? 0 : 1,
  }));
  keyed.sort((a, b) => {
    const byName = () => compare(a.row.name, b.row.name);
    if (column === 'name') return sign * byName();
    if (a.rest !== b.rest) return a.rest - b.rest;
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined) || byName();
    }
    return sign * (a.value - b.value) || byName();
  });
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
