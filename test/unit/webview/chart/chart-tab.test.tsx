import assert from 'node:assert/strict';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import { type Decoration, nearest, PLAIN, type Range } from '../../../../src/chart/frame.ts';
import { PRINT } from '../../../../src/chart/scene.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { ChartTab, moveTo, type View } from '../../../../src/webview/chart/chart-tab.tsx';
import { contextOf, Themed } from '../open-page.ts';
import { pointer, press, useBrowser } from '../browser.ts';
import { chartOf, monthly } from '../../chart/charts.ts';
import { button, find } from '../dom.ts';

const DAY = 86_400_000;
const rangeOf = ({ range }: View): Range | undefined => range && { min: range.min, max: range.max };
const long = chartOf({
  title: 'visits.csv',
  valueLabel: 'Visits',
  frequency: 'P1D',
  history: Array.from({ length: 900 }, (_, index) => [Date.UTC(2021, 0, 1) + index * DAY, index % 7] as const),
  forecast: Array.from({ length: 14 }, (_, index) => [Date.UTC(2021, 0, 1) + (900 + index) * DAY, 3] as const),
});

describe('chart tab', () => {
  const browser = useBrowser();

  function show(chart: ChartView = long, initial?: Range) {
    const theme = signal(PRINT);
    let decoration: Decoration = PLAIN;
    const again = () => {
      render(<Themed theme={theme}><ChartTab {...context} decoration={decoration} /></Themed>, find('#app')); // prettier-ignore
    };
    const { context, changes } = contextOf(chart, {}, again);
    if (initial) context.view.value = { ...context.view.value, range: { ...initial, of: 'p1' } };
    const { frame } = context.shown;
    const { bounds } = frame;
    const goTo = (time: number) => {
      moveTo(context, nearest(frame.times, time));
      again();
    };
    const decorate = (next: Decoration) => {
      decoration = next;
      again();
    };
    again();
    const surface = find('.plot');
    const key = (name: string, more: KeyboardEventInit = {}) => press(surface, name, more);
    const read = () => find('.readout').textContent;
    const said = () => find('[aria-live]').textContent;
    return {
      goTo,
      decorate,
      theme,
      frame,
      bounds,
      changes,
      surface,
      key,
      read,
      said,
      view: () => ({ ...context.view.value, range: rangeOf(context.view.value) }),
    };
  }

  it('reads out the end of the forecast without a cursor', () => {
    const { read, said } = show(monthly);
    assert.match(read(), /^Feb 2021.*Forecast121\.5/);
    assert.ok(find('.readout').classList.contains('resting'));
    assert.equal(said(), '', 'a screen reader is told nothing unasked');
  });

  it('starts the keyboard cursor at the forecast and announces each point', () => {
    const { key, said, read } = show(monthly);
    assert.ok(key('ArrowRight'), 'the page does not scroll');
    assert.match(said(), /^Jan 2021: Forecast 129\.0, 50% between 125\.0 and 133\.0, .*95% between 110\.0 and 150\.0$/);
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

  it('starts the keyboard cursor in the middle if the forecast is not visible', () => {
    const { key, frame, said } = show(long, { min: Date.UTC(2021, 2, 1), max: Date.UTC(2021, 2, 31) });
    key('ArrowLeft');
    assert.match(said(), /^16 Mar 2021: Visits/);
    assert.ok(frame.times.length > 900);
  });

  it('scrolls with the cursor', () => {
    const { key, view, bounds } = show();
    const before = bounds.initial;
    key('Home');
    const { range } = view();
    assert.ok(range && range.min < before.min, 'the first point is in sight');
    assert.ok(Math.abs(range.max - range.min - (before.max - before.min)) < DAY, 'as much of it as before');
    key('PageDown');
    assert.match(find('[aria-live]').textContent, /^11 Jan 2021: Visits/);
  });

  it('zooms around the cursor, and out with 0', () => {
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

  it('ignores keys of the editor', () => {
    const { key, changes } = show();
    assert.ok(!key('ArrowLeft', { altKey: true }));
    assert.ok(!key('+', { ctrlKey: true }));
    assert.ok(!key('Tab'));
    assert.ok(!key('a'));
    assert.deepEqual(changes, []);
  });

  it('releases the cursor on Escape and blur', () => {
    const { key, read, surface } = show(monthly);
    key('Home');
    assert.match(read(), /^Oct/);
    key('Escape');
    assert.match(read(), /^Feb/);
    key('Home');
    surface.dispatchEvent(new FocusEvent('blur'));
    assert.match(read(), /^Feb/);
  });

  it('shows the values at the mouse, and those at the keyboard cursor after it', () => {
    const { key, read, surface } = show(monthly);
    pointer(surface, 'pointermove', 60);
    assert.match(read(), /^Oct 2020/);
    assert.ok(!find('.readout').classList.contains('resting'));
    pointer(surface, 'pointerleave', -10);
    assert.match(read(), /^Feb 2021/);
    key('Home');
    pointer(surface, 'pointerleave', -10);
    assert.match(read(), /^Oct 2020/, 'the mouse takes nothing away from the keyboard');
  });

  it('has buttons for all of a long series and for its end', () => {
    const { view, bounds } = show();
    const zooms = () => find('.zoom').textContent;
    assert.equal(zooms(), 'Show All');
    button('Show All').click();
    assert.deepEqual(view().range, bounds.whole);
    assert.equal(zooms(), 'Reset Zoom');
    button('Reset Zoom').click();
    assert.deepEqual([view().range, zooms()], [undefined, 'Show All']);
  });

  it('has no zoom buttons if a short series is fully visible', () => {
    show(monthly);
    assert.equal(find('.zoom').textContent, '');
  });

  it('toggles between the end and all of it on double click', () => {
    const { view, bounds, surface } = show();
    pointer(surface, 'dblclick', 100);
    assert.deepEqual(view().range, bounds.whole);
    pointer(surface, 'dblclick', 100);
    assert.equal(view().range, undefined);
  });

  it('zooms to a dragged range, and stays within the series on wheel', () => {
    const { view, bounds, changes, surface } = show();
    pointer(surface, 'pointerdown', 100);
    pointer(surface, 'pointermove', 300);
    pointer(surface, 'pointerup', 300);
    const { range } = view();
    assert.ok(range && range.min > bounds.initial.min && range.max < bounds.initial.max);
    for (let turn = 0; turn < 60; turn++) surface.dispatchEvent(new WheelEvent('wheel', { deltaY: 200, clientX: 350 }));
    assert.ok(view().range!.min >= bounds.whole.min && view().range!.max <= bounds.whole.max);
    surface.dispatchEvent(new WheelEvent('wheel', { deltaX: 350, clientX: 350 }));
    assert.ok(changes.at(-1)!.range);
  });

  it('toggles intervals by name, also for screen readers', () => {
    const { view, read } = show(monthly);
    const names = [...document.querySelectorAll('.toggle')].map(({ textContent }) => textContent);
    assert.deepEqual(names, ['50%', '80%', '95%']);
    assert.equal(button('80%').getAttribute('aria-pressed'), 'true');
    button('80%').click();
    assert.equal(button('80%').getAttribute('aria-pressed'), 'false');
    assert.deepEqual(view().hiddenIntervals, [80]);
    assert.match(read(), /80%95%/);
    button('80%').click();
    assert.deepEqual([view().hiddenIntervals, /80%\d/.test(read())], [[], true]);
  });

  it('has no legend of a missing forecast or interval', () => {
    show(chartOf({ history: [['2024-01-01', 1], ['2024-01-02', 2]] })); // prettier-ignore
    assert.equal(find('.legend').textContent, '2 Jan 2024Sales2');
    assert.equal(document.querySelector('.intervals'), null);
  });

  it('is described to screen readers with its figures and keys', () => {
    const { surface } = show({ ...monthly, detail: '2 months ahead by Theta', figures: [{ text: 'MASE 0.80', about: '…', isPoor: false }] }); // prettier-ignore
    assert.equal(surface.getAttribute('aria-label'), 'sales.csv. Sales · 3 points. 2 months ahead by Theta. MASE 0.80');
    assert.match(surface.getAttribute('aria-description')!, /arrow.*Home, End.*Zero/);
    assert.equal(surface.tabIndex, 0);
  });

  it('moves to a requested time and scrolls it into view', () => {
    const { goTo, view, said } = show();
    goTo(Date.UTC(2021, 0, 5) + 3600_000);
    assert.match(said(), /^5 Jan 2021: Visits/);
    assert.ok(view().range!.min <= Date.UTC(2021, 0, 5));
  });

  it('reads out values of compared forecasts', () => {
    const { decorate, frame } = show(monthly);
    const line = { times: frame.times.slice(3), values: Float64Array.of(1, 77) };
    decorate({ ...PLAIN, lines: [{ label: 'Theta', line, color: 0 }] });
    assert.match(find('.readout').textContent, /Theta77\.0/);
  });

  it('reserves room for the longest time and values, so that the plot does not jump', () => {
    const widths = () => [...document.querySelectorAll<HTMLElement>('.readout :is(.time, .value)')].map(({ style }) => style.minWidth); // prettier-ignore
    const { key } = show(monthly);
    const before = widths();
    assert.deepEqual(before, ['8ch', '3ch', '5ch', '13ch', '13ch', '13ch']);
    key('Home');
    assert.deepEqual(widths(), before);
    const history = [['1960-01-01', 1], ['1960-02-01', 2]] as const; // prettier-ignore
    show(chartOf({ history, forecast: [['1960-03-01', 3], ['1960-04-01', 123_456], ['1960-05-01', 5]] })); // prettier-ignore
    assert.deepEqual(widths(), ['10ch', '1ch', '9ch']);
    show(chartOf({ history }));
    assert.deepEqual(widths(), ['10ch', '1ch'], 'of a history before 1970 without a forecast');
    show();
    assert.equal(widths()[0], '11ch', '1 Jan 2021 or 10 Jan 2021');
  });

  it('says its values to screen readers only as the cursor moves', () => {
    show(monthly);
    const values = [...document.querySelectorAll('.readout :is(.time, .value)')];
    assert.ok(values.length > 1 && values.every((one) => one.getAttribute('aria-hidden') === 'true'));
  });

  it('keeps the cursor while the panel is resized', () => {
    const { key, read } = show(monthly);
    key('Home');
    browser.resize('plot', 320, 200);
    assert.match(read(), /^Oct 2020/);
    assert.equal(browser.pen().canvas.width, 320);
    browser.resize('plot', 0, 0);
    assert.equal(browser.pen().canvas.width, 320, 'a tab that is not seen keeps its drawing');
  });

  it('is drawn in the colors of a changed theme', () => {
    const { theme } = show(monthly);
    browser.pen().forget();
    theme.value = { ...PRINT, forecast: 'gold' };
    assert.notEqual(browser.pen().paths('gold').length, 0);
  });

  it('stops observing its size when removed', () => {
    show(monthly);
    const pen = browser.pen();
    render(null, find('#app'));
    pen.forget();
    browser.resize('plot', 500, 300);
    assert.deepEqual(pen.strokes, []);
  });
});
