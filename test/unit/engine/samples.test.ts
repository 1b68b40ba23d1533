import assert from 'node:assert/strict';
import { normalQuantile } from '../../../src/engine/intervals/intervals.ts';
import { sampledQuantiles } from '../../../src/engine/samples.ts';

const levels = [0.05, 0.1, 0.5, 0.9, 0.95];
/** Normal, wider from step to step. */
const normal = (level: number, step: number) => 10 + (step + 1) * normalQuantile(level);

describe('quantiles of sample paths', () => {
  it('come near the exact ones as the paths are many, at each step, and are the same each time', () => {
    const rows = sampledQuantiles(normal, levels, 6, 4000);
    rows.forEach((row, k) => {
      row.forEach((value, step) => {
        const miss = (value - normal(levels[k], step)) / (step + 1);
        assert.ok(Math.abs(miss) < 0.12, `level ${levels[k]}, step ${step}: ${miss}`);
      });
    });
    assert.deepEqual(sampledQuantiles(normal, levels, 6, 4000), rows);
  });

  it('never cross, and move with scale and shift', () => {
    const rows = sampledQuantiles(normal, levels, 6, 100);
    for (let k = 1; k < rows.length; k++) assert.ok(rows[k].every((value, step) => value >= rows[k - 1][step]));
    const moved = sampledQuantiles((level, step) => 3 * normal(level, step) - 7, levels, 6, 100);
    rows.forEach((row, k) => row.forEach((value, step) => assert.ok(Math.abs(moved[k][step] - 3 * value + 7) < 1e-9)));
  });

  it('are those of the one path where there is one, and its steps hang together', () => {
    const paths = Array.from({ length: 5 }, (_, k) => sampledQuantiles(normal, [0.1, 0.9], 4 + k, 1));
    for (const [low, high] of paths) assert.deepEqual(low, high);
    // A longer path begins as the shorter one does.
    assert.deepEqual(paths[4][0].slice(0, 4), paths[0][0]);
  });

  it('lie between the order statistics, linear', () => {
    const [least, middle, most] = sampledQuantiles(normal, [1e-9, 0.5, 1 - 1e-9], 1, 2);
    assert.ok(Math.abs(middle[0] - (least[0] + most[0]) / 2) < 1e-6);
  });
});
