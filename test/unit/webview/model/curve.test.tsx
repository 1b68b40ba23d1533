import assert from 'node:assert/strict';
import type { Curve } from '../../../../src/editor/views/model/view.ts';
import { render } from 'preact';
import { PRINT } from '../../../../src/chart/scene.ts';
import { LearningCurve } from '../../../../src/webview/model/page.tsx';
import { useBrowser } from '../browser.ts';
import { find } from '../dom.ts';

const curve = (points: readonly (readonly [number, number])[], more: Partial<Curve> = {}): Curve => ({
  name: 'validation',
  title: 'MASE on the holdout',
  digits: 3,
  points: points.map(([epoch, value]) => ({ epoch, value })),
  ...more,
});

describe('training curve', () => {
  const browser = useBrowser();

  function show(what: Curve, last = 10, chosen?: number) {
    browser.sizes.set('small', { width: 340, height: 180 });
    document.body.innerHTML = '<main id="app"></main>';
    render(<LearningCurve curve={what} last={last} chosen={chosen} />, find('#app'));
    return find('canvas').getAttribute('aria-label');
  }
  const pen = () => browser.pen('canvas');
  const corners = () => pen().paths(PRINT.forecast)[0]!.split(' ').map((point) => point.slice(1).split(',').map(Number)); // prettier-ignore
  const xs = () => corners().map(([x]) => x!);
  const ys = () => corners().map(([, y]) => y!);
  const dots = () => pen().strokes.filter(({ call, args }) => call === 'arc' && args[2] === 4).length;

  it('says in its label where it begins and ends', () => {
    assert.equal(show(curve([[0, 1], [4, 0.7], [10, 0.8]]), 10, 4), 'MASE on the holdout by epoch: 1.000 at first, 0.800 at last'); // prettier-ignore
  });

  it('has its points at their epochs and falls with the values', () => {
    show(curve([[0, 1], [5, 0.6], [10, 0.5]])); // prettier-ignore
    const [a, b, c] = xs();
    assert.ok(Math.abs(b! - a! - (c! - b!)) <= 1);
    assert.ok(ys()[0]! < ys()[1]! && ys()[1]! < ys()[2]!, 'down is down');
  });

  it('draws a single point as a dot', () => {
    show(curve([[0, 1]]));
    assert.equal(dots(), 1);
    show(curve([[0, 1], [1, 2]])); // prettier-ignore
    assert.equal(dots(), 0);
    show(curve([[0, 1]]), 10, 0);
    assert.equal(dots(), 1, 'not two over each other');
  });

  it('marks nothing if the chosen epoch was not measured', () => {
    show(curve([[0, 1], [10, 2]]), 10, 7); // prettier-ignore
    assert.equal(dots(), 0);
  });

  it('labels its axis with just enough decimals to distinguish the ticks', () => {
    show(curve([[0, 0.31], [10, 0.3]], { name: 'loss', digits: 4 })); // prettier-ignore
    const ticks = pen().texts.filter((text) => !text.startsWith('epoch'));
    assert.equal(new Set(ticks).size, ticks.length, ticks.join());
    assert.ok(ticks.every((tick) => tick.length <= 5), ticks.join()); // prettier-ignore
    assert.deepEqual(pen().texts.filter((text) => text.startsWith('epoch')), ['epoch 0', 'epoch 10']); // prettier-ignore
  });

  it('shows a small improvement without magnifying noise', () => {
    show(curve([[0, 0.85], [10, 0.8]])); // prettier-ignore
    assert.ok(ys()[1]! - ys()[0]! > 25, `${ys()}`);
    show(curve([[0, 0.85], [10, 0.8499]])); // prettier-ignore
    assert.ok(Math.abs(ys()[1]! - ys()[0]!) <= 1, `${ys()}`);
  });

  it('stays inside its picture', () => {
    show(curve([[0, -5], [3, 1e6], [10, 3]])); // prettier-ignore
    assert.ok(ys().every((y) => y >= 0 && y <= 180) && xs().every((x) => x >= 0 && x <= 340), `${xs()} ${ys()}`);
  });
});
