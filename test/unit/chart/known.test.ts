import assert from 'node:assert/strict';
import { knownOf } from '../../../src/chart/chart-view.ts';

const points = (name: string, cells: readonly unknown[]) =>
  cells.map((cell, day) => ({
    timestamp: `2024-01-0${day + 1}T00:00:00Z`,
    value: day,
    metadata: { covariates: { [name]: cell } },
  }));
const column = (...cells: readonly unknown[]) => {
  const known = knownOf(points('c', cells))!;
  const { values, ...rest } = known.columns[0]!;
  return { ...rest, values: [...values] };
};

describe('what points say besides their values', () => {
  it('is nothing where they say nothing', () => {
    assert.equal(knownOf([{ timestamp: '2024-01-01', value: 1 }]), undefined);
    assert.equal(knownOf([{ timestamp: '2024-01-01', value: 1, metadata: { row: 1 } }]), undefined);
  });

  it('is numbers, with what is not known left open', () => {
    assert.deepEqual(column(3, null, '4.5', '', undefined), {
      name: 'c',
      kind: 'number',
      values: [3, NaN, 4.5, NaN, NaN],
    });
  });

  it('is a switch where there is nothing but on and off', () => {
    assert.deepEqual(column(0, 1, null), { name: 'c', kind: 'switch', values: [0, 1, NaN] });
    assert.deepEqual(column(true, false), { name: 'c', kind: 'switch', values: [1, 0] });
    assert.equal(column(null, null).kind, 'number');
  });

  it('is texts, each by its place among all of them in order', () => {
    assert.deepEqual(column('sun', 'rain', null, 'sun'), {
      name: 'c',
      kind: 'text',
      texts: ['rain', 'sun'],
      values: [1, 0, NaN, 1],
    });
  });

  it('has a column also where only later points have it, at the times of all', () => {
    const [first, second] = points('price', [1, 2]);
    const known = knownOf([{ ...first!, metadata: {} }, second!, points('promo', [0, 0, 1])[2]!])!;
    assert.deepEqual(
      known.columns.map(({ name, values }) => [name, [...values]]),
      [
        ['price', [NaN, 2, NaN]],
        ['promo', [NaN, NaN, 1]],
      ],
    );
    assert.deepEqual(
      [...known.times],
      [1, 2, 3].map((day) => Date.UTC(2024, 0, day)),
    );
  });
});
