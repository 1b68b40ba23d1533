import assert from 'node:assert/strict';
import { addUp, structureOf } from '../../../../src/engine/totals/structure.ts';

/** Two regions of two shops each; the regions at 4 and 5, all of it at 6. */
const nested = structureOf(7, [
  { total: 4, parts: [0, 1] },
  { total: 5, parts: [2, 3] },
  { total: 6, parts: [4, 5] },
]);

describe('hierarchy', () => {
  it('orders totals from the largest to the smallest, and resolves them to bottom series', () => {
    assert.deepEqual([...nested.bottoms], [0, 1, 2, 3]);
    assert.deepEqual(nested.totals.map(({ series, members }) => [series, ...members]), [[6, 0, 1, 2, 3], [4, 0, 1], [5, 2, 3]]); // prettier-ignore
    assert.deepEqual([...nested.levels], [2, 2, 2, 2, 1, 1, 0]);
    const values = Float64Array.of(1, 2, 3, 4, 0, 0, 0);
    addUp(nested, values);
    assert.deepEqual([...values.subarray(4)], [3, 7, 10]);
  });

  it('has all bottom series on the last level, and leaves an unrelated series out', () => {
    const { levels } = structureOf(6, [
      { total: 4, parts: [0, 1] },
      { total: 5, parts: [4, 2] },
    ]);
    assert.deepEqual([...levels], [2, 2, 2, -1, 1, 0]);
  });

  it('refuses contradicting sums and names the total', () => {
    const refused = (size: number, sums: Parameters<typeof structureOf>[1], total: number, said: RegExp): void => {
      assert.throws(() => structureOf(size, sums), (error: Error & { total?: number }) => said.test(error.message) && error.total === total); // prettier-ignore
    };
    refused(2, [{ total: 1, parts: [0, 1] }], 1, /^part_of_itself$/);
    refused(3, [{ total: 1, parts: [2] }, { total: 2, parts: [1] }], 1, /^part_of_itself$/); // prettier-ignore
    refused(3, [{ total: 2, parts: [0, 0] }], 2, /^counts_twice$/);
    refused(4, [{ total: 2, parts: [0, 1] }, { total: 3, parts: [2, 1] }], 3, /^counts_twice$/); // prettier-ignore
    refused(5, [{ total: 4, parts: [0, 1] }, { total: 4, parts: [2, 3] }], 4, /^other_parts$/); // prettier-ignore
  });
});
