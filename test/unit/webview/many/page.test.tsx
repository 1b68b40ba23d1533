import assert from 'node:assert/strict';
import type { ManyIntent, ManyState, SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { render } from 'preact';
import { ManyPage } from '../../../../src/webview/many/page.tsx';
import { useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const HEIGHT = 320;

const many = (count: number): SeriesRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    name: `store ${index}`,
    model: 'ensemble',
    past: [1, 2, 3],
    ahead: [4],
    last: 3,
    next: 4,
    error: index,
    coverage: 0.8,
  }));

describe('many-series page', () => {
  const browser = useBrowser();

  function open(rows = many(5000), kept: unknown = undefined) {
    browser.sizes.set('grid', { width: 700, height: HEIGHT });
    const asked: ManyIntent[] = [];
    const ref = { serviceId: 'local', label: 'stores.csv', datasetId: 'd1' };
    const state: ManyState = { ref, title: 'stores', actions: ['again', 'save-csv', 'tune'], rows, isLoading: false, levels: null, problem: null }; // prettier-ignore
    const take = (parts: Partial<ManyState>) => {
      Object.assign(state, parts);
      const send = (intent: ManyIntent) => asked.push(intent);
      render(<ManyPage state={{ ...state }} send={send} kept={kept} keep={() => undefined} />, find('#app'));
    };
    take({});
    const grid = find('.grid');
    const press = (key: string, more: KeyboardEventInit = {}) => {
      grid.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, key, ...more }));
    };
    const shown = () =>
      [...document.querySelectorAll<HTMLElement>('.row')]
        .filter(({ hidden }) => !hidden)
        .sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']));
    const selected = () =>
      shown()
        .filter((row) => row.getAttribute('aria-selected') === 'true')
        .map((row) => find('.name', row).textContent);
    return { take, asked, grid, press, shown, selected };
  }

  it('renders only visible rows, and further ones in order', () => {
    const { grid, shown } = open();
    assert.equal(grid.getAttribute('aria-rowcount'), '5001');
    const before = shown();
    assert.ok(before.length < 30, `${before.length} rows`);
    assert.equal(before[0].getAttribute('aria-rowindex'), '2');
    grid.scrollTop = 32 * 4000;
    grid.dispatchEvent(new Event('scroll'));
    const after = [...document.querySelectorAll<HTMLElement>('.row')];
    const places = after.map(({ dataset }) => Number(dataset['index']));
    assert.deepEqual(
      places,
      Array.from(places, (_, index) => places[0]! + index),
      'as a screen reader reads them',
    );
    assert.ok(after.some((row) => row.textContent.startsWith('store 4000')));
    assert.ok(document.querySelectorAll('.row').length < 40);
  });

  it('never has two elements of one id', () => {
    const { grid } = open(many(110));
    const scroll = (row: number) => {
      grid.scrollTop = 32 * row;
      grid.dispatchEvent(new Event('scroll'));
    };
    scroll(10);
    scroll(0);
    find<HTMLInputElement>('.filter').value = 'store 1';
    find('.filter').dispatchEvent(new Event('input'));
    scroll(15);
    const ids = [...document.querySelectorAll('.row[id]')].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, ids.join());
  });

  it('sorts by a column, and descending on a second click', () => {
    const { shown } = open();
    const first = () => find('.name', shown()[0]).textContent;
    assert.equal(first(), 'store 0');
    button('Error').click();
    assert.equal(first(), 'store 4999');
    assert.equal(find('[aria-sort]').textContent, 'Error');
    assert.equal(find('[aria-sort]').getAttribute('aria-sort'), 'descending');
    button('Series').click();
    assert.equal(first(), 'store 0');
    assert.equal(document.querySelectorAll('[aria-sort]').length, 1);
  });

  it('supports the keyboard like a list of the editor', () => {
    const { grid, press, selected, asked } = open();
    grid.focus();
    press('ArrowDown');
    assert.deepEqual(selected(), ['store 1']);
    press('ArrowDown', { shiftKey: true });
    press('ArrowDown', { shiftKey: true });
    assert.deepEqual(selected(), ['store 1', 'store 2', 'store 3']);
    press(' ');
    assert.deepEqual(selected(), ['store 1', 'store 2']);
    press('Enter');
    assert.deepEqual(asked, [{ type: 'open', id: 'p3' }]);
    assert.equal(find(`#${grid.getAttribute('aria-activedescendant')!} .name`).textContent, 'store 3');
    press('End');
    assert.equal(find('.count').textContent, '5,000 series · 1 selected');
    press('a', { ctrlKey: true });
    assert.equal(find('.count').textContent, '5,000 series · 5,000 selected');
    press('Escape');
    assert.equal(find('.count').textContent, '5,000 series');
  });

  it('runs an action on the selected rows, or on all that the filter shows', () => {
    const { press, grid, asked } = open(many(300));
    const filter = find<HTMLInputElement>('.filter');
    filter.value = 'store 29';
    filter.dispatchEvent(new Event('input'));
    assert.equal(find('.count').textContent, '13 of 300 series');
    button('Fine-Tune…').click();
    const all = asked.pop();
    assert.ok(all?.type === 'do');
    assert.deepEqual([all.ids.length, all.ids[0]], [13, 'p29']);
    grid.focus();
    press('ArrowDown');
    button('Forecast Again…').click();
    assert.deepEqual(asked.pop(), { type: 'do', action: 'again', ids: ['p129'] });
    assert.throws(() => button('Create Dataset…'), /No button/);
  });

  it('restores its view after a reload, without rows that are gone', () => {
    const kept = { order: { column: 'name', isDescending: true }, filter: 'store', top: 0, selected: ['p2', 'gone'] };
    const { shown } = open(many(4), kept);
    assert.deepEqual(
      shown().map((row) => find('.name', row).textContent),
      ['store 3', 'store 2', 'store 1', 'store 0'],
    );
    assert.equal(find('.count').textContent, '4 series · 1 selected');
  });

  it('restores its scroll position, unless the list is shorter now', () => {
    const { take, grid } = open(many(10), { top: 3200 });
    assert.equal(grid.scrollTop, 0);
    take({ rows: many(5000), isLoading: false });
    assert.equal(grid.scrollTop, 0, 'a list that comes later does not jump');
    document.body.innerHTML = '<main id="app"></main>';
    assert.equal(open(many(5000), { top: 3200 }).grid.scrollTop, 3200);
  });

  it('adds rows as they are loaded', () => {
    const { take } = open([]);
    const count = () => find('.count').textContent;
    take({ rows: many(2), isLoading: true });
    assert.equal(count(), '2 series');
    take({ rows: many(4), isLoading: false });
    assert.equal(count(), '4 series');
  });

  it('keeps the selection of remaining rows', () => {
    const { take, grid, press } = open(many(4));
    grid.focus();
    press('a', { ctrlKey: true });
    take({ rows: many(6).slice(2), isLoading: false });
    assert.equal(find('.count').textContent, '4 series · 2 selected');
  });

  it('selects with the mouse like a list of the editor', () => {
    const { shown, selected, asked } = open(many(6));
    const click = (index: number, more: MouseEventInit = {}, inside = '.name') => {
      find(inside, shown()[index]).dispatchEvent(new MouseEvent('click', { bubbles: true, ...more }));
    };
    click(1);
    click(3, { shiftKey: true });
    assert.deepEqual(selected(), ['store 1', 'store 2', 'store 3']);
    click(5, { ctrlKey: true });
    click(2, {}, '.select');
    assert.deepEqual(selected(), ['store 1', 'store 3', 'store 5']);
    click(0);
    assert.deepEqual(selected(), ['store 0']);
    find('.name', shown()[4]).dispatchEvent(new Event('dblclick', { bubbles: true }));
    assert.deepEqual(asked, [{ type: 'open', id: 'p4' }]);
  });
});
