import assert from 'node:assert/strict';
import { projection } from '../../../../src/chart/axes.ts';
import { createDense, paintDense } from '../../../../src/webview/chart/dense.ts';
import { until } from '../../editor/until.ts';
import { Pen, settled, useBrowser } from '../browser.ts';

const count = 20_000;
const times = Float64Array.from({ length: count }, (_, index) => index * 1000);
const points = { times, values: Float64Array.from(times, (_, index) => (index === 12_345 ? 1000 : index % 10)) };
const whole = { min: 0, max: count * 1000 };
const box = { left: 0, top: 0, width: 500, height: 100 };

describe('a long series', () => {
  useBrowser();

  const grown = (seen: () => boolean) => until(seen, Boolean);

  it('is drawn from its extremes once they are known, and says so', async () => {
    let told = 0;
    const dense = createDense(points, () => told++);
    assert.equal(dense.of(whole, box), undefined, 'not yet');
    await grown(() => told > 0);
    assert.equal(told, 1);
    assert.ok(dense.of(whole, box));
    assert.equal(dense.known(), dense.of(whole, box));
  });

  it('is drawn point by point where few of them are in sight', async () => {
    let told = 0;
    const dense = createDense(points, () => told++);
    await grown(() => told > 0);
    assert.equal(dense.of({ min: 0, max: 300_000 }, box), undefined);
    assert.ok(dense.of(whole, { ...box, width: 300 }), 'in a narrow panel');
  });

  it('of few points is never thinned', async () => {
    const few = createDense({ times: times.slice(0, 5000), values: points.values.slice(0, 5000) }, assert.fail);
    await settled();
    assert.equal(few.known(), undefined);
    few.end();
  });

  it('is computed no further once its chart is gone', async () => {
    const dense = createDense(points, assert.fail);
    dense.end();
    let told = 0;
    createDense(points, () => told++);
    await grown(() => told > 0);
    assert.equal(dense.known(), undefined);
  });

  it('keeps its highest point, however thin it is drawn', async () => {
    let told = 0;
    const dense = createDense(points, () => told++);
    await grown(() => told > 0);
    const pen = new Pen(document.createElement('canvas'));
    const to = projection(whole, { min: 0, max: 1000 }, box);
    paintDense(pen.context as CanvasRenderingContext2D, dense.known()!, whole, Infinity, to, box, 'black', 1);
    const bars = pen.strokes.filter(({ call }) => call === 'fillRect').map(({ args }) => args as number[]);
    assert.ok(bars.length <= box.width + 1, `${bars.length} bars`);
    const top = bars.filter(([, y]) => y! < 5);
    assert.equal(top.length, 1, 'a bar up to 1000');
    assert.ok(Math.abs(top[0]![0]! - to.x(12_345_000)) <= 1, 'where it is');
    assert.ok(bars.every(([, , width]) => width === 1));
  });
});
