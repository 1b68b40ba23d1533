import * as l10n from '@vscode/l10n';
import { h, icon, setAttribute } from '../shared/dom.ts';
import type { Column, Order } from './order.ts';

/** The heads of the columns: each sorts by its column, and once more the other way round. */
export interface Heads {
  readonly element: HTMLElement;
  show(order: Order): void;
}

const WORDS: Readonly<Record<Column, () => { readonly label: string; readonly about: string }>> = {
  name: () => ({ label: l10n.t('Series'), about: l10n.t('The name of the series') }),
  last: () => ({ label: l10n.t('Last'), about: l10n.t('The last observation') }),
  next: () => ({ label: l10n.t('Next'), about: l10n.t('The forecast of the first step ahead') }),
  change: () => ({ label: l10n.t('Change'), about: l10n.t('From the last observation to the first step ahead') }),
  error: () => ({
    label: l10n.t('Error'),
    about: l10n.t('Symmetric mean absolute percentage error on the last part of the series itself'),
  }),
  held: () => ({ label: l10n.t('Held'), about: l10n.t('Share of that part inside the 80 % band') }),
};

/** Names and small errors are wanted first, large numbers of the others. */
const startsDescending = (column: Column): boolean => column !== 'name' && column !== 'error';

export function createHeads(sort: (order: Order) => void): Heads {
  let now: Order | undefined;
  const head = (column: Column) => {
    const { label, about } = WORDS[column]();
    const click = () => {
      const isDescending = now?.column === column ? !now.isDescending : startsDescending(column);
      sort({ column, isDescending });
    };
    const button = h('button.sort', { attributes: { type: 'button', title: about }, on: { click } }, label, icon('chevron')); // prettier-ignore
    return h(
      `div.cell.${column === 'name' ? 'name' : `figure.${column}`}`,
      { attributes: { role: 'columnheader' } },
      button,
    );
  };
  const cells = new Map((['name', 'last', 'next', 'change', 'error', 'held'] as const).map((one) => [one, head(one)]));
  const plain = (kind: string, label: string) =>
    h(`div.cell.${kind}`, { attributes: { role: 'columnheader' } }, h('span.sr-only', {}, label));
  const [name, ...figures] = cells.values();
  const element = h(
    'div.heads',
    { attributes: { role: 'row', 'aria-rowindex': 1 } },
    plain('select', l10n.t('Selected')),
    name!,
    plain('drawing', l10n.t('Drawing')),
    ...figures,
  );
  return {
    element,
    show(order) {
      now = order;
      for (const [column, cell] of cells) {
        const isSorted = column === order.column;
        setAttribute(cell, 'aria-sort', isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined);
      }
    },
  };
}
