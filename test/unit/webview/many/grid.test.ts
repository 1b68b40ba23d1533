import assert from 'node:assert/strict';
import type { SeriesRow } from '../../../../src/editor/views/many-series/protocol.ts';
import { PRINT } from '../../../../src/chart/print.ts';
import { createGrid } from '../../../../src/webview/many/grid.ts';
import { ROW } from '../../../../src/webview/many/list.ts';
import { type Order, USUAL_ORDER } from '../../../../src/webview/many/order.ts';
import { NOTHING, type Selection } from '../../../../src/webview/many/selection.ts';
import { press, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const rowOf = (index: number): SeriesRow => ({ id: `p${index}`, name: `store ${index}`, past: [1, 2], ahead: [3] });
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => rowOf(index));

describe('the grid of many series', () => {
  const browser = useBrowser();

  function show(rows = rowsOf(200), selection: Selection = NOTHING) {
    browser.sizes.set('grid', { width: 700, height: 10 * ROW });
    const opened: string[] = [];
    const sorted: Order[] = [];
    const selections: Selection[] = [];
    let scrolled = 0;
    const grid = createGrid(PRINT, {
      open: ({ id }) => opened.push(id),
      select: (next) => selections.push(next),
      sort: (order) => sorted.push(order),
      scrolled: () => scrolled++,
    });
    document.body.append(grid.element);
    grid.show(rows, USUAL_ORDER, selection);
    const key = (name: string, more: KeyboardEventInit = {}) => press(grid.element, name, more);
    const ids = () => [...(selections.at(-1)?.ids ?? [])];
    return { grid, opened, sorted, selections, ids, key, scrolled: () => scrolled };
  }
  const active = () => find('.row.active .name').textContent;

  it('begins at the first row in sight when it gets the focus, and keeps what is selected', () => {
    const { grid, selections } = show();
    grid.element.scrollTop = 50 * ROW - 5;
    grid.element.focus();
    assert.equal(active(), 'store 50');
    assert.deepEqual(selections, []);
  });

  it('goes a page on with Page Down, and no further than the ends', () => {
    const { grid, key, ids } = show();
    grid.element.focus();
    key('PageDown');
    assert.deepEqual(ids(), ['p8']);
    key('PageUp');
    key('PageUp');
    assert.deepEqual(ids(), ['p0']);
    key('End');
    assert.deepEqual(ids(), ['p199']);
    assert.ok(grid.element.scrollTop >= 190 * ROW, 'it is in sight');
    key('ArrowDown');
    assert.deepEqual(ids(), ['p199']);
    key('Home');
    assert.deepEqual([ids(), grid.element.scrollTop], [['p0'], 0]);
  });

  it('extends what is selected from where it began, and back again', () => {
    const { grid, key, ids } = show();
    grid.element.focus();
    key('ArrowDown');
    key('ArrowDown', { shiftKey: true });
    key('ArrowDown', { shiftKey: true });
    key('ArrowUp', { shiftKey: true });
    assert.deepEqual(ids(), ['p1', 'p2']);
    key('Home', { shiftKey: true });
    assert.deepEqual(ids(), ['p0', 'p1']);
  });

  it('takes no keys that are not its own, nor those of a button in it', () => {
    const { grid, key, selections } = show();
    grid.element.focus();
    assert.ok(!key('Tab') && !key('x') && !key('Escape'), 'Escape with nothing selected is the editor’s');
    assert.ok(!press(button('Error'), 'Enter'), 'the head of a column is pressed itself');
    assert.deepEqual(selections, []);
  });

  it('does nothing where there are no rows', () => {
    const { grid, key, opened, selections } = show([]);
    grid.element.focus();
    for (const name of ['ArrowDown', 'End', 'Enter', ' ']) key(name);
    grid.openActive();
    assert.deepEqual([opened, selections], [[], []]);
    assert.equal(grid.element.getAttribute('aria-activedescendant'), null);
  });

  it('opens the row that is meant: the active one, else the first selected, else the first', () => {
    const { grid, opened, key } = show(rowsOf(5), { ids: new Set(['p3']), anchor: undefined });
    grid.openActive();
    grid.element.focus();
    key('ArrowDown');
    grid.openActive();
    assert.deepEqual(opened, ['p3', 'p1']);
    document.body.innerHTML = '';
    const other = show(rowsOf(5));
    other.grid.openActive();
    assert.deepEqual(other.opened, ['p0']);
  });

  it('stays at its row when the order is another, and at none when that is gone', () => {
    const { grid, key, opened } = show(rowsOf(5));
    grid.element.focus();
    key('ArrowDown');
    grid.show(rowsOf(5).reverse(), USUAL_ORDER, NOTHING);
    assert.equal(active(), 'store 1');
    key('Enter');
    assert.deepEqual(opened, ['p1']);
    grid.show([rowOf(0), rowOf(2)], USUAL_ORDER, NOTHING);
    assert.equal(document.querySelector('.row.active:not([hidden])'), null);
    assert.equal(grid.element.getAttribute('aria-activedescendant'), null);
  });

  it('tells that it is scrolled each time, and paints once for a frame', () => {
    const { grid, scrolled } = show();
    for (const to of [500, 900, 3000]) {
      grid.element.scrollTop = to;
      grid.element.dispatchEvent(new Event('scroll'));
    }
    assert.equal(scrolled(), 3);
    assert.equal(document.querySelector('#row-99'), null);
    browser.frame();
    assert.ok(document.querySelector('#row-99'));
  });

  it('opens nothing by a double click beside the rows', () => {
    const { grid, opened, selections } = show(rowsOf(2));
    grid.element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    grid.element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    find('.heads').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    assert.deepEqual([opened, selections], [[], []]);
  });

  it('sorts with what is wanted first: names and errors from small, other figures from large', () => {
    const { grid, sorted } = show();
    for (const label of ['Series', 'Last', 'Next', 'Change', 'Error', 'Held']) button(label).click();
    assert.deepEqual(
      sorted.map(({ column, isDescending }) => `${column}${isDescending ? ' down' : ''}`),
      ['name', 'last down', 'next down', 'change down', 'error down', 'held down'],
      'by errors it is sorted already, so the other way round',
    );
    grid.show(rowsOf(2), { column: 'held', isDescending: true }, NOTHING);
    assert.equal(find('[aria-sort=descending]').textContent, 'Held');
    button('Held').click();
    assert.deepEqual(sorted.at(-1), { column: 'held', isDescending: false });
  });

  it('says of each column what its figure is', () => {
    show();
    assert.match(button('Error').title, /percentage error/);
    assert.match(button('Held').title, /80 % band/);
  });
});
