import * as l10n from '@vscode/l10n';
import { type OddPointsView, RARITIES } from '../../editor/views/analysis/protocol.ts';
import type { Frame } from '../../chart/frame.ts';
import { h } from '../shared/dom.ts';
import { type LookTab, createDrawing, lookTab } from './look-tab.ts';
import { inDigits } from '../../calendar/digits.ts';

/** What the person does with odd points. */
export interface OddActions {
  /** Nothing is known yet: as rare as the settings say. */
  first(): void;
  ask(rarity: number): void;
  leaveOut(): void;
  mark(): void;
  /** Shows a moment in the chart. */
  goTo(time: number): void;
}

/** The tab that lists the observations that were not expected. */
export function createOddTab(frame: Frame, actions: OddActions): LookTab<OddPointsView> {
  const tab = lookTab<OddPointsView>('odd', createDrawing(frame), actions.first, (view) => {
    const { sentence, points, rarity, canMark, canLeaveOut } = view;
    const button = (label: string, run: () => void, isThere: boolean) =>
      isThere && points.length > 0
        ? [h('button.button.secondary', { attributes: { type: 'button' }, on: { click: run } }, label)]
        : [];
    return [
      h('p.sentence', {}, sentence),
      h(
        'div.odd-ways',
        {},
        rarityChoice(rarity, actions),
        ...button(l10n.t('Forecast without Them'), actions.leaveOut, canLeaveOut),
        ...button(l10n.t('Mark in the File'), actions.mark, canMark),
      ),
      ...(points.length > 0 ? [tableOf(frame, points, actions)] : []),
    ];
  });
  return tab;
}

function rarityChoice(rarity: number, actions: OddActions): HTMLElement {
  const options = RARITIES.map((one) => h('option', { attributes: { value: one } }, l10n.t('1 in {0}', inDigits(one))));
  const select = h(
    'select',
    {
      attributes: { id: 'rarity' },
      on: {
        change: () => {
          actions.ask(Number(select.value));
        },
      },
    },
    ...options,
  );
  select.value = String(rarity);
  return h('div.control', {}, h('label', { attributes: { for: 'rarity' } }, l10n.t('By chance')), select);
}

function tableOf({ time, value }: Frame, points: OddPointsView['points'], { goTo }: OddActions): HTMLElement {
  const columns = [l10n.t('Time'), l10n.t('Observed'), l10n.t('Expected'), l10n.t('How odd')];
  const rows = points.map((point) => {
    const click = () => {
      goTo(point.time);
    };
    const label = time.write(point.time);
    const link = h(
      'button.link',
      { attributes: { type: 'button', title: l10n.t('Show in the chart') }, on: { click } },
      label,
    );
    return h(
      'tr',
      {},
      h('th', { attributes: { scope: 'row' } }, link),
      h('td', {}, value.observed(point.value)),
      h('td', {}, value.predicted(point.expected)),
      h('td.words', {}, point.about),
    );
  });
  const head = columns.map((column) => h('th', { attributes: { scope: 'col' } }, column));
  const label = l10n.t('Odd points');
  return h(
    'div.odd-points',
    { attributes: { tabindex: 0, role: 'region', 'aria-label': label } },
    h('table', { attributes: { 'aria-label': label } }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows)),
  );
}
