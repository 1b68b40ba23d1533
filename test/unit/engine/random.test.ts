import assert from 'node:assert/strict';
import { Random } from '../../bench/training/random.ts';

const count = 20_000;
const drawn = (of: (random: Random) => number, seed = 7): Float64Array => {
  const random = new Random(seed);
  return Float64Array.from({ length: count }, () => of(random));
};
const share = (values: Float64Array, is: (value: number) => boolean): number => values.filter(is).length / count;
const near = (value: number, expected: number): void => {
  assert.ok(Math.abs(value - expected) < 0.015, `${value} is not ${expected}`);
};

describe('random numbers', () => {
  it('are the same for a seed and differ between adjacent seeds', () => {
    const first = (seed: number) => [...drawn((random) => random.uniform(), seed).subarray(0, 8)];
    assert.deepEqual(first(1), first(1));
    const all = [0, 1, 2, 3, 2 ** 31].flatMap(first);
    assert.equal(new Set(all).size, all.length);
  });

  it('are uniform between their bounds, also in the logarithm and as integers', () => {
    const uniform = drawn((random) => random.uniform());
    for (const bound of [0.01, 0.25, 0.5, 0.9])
      near(
        share(uniform, (value) => value < bound),
        bound,
      );
    assert.ok(uniform.every((value) => value >= 0 && value < 1));
    near(
      share(
        drawn((random) => random.between(-3, 1)),
        (value) => value < -2,
      ),
      0.25,
    );
    near(
      share(
        drawn((random) => random.logBetween(1, 10_000)),
        (value) => value < 10,
      ),
      0.25,
    );
    const dice = drawn((random) => random.below(6));
    for (let side = 0; side < 6; side++)
      near(
        share(dice, (value) => value === side),
        1 / 6,
      );
    near(
      share(
        drawn((random) => Number(random.chance(0.3))),
        (value) => value === 1,
      ),
      0.3,
    );
  });

  it('are normal and independent', () => {
    const normal = drawn((random) => random.normal());
    for (const [score, below] of [
      [-1.96, 0.025],
      [-1, 0.1587],
      [0, 0.5],
      [1.2816, 0.9],
    ]) {
      near(
        share(normal, (value) => value < score),
        below,
      );
    }
    let product = 0;
    for (let i = 1; i < count; i++) product += normal[i] * normal[i - 1];
    near(product / count, 0);
    assert.ok(normal.every(Number.isFinite));
  });

  it('have finite heavy tails on request', () => {
    const [normal, heavy] = [drawn((random) => random.normal()), drawn((random) => random.heavy())];
    const far = (values: Float64Array): number => share(values, (value) => Math.abs(value) > 4);
    assert.ok(far(normal) < 5e-4 && far(heavy) > 3e-3);
    assert.ok(heavy.every(Number.isFinite));
    near(
      share(heavy, (value) => value < 0),
      0.5,
    );
  });

  it('shuffle integers into every order equally often', () => {
    const random = new Random(4);
    const orders = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = random.permutation(3).join('');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    assert.equal(orders.size, 6);
    for (const times of orders.values()) assert.ok(Math.abs(times - 1000) < 130, String(times));
    assert.deepEqual(
      [...random.permutation(50)].sort((a, b) => a - b),
      Array.from({ length: 50 }, (_, i) => i),
    );
    assert.deepEqual([...random.permutation(0)], []);
  });
});
