import assert from 'node:assert/strict';
import { JSDOM } from 'jsdom';
import type { ChartControls } from '../../../../src/editor/views/analysis/protocol.ts';
import type { PanelState, WebviewMessage } from '../../../../src/editor/views/chart/protocol.ts';
import type { createPage } from '../../../../src/webview/chart/page.ts';
import { button, find } from '../dom.ts';
import { chartOf, monthly } from '../../chart/charts.ts';

const CONTROLS: ChartControls = { canCompare: false, looks: ['parts'], former: ['p0'] };
const refOf = (predictionId: string) => ({ predictionId, serviceId: 'local' });

describe('the page of a chart', () => {
  const outside = new Map<string, unknown>();
  let make: typeof createPage;

  // the drawing keeps the document that is there when it is loaded, so that all tests have the same one
  before(async () => {
    const { window } = new JSDOM('<!DOCTYPE html><html lang="en"><body></body></html>', { pretendToBeVisual: true });
    const pen = new Proxy({}, { get: (_, name) => (name === 'measureText' ? () => ({ width: 20 }) : () => undefined), set: () => true }); // prettier-ignore
    Object.assign(window.HTMLCanvasElement.prototype, { getContext: () => pen });
    class Path {
      moveTo = () => undefined;
      lineTo = () => undefined;
      rect = () => undefined;
      arc = () => undefined;
      closePath = () => undefined;
    }
    class Observer {
      observe = () => undefined;
      disconnect = () => undefined;
    }
    const matchMedia = () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }); // prettier-ignore
    Object.assign(window, { matchMedia, Path2D: Path, ResizeObserver: Observer });
    const { document, Node, Element, HTMLElement, SVGElement, Event, CustomEvent, MouseEvent } = window;
    const given = { window, document, Node, Element, HTMLElement, SVGElement, Event, CustomEvent, MouseEvent, devicePixelRatio: 1, matchMedia, Path2D: Path, ResizeObserver: Observer, getComputedStyle: window.getComputedStyle.bind(window), requestAnimationFrame: window.requestAnimationFrame.bind(window) }; // prettier-ignore
    for (const [name, value] of Object.entries(given)) {
      outside.set(name, (globalThis as Record<string, unknown>)[name]);
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    ({ createPage: make } = await import('../../../../src/webview/chart/page.ts'));
  });
  after(() => {
    window.close();
    for (const [name, value] of outside)
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  });

  function open(saved?: PanelState) {
    document.body.innerHTML = '<main id="app"></main>';
    const posted: WebviewMessage[] = [];
    let state = saved;
    const page = make(find('#app'), {
      post: (message) => posted.push(message),
      save: (now) => (state = now),
      restore: () => state,
    });
    const tab = () => find('[role="tab"][aria-selected="true"]').textContent;
    return { page, posted, tab, state: () => state };
  }

  it('shows a chart, and keeps what was chosen of it over a reload', () => {
    const first = open();
    first.page.show(refOf('p1'), monthly);
    assert.equal(find('h1').textContent, 'sales.csv');
    assert.equal(first.tab(), 'Chart');
    button('Table').click();
    assert.equal(first.tab(), 'Table');
    assert.equal(first.posted.at(-1)?.type, 'state');
    const again = open(first.state());
    again.page.show(refOf('p1'), monthly);
    assert.equal(again.tab(), 'Table');
    const other = open(first.state());
    other.page.show(refOf('p2'), monthly);
    assert.equal(other.tab(), 'Chart', 'what was chosen of one chart is not of another');
  });

  it('keeps tab and bands when it turns to another forecast of the series, and nothing of what had come', () => {
    const { page, tab, state } = open();
    page.show(refOf('p1'), monthly);
    button('95 %').click();
    button('Table').click();
    page.actuals({ line: { times: Float64Array.of(Date.UTC(2021, 0, 1)), values: Float64Array.of(130) }, sentence: '1 step has come.' }); // prettier-ignore
    assert.deepEqual([find('.came').hidden, find('.came').textContent], [false, '1 step has come.']);
    page.show(refOf('p2'), monthly);
    assert.equal(tab(), 'Table');
    assert.equal(find('.came').hidden, true);
    assert.deepEqual([state()?.predictionId, state()?.view.hiddenBands], ['p2', [95]]);
  });

  it('has the tabs that the service has, and leaves one that is gone', () => {
    const { page, tab, state } = open();
    page.show(refOf('p1'), monthly);
    assert.equal(button('Parts').hidden, true);
    page.controls(CONTROLS);
    assert.equal(button('Parts').hidden, false);
    assert.deepEqual(state()?.former, ['p0'], 'the steps back outlast a reload');
    button('Parts').click();
    assert.equal(tab(), 'Parts');
    page.controls({ ...CONTROLS, looks: [] });
    assert.equal(tab(), 'Chart');
  });

  it('shows what goes on above the chart before, not instead of it', () => {
    const { page, posted } = open();
    page.show(refOf('p1'), monthly);
    page.status(refOf('p2'), 'sales.csv', { kind: 'loading' });
    assert.notEqual(find('.status-place').textContent, '');
    assert.ok(document.querySelector('.plot'));
    page.notice({ sentence: 'The file has changed.', actions: [{ id: 'again', label: 'Forecast Again' }] });
    button('Forecast Again').click();
    assert.deepEqual(posted.at(-1), { type: 'action', id: 'again' });
    page.show(refOf('p2'), monthly);
    assert.equal(find('.status-place').textContent, '');
    assert.equal(find('.notices').textContent, '');
  });

  it('says so where there is nothing to draw, and draws what comes after', () => {
    const { page } = open();
    page.show(refOf('p1'), chartOf({ history: [] }));
    assert.equal(find('.empty').textContent, 'There are no points to draw.');
    assert.equal(document.querySelector('[role="tab"]'), null);
    page.controls(CONTROLS);
    page.redraw();
    page.show(refOf('p1'), monthly);
    assert.equal(document.querySelector('.empty'), null);
    assert.equal(button('Parts').hidden, false);
  });

  it('takes what is found of the forecast that is shown, and of no other', () => {
    const { page } = open();
    page.controls({ ...CONTROLS, looks: ['odd'] });
    page.show(refOf('p1'), monthly);
    const time = Date.UTC(2020, 10, 1);
    const view = { sentence: 'One of 3.', points: [{ time, after: 1, value: 118, expected: 90, about: 'rare' }], rarity: 1000, canMark: false, canLeaveOut: false }; // prettier-ignore
    page.seen('p0', { look: 'odd', view });
    button('Odd Points').click();
    assert.ok(!find('#panel-odd').textContent.includes('One of 3.'));
    page.seen('p1', { look: 'odd', view });
    assert.ok(find('#panel-odd').textContent.includes('One of 3.'));
    // from the list to the point in the chart
    button('Nov 2020').click();
    assert.equal(find('[role="tab"][aria-selected="true"]').textContent, 'Chart');
    assert.match(find('[aria-live]').textContent, /Nov 2020/);
  });
});
