import * as l10n from '@vscode/l10n';
import type { Deed } from '../../editor/views/many-series/protocol.ts';
import { h } from '../shared/dom.ts';
import { type MenuItem, menuButton } from '../shared/menu.ts';

/** The buttons for what is offered. @param act for the selected rows, or for all that are shown where none is */
export function toolbar(deeds: readonly Deed[], open: () => void, act: (deed: Deed) => void): HTMLElement {
  const tool = (label: string, click: () => void) =>
    h('button.tool', { attributes: { type: 'button' }, on: { click } }, label);
  const deed = (name: Deed, label: string): HTMLElement[] => {
    const click = () => {
      act(name);
    };
    return deeds.includes(name) ? [tool(label, click)] : [];
  };
  const entry = (name: Deed, label: string): MenuItem[] => {
    const run = () => {
      act(name);
    };
    return deeds.includes(name) ? [{ label, run }] : [];
  };
  const forms = [
    ...entry('save-csv', l10n.t('CSV…')),
    ...entry('save-json', l10n.t('JSON…')),
    ...entry('save-xlsx', l10n.t('Excel…')),
  ];
  return h(
    'div.toolbar',
    { attributes: { role: 'toolbar', 'aria-label': l10n.t('With the selected series') } },
    tool(l10n.t('Open Chart'), open),
    ...deed('again', l10n.t('Forecast Again…')),
    ...(forms.length > 0 ? [menuButton(l10n.t('Save'), forms)] : []),
    ...deed('dataset', l10n.t('Make a Dataset…')),
    ...deed('tune', l10n.t('Fine-Tune…')),
  );
}
