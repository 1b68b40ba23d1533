import assert from 'node:assert/strict';
import type { ManyIntent, ManyState, SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { render } from 'preact';
import { ManyPage, ROW, type View } from '../../../../src/webview/many/page.tsx';
import { press, useBrowser } from '../browser.ts';
import { button, find } from '../dom.ts';

const rowOf = (index: number): SeriesRow => ({ id: `p${index}`, name: `store ${index}`, past: [1, 2], ahead: [3] });
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => rowOf(index));

describe('grid of many series', () => {
  const browser = useBrowser();

  function show(rows = rowsOf(200), kept: unknown = {}) {
    browser.sizes.set('grid', { width: 700, height: 10 * ROW });
    const opened: string[] = [];
    const saved: View[] = [];
    const ref = { serviceId: 'local', label: 'stores', datasetId: 'd' };
    const send = (intent: ManyIntent) => opened.push('id' in intent ? intent.id : intent.type);
    const read = (now: SeriesRow[]) => {
      const state: ManyState = { ref, title: 'stores', actions: [], isLoading: false, rows: now, levels: null, problem: null }; // prettier-ignore
      render(
        <ManyPage state={state} send={send} kept={kept} keep={(view) => saved.push(view as View)} />,
        find('#app'),
      );
    };
    document.body.innerHTML = '<main id="app"></main>';
    read(rows);
    const element = find('.grid');
    const key = (name: string, more: KeyboardEventInit = {}) => press(element, name, more);
    const ids = () => saved.at(-1)?.selected ?? [];
    const open = () => button('Open Chart').click();
    return { read, element, opened, saved, ids, key, open };
  }
  const active = () => find('.row.active .name').textContent;

  it('starts at the first visible row on focus, and keeps the selection', () => {
    const { element, ids } = show();
    element.scrollTop = 50 * ROW - 5;
    element.dispatchEvent(new Event('scroll'));
    element.focus();
    assert.equal(active(), 'store 50');
    assert.deepEqual(ids(), []);
  });

  it('moves by a page with Page Down, and stops at the ends', () => {
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

  it('extends the selection from its anchor, and back', () => {
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

  it('ignores foreign keys and those of a button in it', () => {
    const { element, key, ids } = show();
    element.focus();
    assert.ok(!key('Tab') && !key('x') && !key('Escape'), 'Escape with nothing selected is the editor’s');
    assert.ok(!press(button('Error'), 'Enter'), 'the head of a column is pressed itself');
    assert.deepEqual(ids(), []);
  });

  it('ignores keys without rows', () => {
    const { element, key, opened, ids } = show([]);
    element.focus();
    for (const name of ['ArrowDown', 'End', 'Enter', ' ']) key(name);
    assert.deepEqual([opened, ids()], [[], []]);
    assert.equal(element.getAttribute('aria-activedescendant'), null);
  });

  it('opens the active row, or else the first selected, or else the first', () => {
    const { open, element, opened, key } = show(rowsOf(5), { selected: ['p3'] });
    open();
    element.focus();
    key('ArrowDown');
    open();
    assert.deepEqual(opened, ['p3', 'p1']);
    const other = show(rowsOf(5));
    other.open();
    assert.deepEqual(other.opened, ['p0']);
  });

  it('follows its row through another order, and has none if that is gone', () => {
    const { read, element, key, opened } = show(rowsOf(5));
    element.focus();
    key('ArrowDown');
    button('Series').click();
    button('Series').click();
    assert.equal(active(), 'store 1');
    key('Enter');
    assert.deepEqual(opened, ['p1']);
    read([rowOf(0), rowOf(2)]);
    assert.equal(document.querySelector('.row.active'), null);
    assert.equal(element.getAttribute('aria-activedescendant'), null);
  });

  it('renders the rows scrolled into view, and keeps its position when scrolling ends', () => {
    const { element, saved } = show();
    element.scrollTop = 3000;
    element.dispatchEvent(new Event('scroll'));
    assert.ok(document.querySelector('#row-99'));
    assert.equal(saved.length, 0);
    element.dispatchEvent(new Event('scrollend'));
    assert.equal(saved.at(-1)?.top, 3000);
  });

  it('shows its rows with any saved state', () => {
    for (const kept of [7, 'text', { order: null, filter: 5, selected: 'all', top: 'x', anchor: {}, active: 1 }]) {
      const { element, key, ids } = show(rowsOf(3), kept);
      element.focus();
      assert.equal(active(), 'store 0');
      key(' ');
      assert.deepEqual(ids(), ['p0']);
    }
  });

  it('ignores a double click beside the rows', () => {
    const { element, opened, ids } = show(rowsOf(2));
    element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    find('.heads').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    assert.deepEqual([opened, ids()], [[], []]);
  });

  it('sorts names and errors ascending and other figures descending first', () => {
    const sorted = ['Series', 'Last', 'Next', 'Change', 'Error', 'Coverage'].map((label) => {
      const { saved } = show();
      button(label).click();
      return saved.at(-1)!.order;
    });
    assert.deepEqual(
      sorted.map(({ column, isDescending }) => `${column}${isDescending ? ' down' : ''}`),
      ['name', 'last down', 'next down', 'change down', 'error down', 'coverage down'],
      'by errors it is sorted already, so the other way round',
    );
    assert.equal(find('[aria-sort=descending]').textContent, 'Coverage');
    button('Coverage').click();
    assert.equal(find('[aria-sort=ascending]').textContent, 'Coverage');
  });

  it('explains the figure of each column', () => {
    show();
    assert.match(button('Error').title, /percentage error/);
    assert.match(button('Coverage').title, /80% interval/);
  });
});
