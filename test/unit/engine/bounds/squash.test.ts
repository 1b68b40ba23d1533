import assert from 'node:assert/strict';
import { bent, squashed, unbent, wholeWithin } from '../../../../src/engine/bounds/squash.ts';

const edges = { floor: 0, capacity: 10 };
const near = (value: number, expected: number): void => {
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);
};

describe('a value brought within bounds', () => {
  it('is bent by how much of the way to the bound it is from the median, by formula', () => {
    const squash = { edges, middle: 5, spread: 1, sharpness: 1 };
    near(squashed(7, squash), 5 + 2 / (1 + 2 / 5));
    near(squashed(2, squash), 5 - 3 / (1 + 3 / 5));
    near(squashed(7, { ...squash, sharpness: 2 }), 5 + 2 / Math.sqrt(1 + 0.16));
    near(squashed(15, { ...squash, sharpness: 2 }), 5 + 10 / Math.sqrt(5));
  });

  it('is bent on the side of a bound only, where there is one', () => {
    const squash = { edges: { floor: 0, capacity: Infinity }, middle: 5, spread: 1, sharpness: 2 };
    near(squashed(50, squash), 50);
    assert.ok(squashed(1, squash) > 1);
    near(squashed(-3, { ...squash, edges: { floor: -Infinity, capacity: Infinity } }), -3);
  });

  it('has its median before the bound where it was beyond, by less the further it was', () => {
    const middleOf = (middle: number): number => squashed(middle, { edges, middle, spread: 2, sharpness: 2 });
    near(middleOf(9.5), 9.5);
    // room is a fourth of the half width of 2
    near(middleOf(10), 10 - 0.5 / 2);
    near(middleOf(11), 10 - 0.5 / 4);
    near(middleOf(-1), 0.5 / 4);
    // one side is the other's mirror image
    for (const middle of [-7, -0.2, 0.3, 4]) near(middleOf(middle) + middleOf(10 - middle), 10);
  });

  it('is finite for numbers as large as there are', () => {
    for (const value of [1e300, -1e300, 1e308]) {
      for (const sharpness of [1, 2, 4]) {
        const held = squashed(value, { edges, middle: 5, spread: 1e-3, sharpness });
        assert.ok(held >= 0 && held <= 10, `${value}, ${sharpness}: ${held}`);
      }
    }
  });

  it('is the nearest whole number that is allowed', () => {
    assert.equal(wholeWithin(3.4, { floor: 0.2, capacity: 9.7 }), 3);
    assert.equal(wholeWithin(-8, { floor: 0.2, capacity: 9.7 }), 1);
    assert.equal(wholeWithin(99.5, { floor: 0.2, capacity: 9.7 }), 9);
    assert.equal(wholeWithin(3.5, { floor: -Infinity, capacity: Infinity }), 4);
  });
});

describe('the scale of odds', () => {
  it('has 0 in the middle, and the same beyond it as before it', () => {
    near(bent(5, edges), 0);
    near(bent(8, edges), -bent(2, edges));
    // 8 of −0.1 to 10.1
    near(bent(8, edges), Math.log(8.1 / 2.1));
  });

  it('takes a value beyond a bound for one on it', () => {
    near(bent(12, edges), bent(10, edges));
    near(bent(-1e300, edges), bent(0, edges));
    assert.ok(Number.isNaN(bent(NaN, edges)), 'what is missing stays missing');
  });

  it('comes back to values that pass a bound by no more than the margin of 1 %', () => {
    near(unbent(800, edges), 10.1);
    near(unbent(-800, edges), -0.1);
    near(unbent(bent(9.99, edges), edges), 9.99);
  });
});
