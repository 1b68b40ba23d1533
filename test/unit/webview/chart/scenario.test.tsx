import assert from 'node:assert/strict';
import { render } from 'preact';
import { type Decoration, PLAIN } from '../../../../src/chart/frame.ts';
import type { Typed } from '../../../../src/webview/chart/chart-tab.tsx';
import type { SentIntent } from '../../../../src/editor/views/chart/protocol.ts';
import { Table } from '../../../../src/webview/chart/table.tsx';
import { useBrowser } from '../browser.ts';
import { chartOf } from '../../chart/charts.ts';
import { button, find } from '../dom.ts';
import { EMPTY, SUPPOSING, contextOf } from '../open-page.ts';

const DAY = 86_400_000;
const day = (index: number) => Date.UTC(2024, 4, 1) + index * DAY;
const days = (from: number, count: number) => Float64Array.from({ length: count }, (_, index) => day(from + index));

describe('scenario in the table', () => {
  useBrowser();

  function show({ isEditable = true } = {}) {
    const known = {
      times: days(0, 6),
      columns: [
        { name: 'promo', kind: 'switch' as const, values: Float64Array.of(0, 1, 0, 1, 0, 1) },
        { name: 'price', kind: 'number' as const, values: Float64Array.of(1, 2, 3, 4, 5, 6) },
        { name: 'sky', kind: 'text' as const, texts: ['rain', 'sun'], values: Float64Array.of(0, 1, 0, 1, 0, 1) },
      ],
    };
    const chart = chartOf({
      title: 'shop.csv',
      valueLabel: 'sales',
      frequency: 'P1D',
      history: [10, 20, 10, 20].map((value, index) => [day(index), value] as const),
      forecast: [10, 20, 10].map((value, index) => [day(4 + index), value] as const),
      known,
    });
    const asked: Typed[] = [];
    const send = (intent: SentIntent) => {
      if (intent.type === 'suppose') asked.push({ name: intent.name, cells: intent.cells });
    };
    const { context } = contextOf(chart, { send, state: { ...EMPTY, controls: isEditable ? SUPPOSING : null } });
    const decorate = (decoration: Decoration) => {
      render(<Table {...context} decoration={decoration} />, find('#app'));
    };
    decorate(PLAIN);
    const input = (label: string) => find<HTMLInputElement>(`[aria-label="${label}"]`);
    const set = (label: string, change: (input: HTMLInputElement) => void) => {
      change(input(label));
      input(label).dispatchEvent(new Event('input', { bubbles: true }));
      input(label).dispatchEvent(new Event('change', { bubbles: true }));
    };
    return { decorate, asked, input, set };
  }

  it('has inputs for future covariates by type, and none for the past', () => {
    const { input } = show();
    assert.equal(document.querySelectorAll('td input, td select').length, 9);
    assert.equal(input('promo, 6 May 2024').checked, true);
    assert.equal(input('price, 5 May 2024').value, '5');
    assert.equal(input('sky, 5 May 2024').value, 'rain');
    // the forecast goes further than what is known
    assert.deepEqual([input('promo, 7 May 2024').indeterminate, input('price, 7 May 2024').value], [true, '']);
    assert.equal(find('.scenario').hidden, true);
  });

  it('has no inputs if the service does not support it', () => {
    show({ isEditable: false });
    assert.equal(document.querySelectorAll('td input, td select').length, 0);
    assert.match(find('tbody').textContent, /rain/);
  });

  it('sends only changed cells, with the name of the scenario', () => {
    const { asked, set } = show();
    set('promo, 5 May 2024', (box) => (box.checked = true));
    set('price, 6 May 2024', (field) => (field.value = '9.5'));
    set('sky, 7 May 2024', (select) => (select.value = 'sun'));
    set('price, 5 May 2024', (field) => (field.value = '7'));
    set('price, 5 May 2024', (field) => (field.value = '5'));
    assert.match(find('.scenario').textContent, /3 cells changed/);
    find<HTMLInputElement>('.scenario .wide').value = 'Promo in week 1';
    find('.scenario .wide').dispatchEvent(new Event('input'));
    button('Forecast Scenario').click();
    assert.deepEqual(asked, [
      {
        name: 'Promo in week 1',
        cells: [
          { column: 'promo', time: day(4), value: 1 },
          { column: 'price', time: day(5), value: 9.5 },
          { column: 'sky', time: day(6), value: 'sun' },
        ],
      },
    ]);
  });

  it('fills down and is discarded', () => {
    const { asked, set, input } = show();
    set('promo, 5 May 2024', (box) => (box.checked = true));
    button('Fill Down').click();
    assert.deepEqual(['6', '7'].map((date) => input(`promo, ${date} May 2024`).checked), [true, true]); // prettier-ignore
    button('Forecast Scenario').click();
    assert.deepEqual(asked[0]!.cells.map(({ time }) => time), [day(4), day(6)]); // prettier-ignore
    button('Discard').click();
    assert.equal(input('promo, 5 May 2024').checked, false);
    assert.equal(find('.scenario').hidden, true);
  });

  it('selects steps between a click and a Shift click', () => {
    const { asked, set, input } = show();
    const click = (label: string, shiftKey: boolean) => {
      find(`td:has([aria-label="${label}"])`).dispatchEvent(new MouseEvent('click', { shiftKey }));
    };
    click('promo, 5 May 2024', false);
    set('promo, 5 May 2024', (box) => (box.checked = true));
    click('promo, 7 May 2024', true);
    set('promo, 7 May 2024', (box) => (box.checked = true));
    assert.deepEqual(['5', '6', '7'].map((date) => input(`promo, ${date} May 2024`).checked), [true, true, true]); // prettier-ignore
    button('Forecast Scenario').click();
    assert.deepEqual(asked[0]!.cells.map(({ time }) => time), [day(4), day(6)]); // prettier-ignore
  });

  it('is shown beside the forecast with its difference, as later observations are', () => {
    const { decorate } = show();
    const line = { times: days(4, 2), values: Float64Array.of(13, 17) };
    decorate({ ...PLAIN, lines: [{ label: 'Promo', line, color: 0 }] });
    const head = [...document.querySelectorAll('thead th')].map(({ textContent }) => textContent);
    assert.deepEqual(head, ['Time', 'sales', 'promo', 'price', 'sky', 'Forecast', 'Promo', 'Difference']);
    const rows = [...document.querySelectorAll('tbody tr:not(.space)')].map((row) =>
      [...row.querySelectorAll('td')].slice(-2).map(({ textContent }) => textContent),
    );
    assert.deepEqual(rows.slice(-3), [['13', '+3'], ['17', '−3'], ['', '']]); // prettier-ignore
  });
});
