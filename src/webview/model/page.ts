import * as l10n from '@vscode/l10n';
import type { ModelView, Row, TrainingView, Verdict } from '../../editor/views/model/protocol.ts';
import type { Action } from '../../chart/types.ts';
import { inDigits } from '../../calendar/digits.ts';
import { h, icon } from '../shared/dom.ts';
import { curveOf } from './curve.ts';

/** The page of a fine-tuned model. */
export interface ModelPage {
  show(model: ModelView): void;
  /** @param problem absent while the model is read */
  empty(title: string, problem: string | undefined, actions: readonly Action[]): void;
}

const numberOf = (value: number | undefined, digits: number): string =>
  value === undefined ? '–' : inDigits(value, digits);

/** Makes the page inside an element. What had the focus, and what was opened, stays so when it is shown anew. */
export function createModelPage(root: HTMLElement, act: (id: string) => void): ModelPage {
  let isOpen = false;

  function replace(...content: readonly HTMLElement[]) {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['key'] : undefined;
    root.replaceChildren(...content);
    if (focused === undefined) return;
    const again = [...root.querySelectorAll<HTMLElement>('[data-key]')].find(
      ({ dataset }) => dataset['key'] === focused,
    );
    again?.focus();
  }

  const actionsOf = (actions: readonly Action[]): HTMLElement[] =>
    actions.length === 0
      ? []
      : [
          h(
            'div.buttons',
            {},
            ...actions.map(({ id, label }, index) =>
              clickable(index === 0 ? 'button.button' : 'button.button.secondary', id, label, act),
            ),
          ),
        ];

  function epochs({ curves }: TrainingView, chosen: number | undefined): HTMLElement {
    const at = curves.map(({ points }) => new Map(points.map(({ epoch, value }) => [epoch, value])));
    const all = [...new Set(curves.flatMap(({ points }) => points.map(({ epoch }) => epoch)))].sort((a, b) => a - b);
    const body = all.map((epoch) =>
      h(
        epoch === chosen ? 'tr.chosen' : 'tr',
        {},
        h('th', { attributes: { scope: 'row' } }, String(epoch)),
        ...curves.map(({ digits }, index) => h('td', {}, numberOf(at[index]!.get(epoch), digits))),
      ),
    );
    const heads = [l10n.t('Epoch'), ...curves.map(({ title }) => title)];
    const details = h(
      'details',
      {
        attributes: { open: isOpen },
        on: {
          toggle: () => {
            isOpen = details.open;
          },
        },
      },
      h('summary', { attributes: { 'data-key': 'epochs' } }, l10n.t('Epoch by epoch')),
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, ...heads.map((title) => h('th', { attributes: { scope: 'col' } }, title)))),
        h('tbody', {}, ...body),
      ),
    );
    return details;
  }

  function trainingOf(training: TrainingView): HTMLElement[] {
    const { curves, chosen, sentences } = training;
    const last = Math.max(1, ...curves.flatMap(({ points }) => points.map(({ epoch }) => epoch)));
    return [
      h('h2', {}, l10n.t('Training')),
      h('div.charts', {}, ...curves.map((curve) => curveOf(curve, last, chosen))),
      ...sentences.map((sentence) => h('p.note', {}, sentence)),
      epochs(training, chosen),
    ];
  }

  function listOf({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }): HTMLElement[] {
    const entries = rows.flatMap(({ name, values }) => [
      h('dt', {}, name),
      h(
        'dd',
        {},
        ...values.map(({ text, id }) =>
          id === undefined ? h('span', {}, text) : clickable('button.link', id, text, act),
        ),
      ),
    ]);
    return [h('h2', {}, title), h('dl', {}, ...entries)];
  }

  return {
    show({ title, status, progress, verdict, problem, actions, training, lists, notes }) {
      replace(
        h('h1', {}, title),
        h('p.line', {}, status),
        ...(progress === undefined ? [] : [bar(progress)]),
        ...(problem === undefined ? [] : [h('p.problem', { attributes: { role: 'alert' } }, problem)]),
        ...(verdict ? [verdictOf(verdict)] : []),
        ...actionsOf(actions),
        ...notes.map((note) => h('p.warning', {}, icon('warning'), h('span', {}, note))),
        ...(training ? trainingOf(training) : []),
        ...lists.flatMap(listOf),
      );
    },
    empty(title, problem, actions) {
      const sentence =
        problem === undefined
          ? h('p.line', { attributes: { role: 'status' } }, l10n.t('Loading…'))
          : h('p.problem', { attributes: { role: 'alert' } }, problem);
      replace(h('h1', {}, title), sentence, ...actionsOf(actions));
    },
  };
}

function clickable(name: `button.${string}`, id: string, label: string, act: (id: string) => void): HTMLElement {
  const click = () => {
    act(id);
  };
  return h(name, { attributes: { type: 'button', 'data-key': id }, on: { click } }, label);
}

function verdictOf({ kind, headline, sentences }: Verdict): HTMLElement {
  const lines = sentences.map((sentence) => h('p', {}, sentence));
  const head = h('p.headline', {}, ...(kind === 'worse' ? [icon('warning')] : []), h('strong', {}, headline));
  return h(`section.verdict.${kind}`, { attributes: { 'aria-label': l10n.t('Verdict') } }, head, ...lines);
}

function bar(share: number): HTMLElement {
  const percent = String(Math.round(Math.min(1, Math.max(0, share)) * 100));
  const value = h('div.value');
  value.style.width = `${percent}%`;
  const attributes = { role: 'progressbar', 'aria-label': l10n.t('Training'), 'aria-valuenow': percent };
  return h('div.progress', { attributes }, value);
}
