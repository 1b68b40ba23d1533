import assert from 'node:assert/strict';
import { including, pan, same, within, zoom } from '../../../../src/webview/chart/view.ts';

const bounds = { whole: { min: 0, max: 100 }, initial: { min: 50, max: 100 }, shortest: 4 };

describe('moving over a chart', () => {
  it('stays inside the whole and is never too short', () => {
    assert.deepEqual(within({ min: -20, max: 20 }, bounds), { min: 0, max: 40 });
    assert.deepEqual(within({ min: 90, max: 130 }, bounds), { min: 60, max: 100 });
    assert.deepEqual(within({ min: -50, max: 500 }, bounds), { min: 0, max: 100 });
    assert.deepEqual(within({ min: 50, max: 50 }, bounds), { min: 48, max: 52 });
  });

  it('zooms around a moment', () => {
    assert.deepEqual(zoom({ min: 20, max: 60 }, 0.5, 30, bounds), { min: 25, max: 45 });
    assert.deepEqual(zoom({ min: 20, max: 60 }, 100, 30, bounds), { min: 0, max: 100 });
    assert.deepEqual(zoom({ min: 20, max: 60 }, 1e-9, 30, bounds), { min: 29, max: 33 });
  });

  it('pans, and follows a cursor only as far as needed', () => {
    assert.deepEqual(pan({ min: 20, max: 60 }, 10, bounds), { min: 30, max: 70 });
    const range = { min: 20, max: 60 };
    assert.equal(including(range, 40, bounds), range);
    assert.deepEqual(including(range, 70, bounds), { min: 32, max: 72 });
    assert.deepEqual(including(range, 10, bounds), { min: 8, max: 48 });
  });

  it('knows ranges that look the same', () => {
    assert.ok(same({ min: 0, max: 100 }, { min: 1e-6, max: 100 }));
    assert.ok(!same({ min: 0, max: 100 }, { min: 1, max: 100 }));
  });
});
