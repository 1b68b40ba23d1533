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

describe('covariates of points', () => {
  it('are absent if no point has any', () => {
    assert.equal(knownOf([{ timestamp: '2024-01-01', value: 1 }]), undefined);
    assert.equal(knownOf([{ timestamp: '2024-01-01', value: 1, metadata: { row: 1 } }]), undefined);
  });

  it('are numbers, with NaN for unknown ones', () => {
    assert.deepEqual(column(3, null, '4.5', '', undefined), {
      name: 'c',
      kind: 'number',
      values: [3, NaN, 4.5, NaN, NaN],
    });
  });

  it('are a switch for on and off alone', () => {
    assert.deepEqual(column(0, 1, null), { name: 'c', kind: 'switch', values: [0, 1, NaN] });
    assert.deepEqual(column(true, false), { name: 'c', kind: 'switch', values: [1, 0] });
    assert.equal(column(null, null).kind, 'number');
  });

  it('with texts are indices into their sorted list', () => {
    assert.deepEqual(column('sun', 'rain', null, 'sun'), {
      name: 'c',
      kind: 'text',
      texts: ['rain', 'sun'],
      values: [1, 0, NaN, 1],
    });
  });

  it('have a column of all times although only later points have it', () => {
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
