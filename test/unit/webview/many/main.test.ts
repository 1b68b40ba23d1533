import assert from 'node:assert/strict';
import type { ManyIntent, ManyState, SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import type { PageMessage, StateMessage } from '../../../../src/editor/views/shared/protocol.ts';
import { press, settled, useBrowser } from '../browser.ts';
import { type LoadedPage, loadPage } from '../load-page.ts';
import { button, find } from '../dom.ts';
import { until } from '../../editor/until.ts';

type Message = StateMessage<ManyState>;

const ref = { serviceId: 'local', label: 'stores.csv', datasetId: 'd1' };
const row = (id: string, more: Partial<SeriesRow> = {}): SeriesRow => ({ id, name: `store ${id}`, past: [1, 2], ahead: [3], last: 2, next: 3, error: 5, ...more }); // prettier-ignore
const state = (more: Partial<ManyState> = {}): Message => ({ type: 'state', parts: { ref, title: 'Forecasts: stores.csv', actions: ['again'], isLoading: false, rows: [], levels: null, problem: null, ...more } }); // prettier-ignore
const all = (...rows: SeriesRow[]): Message => ({ type: 'state', parts: { rows } });

interface Kept {
  readonly view?: {
    readonly filter: string;
    readonly order: { readonly column: string };
    readonly selected: readonly string[];
  };
}

describe('many-series page program', () => {
  const browser = useBrowser();
  let page: LoadedPage<Message, PageMessage<ManyIntent>>;

  const load = async (kept?: unknown) => {
    document.body.innerHTML = '<main id="app"></main>';
    browser.sizes.set('grid', { width: 700, height: 320 });
    browser.sizes.set('sparkline', { width: 168, height: 26 });
    page = await loadPage(browser, 'many', kept);
  };
  const names = () => [...document.querySelectorAll<HTMLElement>('.row')].filter(({ hidden }) => !hidden).map((one) => find('.name', one).textContent); // prettier-ignore

  it('reports that it is ready, shows rows as they load, and restores its view after a reload', async () => {
    await load();
    assert.deepEqual(page.posted, [{ type: 'ready' }]);
    page.hears(state({ isLoading: true }));
    assert.equal(find('.count').textContent, 'Loading…');
    assert.equal(find('.grid').getAttribute('aria-busy'), 'true');
    page.hears(all(row('1', { error: 9 })));
    assert.deepEqual(names(), ['store 1']);
    page.hears(state({ rows: [row('1', { error: 9 }), row('2', { error: 1 })] }));
    assert.deepEqual(names(), ['store 2', 'store 1'], 'the best first');
    button('Series').click();
    find<HTMLInputElement>('.filter').value = 'store';
    find('.filter').dispatchEvent(new Event('input'));
    const kept = await until(page.kept, (now) => (now as Kept | undefined)?.view?.filter === 'store'); // prettier-ignore
    assert.deepEqual(kept, { ref, view: { order: { column: 'name', isDescending: false }, filter: 'store', top: 0, selected: [] } }); // prettier-ignore
    await load(kept);
    page.hears(state());
    page.hears(all(row('1', { error: 9 }), row('2', { error: 1 })));
    assert.deepEqual(names(), ['store 1', 'store 2']);
    assert.equal(find<HTMLInputElement>('.filter').value, 'store');
  });

  it('saves typing, sorting and selection at once, before it may be hidden', async () => {
    await load();
    page.hears(state());
    page.hears(all(row('1'), row('2')));
    const filter = find<HTMLInputElement>('.filter');
    filter.value = 'store 2';
    filter.dispatchEvent(new Event('input'));
    const kept = () => (page.kept() as Kept).view;
    assert.equal(kept()?.filter, 'store 2');
    button('Series').click();
    assert.equal(kept()?.order.column, 'name');
    press(find('.grid'), 'a', { ctrlKey: true });
    assert.deepEqual(kept()?.selected, ['2']);
  });

  it('keeps the selection while rows load, with what is selected then', async () => {
    await load({ ref, view: { selected: ['2'] } });
    page.hears(state({ isLoading: true, rows: [row('1')] }));
    assert.deepEqual((page.kept() as Kept).view, { selected: ['2'] });
    page.hears(state({ rows: [row('1'), row('2')] }));
    button('Series').click();
    assert.deepEqual((page.kept() as Kept).view?.selected, ['2']);
  });

  it('shows rows once although they are sent twice', async () => {
    await load();
    page.hears(state());
    page.hears(all(row('1'), row('2')));
    page.hears(all(row('1'), row('2')));
    assert.deepEqual(names(), ['store 1', 'store 2']);
    assert.equal(find('.count').textContent, '2 series');
  });

  it('explains why it has no rows, with an action, until rows are loaded', async () => {
    await load();
    page.hears(state({ problem: 'The service is <b>away</b>.' }));
    assert.equal(find('[role=alert] p').textContent, 'The service is <b>away</b>.');
    button('Try Again').click();
    assert.deepEqual(page.posted.at(-1), { type: 'intent', intent: { type: 'retry' } });
    page.hears(state());
    assert.equal(document.querySelector('[role=alert]'), null);
    assert.throws(() => button('Try Again'));
  });

  it('shows the progress of pending rows, and failed rows last with their reason', async () => {
    await load();
    page.hears(state());
    page.hears(all(row('1', { state: 'failed: it has 2 points', hasFailed: true, past: undefined }), row('2', { state: 'in progress', past: undefined }), row('3'))); // prettier-ignore
    assert.deepEqual(names(), ['store 3', 'store 2', 'store 1']);
    assert.equal(find('.count').textContent, '3 series · 1 failed');
    assert.equal(find('.row.failed .state').textContent, 'failed: it has 2 points');
    find<HTMLInputElement>('.filter').value = 'FAILED';
    find('.filter').dispatchEvent(new Event('input'));
    assert.equal(find('.count').textContent, '1 of 3 series · 1 failed');
  });

  it('has no actions if the filter finds no series', async () => {
    await load();
    page.hears(state());
    page.hears(all(row('1'), row('2')));
    const again = () => button('Forecast Again…') as HTMLButtonElement;
    assert.equal(again().disabled, false);
    find<HTMLInputElement>('.filter').value = 'no such name';
    find('.filter').dispatchEvent(new Event('input'));
    assert.equal(again().disabled, true);
    page.hears({ type: 'state', parts: { problem: null } });
    assert.equal(again().disabled, true, 'also when its state comes anew');
    find<HTMLInputElement>('.filter').value = '';
    find('.filter').dispatchEvent(new Event('input'));
    assert.equal(again().disabled, false);
  });

  it('focuses the filter on Ctrl+F, and the list on Down', async () => {
    await load();
    page.hears(state());
    page.hears(all(row('1')));
    const filter = find<HTMLInputElement>('.filter');
    filter.value = 'store';
    assert.ok(press(find('.page'), 'f', { ctrlKey: true }), 'the editor’s own search does not come');
    assert.deepEqual([filter.selectionStart, filter.selectionEnd], [0, 5]);
    assert.ok(!press(find('.page'), 'f'), 'a letter is a letter');
    press(filter, 'ArrowDown');
    assert.equal(document.activeElement, find('.grid'));
  });

  it('shows errors by level for reconciled forecasts', async () => {
    await load();
    const levels = [{ series: 1, mase: 0.5, mase_alone: 0.6 }, { series: 40, mase: 0.8 }]; // prettier-ignore
    page.hears(state({ levels }));
    assert.match(find('.levels').textContent, /grand total 0\.50 \(0\.60\).*40 series 0\.80 \(–\)/);
    page.hears(state());
    assert.equal(document.querySelector('.levels'), null);
  });

  it('redraws for another theme, and renders more rows in a higher panel', async () => {
    await load();
    page.hears(state());
    page.hears(all(...Array.from({ length: 100 }, (_, index) => row(String(index)))));
    const before = names().length;
    browser.resize('grid', 700, 960);
    assert.ok(names().length > before, `${names().length} of ${before}`);
    const pen = browser.pen('.row canvas');
    pen.forget();
    document.body.className = 'vscode-high-contrast-light';
    await settled();
    assert.notEqual(pen.strokes.length, 0);
  });

  it('ignores a message of another version, and reports errors', async () => {
    await load();
    page.hears({ type: 'sorted', by: 'name' } as unknown as Message);
    window.dispatchEvent(Object.assign(new Event('error'), { message: 'it is broken' }));
    assert.deepEqual(page.posted.at(-1), { type: 'problem', message: 'it is broken' });
  });
});
