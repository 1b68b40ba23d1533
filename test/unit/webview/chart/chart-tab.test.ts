import assert from 'node:assert/strict';
import type { ChartView } from '../../../../src/chart/types.ts';
import { boundsOf } from '../../../../src/chart/bounds.ts';
import { frameOf } from '../../../../src/chart/frame.ts';
import { PRINT } from '../../../../src/chart/print.ts';
import { DEFAULT_VIEW, type ViewState } from '../../../../src/editor/views/chart/protocol.ts';
import type { ChartTab, createChartTab } from '../../../../src/webview/chart/chart-tab.ts';
import { type ViewChange, changed } from '../../../../src/webview/chart/view.ts';
import { mouse, press, settled, useBrowser } from '../browser.ts';
import { chartOf, monthly } from '../../chart/charts.ts';
import { button, find } from '../dom.ts';

const DAY = 86_400_000;
const long = chartOf({
  title: 'visits.csv',
  valueLabel: 'Visits',
  frequency: 'P1D',
  history: Array.from({ length: 900 }, (_, index) => [Date.UTC(2021, 0, 1) + index * DAY, index % 7] as const),
  forecast: Array.from({ length: 14 }, (_, index) => [Date.UTC(2021, 0, 1) + (900 + index) * DAY, 3] as const),
});

describe('the chart tab', () => {
  const browser = useBrowser();
  let make: typeof createChartTab;
  const open: ChartTab[] = [];

  before(async () => {
    ({ createChartTab: make } = await import('../../../../src/webview/chart/chart-tab.ts'));
  });
  afterEach(() => {
    for (const tab of open.splice(0)) tab.destroy();
  });

  function show(chart: ChartView = long, view: ViewState = DEFAULT_VIEW) {
    const frame = frameOf(chart);
    const bounds = boundsOf(frame);
    const changes: ViewChange[] = [];
    let now = view;
    const tab = make(chart, frame, bounds, view, () => PRINT, (change) => {
      changes.push(change);
      now = changed(now, change);
      tab.show(now);
    }); // prettier-ignore
    open.push(tab);
    document.body.append(tab.element);
    tab.show(view);
    const surface = find('.plot');
    const key = (name: string, more: KeyboardEventInit = {}) => press(surface, name, more);
    const read = () => find('.readout').textContent;
    const said = () => find('[aria-live]').textContent;
    return { tab, frame, bounds, changes, surface, key, read, said, view: () => now };
  }

  it('tells the end of the forecast while there is no cursor', () => {
    const { read, said } = show(monthly);
    assert.match(read(), /^Feb 2021.*Forecast121\.5/);
    assert.ok(find('.readout').classList.contains('resting'));
    assert.equal(said(), '', 'a screen reader is told nothing unasked');
  });

  it('begins with the keyboard where the forecast does, and says each point', () => {
    const { key, said, read } = show(monthly);
    assert.ok(key('ArrowRight'), 'the page does not scroll');
    assert.match(
      said(),
      /^Jan 2021: Forecast 129\.0, 50 % between 125\.0 and 133\.0, .*95 % between 110\.0 and 150\.0$/,
    );
    key('ArrowLeft');
    assert.match(said(), /^Dec 2020: Sales 132/);
    assert.match(read(), /^Dec 2020/);
    key('End');
    assert.match(said(), /^Feb 2021/);
    key('ArrowRight');
    assert.match(said(), /^Feb 2021/, 'there is nothing after it');
    key('Home');
    assert.match(said(), /^Oct 2020/);
    key('ArrowLeft');
    assert.match(said(), /^Oct 2020/);
  });

  it('begins in the middle where the forecast is out of sight', () => {
    const { key, frame, said } = show(long, { ...DEFAULT_VIEW, range: { min: Date.UTC(2021, 2, 1), max: Date.UTC(2021, 2, 31) } }); // prettier-ignore
    key('ArrowLeft');
    assert.match(said(), /^16 Mar 2021: Visits/);
    assert.ok(frame.times.length > 900);
  });

  it('takes what is seen along where the cursor leaves it', () => {
    const { key, view, bounds } = show();
    const before = bounds.initial;
    key('Home');
    const { range } = view();
    assert.ok(range && range.min < before.min, 'the first point is in sight');
    assert.ok(Math.abs(range.max - range.min - (before.max - before.min)) < DAY, 'as much of it as before');
    key('PageDown');
    assert.match(find('[aria-live]').textContent, /^11 Jan 2021: Visits/);
  });

  it('zooms around the cursor, and back with zero', () => {
    const { key, view, bounds, frame } = show();
    key('End');
    key('+');
    const { range } = view();
    assert.ok(range && range.max - range.min < bounds.initial.max - bounds.initial.min);
    assert.ok(range.max >= frame.times.at(-1)!, 'the cursor stays in sight');
    key('-');
    key('0');
    assert.equal(view().range, undefined);
  });

  it('leaves keys alone that are the editor’s', () => {
    const { key, changes } = show();
    assert.ok(!key('ArrowLeft', { altKey: true }));
    assert.ok(!key('+', { ctrlKey: true }));
    assert.ok(!key('Tab'));
    assert.ok(!key('a'));
    assert.deepEqual(changes, []);
  });

  it('lets the cursor go with Escape and when the focus leaves', () => {
    const { key, read, surface } = show(monthly);
    key('Home');
    assert.match(read(), /^Oct/);
    key('Escape');
    assert.match(read(), /^Feb/);
    key('Home');
    surface.dispatchEvent(new FocusEvent('blur'));
    assert.match(read(), /^Feb/);
  });

  it('shows the values under the mouse, and those of the keyboard’s cursor when it is gone', async () => {
    const { key, read } = show(monthly);
    await settled();
    const over = find('.u-over');
    mouse(over, 'mouseenter', 1);
    mouse(over, 'mousemove', 1);
    assert.match(read(), /^Oct 2020/);
    assert.ok(!find('.readout').classList.contains('resting'));
    mouse(over, 'mouseleave', -10);
    assert.match(read(), /^Feb 2021/);
    key('Home');
    mouse(over, 'mouseleave', -10);
    assert.match(read(), /^Oct 2020/, 'the mouse takes nothing away from the keyboard');
  });

  it('shows all of a long series, and its end again, by a button each', () => {
    const { view, bounds } = show();
    const [all, reset] = [button('Show All'), button('Reset Zoom')];
    assert.deepEqual([all.hidden, reset.hidden], [false, true]);
    all.click();
    assert.deepEqual(view().range, bounds.whole);
    assert.deepEqual([all.hidden, reset.hidden], [true, false]);
    reset.click();
    assert.deepEqual([view().range, all.hidden, reset.hidden], [undefined, false, true]);
  });

  it('has no buttons of zoom where a short series is seen as a whole', () => {
    show(monthly);
    assert.deepEqual([button('Show All').hidden, button('Reset Zoom').hidden], [true, true]);
  });

  it('goes from the end to all of it and back by double clicks', async () => {
    const { view, bounds } = show();
    await settled();
    const over = find('.u-over');
    mouse(over, 'dblclick', 100);
    assert.deepEqual(view().range, bounds.whole);
    mouse(over, 'dblclick', 100);
    assert.equal(view().range, undefined);
  });

  it('zooms to what is dragged over, and back to the beginning counts as no zoom', async () => {
    const { view, bounds, changes } = show();
    await settled();
    const over = find('.u-over');
    mouse(over, 'mouseenter', 100);
    mouse(over, 'mousemove', 100);
    mouse(over, 'mousedown', 100);
    mouse(over, 'mousemove', 300);
    mouse(document, 'mouseup', 300);
    const { range } = view();
    assert.ok(range && range.min > bounds.initial.min && range.max < bounds.initial.max);
    browser.sizes.set('u-over', { width: 700, height: 340 });
    for (let turn = 0; turn < 60; turn++) over.dispatchEvent(new WheelEvent('wheel', { deltaY: 200, clientX: 350 }));
    assert.ok(view().range!.min >= bounds.whole.min && view().range!.max <= bounds.whole.max);
    over.dispatchEvent(new WheelEvent('wheel', { deltaX: 350, clientX: 350 }));
    assert.equal(changes.at(-1)!.do, 'range');
  });

  it('switches bands off and on by their names, told to screen readers too', () => {
    const { view, read } = show(monthly);
    const names = [...document.querySelectorAll('.toggle')].map(({ textContent }) => textContent);
    assert.deepEqual(names, ['50 %', '80 %', '95 %']);
    assert.equal(button('80 %').getAttribute('aria-pressed'), 'true');
    button('80 %').click();
    assert.equal(button('80 %').getAttribute('aria-pressed'), 'false');
    assert.deepEqual(view().hiddenBands, [80]);
    assert.ok(!read().includes('80 %'), read());
    button('80 %').click();
    assert.deepEqual([view().hiddenBands, read().includes('80 %')], [[], true]);
  });

  it('has no legend of a forecast or of bands that are not there', () => {
    show(chartOf({ history: [['2024-01-01', 1], ['2024-01-02', 2]] })); // prettier-ignore
    assert.equal(find('.legend').textContent, 'SalesShow AllReset Zoom');
    assert.equal(document.querySelector('.bands'), null);
  });

  it('is described to screen readers with its figures, and with its keys', () => {
    const { surface } = show({ ...monthly, detail: '2 months ahead by Theta', figures: [{ text: 'MASE 0.80', about: '…', isPoor: false }] }); // prettier-ignore
    assert.equal(surface.getAttribute('aria-label'), 'sales.csv. Sales · 3 points. 2 months ahead by Theta. MASE 0.80');
    assert.match(surface.getAttribute('aria-description')!, /arrow.*Home, End.*Zero/);
    assert.equal(surface.tabIndex, 0);
  });

  it('goes to a moment that is asked for, and brings it into sight', () => {
    const { tab, view, said } = show();
    tab.goTo(Date.UTC(2021, 0, 5) + 3600_000);
    assert.match(said(), /^5 Jan 2021: Visits/);
    assert.ok(view().range!.min <= Date.UTC(2021, 0, 5));
  });

  it('says values of forecasts that lie over it, also those that came before it was drawn', () => {
    const frame = frameOf(monthly);
    const tab = make(monthly, frame, boundsOf(frame), DEFAULT_VIEW, () => PRINT, () => undefined); // prettier-ignore
    open.push(tab);
    document.body.append(tab.element);
    const line = { times: frame.times.slice(3), values: Float64Array.of(1, 77) };
    tab.decorate({ lines: [{ label: 'Theta', line, color: 0 }], marks: { times: new Float64Array(), values: new Float64Array() } }); // prettier-ignore
    assert.equal(find('.readout').textContent, '');
    tab.show(DEFAULT_VIEW);
    assert.match(find('.readout').textContent, /Theta77\.0/);
    assert.ok(find('.readout').classList.contains('two-lines'), 'none of five values is cut');
  });

  it('keeps the cursor where it is while the panel changes its size', async () => {
    const { key, read } = show(monthly);
    await settled();
    key('Home');
    browser.resize('plot', 320, 200);
    await settled();
    assert.match(read(), /^Oct 2020/);
    assert.equal(browser.pen().canvas.width, 320);
    browser.resize('plot', 0, 0);
    await settled();
    assert.equal(browser.pen().canvas.width, 320, 'a tab that is not seen keeps its drawing');
  });

  it('is drawn in the colours of now when the theme has changed', async () => {
    const { tab } = show(monthly);
    await settled();
    browser.pen().forget();
    tab.redraw();
    await settled();
    assert.notEqual(browser.pen().strokes.length, 0);
  });

  it('ends what it began when it goes: nothing observes its size any more', async () => {
    const { tab } = show(monthly);
    await settled();
    open.splice(0);
    tab.destroy();
    assert.equal(document.querySelector('.uplot'), null);
    browser.resize('plot', 500, 300);
  });
});
