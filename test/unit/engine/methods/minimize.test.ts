import assert from 'node:assert/strict';
import { goldenSection, nelderMead } from '../../../../src/engine/methods/minimize.ts';

/** Rosenbrock's valley (1960), with its only minimum at (1, 1). */
const valley = ([x, y]: Float64Array) => (1 - x) ** 2 + 100 * (y - x * x) ** 2;

describe('simplex method', () => {
  it('finds the minimum of the Rosenbrock valley from the usual start', () => {
    const { at, value } = nelderMead(valley, [-1.2, 1], [0.5, 0.5], 2000, 1e-14);
    assert.ok(Math.abs(at[0] - 1) < 1e-4 && Math.abs(at[1] - 1) < 1e-4, `${at}`);
    assert.ok(value < 1e-8);
  });

  it('stops at its limit with the best point so far, after finishing a step', () => {
    for (const bound of [3, 10, 40]) {
      const seen: number[] = [];
      const { at, value } = nelderMead(
        (point) => {
          seen.push(valley(point));
          return seen[seen.length - 1];
        },
        [-1.2, 1],
        [0.5, 0.5],
        bound,
      );
      assert.ok(seen.length >= bound && seen.length <= bound + 3, `${seen.length} of ${bound}`);
      assert.equal(value, Math.min(...seen));
      assert.equal(value, valley(at));
    }
  });

  it('avoids points where the function is undefined', () => {
    const { at } = nelderMead(([x]) => Math.sqrt(x) + 1 / x, [5], [-7], 500, 1e-12);
    // The derivative 1/(2√x) - 1/x² is 0 at the cube root of 4.
    assert.ok(Math.abs(at[0] - Math.cbrt(4)) < 1e-3, `${at}`);
    const nowhere = nelderMead(() => Number.NaN, [1, 2], [1, 1], 50);
    assert.ok(nowhere.value > 1e200);
  });
});

describe('golden-section search', () => {
  it('narrows the interval by the golden ratio with each evaluation', () => {
    for (const iterations of [5, 10, 20]) {
      let trials = 0;
      const found = goldenSection(
        (x) => {
          trials++;
          return Math.abs(x - 0.777);
        },
        0,
        1,
        iterations,
      );
      assert.equal(trials, iterations + 2);
      assert.ok(Math.abs(found - 0.777) <= ((Math.sqrt(5) - 1) / 2) ** iterations, `${found}`);
    }
  });

  it('converges to the boundary toward which the function falls', () => {
    assert.ok(goldenSection((x) => x, 2, 3, 30) - 2 < 1e-5);
    assert.ok(3 - goldenSection((x) => -x, 2, 3, 30) < 1e-5);
  });
});
