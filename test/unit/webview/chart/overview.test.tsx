import assert from 'node:assert/strict';
import { type Bounds, frameOf, type Range } from '../../../../src/chart/frame.ts';
import { PRINT } from '../../../../src/chart/scene.ts';
import type { ChartView } from '../../../../src/chart/chart-view.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { Overview } from '../../../../src/webview/chart/chart-tab.tsx';
import { useBrowser } from '../browser.ts';
import { Themed } from '../open-page.ts';
import { chartOf, monthly } from '../../chart/charts.ts';
import { find } from '../dom.ts';

const WIDTH = 800;
const DAY = 86_400_000;
/** Two years of days, of which the strip shows all. */
const daily = chartOf({
  frequency: 'P1D',
  history: Array.from({ length: 730 }, (_, index) => [Date.UTC(2022, 0, 1) + index * DAY, index % 7] as const),
  forecast: Array.from({ length: 14 }, (_, index) => [Date.UTC(2024, 0, 1) + index * DAY, 3] as const),
});

describe('overview below a chart', () => {
  const browser = useBrowser();

  function show(chart: ChartView = daily) {
    const frame = frameOf(chart);
    const { bounds } = frame;
    const ranges: Range[] = [];
    const theme = signal({ ...PRINT, history: 'black', forecast: 'blue' });
    const middle = (bounds.whole.min + bounds.whole.max) / 2;
    const quarter = (bounds.whole.max - bounds.whole.min) / 4;
    const see = (range: Range) => {
      const onRange = (next: Range) => {
        ranges.push(next);
        see(next);
      };
      const all = { frame, range, onRange };
      render(<Themed theme={theme}><Overview {...all} /></Themed>, find('#app')); // prettier-ignore
    };
    see({ min: middle - quarter / 2, max: middle + quarter / 2 });
    return { see, bounds, ranges, middle, quarter };
  }

  const point = (type: string, target: string, clientX: number, more: PointerEventInit = {}) => {
    const event = new PointerEvent(type, {
      clientX,
      bubbles: true,
      cancelable: true,
      button: 0,
      pointerId: 1,
      ...more,
    });
    find(target).dispatchEvent(event);
    return event;
  };
  const xOf = (time: number, { whole }: Bounds) => ((time - whole.min) / (whole.max - whole.min)) * WIDTH;
  const about = (a: number, b: number, bounds: Bounds, what = '') => {
    assert.ok(Math.abs(xOf(a, bounds) - xOf(b, bounds)) < 0.5, `${what} ${xOf(a, bounds)} is not at ${xOf(b, bounds)}`);
  };

  it('marks the visible part', () => {
    show();
    const { left, right } = find('.window').style;
    assert.deepEqual([Number.parseFloat(left), Number.parseFloat(right)], [37.5, 37.5]);
    assert.ok(!find('.window').classList.contains('whole'));
  });

  it('has no handle if all is visible', () => {
    const { see, bounds } = show();
    see(bounds.whole);
    assert.ok(find('.window').classList.contains('whole'));
  });

  it('pans with the dragged mark within the series', () => {
    const { ranges, middle, quarter, bounds } = show();
    const x = xOf(middle, bounds);
    assert.ok(point('pointerdown', '.window', x).defaultPrevented, 'no text is selected meanwhile');
    assert.equal(ranges.length, 0, 'a press by itself moves nothing');
    point('pointermove', '.overview', x + 80);
    about(ranges.at(-1)!.min, middle - quarter / 2 + 0.4 * quarter, bounds, 'start');
    about(ranges.at(-1)!.max - ranges.at(-1)!.min, quarter, { ...bounds, whole: { min: 0, max: bounds.whole.max - bounds.whole.min } }); // prettier-ignore
    point('pointermove', '.overview', x + 5000);
    about(ranges.at(-1)!.max, bounds.whole.max, bounds, 'end');
    point('pointermove', '.overview', x);
    about(ranges.at(-1)!.min, middle - quarter / 2, bounds, 'back where it began');
  });

  it('stops following the mouse on release or removal', () => {
    for (const end of ['pointerup', 'pointercancel']) {
      const { ranges, middle, bounds } = show();
      point('pointerdown', '.window', xOf(middle, bounds));
      point(end, '.overview', 10);
      point('pointermove', '.overview', 10);
      assert.deepEqual(ranges, [], end);
      document.body.innerHTML = '<main id="app"></main>';
    }
  });

  it('zooms with each edge, never to nothing or past the other edge', () => {
    const { ranges, middle, quarter, bounds } = show();
    const [start, end] = [xOf(middle - quarter / 2, bounds), xOf(middle + quarter / 2, bounds)];
    point('pointerdown', '.grip.start', start);
    point('pointermove', '.overview', start - 100);
    about(ranges.at(-1)!.min, middle - quarter, bounds, 'start');
    about(ranges.at(-1)!.max, middle + quarter / 2, bounds, 'the other edge stays');
    point('pointermove', '.overview', end + 300);
    assert.ok(ranges.at(-1)!.max - ranges.at(-1)!.min >= bounds.shortest * 0.999);
    about(ranges.at(-1)!.max, middle + quarter / 2, bounds, 'it does not turn over');
    point('pointerup', '.overview', 0);
    point('pointerdown', '.grip.end', xOf(ranges.at(-1)!.max, bounds));
    point('pointermove', '.overview', 5000);
    about(ranges.at(-1)!.max, bounds.whole.max, bounds, 'end');
    point('pointermove', '.overview', -5000);
    assert.ok(ranges.at(-1)!.max > ranges.at(-1)!.min);
  });

  it('moves the mark to a click, and drags on from there', () => {
    const { ranges, quarter, bounds } = show();
    point('pointerdown', '.overview canvas', 600);
    const { min, max } = ranges.at(-1)!;
    assert.ok(Math.abs(xOf((min + max) / 2, bounds) - 600) < 0.5);
    assert.ok(Math.abs(max - min - quarter) < 1);
    point('pointermove', '.overview', 640);
    assert.ok(ranges.at(-1)!.min > min, 'without letting go');
  });

  it('ignores other mouse buttons', () => {
    const { ranges } = show();
    assert.ok(!point('pointerdown', '.overview canvas', 600, { button: 2 }).defaultPrevented);
    point('pointermove', '.overview', 700);
    assert.deepEqual(ranges, []);
  });

  it('draws the series and its forecast, and nothing without room', () => {
    show(monthly);
    const pen = browser.pen('.overview canvas');
    assert.deepEqual([pen.paths('black').length, pen.paths('blue').length], [1, 1]);
    assert.equal(pen.canvas.width, WIDTH);
    pen.forget();
    browser.resize('overview', 0, 0);
    assert.deepEqual(pen.strokes, []);
  });

  it('has the resolution of the screen', () => {
    show();
    Object.assign(globalThis, { devicePixelRatio: 2 });
    try {
      browser.resize('overview', WIDTH, 40);
    } finally {
      Object.assign(globalThis, { devicePixelRatio: 1 });
    }
    assert.equal(browser.pen('.overview canvas').canvas.width, 2 * WIDTH);
  });

  it('is hidden from screen readers, which have keys and the table', () => {
    show();
    assert.equal(find('.overview').getAttribute('aria-hidden'), 'true');
  });
});
