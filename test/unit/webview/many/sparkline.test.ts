import assert from 'node:assert/strict';
import { drawScene, PRINT } from '../../../../src/chart/scene.ts';
import type { SeriesRow } from '../../../../src/editor/many-series/protocol.ts';
import { sparklineScene } from '../../../../src/chart/frame.ts';
import { recordingPen } from '../../chart/recording-pen.ts';

const SPARKLINE = { width: 168, height: 26 };

/** What is drawn of a row: each line and area with its corners. */
function drawn(row: Partial<SeriesRow>, contrast = false) {
  const pen = recordingPen();
  drawScene(pen, sparklineScene(row), { left: 2, top: 2, width: 164, height: 22 }, { ...PRINT, contrast }); // prettier-ignore
  return pen.drawn
    .filter(({ what }) => what !== '')
    .map(({ what, ink }) => ({ kind: ink?.fill ? 'area' : 'line', at: [...what.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const) })); // prettier-ignore
}

describe('sparkline of a row', () => {
  it('continues from the last observation into the forecast', () => {
    const [past, ahead] = drawn({ past: [1, 2, 3], ahead: [4, 5] });
    assert.equal(past.at.length, 3);
    assert.deepEqual(ahead.at[0], past.at[2]);
    assert.equal(ahead.at.length, 3);
    const [bottom, top] = [past.at[0], ahead.at[2]];
    assert.ok(bottom[0] < top[0] && bottom[1] > top[1]);
  });

  it('stays within its box, although a step of the fan is missing', () => {
    const row = { past: [1000, 1001], ahead: [1002, 1003], lower: [999, null], upper: [1004, null] };
    for (const contrast of [false, true]) {
      const all = drawn(row, contrast).flatMap(({ at }) => at);
      assert.ok(all.length > 6);
      for (const [x, y] of all) assert.ok(x >= 0 && x <= SPARKLINE.width && y >= 0 && y <= SPARKLINE.height, `${x} ${y}`); // prettier-ignore
    }
  });

  it('breaks at missing observations, and is absent without data', () => {
    const [past, ahead] = drawn({ past: [1, null, 3, null], ahead: [4] });
    assert.deepEqual([past.at.length, ahead.at.length], [2, 1]);
    assert.deepEqual(drawn({}), []);
    assert.deepEqual(drawn({ past: [null], ahead: [] }), []);
    assert.equal(drawn({ past: [1, 2], ahead: [], lower: [], upper: [] }).length, 1, 'nor a fan without a forecast');
  });

  it('draws a constant as a line, not at infinity', () => {
    for (const { at } of drawn({ past: [5, 5], ahead: [5] }))
      for (const corner of at) assert.ok(corner.every(Number.isFinite));
  });
});
