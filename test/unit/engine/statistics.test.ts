import assert from 'node:assert/strict';
import fc from 'fast-check';
import { autocorrelations, mean, median } from '../../../src/engine/statistics.ts';

const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });

describe('statistics', () => {
  it('gives the median of a sort and does not change the values', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 40 }), (list, rounding) => {
        // Rounded, so that many are equal; 0 added, so that none is -0.
        const values = Float64Array.from(list, (value) => Math.round(value / rounding) + 0);
        const before = values.slice();
        const sorted = values.slice().sort();
        const middle = sorted.length >> 1;
        const expected = sorted.length % 2 === 1 ? sorted[middle] : 0.5 * sorted[middle - 1] + 0.5 * sorted[middle];
        assert.equal(median(values), expected);
        assert.deepEqual(values, before);
      }),
    );
    assert.ok(Number.isNaN(median([])));
  });

  it('gives the autocorrelation at each lag', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 59 }), (list, wanted) => {
        const values = Float64Array.from(list);
        const maxLag = Math.min(wanted, values.length - 1);
        const average = mean(values);
        const centered = values.map((value) => value - average);
        const variance = centered.reduce((sum, value) => sum + value * value, 0);
        const expected = Float64Array.from({ length: maxLag + 1 }, (_, lag) => {
          let sum = 0;
          for (let i = lag; i < centered.length; i++) sum += centered[i] * centered[i - lag];
          return variance > 0 ? sum / variance : Number.NaN;
        });
        expected[0] = 1;
        const found = autocorrelations(values, maxLag);
        assert.equal(found.length, expected.length);
        // Sums in another order differ in their last digits.
        found.forEach((value, lag) => {
          assert.ok(Math.abs(value - expected[lag]) < 1e-9 || (Number.isNaN(value) && Number.isNaN(expected[lag])));
        });
      }),
    );
  });
});
