import assert from 'node:assert/strict';
import { axesOf } from '../../../../src/chart/axes.ts';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import { type Decoration, frameOf, PLAIN, type Range, tracesOf } from '../../../../src/chart/frame.ts';
import { PRINT } from '../../../../src/chart/scene.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { Plot } from '../../../../src/webview/chart/chart-tab.tsx';
import { pointer, useBrowser } from '../browser.ts';
import { Themed } from '../open-page.ts';
import { chartOf, monthly } from '../../chart/charts.ts';
import { find } from '../dom.ts';

const colors = { ...PRINT, history: 'black', forecast: 'blue', background: 'white', others: ['purple', 'green', 'orange'], anomaly: 'red' }; // prettier-ignore

describe('plot', () => {
  const browser = useBrowser();

  function draw(chart: ChartView = monthly, contrast = false) {
    const frame = frameOf(chart);
    const { bounds } = frame;
    const reported: unknown[] = [];
    const theme = signal({ ...colors, contrast });
    let [range, hiddenIntervals, decoration]: [Range, readonly number[], Decoration] = [bounds.initial, [], PLAIN];
    let cursor: number | undefined;
    const again = () => {
      const traces = tracesOf({ frame, hiddenIntervals, decoration });
      render(
        <Themed theme={theme}>
          <Plot
            frame={frame}
            scene={{ traces, range, axes: axesOf({ below: frame.time }) }}
            cursor={cursor}
            attributes={{}}
            onRange={(next) => reported.push(['range', next])}
            onCursor={(row) => reported.push(row)}
          />
        </Themed>,
        find('#app'),
      );
    };
    again();
    const plot = {
      show: (next: Range, hidden: readonly number[]) => {
        [range, hiddenIntervals] = [next, hidden];
        again();
      },
      decorate: (next: Decoration) => {
        decoration = next;
        again();
      },
      setCursor: (row: number | undefined) => {
        cursor = row;
        again();
      },
    };
    return { plot, frame, bounds, reported, theme, over: find('.plot'), pen: () => browser.pen() };
  }

  it('draws history and forecast in two colors, joined at the last observation', () => {
    const { pen } = draw();
    const [history] = pen().paths('black');
    const forecast = pen().paths('blue').at(-1)!;
    assert.equal(history!.match(/[ML]/g)?.length, 3, history);
    assert.equal(forecast.match(/[ML]/g)?.length, 3, 'two steps, tied on to the history');
    assert.equal(forecast.split(' ')[0]!.slice(1), history!.split(' ').at(-1)!.slice(1));
    assert.ok(pen().texts.includes('2021'), pen().texts.join());
  });

  it('draws each visible interval and no hidden one', () => {
    const { plot, bounds, pen } = draw();
    assert.equal(pen().paths('blue', 'fill').length, 3);
    pen().forget();
    plot.show(bounds.initial, [95, 50]);
    assert.equal(pen().paths('blue', 'fill').length, 1);
  });

  it('has interval edges in high contrast', () => {
    const edges = ({ strokes }: ReturnType<typeof browser.pen>) => strokes.filter(({ call, color, alpha }) => call === 'stroke' && color === 'blue' && alpha === 0.6).length; // prettier-ignore
    const plain = draw();
    assert.equal(edges(plain.pen()), 0);
    document.body.innerHTML = '<main id="app"></main>';
    const strong = draw(monthly, true);
    assert.equal(edges(strong.pen()), 3);
  });

  it('breaks the line at long gaps', () => {
    const { pen } = draw(
      chartOf({ frequency: 'P1D', history: [['2024-01-01', 1], ['2024-01-02', 2], ['2024-01-09', 3], ['2024-01-10', 4]] }), // prettier-ignore
    );
    assert.equal(pen().paths('black')[0]!.match(/M/g)?.length, 2);
  });

  it('fits the value axis to the visible range', () => {
    const spike = chartOf({ frequency: 'P1D', history: Array.from({ length: 20 }, (_, index) => [Date.UTC(2024, 0, 1 + index), index === 2 ? 5000 : 10] as const) }); // prettier-ignore
    const { plot, frame, pen } = draw(spike);
    assert.ok(pen().texts.some((text) => text.includes('5,000')), pen().texts.join()); // prettier-ignore
    pen().forget();
    plot.show({ min: frame.times[8]!, max: frame.times[19]! }, []);
    assert.ok(!pen().texts.some((text) => text.includes('000')), pen().texts.join());
  });

  it('overlays other forecasts dashed in their colors, and circles anomalies', () => {
    const { plot, frame, pen } = draw();
    pen().forget();
    const line = { times: frame.times.slice(3), values: Float64Array.of(100, 90) };
    const marks = { times: frame.times.slice(0, 1), values: Float64Array.of(112) };
    plot.decorate({ lines: [{ label: 'Theta', line, color: 1 }], marks });
    const other = pen().strokes.filter(({ call, color, args }) => call === 'stroke' && color === 'green' && args.length > 0); // prettier-ignore
    assert.equal(other.length, 1);
    assert.notEqual(other[0]!.dash.length, 0);
    assert.equal(pen().strokes.filter(({ call }) => call === 'arc').length, 1);
  });

  it('draws later observations as a solid line with dots', () => {
    const { plot, frame, pen } = draw();
    pen().forget();
    plot.decorate({ lines: [{ label: 'Actual', line: { times: frame.times.slice(3), values: Float64Array.of(130, NaN) } }], marks: { times: new Float64Array(), values: new Float64Array() } }); // prettier-ignore
    assert.equal(pen().strokes.filter(({ call, args }) => call === 'arc' && args[2] === 3).length, 1, 'what is missing has none'); // prettier-ignore
  });

  it('includes overlays in the value axis', () => {
    const { plot, frame, pen } = draw();
    pen().forget();
    plot.decorate({ lines: [{ label: 'x', line: { times: frame.times.slice(3), values: Float64Array.of(9000, 9500) }, color: 0 }], marks: { times: new Float64Array(), values: new Float64Array() } }); // prettier-ignore
    assert.ok(pen().texts.some((text) => /[89],\d00|10,000/.test(text)), pen().texts.join()); // prettier-ignore
  });

  it('shades what the history does not support, with a label if it fits', () => {
    const far = chartOf({
      frequency: 'P1M',
      history: Array.from({ length: 24 }, (_, index) => [Date.UTC(2020, index), index] as const),
      forecast: Array.from({ length: 48 }, (_, index) => [Date.UTC(2022, index), index] as const),
      supportedUntil: Date.UTC(2023, 0),
    });
    const { pen } = draw(far);
    const [cover, ...others] = pen().strokes.filter(({ call, color }) => call === 'rect' && color === 'white');
    const [left, , width] = cover!.args as [number, number, number];
    assert.ok(left > 400, 'not the history');
    assert.equal(left + width, 784, 'to the right end of the plot');
    assert.deepEqual(others, []);
    assert.ok(pen().texts.some((text) => text.includes('history')), pen().texts.join()); // prettier-ignore
    browser.sizes.set('plot', { width: 180, height: 200 });
    document.body.innerHTML = '<main id="app"></main>';
    const small = draw(far);
    assert.ok(!small.pen().texts.some((text) => text.includes('history')));
  });

  it('reports a dragged range, but not a click', () => {
    const { over, reported, bounds, pen } = draw();
    pointer(over, 'pointerdown', 100);
    pointer(over, 'pointermove', 103);
    pointer(over, 'pointerup', 103);
    assert.deepEqual(reported.filter((one) => Array.isArray(one)), []); // prettier-ignore
    const marks = () => pen().strokes.filter(({ call, alpha }) => call === 'rect' && alpha === 0.25).length;
    const drag = (from: number, to: number) => {
      pointer(over, 'pointerdown', from);
      pen().forget();
      pointer(over, 'pointermove', to);
      assert.equal(marks(), 1, 'what is dragged over is marked');
      pen().forget();
      pointer(over, 'pointerup', to);
      assert.equal(marks(), 0, 'what was marked is let go');
      return reported.filter((one): one is [string, { min: number; max: number }] => Array.isArray(one)).at(-1)![1];
    };
    const right = drag(200, 500);
    assert.ok(right.min > bounds.whole.min && right.max < bounds.whole.max && right.min < right.max);
    const left = drag(500, 200);
    assert.ok(Math.abs(left.min - right.min) < 1e-3 * (right.max - right.min), 'from right to left is the same');
    pointer(over, 'pointerdown', 200, { button: 2 });
    pointer(over, 'pointermove', 500);
    assert.equal(marks(), 0, 'the other buttons are not for dragging');
  });

  it('zooms on wheel at the mouse, and pans on horizontal or Shift wheel', () => {
    const { over, reported, plot, bounds } = draw();
    const length = (bounds.whole.max - bounds.whole.min) / 2;
    const min = bounds.whole.min + length / 2;
    const part = { min, max: min + length };
    plot.show(part, []);
    const turn = (init: WheelEventInit) => {
      const event = new WheelEvent('wheel', { bubbles: true, cancelable: true, ...init });
      over.dispatchEvent(event);
      assert.ok(event.defaultPrevented, 'the page does not scroll');
      const [, next] = reported.at(-1) as [string, Range];
      return { zoom: (next.max - next.min) / length, shift: (next.min - min) / length };
    };
    const closer = turn({ deltaY: -20, clientX: 100 });
    assert.ok(closer.zoom < 1 && closer.shift > 0);
    assert.ok(turn({ deltaY: -20, clientX: 600 }).shift > closer.shift, 'around the mouse');
    assert.ok(turn({ deltaY: 20, clientX: 600 }).zoom > 1);
    assert.ok(turn({ deltaY: 1e6 }).zoom < 2, 'a wild wheel does not jump');
    const along = turn({ deltaX: 70, deltaY: 5 });
    assert.ok(Math.abs(along.zoom - 1) < 1e-9 && along.shift > 0.05 && along.shift < 0.15);
    const about = (a: number, b: number, what?: string) => assert.ok(Math.abs(a - b) < 1e-6, what);
    about(turn({ deltaY: -70, shiftKey: true }).shift, -along.shift);
    about(turn({ deltaX: 7, deltaMode: WheelEvent.DOM_DELTA_LINE }).shift, 3 * along.shift, 'a wheel that counts lines'); // prettier-ignore
  });

  it('reports the time under the mouse and its leaving, and draws the cursor', () => {
    const { over, reported, plot, pen, frame } = draw();
    pointer(over, 'pointermove', 60);
    assert.equal(reported.at(-1), 0);
    pointer(over, 'pointermove', 650);
    assert.ok((reported.at(-1) as number) >= 3);
    pointer(over, 'pointerleave', -20);
    assert.equal(reported.at(-1), undefined);
    const discs = () => pen().strokes.filter(({ call, args }) => call === 'arc' && args[2] === 4);
    pen().forget();
    plot.setCursor(2);
    const [disc] = discs();
    const before = pen().paths('black')[0]!.split(' ').at(-1)!;
    assert.equal(
      `L${Math.round(disc!.args[0] as number)},${Math.round(disc!.args[1] as number)}`,
      before,
      'on the line',
    );
    assert.ok(frame.times.length > 2);
    pen().forget();
    plot.setCursor(undefined);
    assert.equal(discs().length, 0);
  });

  it('fills its place', () => {
    const { pen } = draw();
    assert.deepEqual([pen().canvas.width, pen().canvas.height], [800, 400]);
    browser.resize('plot', 320, 200);
    assert.deepEqual([pen().canvas.width, pen().canvas.height], [320, 200]);
    pen().forget();
    browser.resize('plot', 20, 30);
    assert.ok(!JSON.stringify(pen().strokes).includes('null'), 'no place is too small for numbers');
  });

  it('is redrawn if the theme changes', () => {
    const { pen, theme } = draw();
    pen().forget();
    theme.value = { ...colors, contrast: false, history: 'gray' };
    assert.notEqual(pen().paths('gray').length, 0);
  });
});
