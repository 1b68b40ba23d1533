import assert from 'node:assert/strict';
import type { ChartView } from '../../../../src/chart/types.ts';
import { boundsOf } from '../../../../src/chart/bounds.ts';
import { frameOf } from '../../../../src/chart/frame.ts';
import { PRINT } from '../../../../src/chart/print.ts';
import { createDense } from '../../../../src/webview/chart/dense.ts';
import type { Plot, PlotEvents, createPlot } from '../../../../src/webview/chart/plot.ts';
import { mouse, settled, useBrowser } from '../browser.ts';
import { chartOf, monthly } from '../../chart/charts.ts';
import { find } from '../dom.ts';

const colors = { ...PRINT, history: 'black', forecast: 'blue', background: 'white', others: ['purple', 'green', 'orange'], odd: 'red' }; // prettier-ignore

describe('the large drawing of a chart', () => {
  const browser = useBrowser();
  let make: typeof createPlot;
  const open: Plot[] = [];

  before(async () => {
    ({ createPlot: make } = await import('../../../../src/webview/chart/plot.ts'));
  });
  afterEach(() => {
    for (const plot of open.splice(0)) plot.destroy();
  });

  function draw(chart: ChartView = monthly, contrast = false) {
    const frame = frameOf(chart);
    const bounds = boundsOf(frame);
    const told: unknown[] = [];
    const events: PlotEvents = {
      onRange: (range) => told.push(['range', range]),
      onReset: () => told.push('reset'),
      onWheel: (wheel) => told.push(wheel),
      onCursor: (row) => told.push(row),
    };
    const host = document.createElement('div');
    host.className = 'plot';
    document.body.append(host);
    const dense = createDense(frame.history, () => undefined);
    const initial = { range: bounds.initial, hiddenBands: [], colors: () => ({ ...colors, contrast }), dense };
    const plot = make(host, frame, initial, events);
    open.push(plot);
    return { plot, frame, bounds, told, over: find('.u-over'), pen: () => browser.pen() };
  }

  it('draws the history in one colour, the forecast from the last observation on in another', async () => {
    const { pen } = draw();
    await settled();
    const [history] = pen().paths('black');
    const forecast = pen().paths('blue').at(-1)!;
    assert.equal(history!.match(/[ML]/g)?.length, 3, history);
    assert.equal(forecast.match(/[ML]/g)?.length, 3, 'two steps, tied on to the history');
    assert.equal(forecast.split(' ')[0]!.slice(1), history!.split(' ').at(-1)!.slice(1));
    assert.ok(pen().texts.includes('2021'), pen().texts.join());
  });

  it('draws each band that is shown, and none that is switched off', async () => {
    const { plot, bounds, pen } = draw();
    await settled();
    assert.equal(pen().paths('blue', 'fill').length, 3);
    pen().forget();
    plot.show(bounds.initial, [95, 50]);
    await settled();
    assert.equal(pen().paths('blue', 'fill').length, 1);
  });

  it('gives bands edges in high contrast, where no shade is told from another', async () => {
    const edges = ({ strokes }: ReturnType<typeof browser.pen>) => strokes.filter(({ call, color, alpha }) => call === 'stroke' && color === 'blue' && alpha === 0.6).length; // prettier-ignore
    const plain = draw();
    await settled();
    assert.equal(edges(plain.pen()), 0);
    open.splice(0)[0]!.destroy();
    document.body.innerHTML = '';
    const strong = draw(monthly, true);
    await settled();
    assert.equal(edges(strong.pen()), 3);
  });

  it('breaks the line where observations are missing for long', async () => {
    const { pen } = draw(
      chartOf({ frequency: 'P1D', history: [['2024-01-01', 1], ['2024-01-02', 2], ['2024-01-09', 3], ['2024-01-10', 4]] }), // prettier-ignore
    );
    await settled();
    assert.equal(pen().paths('black')[0]!.match(/M/g)?.length, 2);
  });

  it('fits the value axis to what is in sight', async () => {
    const spike = chartOf({ frequency: 'P1D', history: Array.from({ length: 20 }, (_, index) => [Date.UTC(2024, 0, 1 + index), index === 2 ? 5000 : 10] as const) }); // prettier-ignore
    const { plot, frame, pen } = draw(spike);
    await settled();
    assert.ok(pen().texts.some((text) => text.includes('5,000')), pen().texts.join()); // prettier-ignore
    pen().forget();
    plot.show({ min: frame.times[8]!, max: frame.times[19]! }, []);
    await settled();
    assert.ok(!pen().texts.some((text) => text.includes('000')), pen().texts.join());
  });

  it('lays other forecasts over it, dashed and each in its colour, with rings around what was odd', async () => {
    const { plot, frame, pen } = draw();
    await settled();
    pen().forget();
    const line = { times: frame.times.slice(3), values: Float64Array.of(100, 90) };
    const marks = { times: frame.times.slice(0, 1), values: Float64Array.of(112) };
    plot.decorate({ lines: [{ label: 'Theta', line, color: 1 }], marks });
    await settled();
    const other = pen().strokes.filter(({ call, color, args }) => call === 'stroke' && color === 'green' && args.length > 0); // prettier-ignore
    assert.equal(other.length, 1);
    assert.notEqual(other[0]!.dash.length, 0);
    assert.equal(pen().strokes.filter(({ call }) => call === 'arc').length, 1);
  });

  it('has the observations that came since as a whole line with a dot each', async () => {
    const { plot, frame, pen } = draw();
    await settled();
    pen().forget();
    plot.decorate({ lines: [{ label: 'Actual', line: { times: frame.times.slice(3), values: Float64Array.of(130, NaN) } }], marks: { times: new Float64Array(), values: new Float64Array() } }); // prettier-ignore
    await settled();
    assert.equal(pen().strokes.filter(({ call }) => call === 'arc').length, 1, 'what is missing has none');
  });

  it('keeps the value axis wide enough for what lies over it', async () => {
    const { plot, frame, pen } = draw();
    await settled();
    pen().forget();
    plot.decorate({ lines: [{ label: 'x', line: { times: frame.times.slice(3), values: Float64Array.of(9000, 9500) }, color: 0 }], marks: { times: new Float64Array(), values: new Float64Array() } }); // prettier-ignore
    await settled();
    assert.ok(pen().texts.some((text) => /[89],\d00|10,000/.test(text)), pen().texts.join()); // prettier-ignore
  });

  it('covers what the history does not support, and says so where there is room', async () => {
    const far = chartOf({
      frequency: 'P1M',
      history: Array.from({ length: 24 }, (_, index) => [Date.UTC(2020, index), index] as const),
      forecast: Array.from({ length: 48 }, (_, index) => [Date.UTC(2022, index), index] as const),
      supportedUntil: Date.UTC(2023, 0),
    });
    const { pen } = draw(far);
    await settled();
    const covers = pen().strokes.filter(({ call, color, alpha }) => call === 'fillRect' && color === 'white' && alpha > 0); // prettier-ignore
    assert.ok(covers.length > 5);
    assert.ok(covers.at(-1)!.alpha > covers[0]!.alpha, 'more and more');
    assert.ok(pen().texts.some((text) => text.includes('history')), pen().texts.join()); // prettier-ignore
    browser.sizes.set('plot', { width: 180, height: 200 });
    document.body.innerHTML = '';
    const small = draw(far);
    await settled();
    assert.ok(!small.pen().texts.some((text) => text.includes('history')));
  });

  it('tells which part of time is chosen by dragging, and nothing of a click', async () => {
    const { over, told, bounds } = draw();
    await settled();
    mouse(over, 'mouseenter', 100);
    mouse(over, 'mousedown', 100);
    mouse(document, 'mouseup', 100);
    assert.deepEqual(told.filter((one) => Array.isArray(one)), []); // prettier-ignore
    const drag = (from: number, to: number) => {
      mouse(over, 'mousemove', from);
      mouse(over, 'mousedown', from);
      mouse(over, 'mousemove', to);
      mouse(document, 'mouseup', to);
      return told.filter((one): one is [string, { min: number; max: number }] => Array.isArray(one)).at(-1)![1];
    };
    const right = drag(200, 500);
    assert.ok(right.min > bounds.whole.min && right.max < bounds.whole.max && right.min < right.max);
    const left = drag(500, 200);
    assert.ok(Math.abs(left.min - right.min) < 1e-3 * (right.max - right.min), 'from right to left is the same');
    assert.equal(find('.u-select').style.width, '0px', 'what was marked is let go');
  });

  it('is zoomed by the wheel where the mouse is, moved by a wheel to the side or with Shift', async () => {
    const { over, told } = draw();
    await settled();
    browser.sizes.set('u-over', { width: 700, height: 340 });
    const turn = (init: WheelEventInit) => {
      const event = new WheelEvent('wheel', { bubbles: true, cancelable: true, ...init });
      over.dispatchEvent(event);
      assert.ok(event.defaultPrevented, 'the page does not scroll');
      return told.at(-1) as { zoom: number; shift: number; around: number };
    };
    const closer = turn({ deltaY: -100, clientX: 100 });
    assert.ok(closer.zoom < 1 && closer.shift === 0);
    const further = turn({ deltaY: 100, clientX: 600 });
    assert.ok(further.zoom > 1 && further.around > closer.around);
    assert.ok(turn({ deltaY: 1e6 }).zoom < 2, 'a wild wheel does not jump');
    assert.deepEqual(((({ zoom, shift }) => [zoom, shift])(turn({ deltaX: 70, deltaY: 5 }))), [1, 0.1]); // prettier-ignore
    assert.deepEqual(((({ zoom, shift }) => [zoom, shift])(turn({ deltaY: -70, shiftKey: true }))), [1, -0.1]); // prettier-ignore
    const lines = turn({ deltaX: 7, deltaMode: WheelEvent.DOM_DELTA_LINE });
    assert.equal(lines.shift, 0.3, 'a wheel that counts lines');
  });

  it('asks for the first view again on a double click', async () => {
    const { over, told } = draw();
    await settled();
    mouse(over, 'dblclick', 100);
    assert.equal(told.at(-1), 'reset');
  });

  it('tells the moment under the mouse, and when it leaves', async () => {
    const { over, told, plot } = draw();
    await settled();
    mouse(over, 'mouseenter', 1);
    mouse(over, 'mousemove', 1);
    assert.equal(told.at(-1), 0);
    mouse(over, 'mousemove', 650);
    assert.ok((told.at(-1) as number) >= 3);
    mouse(over, 'mouseleave', -20);
    assert.equal(told.at(-1), undefined);
    plot.setCursor(2);
    assert.equal(told.at(-1), 2);
    plot.setCursor(undefined);
    assert.equal(told.at(-1), undefined);
  });

  it('is as large as its place, and never so small that nothing can be seen', async () => {
    const { plot, pen } = draw();
    await settled();
    assert.deepEqual([pen().canvas.width, pen().canvas.height], [800, 400]);
    browser.sizes.set('plot', { width: 320, height: 200 });
    plot.resize();
    await settled();
    assert.deepEqual([pen().canvas.width, pen().canvas.height], [320, 200]);
    browser.sizes.set('plot', { width: 20, height: 0 });
    plot.resize();
    await settled();
    assert.deepEqual([pen().canvas.width, pen().canvas.height], [120, 120]);
  });

  it('is drawn again where the theme changes, and is gone with its page', async () => {
    const { plot, pen } = draw();
    await settled();
    pen().forget();
    plot.redraw();
    await settled();
    assert.notEqual(pen().paths('black').length, 0);
    open.splice(0);
    plot.destroy();
    assert.equal(document.querySelector('.uplot'), null);
  });
});
