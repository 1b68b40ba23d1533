import * as l10n from '@vscode/l10n';
import type { ChartControls } from '../../editor/views/analysis/protocol.ts';
import { h, icon, setAttribute } from '../shared/dom.ts';

/** Between the panel and the end of the page, in pixels. */
const EDGE = 12;

/** The ticks of what is known beforehand. */
export interface ColumnTicks {
  readonly element: HTMLElement;
  /** Shows the columns of a forecast. A choice that is not made use of yet stays while they are the same ones. */
  show(columns: ChartControls['columns']): void;
}

/**
 * Makes a button that opens a tick for each column that is known beforehand, with what it was worth.
 * @param choose is told the names that are ticked
 * @param test is called when it is opened and what each is worth can be found out
 */
export function createColumnTicks(choose: (names: readonly string[]) => void, test: () => void): ColumnTicks {
  let current: ChartControls['columns'];
  let boxes: { readonly name: string; readonly box: HTMLInputElement; readonly about: HTMLElement }[] = [];
  let isAsked = false;

  const label = h('span');
  const button = h(
    'button.tool',
    {
      attributes: { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'columns' },
      on: {
        click: () => {
          open(panel.hidden !== false);
        },
      },
    },
    label,
    icon('chevron'),
  );
  const list = h('div.ticks');
  const worth = h('p.worth');
  const testing = h(
    'p.worth',
    { attributes: { role: 'status', hidden: true } },
    l10n.t('Looking for columns that help…'),
  );
  const apply = h(
    'button.button',
    {
      attributes: { type: 'button' },
      on: {
        click: () => {
          open(false);
          button.focus();
          choose(ticked());
        },
      },
    },
    l10n.t('Forecast with These'),
  );
  const panel = h(
    'div.panel',
    {
      attributes: {
        id: 'columns',
        role: 'group',
        'aria-label': l10n.t('Columns that are known beforehand'),
        hidden: true,
      },
    },
    list,
    testing,
    worth,
    h('div', {}, apply),
  );
  const element = h(
    'div.control.known',
    {
      attributes: { hidden: true },
      on: {
        keydown: (event) => {
          if (event.key !== 'Escape' || panel.hidden) return;
          event.stopPropagation();
          open(false);
          button.focus();
        },
        focusout: ({ relatedTarget }) => {
          // a click on nothing that takes the focus leaves it open only where it is inside
          if (relatedTarget instanceof Node && !element.contains(relatedTarget)) open(false);
        },
      },
    },
    button,
    panel,
  );

  const ticked = () => boxes.filter(({ box }) => box.checked).map(({ name }) => name);
  const used = () => (current?.choices ?? []).filter(({ isUsed }) => isUsed).map(({ name }) => name);
  const refresh = () => {
    apply.disabled = ticked().join('\n') === used().join('\n');
  };

  /** The panel begins below its button, and further left where it would not end in the page. */
  function stayInside() {
    panel.style.left = '0';
    const over = panel.getBoundingClientRect().right - (document.documentElement.clientWidth - EDGE);
    if (over > 0) panel.style.left = `${String(-over)}px`;
  }

  function open(isOpen: boolean) {
    panel.hidden = !isOpen;
    setAttribute(button, 'aria-expanded', String(isOpen));
    if (isOpen) stayInside();
    if (!isOpen || !current?.canTest || isAsked) return;
    isAsked = true;
    testing.hidden = false;
    test();
  }

  return {
    element,
    show(columns) {
      const isSame = names(columns) === names(current) && boxes.length > 0;
      const before = used().join('\n');
      current = columns;
      element.hidden = !columns;
      if (!columns) return;
      const count = columns.choices.filter(({ isUsed }) => isUsed).length;
      label.textContent = l10n.t('Known beforehand: {0} of {1}', count, columns.choices.length);
      if (!isSame) {
        isAsked = false;
        boxes = columns.choices.map(({ name }, index) => {
          const id = `column-${String(index)}`;
          const box = h('input', { attributes: { type: 'checkbox', id }, on: { change: refresh } });
          const about = h('span.far', { attributes: { id: `${id}-about` } });
          setAttribute(box, 'aria-describedby', about.id);
          return { name, box, about };
        });
        list.replaceChildren(
          ...boxes.map(({ name, box, about }) =>
            h('div.tick', {}, box, h('label', { attributes: { for: box.id } }, name), about),
          ),
        );
      }
      if (!isSame || before !== used().join('\n'))
        boxes.forEach(({ box }, index) => (box.checked = columns.choices[index]!.isUsed));
      boxes.forEach(({ about }, index) => (about.textContent = columns.choices[index]!.about));
      worth.textContent = columns.worth ?? '';
      worth.hidden = columns.worth === undefined;
      if (!columns.canTest) testing.hidden = true;
      refresh();
    },
  };
}

const names = (columns: ChartControls['columns']): string =>
  JSON.stringify((columns?.choices ?? []).map(({ name }) => name));
