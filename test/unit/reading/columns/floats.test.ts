import assert from 'node:assert/strict';
import { Floats } from '../../../../src/reading/columns/column.ts';

const filled = (count: number) => {
  const list = new Floats();
  for (let index = 0; index < count; index++) list.push(index);
  return list;
};

describe('growing list of numbers', () => {
  it('keeps all numbers in order', () => {
    for (const count of [0, 1, 64, 65, 65_536, 65_537, 200_000]) {
      const list = filled(count);
      assert.equal(list.length, count);
      const all = list.all();
      assert.equal(all.length, count);
      assert.ok(
        all.every((value, index) => value === index),
        String(count),
      );
      assert.deepEqual(list.all(), all);
      assert.equal(list.all(), list.all(), 'one array for all who ask');
    }
  });

  it('does not share memory with its copy', () => {
    const list = filled(65_600);
    const copy = list.copy();
    list.push(-1);
    copy.push(-2);
    copy.push(-3);
    assert.deepEqual([list.length, copy.length], [65_601, 65_602]);
    assert.deepEqual([list.all().at(-1), copy.all().at(-2)], [-1, -2]);
    assert.equal(copy.all()[65_535], 65_535);
  });
});
