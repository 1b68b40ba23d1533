import * as l10n from '@vscode/l10n';
import { inDigits, inPercent, inSignificant } from '../../calendar/digits.ts';
import type { SeriesRow } from '../../editor/many-series/protocol.ts';

/** A share with its sign: `+4.2%`, `−0.3%`. */
function signed(share: number): string {
  const digits = Math.abs(share) >= 10 ? 0 : 1;
  const isNone = Number(Math.abs(share * 100).toFixed(digits)) === 0;
  return inPercent((isNone ? '' : share < 0 ? '−' : '+') + inDigits(Math.abs(share * 100), digits));
}

const short = (value: number): string => inSignificant(value, 5);
const percent = (share: number): string => String(Math.round(Math.abs(share) * 100));

/** A column of figures: what its head says, the figure of a row where it is known, and how it is written. */
interface Figure {
  readonly label: string;
  readonly about: string;
  readonly of: (row: SeriesRow) => number | undefined;
  readonly write: (value: number) => string;
  /** Small errors are wanted first, large numbers of the others. */
  readonly startsAscending?: boolean;
}

export type Column = 'name' | 'last' | 'next' | 'change' | 'error' | 'coverage';

/** The columns of figures, which follow the name and the sparkline. */
export const FIGURES: Readonly<Record<Exclude<Column, 'name'>, Figure>> = {
  last: { label: l10n.t('Last'), about: l10n.t('The last observation'), of: ({ last }) => last, write: short },
  next: {
    label: l10n.t('Next'),
    about: l10n.t('The forecast of the first step ahead'),
    of: ({ next }) => next,
    write: short,
  },
  change: {
    label: l10n.t('Change'),
    about: l10n.t('From the last observation to the first step ahead'),
    // as a share of the former; none where that is 0
    of: ({ last, next }) => (last && next !== undefined ? (next - last) / Math.abs(last) : undefined),
    write: signed,
  },
  error: {
    label: l10n.t('Error'),
    about: l10n.t('Symmetric mean absolute percentage error (sMAPE) on the holdout at the end of the series'),
    of: ({ error }) => error,
    write: (value) => inPercent(inDigits(value, 1)),
    startsAscending: true,
  },
  coverage: {
    label: l10n.t('Coverage'),
    about: l10n.t('Share of the holdout inside the 80% interval'),
    of: ({ coverage }) => coverage,
    write: (value) => inPercent(percent(value)),
  },
};

/** The text of a figure; what is not known is a dash. */
export function textOf(row: SeriesRow, { of, write }: Figure): string {
  const value = of(row);
  return value === undefined ? '–' : write(value);
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
    const value = FIGURES[column].of(row);
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

/** What the figures of a row mean, in a sentence each. */
export function aboutRow({ name, model, error, skill, coverage }: SeriesRow): string {
  const better = (gain: number): string =>
    gain >= 0
      ? l10n.t('{0}% better than the seasonal naive baseline', percent(gain))
      : l10n.t('{0}% worse than the seasonal naive baseline', percent(gain));
  return [
    model === undefined ? name : `${name} · ${model}`,
    ...(error === undefined ? [] : [l10n.t('{0}% error on the holdout', inDigits(error, 1))]),
    ...(skill === undefined ? [] : [better(skill)]),
    ...(coverage === undefined ? [] : [l10n.t('its 80% interval covered {0}%', percent(coverage))]),
  ].join('\n');
}
