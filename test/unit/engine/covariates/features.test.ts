import assert from 'node:assert/strict';
import { centredMean, featuresOf, isSwitch } from '../../../../src/engine/covariates/features.ts';

const row = (...values: number[]): Float64Array => Float64Array.from(values);
const columnsOf = (...asked: Parameters<typeof featuresOf>): number[][] =>
  featuresOf(...asked).columns.map((column) => [...column]);

describe('features of covariates', () => {
  it('tell a switch from a number', () => {
    assert.ok(isSwitch(row(0, 1, 1, 0)));
    assert.ok(isSwitch(row(3, -5, 3)));
    assert.ok(isSwitch(row(2, 2)), 'one that was never used');
    assert.ok(!isSwitch(row(0, 1, 2)));
  });

  it('are a switch, and it a step before and after', () => {
    const values = row(0, 0, 1, 0, 1);
    assert.deepEqual(columnsOf([{ name: 'promo', values }], [], 5), [
      [0, 0, 1, 0, 1],
      [0, 0, 0, 1, 0],
      [0, 1, 0, 1, 1],
    ]);
  });

  it('are a number, it one step before, and its mean over the last cycle', () => {
    const values = Float64Array.from({ length: 12 }, (_, i) => (i + 1) ** 2);
    const [place, own, before, mean] = columnsOf([{ name: 'warmth', values }], [2], 12);
    assert.deepEqual(place, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    assert.deepEqual(own, [...values]);
    assert.deepEqual(before.slice(0, 4), [1, 1, 4, 9]);
    assert.deepEqual(mean.slice(0, 4), [1, 2.5, 6.5, 12.5]);
  });

  it('are the hour and the day of the week of hourly data, and move a switch by a day', () => {
    const values = Float64Array.from({ length: 300 }, (_, i) => (i === 100 ? 1 : 0));
    const [hour, day, , own, before, after] = columnsOf([{ name: 'holiday', values }], [24, 168], 300);
    assert.deepEqual([hour[25], day[25], day[167], day[168]], [1, 1, 6, 0]);
    assert.deepEqual([own, before, after].map((column) => column.indexOf(1)), [100, 124, 76]); // prettier-ignore
  });

  it('leave out a cycle of which there is no more than one', () => {
    const values = Float64Array.from({ length: 20 }, (_, i) => i % 3);
    assert.deepEqual(columnsOf([{ name: 'price', values }], [365], 20)[0], [...values]);
  });

  it('are as many for other values, though a switch may stay the same or a number have two values only', () => {
    const like = [
      { name: 'promo', values: row(0, 1, 0, 1, 0, 1) },
      { name: 'price', values: row(1, 2, 3, 4, 5, 6) },
    ];
    const others = like.map(({ name }) => ({ name, values: row(1, 0.5, 1, 0.5, 1, 0.5) }));
    assert.equal(columnsOf(others, [2], 6, like).length, columnsOf(like, [2], 6).length);
  });
});

describe('the level around a step', () => {
  it('is a centred mean, near the ends of what there is', () => {
    assert.deepEqual([...centredMean(row(1, 2, 6, 3, 8), 3)], [1.5, 3, 11 / 3, 17 / 3, 5.5]);
  });

  it('leaves out what is missing', () => {
    assert.deepEqual([...centredMean(row(1, NaN, 3, NaN, NaN, NaN), 3)].slice(0, 4), [1, 2, 3, 3]);
  });
});
