import assert from 'node:assert/strict';
import { limitsOf } from '../../../../src/engine/adjustments.ts';
import { noise, series } from '../series-helper.ts';

const close = (actual: number, expected: number) => {
  assert.ok(Math.abs(actual - expected) < 1e-9 * (1 + Math.abs(expected)), `${actual} is not ${expected}`);
};

describe('plausible range of a history', () => {
  it('of a line ends at three times its growth and at its start', () => {
    const line = series(40, (i) => 7 + 2 * i);
    const { low, high, reach } = limitsOf(line, line, 20);
    for (let i = 0; i < 20; i++) {
      close(high[i], line[39] + 3 * 2 * (i + 1));
      close(low[i], 7);
      close(reach[i], 4 * (1 + 20 / 40) * 2 * (i + 1));
    }
  });

  it('grows with the square root of the steps beyond the length of the history', () => {
    const line = series(40, (i) => 2 * i);
    const { high } = limitsOf(line, line, 640);
    close(high[639] - 78, (high[39] - 78) * Math.sqrt(640 / 40));
    for (let i = 1; i < 640; i++) assert.ok(high[i] >= high[i - 1], `step ${i + 1}`);
  });

  it('is equivariant under shift, scale and sign', () => {
    const random = noise(6);
    let level = 0;
    const walk = series(80, () => (level += random()));
    const first = limitsOf(walk, walk, 30);
    const moved = walk.map((value) => 50 - 3 * value);
    const second = limitsOf(moved, moved, 30);
    for (let i = 0; i < 30; i++) {
      close(second.low[i], 50 - 3 * first.high[i]);
      close(second.high[i], 50 - 3 * first.low[i]);
      close(second.reach[i], 3 * first.reach[i]);
    }
  });

  it('includes the usual level that a shifted history returned to before', () => {
    const observed = series(100, (i) => (i >= 97 || i === 40 ? 150 : 10 + (i % 2)));
    const moved = observed.map((value) => Math.max(value, 150));
    assert.ok(limitsOf(moved, observed, 10).low[9] <= 11);
    const never = observed.map((value, i) => (i === 40 ? 10 : value));
    assert.equal(limitsOf(moved, never, 10).low[9], 150);
  });

  it('is unlimited if nothing moved or almost nothing is known', () => {
    for (const values of [new Float64Array(30).fill(4), series(5, (i) => i)]) {
      assert.ok(limitsOf(values, values, 3).reach.every((reach) => reach === Infinity));
    }
  });
});
