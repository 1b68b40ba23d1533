import { inDigits } from '../../calendar/digits.ts';
import * as l10n from '@vscode/l10n';
import {
  type Choice,
  type CompareMessage,
  type CompareRow,
  type CompareView,
  MOST_COMPARED,
} from '../../editor/views/analysis/protocol.ts';
import { h, setAttribute } from '../shared/dom.ts';
import type { OverlayLine } from '../../chart/decoration.ts';
import { swatch } from './docked.ts';

/** The table of the forecasts that lie over each other. */
export interface CompareTable {
  readonly element: HTMLElement;
  show(view: CompareView | undefined): void;
}

/** The lines to lay over the main one. */
export const overlaysOf = (view: CompareView | undefined): OverlayLine[] =>
  (view?.rows ?? []).flatMap(({ line, label, isMain }, index) =>
    line && !isMain ? [{ label, line, color: index - 1 }] : [],
  );

/** Makes the table, and the choice of what else is to be laid over. */
export function createCompareTable(send: (message: CompareMessage) => void): CompareTable {
  const caption = h('caption.sr-only', {}, l10n.t('Forecasts compared'));
  const head = h(
    'thead',
    {},
    h(
      'tr',
      {},
      ...[l10n.t('Forecast'), l10n.t('Total'), 'MASE', 'sMAPE', l10n.t('80 % band held')].map((label) =>
        h('th', { attributes: { scope: 'col' } }, label),
      ),
      h('td'),
    ),
  );
  const body = h('tbody');
  const scroller = h('div.compare-rows', {}, h('table', {}, caption, head, body));
  const add = h('select', {
    attributes: { 'aria-label': l10n.t('Add a forecast to compare') },
    on: {
      change: () => {
        const { value } = add;
        const [, kind, id = ''] = /^(model|prediction) (.*)$/.exec(value) ?? [];
        if (kind === 'model') send({ type: 'compare', do: 'add-model', id });
        else if (kind === 'prediction') send({ type: 'compare', do: 'add-prediction', id });
      },
    },
  });
  const about = h('p.note');
  const differences = h('div.differences', { attributes: { role: 'status' } });
  const save = h(
    'button.tool',
    {
      attributes: { type: 'button' },
      on: {
        click: () => {
          send({ type: 'compare', do: 'save' });
        },
      },
    },
    l10n.t('Save All as CSV…'),
  );
  const element = h(
    'section.compare',
    { attributes: { hidden: true, 'aria-label': l10n.t('Comparison') } },
    scroller,
    differences,
    h('div.compare-add', {}, add, save, about),
  );

  function showChoices({ models, predictions, rows }: CompareView) {
    const group = (label: string, kind: string, choices: readonly Choice[]) =>
      choices.length > 0
        ? [
            h(
              'optgroup',
              { attributes: { label } },
              ...choices.map((one) => h('option', { attributes: { value: `${kind} ${one.id}` } }, one.label)),
            ),
          ]
        : [];
    const isFull = rows.length >= MOST_COMPARED;
    const label = isFull ? l10n.t('{0} at most', MOST_COMPARED) : l10n.t('Add a forecast…');
    add.replaceChildren(
      h('option', { attributes: { value: '' } }, label),
      ...group(l10n.t('Models'), 'model', models),
      ...group(l10n.t('Stored predictions'), 'prediction', predictions),
    );
    add.value = '';
    add.disabled = isFull || models.length + predictions.length === 0;
  }

  function rowOf(row: CompareRow, index: number): HTMLElement {
    const { id, label, isMain, isBest, state, sentence, scores = {} } = row;
    const mark = isMain ? swatch('forecast') : swatch('other', 1, index - 1);
    const choose = h(
      'button.link',
      {
        attributes: { type: 'button', title: l10n.t('Make this the main line') },
        on: {
          click: () => {
            send({ type: 'compare', do: 'main', id });
          },
        },
      },
      label,
    );
    const name = isMain || state !== 'done' ? h('span', {}, label) : choose;
    const best = isBest ? [h('span.best', {}, l10n.t('best'))] : [];
    const waiting = state === 'pending' ? [h('span.muted', {}, l10n.t('is being made…'))] : [];
    const remove = h(
      'button.tool',
      {
        attributes: { type: 'button', 'aria-label': l10n.t('Take {0} away', label) },
        on: {
          click: () => {
            send({ type: 'compare', do: 'remove', id });
          },
        },
      },
      '×',
    );
    const cells = [
      row.total,
      scores.mase === undefined ? undefined : inDigits(scores.mase, 2),
      scores.smape === undefined ? undefined : `${inDigits(scores.smape, 1)} %`,
      scores.coverage80 === undefined ? undefined : `${String(Math.round(scores.coverage80 * 100))} %`,
    ];
    const trouble = sentence === undefined ? [] : [h('span.trouble', {}, sentence)];
    const element = h(
      'tr',
      {},
      h('th', { attributes: { scope: 'row' } }, mark, name, ...best, ...waiting, ...trouble),
      ...cells.map((cell) => h('td', {}, cell ?? '–')),
      h('td', {}, ...(isMain ? [] : [remove])),
    );
    setAttribute(element, 'aria-current', isMain);
    return element;
  }

  return {
    element,
    show(view) {
      element.hidden = !view;
      if (!view) return;
      const focused = document.activeElement === add;
      body.replaceChildren(...view.rows.map(rowOf));
      showChoices(view);
      about.textContent = view.about ?? '';
      save.hidden = view.rows.filter(({ line }) => line).length < 2;
      const told = view.rows.flatMap(({ difference }) => (difference === undefined ? [] : [difference]));
      differences.replaceChildren(...told.map((sentence) => h('p', {}, sentence)));
      if (focused && !add.disabled) add.focus();
    },
  };
}
