import assert from 'node:assert/strict';
import { naive2 } from '../../bench/competition.ts';

describe('naive2', () => {
  const row = (train: number[]) => ({ id: '', freq: 'monthly', m: 4, h: 6, test: [], group: '', train });

  it('repeats the seasonally adjusted last value', () => {
    const train = Array.from({ length: 24 }, (_, i) => [10, 20, 30, 20][i % 4]);
    assert.deepEqual(
      naive2(row(train)).map((value) => Math.round(value)),
      [10, 20, 30, 20, 10, 20],
    );
  });

  it('is finite if a seasonal factor is 0 or undefined', () => {
    const train = Array.from({ length: 64 }, (_, i) => (i > 8 && i < 14 ? 0 : [0, 20, 30, 20][i % 4]));
    assert.deepEqual(naive2(row(train)), new Array<number>(6).fill(20));
  });
});
