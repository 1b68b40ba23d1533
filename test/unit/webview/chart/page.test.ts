import assert from 'node:assert/strict';
import { settled, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';
import { comparedRow, CONTROLS, refOf, usePageOfChart } from '../open-page.ts';
import { chartOf, monthly } from '../../chart/charts.ts';

describe('chart page', () => {
  const browser = useBrowser();
  const open = usePageOfChart();

  it('shows a chart, and keeps its view over a reload', () => {
    const first = open();
    first.page.show(refOf('p1'), monthly);
    assert.equal(find('h1').textContent, 'sales.csv');
    assert.equal(first.tab(), 'Chart');
    button('Table').click();
    assert.equal(first.tab(), 'Table');
    const again = open(first.kept());
    again.page.show(refOf('p1'), monthly);
    assert.equal(again.tab(), 'Table');
  });

  it('keeps tab and intervals for another forecast of the series, but not the actual values', () => {
    const { page, tab, kept } = open();
    page.show(refOf('p1'), monthly);
    button('95%').click();
    button('Table').click();
    page.hears({ actuals: { line: { times: Float64Array.of(Date.UTC(2021, 0, 1)), values: Float64Array.of(130) }, sentence: '1 step has come.' } }); // prettier-ignore
    assert.deepEqual([find('.actuals').hidden, find('.actuals').textContent], [false, '1 step has come.']);
    page.show(refOf('p2'), monthly);
    assert.equal(tab(), 'Table');
    assert.equal(find('.actuals').hidden, true);
    assert.deepEqual(kept()?.hiddenIntervals, [95]);
  });

  it('has the tabs that the service supports, and leaves one that is gone', () => {
    const { page, tab } = open();
    page.show(refOf('p1'), monthly);
    assert.throws(() => button('Decomposition'));
    page.hears({ controls: CONTROLS });
    button('Decomposition').click();
    assert.equal(tab(), 'Decomposition');
    page.hears({ controls: { ...CONTROLS, analyses: [] } });
    assert.equal(tab(), 'Chart');
  });

  it('shows progress above the previous chart', () => {
    const { page, sent } = open();
    page.show(refOf('p1'), monthly);
    page.status('sales.csv', { kind: 'waiting', sentence: 'Loading…' });
    assert.notEqual(find('.status-place').textContent, '');
    assert.ok(document.querySelector('.plot'));
    page.hears({ notice: { sentence: 'The file has changed.', actions: [{ id: 'again', label: 'Forecast Again' }] } });
    button('Forecast Again').click();
    assert.deepEqual(sent.at(-1), { type: 'action', id: 'again' });
    page.show(refOf('p2'), monthly);
    assert.equal(find('.status-place').textContent, '');
    assert.equal(find('.notices').textContent, '');
  });

  it('reports that there are no points to draw, and draws the next forecast', () => {
    const { page } = open();
    page.show(refOf('p1'), chartOf({ history: [] }));
    assert.equal(find('.empty').textContent, 'There are no points to draw.');
    assert.equal(document.querySelector('[role="tab"]'), null);
    page.hears({ controls: CONTROLS });
    page.show(refOf('p1'), monthly);
    assert.equal(document.querySelector('.empty'), null);
    button('Decomposition');
  });

  it('lists anomalies, and leads from the list to the point in the chart', () => {
    const { page } = open();
    page.hears({ controls: { ...CONTROLS, analyses: ['anomalies'] } });
    page.show(refOf('p1'), monthly);
    const time = Date.UTC(2020, 10, 1);
    const view = { sentence: 'One of 3.', points: [{ time, after: 1, value: 118, expected: 90, about: 'rare' }], rarity: 1000, rarities: [100, 1000], actions: [] }; // prettier-ignore
    button('Anomalies').click();
    page.hears({ analyses: { anomalies: { view } } });
    assert.ok(find('#panel-anomalies').textContent.includes('One of 3.'));
    button('Nov 2020').click();
    assert.equal(find('[role="tab"][aria-selected="true"]').textContent, 'Chart');
    assert.match(find('[aria-live]').textContent, /Nov 2020/);
  });

  it('keeps its visible range over a reload, and shows another forecast in the initial range', () => {
    const first = open();
    first.page.show(refOf('p1'), monthly);
    find('.plot').dispatchEvent(new KeyboardEvent('keydown', { key: '+' }));
    const { range } = first.kept()!;
    assert.ok(range);
    const again = open(first.kept());
    again.page.show(refOf('p1'), monthly);
    button('Reset Zoom');
    again.page.show(refOf('p2'), monthly);
    assert.throws(() => button('Reset Zoom'));
  });

  it('keeps its view if the same chart is sent again, as in another zone', () => {
    const { page, tab } = open();
    page.show(refOf('p1'), monthly);
    find('.plot').dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }));
    button('Table').click();
    page.hears({ actuals: { line: { times: Float64Array.of(Date.UTC(2021, 0, 1)), values: Float64Array.of(130) }, sentence: '1 step has come.' } }); // prettier-ignore
    page.show(refOf('p1'), { ...monthly, title: 'sales.csv (Tokyo)' });
    assert.deepEqual([tab(), find('h1').textContent, find('.actuals').hidden], ['Table', 'sales.csv (Tokyo)', false]);
    assert.ok(find('#panel-table thead').textContent.includes('Actual'), 'what has come since is still there');
    assert.match(find('.readout').textContent, /^Oct 2020/, 'and so is the cursor');
    page.show(refOf('p2'), monthly);
    assert.match(find('.readout').textContent, /^Feb 2021/, 'another chart has none');
  });

  it('shows a failure in place of a chart, with actions', () => {
    const { page, sent } = open();
    page.status('sales.csv', { kind: 'waiting', sentence: 'Loading…' });
    page.status('sales.csv', { kind: 'failed', sentence: 'Too short.', actions: [{ id: 'retry', label: 'Try Again' }] }); // prettier-ignore
    assert.equal(find('[role=alert] h1').textContent, 'sales.csv');
    assert.equal(document.querySelectorAll('.status').length, 1);
    button('Try Again').click();
    assert.deepEqual(sent.at(-1), { type: 'action', id: 'retry' });
  });

  it('exports on request, also from the context menu', () => {
    const { page, sent } = open();
    page.show(refOf('p1'), monthly);
    button('Export').click();
    button('Save as Excel…').click();
    assert.deepEqual(sent.at(-1), { type: 'export', kind: 'xlsx' });
    find('.plot').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    const menu = find('.menu.context[data-open]');
    button('Copy Data', menu).click();
    assert.deepEqual(sent.at(-1), { type: 'export', kind: 'copy' });
    assert.equal(document.querySelector('.menu[data-open]'), null);
  });

  it('saves the visible picture: without hidden intervals, with compared lines', async () => {
    const { page, sent } = open();
    page.show(refOf('p1'), monthly);
    const svg = async () => {
      button('Export').click();
      button('Save Image as SVG…', find('header')).click();
      await settled();
      const message = sent.at(-1);
      return message?.type === 'picture' ? new TextDecoder().decode(message.data) : '';
    };
    const whole = await svg();
    assert.match(whole, /^<svg/);
    button('95%').click();
    const without = await svg();
    assert.ok(without.length < whole.length);
    const line = { times: Float64Array.of(Date.UTC(2021, 0)), values: Float64Array.of(9) };
    const rows = [comparedRow('a', 'Line a', { isMain: true, line }), comparedRow('b', 'Line b', { line })];
    page.hears({ compared: { rows, about: undefined, most: 4, models: [], predictions: [] } });
    assert.ok((await svg()).includes('Line b'));
  });

  it('offers to save the image if copying is not allowed', async () => {
    const { page, sent, problems } = open();
    page.show(refOf('p1'), monthly);
    page.hears({ notice: { sentence: 'sales.csv has changed.', actions: [] } });
    button('Export').click();
    // this document has no clipboard
    button('Copy Image', find('header')).click();
    await settled();
    assert.match(find('.notices').textContent, /did not allow the image to be copied/);
    assert.equal(problems.length, 1);
    button('Save Image as PNG…', find('.notices')).click();
    await settled();
    assert.equal(problems.length, 2, 'it was tried');
    assert.match(
      find('.notices').textContent,
      /sales\.csv has changed\..*did not allow/,
      'beside what was said before',
    );
    page.hears({ notice: null });
    assert.match(find('.notices').textContent, /^The editor did not allow/);
    const { navigator } = globalThis;
    const letting = { clipboard: { write: () => Promise.resolve() } };
    const given = { navigator: letting, ClipboardItem: Object };
    for (const [name, value] of Object.entries(given))
      Object.defineProperty(globalThis, name, { value, configurable: true });
    try {
      button('Export').click();
      button('Copy Image', find('header')).click();
      await settled();
    } finally {
      Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
      Reflect.deleteProperty(globalThis, 'ClipboardItem');
    }
    assert.equal(sent.at(-1)?.type, 'copied');
    assert.equal(find('.notices').textContent, '', 'it does, after all');
    button('Export').click();
    button('Copy Image', find('header')).click();
    await settled();
    assert.match(find('.notices').textContent, /^The editor did not allow/);
    page.show(refOf('p1'), { ...monthly });
    assert.equal(find('.notices').textContent, '');
  });

  it('removes a closed comparison, and shows its lines in the next forecast while open', () => {
    const { page } = open();
    page.show(refOf('p1'), monthly);
    const line = { times: Float64Array.of(Date.UTC(2021, 0)), values: Float64Array.of(9) };
    const rows = [comparedRow('p1', 'p1', { isMain: true, line }), comparedRow('other', 'other', { line })];
    page.hears({ compared: { rows, about: undefined, most: 4, models: [], predictions: [] } });
    assert.match(find('.readout').textContent, /Feb 2021/);
    find('.plot').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    assert.match(find('.readout').textContent, /other/);
    page.show(refOf('p2'), monthly);
    find('.plot').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    assert.match(find('.readout').textContent, /other/);
    page.hears({ compared: null });
    assert.doesNotMatch(find('.readout').textContent, /other/);
    assert.equal(document.querySelector('.compare'), null);
  });

  it('keeps its tabs when the panel becomes narrow', () => {
    const { page } = open();
    page.hears({ controls: CONTROLS });
    page.show(refOf('p1'), monthly);
    button('Decomposition').click();
    const points = { times: Float64Array.of(0, 1, 2), values: Float64Array.of(1, 2, 3) };
    page.hears({ analyses: { decomposition: { view: { sentences: ['Rises 1 a month'], components: [{ label: 'Trend', history: points, forecast: points, isAroundZero: false }] } } } }); // prettier-ignore
    const width = () => document.querySelector<HTMLCanvasElement>('#panel-decomposition canvas')?.width;
    browser.resize('small', 640, 100);
    const before = width();
    browser.resize('small', 300, 100);
    assert.equal(before, 640);
    assert.equal(width(), 300);
  });
});
