import assert from 'node:assert/strict';
import { findFamily, makeTotals, sumsOfNames } from '../../../src/reading/sums.ts';

const DAY = 86_400_000;

const one = (name: string, value: (step: number) => number, count = 30, from = 0) => ({
  name,
  timeKind: 'date' as const,
  times: Float64Array.from({ length: count - from }, (_, i) => (from + i) * DAY),
  values: Float64Array.from({ length: count - from }, (_, i) => value(from + i)),
});

/** The totals of these series, by their names. */
const totalsOf = async (series: Parameters<typeof findFamily>[0]) =>
  new Map((await makeTotals(series, findFamily(series)!)).map(({ name, values }) => [name, values]));

const a = (step: number) => 10 + step + (step % 3);
const b = (step: number) => 5 + (step % 7);
const c = (step: number) => 3 + (step % 2);

describe('totals', () => {
  it('are found by a column that is the sum of the others, under any name', () => {
    for (const name of ['total', 'demand']) {
      const family = findFamily([
        one('a', a),
        one(name, (step) => a(step) + b(step) + c(step)),
        one('b', b),
        one('c', c),
      ])!;
      assert.deepEqual(family, { sums: [{ total: name, parts: ['a', 'b', 'c'] }], made: [] });
    }
  });

  it('are found if a total sums some of the columns', () => {
    const family = findFamily([
      one('price', () => 9.5),
      one('a', a),
      one('b', b),
      one('Total', (step) => a(step) + b(step)),
    ]);
    assert.deepEqual(family?.sums, [{ total: 'Total', parts: ['a', 'b'] }]);
  });

  it('are found if only one component is not 0 at each step', () => {
    const odd = (step: number) => (step % 2) * 3;
    const even = (step: number) => ((step + 1) % 2) * 4;
    const family = findFamily([one('Total', (step) => odd(step) + even(step)), one('A', odd), one('B', even)]);
    assert.deepEqual(family, { sums: [{ total: 'Total', parts: ['A', 'B'] }], made: [] });
  });

  it('are found despite rounding, but not if sums are only nearly equal', () => {
    const off = (by: number) =>
      findFamily([one('a', a), one('b', b), one('sum', (step) => (a(step) + b(step)) * (1 + by))]);
    assert.ok(off(0.001));
    assert.equal(off(0.02), undefined);
    assert.equal(findFamily([one('a', () => 0), one('b', () => 0), one('total', () => 0)]), undefined);
    assert.equal(findFamily([one('a', a), one('b', b), one('c', c)]), undefined);
  });

  it('follow from names with levels: one for each group and one for all', async () => {
    const names = ['north/x', 'north/y', 'south/x', 'south/y', 'west/x'];
    const series = names.map((name, i) => one(name, (step) => a(step) * (i + 1)));
    const family = findFamily(series)!;
    assert.deepEqual(family.made.map(({ name }) => name).toSorted(), ['Total', 'north', 'south']); // prettier-ignore
    assert.deepEqual(family.sums.toSorted((p, q) => p.total.localeCompare(q.total)), [
      { total: 'north', parts: ['north/x', 'north/y'] },
      { total: 'south', parts: ['south/x', 'south/y'] },
      { total: 'Total', parts: ['north', 'south', 'west/x'] },
    ].toSorted((p, q) => p.total.localeCompare(q.total))); // prettier-ignore
    assert.equal((await totalsOf(series)).get('Total')![4], a(4) * 15);
  });

  it('follow from three levels, and a total that begins later is as long as its components', async () => {
    const names = ['n_s1_x', 'n_s1_y', 'n_s2_x', 'n_s2_y', 'o_s3_x', 'o_s3_y'];
    const series = names.map((name) => one(name, b, 30, name.startsWith('o') ? 20 : 0));
    const totals = await totalsOf(series);
    // o and o_s3 are the same
    assert.deepEqual([...totals.keys()].toSorted(), ['Total', 'n', 'n_s1', 'n_s2', 'o_s3']); // prettier-ignore
    assert.equal(totals.get('o_s3')!.length, 10);
    assert.equal(totals.get('Total')![10], 4 * b(10));
    assert.equal(totals.get('Total')![25], 6 * b(25));
  });

  it('follow from key columns, those with the fewest values on top', async () => {
    const cells = ['A/B', 'C-1', 'C'].flatMap((store) => ['x/y', 'x', 'z', 'w'].map((item) => ({ item, store })));
    const series = cells.map((keys, i) => ({
      ...one(`${keys.item}/${keys.store}`, (step) => a(step) * (i + 1)),
      keys,
    }));
    const { made, sums } = findFamily(series)!;
    assert.deepEqual(made.map(({ name }) => name), ['Total', 'A/B', 'C-1', 'C']); // prettier-ignore
    assert.deepEqual(sums.find(({ total }) => total === 'A/B')?.parts, ['x/y/A/B', 'x/A/B', 'z/A/B', 'w/A/B']);
    assert.equal((await totalsOf(series)).get('C')![4], a(4) * (9 + 10 + 11 + 12));
    const whole = ['A/B', 'C-1', 'C'].map((store, at) => ({ ...one(`all of ${store}`, (step) => a(step) * [10, 26, 42][at]!), keys: { item: 'Total', store } })); // prettier-ignore
    const reported = findFamily([...series, ...whole])!;
    assert.deepEqual([reported.made, reported.sums.map(({ total }) => total)], [[], whole.map(({ name }) => name)]);
  });

  it('do not follow from several value columns, which measure different things', () => {
    const series = ['sales', 'visitors'].flatMap((valueColumn) =>
      ['n', 's'].flatMap((region) =>
        ['x', 'y'].map((store) => ({
          ...one(`${region}/${store}/${valueColumn}`, a),
          keys: { region, store },
          valueColumn,
        })),
      ),
    );
    assert.equal(findFamily(series), undefined);
  });

  it('do not follow from names without groups or from negative values', () => {
    const found = (names: string[], value = a) => findFamily(names.map((name) => one(name, value)));
    assert.equal(found(['sensor-1', 'sensor-2', 'sensor-3']), undefined);
    assert.equal(found(['a/x', 'b/y', 'c/z']), undefined);
    assert.equal(found(['2020-01', 'b', 'c-2-2']), undefined);
    assert.equal(
      found(['n/x', 'n/y', 's/x', 's/y'], (step) => step - 5),
      undefined,
    );
  });

  it('are missing if few components are, and treat many missing components as 0', async () => {
    const holes = (every: number) =>
      totalsOf(
        ['n/x', 'n/y', 's/x', 's/y'].map((name) =>
          one(name, (step) => (name === 'n/x' && step % every === 3 ? NaN : 2)),
        ),
      );
    assert.ok(Number.isNaN((await holes(10)).get('n')![3]));
    assert.equal((await holes(4)).get('n')![3], 2);
  });

  it('are recognized by name alone if the file contains them', () => {
    const names = ['Total', 'north', 'north/a', 'north/b', 'south/c'];
    assert.deepEqual(sumsOfNames(names), [
      { total: 'Total', parts: ['north', 'south/c'] },
      { total: 'north', parts: ['north/a', 'north/b'] },
    ]);
    assert.deepEqual(sumsOfNames(['a', 'b', 'c']), []);
  });
});
