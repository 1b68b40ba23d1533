import * as l10n from '@vscode/l10n';
import type { ViewState } from '../../editor/views/chart/protocol.ts';
import { h, setAttribute } from '../shared/dom.ts';

type Tab = ViewState['tab'];

const TABS: readonly { readonly tab: Tab; readonly label: string }[] = [
  { tab: 'chart', label: l10n.t('Chart') },
  { tab: 'table', label: l10n.t('Table') },
  { tab: 'backtest', label: l10n.t('Backtest') },
  { tab: 'parts', label: l10n.t('Parts') },
  { tab: 'odd', label: l10n.t('Odd Points') },
];

/** The tabs of a chart’s page. */
export interface Tabs {
  readonly element: HTMLElement;
  /** Shows a tab as the chosen one, of those that there are. */
  show(current: Tab, offered: readonly Tab[]): void;
}

/** Makes the tabs of these panels, usable with mouse and keyboard. */
export function createTabs(panels: Readonly<Record<Tab, HTMLElement>>, choose: (tab: Tab) => void): Tabs {
  const buttons = TABS.map(({ tab, label }) => {
    const id = `tab-${tab}`;
    const panel = panels[tab];
    panel.id = `panel-${tab}`;
    setAttribute(panel, 'role', 'tabpanel');
    setAttribute(panel, 'aria-labelledby', id);
    const attributes = { id, type: 'button', role: 'tab', 'aria-controls': panel.id };
    const click = () => {
      choose(tab);
    };
    return { tab, button: h('button.tab', { attributes, on: { click } }, label) };
  });
  const element = h(
    'div.tabs',
    {
      attributes: { role: 'tablist', 'aria-label': l10n.t('Views of the data') },
      on: {
        keydown: ({ key, altKey, ctrlKey, metaKey }) => {
          const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
          // with these it is a key of the editor, such as that which goes back
          if (by === 0 || altKey || ctrlKey || metaKey) return;
          const there = buttons.filter(({ button }) => !button.hidden);
          const at = there.findIndex(({ button }) => button === document.activeElement);
          const other = there[(at + by + there.length) % there.length];
          if (!other) return;
          choose(other.tab);
          other.button.focus();
        },
      },
    },
    ...buttons.map(({ button }) => button),
  );
  return {
    element,
    show(current, offered) {
      for (const { tab, button } of buttons) {
        button.hidden = !offered.includes(tab);
        setAttribute(button, 'aria-selected', String(tab === current));
        setAttribute(button, 'tabindex', tab === current ? 0 : -1);
        panels[tab].hidden = tab !== current;
      }
    },
  };
}
