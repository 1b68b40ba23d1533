import assert from 'node:assert/strict';
import fc from 'fast-check';
import { thinned } from '../../../../../src/editor/views/file-reading/view.ts';

describe('a long series as it is drawn', () => {
  it('keeps its ends, its order and every extreme in fewer points', () => {
    const value = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.constant(NaN));
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4000 }), fc.integer({ min: 10, max: 500 }), (all, most) => {
        const values = Float64Array.from(all);
        const times = Float64Array.from(all, (_, at) => at * 1000);
        const drawn = thinned(times, values, most);
        assert.ok(drawn.times.length <= Math.max(most, 2 * Math.ceil(all.length / Math.ceil((2 * all.length) / most))));
        assert.deepEqual([...drawn.times].toSorted((a, b) => a - b), [...drawn.times]);
        const extremes = (some: Float64Array) => {
          const there = [...some].filter((one) => !Number.isNaN(one));
          return [Math.min(...there), Math.max(...there)];
        };
        assert.deepEqual(extremes(drawn.values), extremes(values));
        drawn.times.forEach((time, at) => { assert.ok(Object.is(drawn.values[at], values[time / 1000])); });
      }),
    ); // prettier-ignore
  });
});
