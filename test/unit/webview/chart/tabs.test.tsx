import assert from 'node:assert/strict';
import { render } from 'preact';
import { Tabs } from '../../../../src/webview/chart/page.tsx';
import { press, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const NAMES = ['chart', 'table', 'backtest', 'decomposition', 'anomalies'] as const;
type Name = (typeof NAMES)[number];
const LABELS = {
  chart: 'Chart',
  table: 'Table',
  backtest: 'Backtest',
  decomposition: 'Decomposition',
  anomalies: 'Anomalies',
};

describe('tabs of a chart page', () => {
  useBrowser();

  function show(offered: readonly Name[] = NAMES) {
    const chosen: string[] = [];
    const seen = (current: string) => {
      const choose = (tab: string) => {
        chosen.push(tab);
        seen(tab);
      };
      const tabs = offered.map((tab) => [tab, LABELS[tab]] as const);
      render(<Tabs tabs={tabs} current={current} choose={choose} />, find('#app'));
    };
    seen('chart');
    return { chosen };
  }

  it('select one panel, which is labeled by its tab', () => {
    const { chosen } = show();
    button('Decomposition').click();
    assert.deepEqual(chosen, ['decomposition']);
    assert.deepEqual([button('Decomposition').id, button('Decomposition').getAttribute('aria-controls')], ['tab-decomposition', 'panel-decomposition']); // prettier-ignore
    assert.equal(button('Decomposition').getAttribute('aria-selected'), 'true');
    assert.equal(button('Chart').getAttribute('aria-selected'), 'false');
  });

  it('are one Tab stop, with arrow keys that wrap around', () => {
    const { chosen } = show(['chart', 'table', 'anomalies']);
    assert.deepEqual([button('Chart').tabIndex, button('Table').tabIndex], [0, -1]);
    button('Chart').focus();
    const list = find('[role=tablist]');
    press(list, 'ArrowRight');
    press(list, 'ArrowRight');
    assert.equal(document.activeElement, button('Anomalies'), 'those that are not there are passed over');
    press(list, 'ArrowRight');
    press(list, 'ArrowLeft');
    assert.deepEqual(chosen, ['table', 'anomalies', 'chart', 'anomalies']);
  });

  it('ignore keys of the editor, such as those that go back', () => {
    const { chosen } = show();
    button('Chart').focus();
    for (const more of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }])
      press(find('[role=tablist]'), 'ArrowLeft', more);
    press(find('[role=tablist]'), 'Home');
    assert.deepEqual(chosen, []);
  });
});
