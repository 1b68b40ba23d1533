import assert from 'node:assert/strict';
import { createTabs } from '../../../../src/webview/chart/tabs.ts';
import { press, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const NAMES = ['chart', 'table', 'backtest', 'parts', 'odd'] as const;
type Name = (typeof NAMES)[number];

describe('the tabs of a chart’s page', () => {
  useBrowser();

  function show(offered: readonly Name[] = NAMES) {
    const panels = Object.fromEntries(NAMES.map((name) => [name, document.createElement('section')])) as Record<Name, HTMLElement>; // prettier-ignore
    const chosen: string[] = [];
    const tabs = createTabs(panels, (tab) => {
      chosen.push(tab);
      tabs.show(tab, offered);
    });
    document.body.append(tabs.element, ...Object.values(panels));
    tabs.show('chart', offered);
    return { panels, chosen, tabs };
  }
  const shown = (panels: Record<string, HTMLElement>) => Object.entries(panels).flatMap(([name, { hidden }]) => (hidden ? [] : [name])); // prettier-ignore

  it('show one panel, named by its tab', () => {
    const { panels, chosen } = show();
    assert.deepEqual(shown(panels), ['chart']);
    button('Parts').click();
    assert.deepEqual([shown(panels), chosen], [['parts'], ['parts']]);
    assert.equal(panels.parts.getAttribute('aria-labelledby'), button('Parts').id);
    assert.equal(button('Parts').getAttribute('aria-controls'), panels.parts.id);
    assert.equal(button('Parts').getAttribute('aria-selected'), 'true');
  });

  it('are one stop of the Tab key, and walked with the arrows round and round', () => {
    const { chosen } = show(['chart', 'table', 'odd']);
    assert.deepEqual([button('Chart').tabIndex, button('Table').tabIndex], [0, -1]);
    button('Chart').focus();
    const list = find('[role=tablist]');
    press(list, 'ArrowRight');
    press(list, 'ArrowRight');
    assert.equal(document.activeElement, button('Odd Points'), 'those that are not there are passed over');
    press(list, 'ArrowRight');
    press(list, 'ArrowLeft');
    assert.deepEqual(chosen, ['table', 'odd', 'chart', 'odd']);
  });

  it('leave keys of the editor alone, as those that go back', () => {
    const { chosen } = show();
    button('Chart').focus();
    for (const more of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }])
      press(find('[role=tablist]'), 'ArrowLeft', more);
    press(find('[role=tablist]'), 'Home');
    assert.deepEqual(chosen, []);
  });
});
