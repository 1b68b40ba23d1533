import * as l10n from '@vscode/l10n';
import type { Status } from '../../editor/views/chart/protocol.ts';
import type { Action } from '../../chart/types.ts';
import { h, setAttribute } from '../shared/dom.ts';

/** Where a prediction stands, as part of the page. */
export interface StatusView {
  readonly element: HTMLElement;
  /** Shows the next status in place, so that a focused button stays; `false` if that takes another view. */
  update(next: Status): boolean;
}

/** Makes the view of a status: in the middle of an empty page, or as a strip above a chart that is already there. */
export function createStatusView(
  status: Status,
  title: string,
  action: (id: string) => void,
  strip: boolean,
): StatusView {
  const failed = status.kind === 'failed';
  const waiting = status.kind === 'loading' || status.kind === 'queued' || status.kind === 'running';
  const sentence = h('p', {}, sentenceOf(status));
  const value = h('div.value');
  const bar = h('div.progress', { attributes: { role: 'progressbar', 'aria-label': l10n.t('Progress') } }, value);
  const buttons = (status.actions ?? []).map((one, index) =>
    buttonOf(one, action, index === 0 && failed ? 'button.button' : 'button.button.secondary'),
  );
  const element = h(
    strip ? 'section.status.strip' : 'section.status',
    { attributes: { role: failed ? 'alert' : 'status' } },
    ...(strip ? [] : [h('h1', {}, title)]),
    sentence,
    ...(waiting ? [bar] : []),
    ...(buttons.length > 0 ? [h('div.buttons', {}, ...buttons)] : []),
  );
  setProgress(status);

  function setProgress(now: Status) {
    const share = now.kind === 'running' ? now.progress : undefined;
    bar.classList.toggle('endless', share === undefined);
    setAttribute(bar, 'aria-valuenow', share === undefined ? undefined : percent(share));
    value.style.width = share === undefined ? '' : `${percent(share)}%`;
  }

  return {
    element,
    update(next) {
      if (next.kind !== status.kind || !sameActions(next, status)) return false;
      const text = sentenceOf(next);
      if (sentence.textContent !== text) sentence.textContent = text;
      setProgress(next);
      return true;
    },
  };
}

function buttonOf({ id, label }: Action, action: (id: string) => void, name: `button.${string}`): HTMLButtonElement {
  const click = (): void => {
    action(id);
  };
  return h(name, { attributes: { type: 'button' }, on: { click } }, label);
}

const sameActions = ({ actions: a = [] }: Status, { actions: b = [] }: Status) =>
  a.length === b.length && a.every(({ id, label }, index) => id === b[index]?.id && label === b[index].label);

/** The sentence of a status: the one it carries, or the page's own. */
export function sentenceOf(status: Status): string {
  if (status.sentence !== undefined) return status.sentence;
  switch (status.kind) {
    case 'loading':
      return l10n.t('Loading…');
    case 'queued':
      return l10n.t('Waiting for its turn…');
    case 'running':
      return status.progress === undefined
        ? l10n.t('Forecasting…')
        : l10n.t('Forecasting… {0} %', percent(status.progress));
    case 'failed':
    case 'other':
      return status.sentence;
  }
}

const percent = (share: number) => String(Math.round(Math.min(1, Math.max(0, share)) * 100));
