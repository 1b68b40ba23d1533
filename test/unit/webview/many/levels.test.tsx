import assert from 'node:assert/strict';
import { render } from 'preact';
import { Levels } from '../../../../src/webview/many/page.tsx';
import { useBrowser } from '../browser.ts';
import { find } from '../dom.ts';

describe('levels of reconciled forecasts', () => {
  useBrowser();

  it('are shown with their errors reconciled and separate', () => {
    const levels = [
      { series: 1, mase: 0.644, mase_alone: 0.7 },
      { series: 12, mase: 0.8, mase_alone: 0.851 },
      { series: 3000, mase: 0.9 },
    ];
    render(<Levels levels={levels} />, find('#app'));
    const [words, ...reported] = Array.from(find('.levels').children, ({ textContent }) => textContent);
    assert.match(words!, /add up at every step/);
    assert.deepEqual(reported, ['grand total 0.64 (0.70)', '12 totals 0.80 (0.85)', '3,000 series 0.90 (–)']);
  });
});
