import assert from 'node:assert/strict';
import type { Curve } from '../../../../src/editor/views/model/protocol.ts';
import { curveOf } from '../../../../src/webview/model/curve.ts';
import { find, usePage } from '../dom.ts';

const curve = (points: readonly (readonly [number, number])[], more: Partial<Curve> = {}): Curve => ({
  name: 'validation',
  title: 'MASE on the hold-out',
  digits: 3,
  points: points.map(([epoch, value]) => ({ epoch, value })),
  ...more,
});

describe('a curve of a training', () => {
  usePage();

  function show(what: Curve, last = 10, chosen?: number) {
    document.body.replaceChildren(curveOf(what, last, chosen));
    return find<HTMLElement>('svg').getAttribute('aria-label');
  }
  const xs = () => document.querySelector('polyline')!.getAttribute('points')!.split(' ').map((point) => Number(point.split(',')[0])); // prettier-ignore
  const ys = () => document.querySelector('polyline')!.getAttribute('points')!.split(' ').map((point) => Number(point.split(',')[1])); // prettier-ignore

  it('is told in words: how it began, how it ended, and the epoch that was chosen', () => {
    assert.equal(show(curve([[0, 1], [4, 0.7], [10, 0.8]]), 10, 4), 'MASE on the hold-out by epoch: 1.000 at epoch 0, 0.800 at epoch 10, 0.700 at the chosen epoch 4'); // prettier-ignore
    assert.equal(show(curve([[0, 1], [10, 0.8]]), 10, 10), 'MASE on the hold-out by epoch: 1.000 at epoch 0, 0.800 at epoch 10'); // prettier-ignore
    assert.equal(show(curve([[0, 1]])), 'MASE on the hold-out by epoch: 1.000 at epoch 0');
  });

  it('falls where the values fall, along epochs that are as far apart as they were', () => {
    show(curve([[0, 1], [5, 0.6], [10, 0.5]])); // prettier-ignore
    const [a, b, c] = xs();
    assert.ok(Math.abs(b! - a! - (c! - b!)) < 0.2);
    assert.ok(ys()[0]! < ys()[1]! && ys()[1]! < ys()[2]!, 'down is down');
  });

  it('of one point is a dot, else nothing would be seen', () => {
    show(curve([[0, 1]]));
    assert.equal(document.querySelectorAll('circle').length, 1);
    show(curve([[0, 1], [1, 2]])); // prettier-ignore
    assert.equal(document.querySelectorAll('circle').length, 0);
    show(curve([[0, 1]]), 10, 0);
    assert.equal(document.querySelectorAll('circle').length, 1, 'not two over each other');
  });

  it('marks nothing where the chosen epoch is not among those that were measured', () => {
    assert.doesNotMatch(show(curve([[0, 1], [10, 2]]), 10, 7)!, /chosen/); // prettier-ignore
    assert.equal(document.querySelector('.chosen'), null);
  });

  it('has an axis with the decimals that tell its ticks apart, and no more', () => {
    show(curve([[0, 0.31], [10, 0.3]], { name: 'loss', digits: 4 })); // prettier-ignore
    const ticks = [...document.querySelectorAll('text.value')].map(({ textContent }) => textContent);
    assert.equal(new Set(ticks).size, ticks.length, ticks.join());
    assert.ok(ticks.every((tick) => tick.length <= 5), ticks.join()); // prettier-ignore
    assert.deepEqual([...document.querySelectorAll('text.epoch')].map(({ textContent }) => textContent), ['epoch 0', 'epoch 10']); // prettier-ignore
  });

  it('stays inside of its picture', () => {
    show(curve([[0, -5], [3, 1e6], [10, 3]])); // prettier-ignore
    assert.ok(ys().every((y) => y >= 0 && y <= 180) && xs().every((x) => x >= 0 && x <= 340), `${xs()} ${ys()}`);
  });
});
