import assert from 'node:assert/strict';
import { render } from 'preact';
import { type ChartActions, Header } from '../../../../src/webview/chart/page.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';
import { monthly } from '../../chart/charts.ts';

describe('header of a chart', () => {
  useBrowser();

  function show(chart: Partial<typeof monthly> = {}) {
    const done: unknown[] = [];
    const actions: ChartActions = {
      save: (kind) => done.push(['save', kind]),
      copy: () => {
        done.push('copy picture');
        return Promise.resolve();
      },
      send: (intent) => done.push(intent),
      act: (id) => done.push(['act', id]),
    };
    render(<Header chart={{ ...monthly, ...chart }} actions={actions} />, find('#app'));
    return done;
  }

  it('links to the source rows', () => {
    const lines = [[5, 5], [22, 24]] as const; // prettier-ignore
    const done = show({ remarks: [{ text: '3 rows were merged', lines }] });
    button('line 5').click();
    button('lines 22–24').click();
    assert.deepEqual(done, [{ type: 'lines', first: 5, last: 5 }, { type: 'lines', first: 22, last: 24 }]); // prettier-ignore
  });

  it('begins with its figures if there is nothing else', () => {
    show({ detail: '', figures: [{ text: '12% less error', about: 'than without', isPoor: false }] });
    assert.match(find('.scores').textContent, /^12% less error/);
  });

  it('wraps after separators, which are hidden at the start of a line', () => {
    show({ summary: 'Sales · monthly · Jan 2020 – Dec 2024 · 60 points, no gaps' });
    const facts = [...document.querySelectorAll('.summary .fact')].map(({ textContent }) => textContent);
    assert.deepEqual(facts, ['Sales', ' · monthly', ' · Jan 2020 – Dec 2024', ' · 60 points, no gaps']);
  });

  it('links to the interpretation page', () => {
    const done = show({ reading: [{ id: 'show-reading', label: 'How It Is Read' }] });
    button('How It Is Read', find('.summary')).click();
    assert.deepEqual(done, [['act', 'show-reading']]);
  });

  it('offers to include left-out rows, and further actions', () => {
    const remark = { text: '1 row of totals was left out', lines: [[38, 38]] as const };
    const done = show({
      remarks: [{ ...remark, action: { id: 'take-totals', label: 'Include' } }],
      actions: [{ id: 'forecast', label: 'Forecast' }],
    });
    button('Include').click();
    button('Forecast').click();
    assert.deepEqual(done, [
      ['act', 'take-totals'],
      ['act', 'forecast'],
    ]);
  });

  it('marks a poor figure with more than color, explains each, and offers an action', () => {
    const done = show({
      detail: '7 days ahead by Hybrid',
      figures: [
        { text: '80% interval covered 82%', about: 'A good interval covers about 80%.', isPoor: false },
        { text: '23% worse than repeating yesterday', about: 'How it was found.', isPoor: true },
      ],
      advice: { sentence: 'Seasonal naive did better.', actions: [{ id: 'use-model:x', label: 'Use It' }] },
    });
    const [good, poor] = [button('80% interval covered 82%'), button('23% worse than repeating yesterday')];
    assert.equal(poor.title, 'How it was found.');
    assert.ok(poor.querySelector('svg') && !good.querySelector('svg'));
    const about = document.getElementById(poor.getAttribute('popovertarget')!)!;
    assert.equal(about.textContent, 'How it was found.');
    assert.ok(about.hasAttribute('popover'));
    button('Use It').click();
    assert.deepEqual(done, [['act', 'use-model:x']]);
  });

  it('shows names as text', () => {
    show({ title: '<img src=x>', summary: '<b>', warnings: ['<i>'] });
    assert.equal(find('h1').textContent, '<img src=x>');
    assert.equal(document.querySelector('img, b, i'), null);
  });

  it('exports and copies from its menu', () => {
    const done = show();
    button('Export').click();
    button('Copy Image').click();
    button('Export').click();
    button('Save as CSV…').click();
    button('Export').click();
    button('Copy Data').click();
    assert.deepEqual(done, ['copy picture', ['save', 'csv'], ['save', 'copy']]);
  });
});
