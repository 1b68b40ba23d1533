import assert from 'node:assert/strict';
import { addTrees, binned, boostTrees, rebinned, type TreeOptions } from '../../../../src/engine/covariates/trees.ts';
import { Random } from '../../../../src/engine/random.ts';

const plain: TreeOptions = { trees: 1, depth: 1, rate: 1, leaf: 1, shrinkage: 0, columnShare: 1 };
const all = (count: number): Int32Array => Int32Array.from({ length: count }, (_, i) => i);
const rows = (count: number, of: (i: number) => number): Float64Array => Float64Array.from({ length: count }, (_, i) => of(i)); // prettier-ignore

/** What trees that have learned a target say of the same rows. */
function said(
  columns: Float64Array[],
  target: Float64Array,
  options: Partial<TreeOptions> = {},
  bound = Infinity,
  learnFrom = all(target.length),
) {
  // prettier-ignore
  const table = binned(columns);
  const trees = boostTrees(table, target, learnFrom, bound, { ...plain, ...options }, new Random(1));
  const result = new Float64Array(target.length);
  addTrees(trees, table.bins, all(target.length), result);
  return { table, trees, result };
}

describe('bins of columns', () => {
  it('lie between the values, where these are few', () => {
    const { cuts, bins } = binned([Float64Array.of(5, 1, 2, 5)]);
    assert.deepEqual(cuts, [[1.5, 3.5]]);
    assert.deepEqual([...bins[0]], [2, 0, 1, 2]);
  });

  it('have about as many rows each, where values are many, and keep their order', () => {
    const column = rows(4000, (i) => Math.exp(((i * 7919) % 4000) / 300));
    const { cuts, bins } = binned([column]);
    const counts = new Array<number>(cuts[0].length + 1).fill(0);
    for (const bin of bins[0]) counts[bin]++;
    assert.ok(counts.length === 40 && counts.every((count) => count === 100), counts.join(' '));
    const order = [...all(4000)].sort((a, b) => column[a] - column[b]);
    order.forEach((place, i) => {
      if (i > 0) assert.ok(bins[0][place] >= bins[0][order[i - 1]]);
    });
  });

  it('take in other values by the same cuts, also those beyond all that were seen', () => {
    const table = binned([Float64Array.of(0, 10, 20)]);
    assert.deepEqual([...rebinned(table, [Float64Array.of(-1e9, 4.9, 5.1, 1e9)])[0]], [0, 0, 1, 2]);
  });
});

describe('boosted trees', () => {
  const promo = rows(20, (i) => (i % 4 === 0 ? 1 : 0));

  it('find the means on both sides of a switch', () => {
    const target = promo.map((value, i) => (value === 1 ? 7 : -2) + (i % 8 < 4 ? 1 : -1));
    const { result } = said([promo], target);
    // five of 1: 7 and three of +1, two of −1; fifteen of 0: nine and six
    result.forEach((value, i) => {
      assert.ok(Math.abs(value - (promo[i] === 1 ? 7.2 : -1.8)) < 1e-9, `${value}`);
    });
  });

  it('draw the value of a leaf to 0 by as many rows as are added', () => {
    const target = promo.map((value) => 8 * value);
    const { result } = said([promo], target, { shrinkage: 5 });
    assert.ok(Math.abs(result[0] - (5 * 8) / 10) < 1e-9 && Math.abs(result[1]) < 1e-9);
  });

  it('do not part fewer rows than a leaf has', () => {
    const target = promo.map((value) => 8 * value);
    for (const column of [promo, promo.map((value) => -value)]) {
      const { result } = said([column], target, { leaf: 6 });
      assert.ok(result.every((value) => Math.abs(value - 2) < 1e-9));
    }
  });

  it('find what two switches do only together', () => {
    const [a, b] = [rows(40, (i) => i % 2), rows(40, (i) => Math.floor(i / 2) % 2)];
    const target = a.map((value, i) => 10 * value * b[i]);
    const { result } = said([a, b], target, { depth: 2 });
    result.forEach((value, i) => assert.ok(Math.abs(value - target[i]) < 1e-9));
    assert.ok(
      said([a, b], target).result.some((value, i) => Math.abs(value - target[i]) > 2),
      'not at depth 1',
    );
  });

  it('part each side by what matters there, whichever is the larger', () => {
    const [b, c] = [2, 4].map((width) => rows(64, (i) => Math.floor(i / width) % 2));
    for (const share of [1, 7]) {
      const a = rows(64, (i) => (Math.floor(i / 8) < share ? 1 : 0));
      const target = a.map((value, i) => 100 * value + 10 * (value === 1 ? b[i] : c[i]));
      const { result } = said([a, b, c], target, { depth: 2 });
      result.forEach((value, i) => assert.ok(Math.abs(value - target[i]) < 1e-9, `${share}, ${i}: ${value}`));
    }
  });

  it('come nearer by a share with every tree', () => {
    const target = promo.map((value) => (value === 1 ? 3 : -1));
    for (const trees of [1, 2, 10]) {
      const { result } = said([promo], target, { trees, rate: 0.1 });
      const left = 0.9 ** trees;
      result.forEach((value, i) => assert.ok(Math.abs(value - (1 - left) * target[i]) < 1e-9));
    }
  });

  it('take an error beyond the bound for one of its size', () => {
    const target = promo.map((value, i) => (i === 0 ? 1e6 : 4 * value));
    assert.ok(Math.abs(said([promo], target, {}, 5).result[4] - (4 * 4 + 5) / 5) < 1e-9);
  });

  it('learn nothing from rows that they are not given', () => {
    const target = promo.map((value, i) => (i < 10 ? 4 * value : NaN));
    const { result } = said([promo], target, {}, Infinity, all(10));
    result.forEach((value, i) => assert.ok(Math.abs(value - 4 * promo[i]) < 1e-9));
  });

  it('say nothing where no column moves', () => {
    const { trees, result } = said([new Float64Array(6)], Float64Array.of(1, 2, 3, 4, 5, 6), { trees: 5 });
    assert.equal(trees.length, 0);
    assert.deepEqual([...result], [0, 0, 0, 0, 0, 0]);
  });

  it('add a share of what they say to what is there, and only of some rows', () => {
    const { table, trees } = said([promo], promo.map((value) => 8 * value)); // prettier-ignore
    const result = new Float64Array(20).fill(1);
    addTrees(trees, table.bins, [0, 1], result, 0.5);
    assert.deepEqual([...result.subarray(0, 5)], [5, 1, 1, 1, 1]);
  });
});
