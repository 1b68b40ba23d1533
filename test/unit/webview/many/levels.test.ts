import assert from 'node:assert/strict';
import { showLevels } from '../../../../src/webview/many/levels.ts';
import { find, usePage } from '../dom.ts';

describe('the levels of forecasts that add up', () => {
  usePage();

  it('are told with their errors together and by themselves, and not where nothing adds up', () => {
    const element = find('#app');
    showLevels(element, undefined);
    assert.ok(element.hasAttribute('hidden'));
    showLevels(element, [
      { series: 1, together: 0.644, alone: 0.7 },
      { series: 12, together: 0.8, alone: 0.851 },
      { series: 3000, together: 0.9 },
    ]);
    assert.ok(!element.hasAttribute('hidden'));
    const [words, ...levels] = Array.from(element.children, ({ textContent }) => textContent);
    assert.match(words!, /add up at every step/);
    assert.deepEqual(levels, ['the whole 0.64 (0.70)', '12 totals 0.80 (0.85)', '3,000 parts 0.90 (–)']);
  });
});
