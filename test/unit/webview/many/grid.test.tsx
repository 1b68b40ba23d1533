import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { createRef, render } from 'preact';
import { Grid, ROW } from '../../../../src/webview/many/grid.tsx';
import { type Order, USUAL_ORDER } from '../../../../src/webview/many/list.ts';
import { ManyList, NOTHING, type Selection } from '../../../../src/webview/many/list.ts';
import { press, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const rowOf = (index: number): SeriesRow => ({ id: `p${index}`, name: `store ${index}`, past: [1, 2], ahead: [3] });
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => rowOf(index));

describe('the grid of many series', () => {
  const browser = useBrowser();

  function show(rows = rowsOf(200), selection: Selection = NOTHING) {
    browser.sizes.set('grid', { width: 700, height: 10 * ROW });
    const opened: string[] = [];
    const saved: unknown[] = [];
    const list = new ManyList(
      { selected: [...selection.ids] },
      (intent) => opened.push('id' in intent ? intent.id : intent.type),
      (view) => saved.push(view),
    );
    list.read({ rows, isLoading: false });
    const before = list.selection.value;
    const scroller = createRef<HTMLDivElement>();
    document.body.innerHTML = '<main id="app"></main>';
    render(<Grid list={list} scroller={scroller} isLoading={false} />, find('#app'));
    const element = find('.grid');
    const key = (name: string, more: KeyboardEventInit = {}) => press(element, name, more);
    const ids = () => [...list.selection.value.ids];
    const isSelected = () => list.selection.value !== before;
    return { list, element, opened, saved, ids, key, isSelected };
  }
  const active = () => find('.row.active .name').textContent;

  it('begins at the first row in sight when it gets the focus, and keeps what is selected', () => {
    const { element, isSelected } = show();
    element.scrollTop = 50 * ROW - 5;
    element.dispatchEvent(new Event('scroll'));
    element.focus();
    assert.equal(active(), 'store 50');
    assert.ok(!isSelected());
  });

  it('goes a page on with Page Down, and no further than the ends', () => {
    const { element, key, ids } = show();
    element.focus();
    key('PageDown');
    assert.deepEqual(ids(), ['p8']);
    key('PageUp');
    key('PageUp');
    assert.deepEqual(ids(), ['p0']);
    key('End');
    assert.deepEqual(ids(), ['p199']);
    assert.ok(element.scrollTop >= 190 * ROW, 'it is in sight');
    key('ArrowDown');
    assert.deepEqual(ids(), ['p199']);
    key('Home');
    assert.deepEqual([ids(), element.scrollTop], [['p0'], 0]);
  });

  it('extends what is selected from where it began, and back again', () => {
    const { element, key, ids } = show();
    element.focus();
    key('ArrowDown');
    key('ArrowDown', { shiftKey: true });
    key('ArrowDown', { shiftKey: true });
    key('ArrowUp', { shiftKey: true });
    assert.deepEqual(ids(), ['p1', 'p2']);
    key('Home', { shiftKey: true });
    assert.deepEqual(ids(), ['p0', 'p1']);
  });

  it('takes no keys that are not its own, nor those of a button in it', () => {
    const { element, key, isSelected } = show();
    element.focus();
    assert.ok(!key('Tab') && !key('x') && !key('Escape'), 'Escape with nothing selected is the editor’s');
    assert.ok(!press(button('Error'), 'Enter'), 'the head of a column is pressed itself');
    assert.ok(!isSelected());
  });

  it('does nothing where there are no rows', () => {
    const { list, element, key, opened, isSelected } = show([]);
    element.focus();
    for (const name of ['ArrowDown', 'End', 'Enter', ' ']) key(name);
    list.open();
    assert.deepEqual([opened, isSelected()], [[], false]);
    assert.equal(element.getAttribute('aria-activedescendant'), null);
  });

  it('opens the row that is meant: the active one, else the first selected, else the first', () => {
    const { list, element, opened, key } = show(rowsOf(5), { ids: new Set(['p3']), anchor: undefined });
    list.open();
    element.focus();
    key('ArrowDown');
    list.open();
    assert.deepEqual(opened, ['p3', 'p1']);
    const other = show(rowsOf(5));
    other.list.open();
    assert.deepEqual(other.opened, ['p0']);
  });

  it('stays at its row when the order is another, and at none when that is gone', () => {
    const { list, element, key, opened } = show(rowsOf(5));
    element.focus();
    key('ArrowDown');
    list.order.value = { column: 'name', isDescending: true };
    assert.equal(active(), 'store 1');
    key('Enter');
    assert.deepEqual(opened, ['p1']);
    list.read({ rows: [rowOf(0), rowOf(2)], isLoading: false });
    assert.equal(document.querySelector('.row.active'), null);
    assert.equal(element.getAttribute('aria-activedescendant'), null);
  });

  it('has the rows that come into sight, and is kept there once it rests', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { element, saved } = show();
      const before = saved.length;
      for (const to of [500, 900, 3000]) {
        element.scrollTop = to;
        element.dispatchEvent(new Event('scroll'));
      }
      assert.ok(document.querySelector('#row-99'));
      assert.equal(saved.length, before);
      mock.timers.tick(1000);
      assert.deepEqual([saved.length, (saved.at(-1) as { top: number }).top], [before + 1, 3000]);
    } finally {
      mock.timers.reset();
    }
  });

  it('opens nothing by a double click beside the rows', () => {
    const { element, opened, isSelected } = show(rowsOf(2));
    element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    find('.heads').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    assert.deepEqual([opened, isSelected()], [[], false]);
  });

  it('sorts with what is wanted first: names and errors from small, other figures from large', () => {
    const { list } = show();
    const sorted: Order[] = [];
    for (const label of ['Series', 'Last', 'Next', 'Change', 'Error', 'Coverage']) {
      list.order.value = USUAL_ORDER;
      button(label).click();
      sorted.push(list.order.value);
    }
    assert.deepEqual(
      sorted.map(({ column, isDescending }) => `${column}${isDescending ? ' down' : ''}`),
      ['name', 'last down', 'next down', 'change down', 'error down', 'coverage down'],
      'by errors it is sorted already, so the other way round',
    );
    list.order.value = { column: 'coverage', isDescending: true };
    assert.equal(find('[aria-sort=descending]').textContent, 'Coverage');
    button('Coverage').click();
    assert.deepEqual(list.order.value, { column: 'coverage', isDescending: false });
  });

  it('says of each column what its figure is', () => {
    show();
    assert.match(button('Error').title, /percentage error/);
    assert.match(button('Coverage').title, /80% interval/);
  });
});
