import assert from 'node:assert/strict';
import { extremesOf } from '../../../../src/engine/tuning/hold-outs.ts';

describe('largest gain and loss', () => {
  it('are relative to the series’ own error over all holdouts', () => {
    const { best, worst } = extremesOf(
      [4, 7, 9, 4, 7, 9],
      Float64Array.of(2, 10, 1, 2, 10, 1),
      Float64Array.of(1, 9, 1, 1, 8, 1.5),
    );
    assert.deepEqual(best, { index: 4, baseMase: 2, mase: 1 }, 'half of its error, though 7 lost more of it');
    assert.deepEqual(worst, { index: 9, baseMase: 1, mase: 1.25 });
  });

  it('are absent with one series or equal gains', () => {
    assert.deepEqual(extremesOf([0, 0], Float64Array.of(1, 2), Float64Array.of(0.5, 1)), {});
    assert.deepEqual(extremesOf([0, 1], Float64Array.of(1, 2), Float64Array.of(1, 2)), {});
    assert.deepEqual(
      extremesOf([0, 1], Float64Array.of(0, 2), Float64Array.of(0, 1)),
      {},
      'one has no error to gain on',
    );
  });
});
