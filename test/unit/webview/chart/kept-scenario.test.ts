import assert from 'node:assert/strict';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';
import { CONTROLS, type OpenPage, refOf, SUPPOSING, usePageOfChart } from '../open-page.ts';
import { monthly } from '../../chart/charts.ts';

describe('scenario on a chart page', () => {
  useBrowser();
  const open = usePageOfChart();

  it('keeps unsent cells while it is hidden or rendered again', () => {
    const month = Date.UTC(2021, 0);
    const known = {
      times: Float64Array.of(month),
      columns: [{ name: 'price', kind: 'number' as const, values: Float64Array.of(5) }],
    };
    const chart = { ...monthly, known };
    const price = () => find<HTMLInputElement>('[aria-label="price, Jan 2021"]');
    const name = () => find<HTMLInputElement>('[aria-label="Name of the scenario"]');
    const show = (page: OpenPage['page'], predictionId: string) => {
      page.show(refOf(predictionId), chart);
      page.hears({ controls: SUPPOSING });
    };
    const first = open();
    show(first.page, 'p1');
    price().value = '9';
    price().dispatchEvent(new Event('input'));
    price().dispatchEvent(new Event('change'));
    show(first.page, 'p1');
    assert.equal(price().value, '9', 'drawn anew');
    button('Table').click();
    name().focus();
    name().value = 'Dear';
    name().dispatchEvent(new Event('input'));
    name().setSelectionRange(1, 3, 'backward');
    show(first.page, 'p1');
    assert.deepEqual([name().value, document.activeElement === name()], ['Dear', true], 'with its name, which is written on'); // prettier-ignore
    assert.deepEqual([name().selectionStart, name().selectionEnd, name().selectionDirection], [1, 3, 'backward'], 'where one was in it'); // prettier-ignore
    first.page.status('sales.csv', { kind: 'waiting', sentence: 'Loading…' });
    show(first.page, 'p1');
    assert.equal(price().value, '9', 'after another one that came to nothing');

    // as the editor hands it over: text that was saved
    const again = open(JSON.parse(JSON.stringify(first.kept())));
    again.page.show(refOf('p1'), chart);
    again.page.hears({ controls: CONTROLS });
    assert.equal(find('.scenario').hidden, true, 'until the service says that it takes one');
    show(again.page, 'p1');
    assert.equal(price().value, '9', 'after it was hidden');
    assert.match(find('.scenario').textContent, /1 cell changed/);
    button('Forecast Scenario').click();
    const asked = again.sent.find(({ type }) => type === 'suppose');
    assert.deepEqual(asked, { type: 'suppose', name: 'Dear', cells: [{ column: 'price', time: month, value: 9 }] });

    show(again.page, 'p2');
    assert.equal(price().value, '5', 'it is not supposed of another forecast');
    show(again.page, 'p1');
    assert.equal(name().value, 'Dear');
    button('Discard').click();
    assert.equal(name().value, '');
    assert.deepEqual(again.kept()?.typed?.cells, [], 'what is discarded is gone');
  });

  it('drops cells of steps and columns that no longer exist', () => {
    const supposed = [{ column: 'price', time: Date.UTC(2021, 0), value: 9 }, { column: 'promo', time: Date.UTC(1999, 0), value: 1 }]; // prettier-ignore
    const known = { times: Float64Array.of(Date.UTC(2021, 0)), columns: [{ name: 'promo', kind: 'switch' as const, values: Float64Array.of(0) }] }; // prettier-ignore
    const { page } = open({ tab: 'table', hiddenIntervals: [], typed: { of: 'p1', cells: supposed, name: '' } });
    page.show(refOf('p1'), { ...monthly, known });
    page.hears({ controls: SUPPOSING });
    assert.equal(find('.scenario').hidden, true);
  });
});
