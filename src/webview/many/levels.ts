import * as l10n from '@vscode/l10n';
import type { LevelRow } from '../../editor/views/many-series/protocol.ts';
import { h, setAttribute } from '../shared/dom.ts';
import { inDigits } from '../../calendar/digits.ts';

const error = (value: number | undefined): string => (value === undefined ? '–' : inDigits(value, 2));

/** Says that forecasts add up, and how they did on each level beside those by themselves; nothing where they do not. */
export function showLevels(element: HTMLElement, levels: readonly LevelRow[] | undefined): void {
  setAttribute(element, 'hidden', levels === undefined);
  if (!levels) return;
  const about = l10n.t('Mean scaled error on the last part of the series, one horizon long; below 1 is better than the usual change over a season. In brackets that of each series forecast by itself.'); // prettier-ignore
  const last = levels.length - 1;
  const labelOf = (series: number, index: number): string => {
    const count = inDigits(series);
    if (index === last) return l10n.t('{0} parts', count);
    if (series === 1) return index === 0 ? l10n.t('the whole') : l10n.t('1 total');
    return l10n.t('{0} totals', count);
  };
  const items = levels.map(({ series, together, alone }, index) =>
    h('span', {}, `${labelOf(series, index)} `, h('b', {}, error(together)), ` (${error(alone)})`),
  );
  const words = l10n.t('Parts and totals add up at every step. Error of each level, in brackets by itself:');
  element.replaceChildren(h('span', { attributes: { title: about } }, words), ...items);
}
