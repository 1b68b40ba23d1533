import assert from 'node:assert/strict';
import { viewOf } from '../../../../src/editor/views/shared/protocol.ts';
import {
  DEFAULT_VIEW,
  including,
  pan,
  same,
  SAMPLE_VIEW,
  within,
  zoom,
} from '../../../../src/webview/chart/chart-tab.tsx';

const bounds = { whole: { min: 0, max: 100 }, initial: { min: 50, max: 100 }, shortest: 4 };

describe('visible range of a chart', () => {
  it('stays inside the whole and is never too short', () => {
    assert.deepEqual(within({ min: -20, max: 20 }, bounds), { min: 0, max: 40 });
    assert.deepEqual(within({ min: 90, max: 130 }, bounds), { min: 60, max: 100 });
    assert.deepEqual(within({ min: -50, max: 500 }, bounds), { min: 0, max: 100 });
    assert.deepEqual(within({ min: 50, max: 50 }, bounds), { min: 48, max: 52 });
  });

  it('zooms around a time', () => {
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

  it('equals another range that looks the same', () => {
    assert.ok(same({ min: 0, max: 100 }, { min: 1e-6, max: 100 }));
    assert.ok(!same({ min: 0, max: 100 }, { min: 1, max: 100 }));
  });
});

describe('saved view of a chart page', () => {
  const view = (kept: unknown) => viewOf(DEFAULT_VIEW, SAMPLE_VIEW, kept);

  it('is restored', () => {
    const kept = { tab: 'table', hiddenIntervals: [95], range: { of: 'p1', min: 1, max: 2 }, typed: { of: 'p1', cells: [{ column: 'a', time: 1, value: null }], name: 'x' } }; // prettier-ignore
    assert.deepEqual(view(JSON.parse(JSON.stringify(kept))), kept);
  });

  it('has defaults for each invalid part', () => {
    for (const bad of [
      undefined,
      null,
      'a text',
      [1],
      { tab: 7, range: { of: 'p1', min: null, max: 1 }, hiddenIntervals: 'all', typed: [], other: 1 },
      { hiddenIntervals: ['95'], typed: { of: 'p1', cells: [null], name: 'x' }, range: null },
    ])
      assert.deepEqual(view(bad), DEFAULT_VIEW);
  });
});
