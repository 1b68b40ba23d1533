import assert from 'node:assert/strict';
import { isSwitch, centeredMean, effectOf, ridgeOf, scalesOf } from '../../../../src/engine/covariates/effect.ts';

const history = 16;
const length = history + 4;
/** Three columns that have nothing in common, in either half too. */
const column = (width: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => (Math.floor(i / width) % 2 === 0 ? 1 : -1));
const [first, second, third] = [column(1), column(2), column(4)];
const rows = Array.from({ length: history }, (_, i) => i);
const halves = [rows.slice(0, history / 2), rows.slice(history / 2)];
/** The least penalty, which is taken where nothing is left to chance; it counts for each row. */
const least = 3e-4;
const near = (actual: ArrayLike<number>, expected: readonly number[], most = 1e-8): void => {
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < most, `${i}: ${actual[i]} is not ${value}`));
};

describe('ridge regression of effects', () => {
  it('hardly shrinks the effect of a column on which both halves agree', () => {
    const weights = ridgeOf([first, second, third], 0, halves)(first.map((value, i) => 2 * value - 3 * second[i]));
    for (const each of weights) near(each, [2 / (1 + least), -3 / (1 + least), 0]);
  });

  it('solves the normal equations of correlated columns', () => {
    const both = first.map((value, i) => value + second[i]);
    const [, , weights] = ridgeOf([first, both], 0, halves)(first.map((value, i) => 4 * value + third[i]));
    // of spread 1 they have the products 1, √½ and 1, and with the target 4 and 4 · √½, for each row
    const [diagonal, across] = [1 + least, Math.SQRT1_2];
    const determinant = diagonal ** 2 - across ** 2;
    const own = (4 * diagonal - 4 * across * across) / determinant;
    near(weights, [own, ((4 * across * diagonal - 4 * across) / determinant) * Math.SQRT1_2]);
  });

  it('shrinks an effect to 0 if the halves disagree', () => {
    const [one, other, both] = ridgeOf([first], 0, halves)(first.map((value, i) => (i < history / 2 ? 2 : -2) * value));
    // each half with the highest penalty, of 3 for each row
    near([one[0], other[0], both[0]], [2 / 4, -2 / 4, 0]);
  });

  it('does not depend on the unit of a column, and ignores a constant one', () => {
    const target = first.map((value, i) => value + 0.5 * third[i]);
    const [, , weights] = ridgeOf(
      [first.map((value) => 1e6 * value), third, new Float64Array(length)],
      0,
      halves,
    )(target);
    near(weights, [1e-6 / (1 + least), 0.5 / (1 + least), 0]);
  });

  it('penalizes calendar columns by a hundredth', () => {
    const [, , weights] = ridgeOf([second, first], 1, halves)(first.map((value, i) => 2 * value + 10 * second[i]));
    near(weights, [10 / (1 + least / 100), 2 / (1 + least)]);
  });
});

describe('effect of covariates', () => {
  const promo = {
    name: 'promo',
    values: Float64Array.from({ length: 130 }, (_, i) => (i % 9 === 4 || i % 7 === 1 ? 1 : 0)),
  };
  const part = { covariates: [promo], periods: [], length: 130 };
  const [plain, root] = scalesOf(Float64Array.of(0, 4, NaN));

  it('is fitted additively and predicts another plan', () => {
    const values = promo.values.slice(0, 120).map((value, i) => (i === 50 ? NaN : 100 + 20 * value));
    const effect = effectOf({ ...part, values }, plain);
    const [on, off] = [0, 1].map((state) => effect.of([{ ...promo, values: promo.values.map(() => state) }], 120)[125]);
    assert.ok(Math.abs(off - on - 20) < 2, `${off - on}`);
    assert.equal(effect.of([promo], 120)[119], 0, 'nothing before the step that was asked');
  });

  it('is additive on square roots for a series that is never negative', () => {
    assert.equal(scalesOf(Float64Array.of(0, 4, -1)).length, 1);
    assert.ok(Math.abs(root.from(root.to(7)) - 7) < 1e-9);
    assert.deepEqual([root.to(-3), root.from(-3)], [0, 0]);
    const values = promo.values.slice(0, 120).map((value) => (10 + value) ** 2);
    const { values: fitted } = effectOf({ ...part, values }, root);
    assert.ok(Math.abs(fitted[121 - (121 % 9) + 4] - fitted[123]) < 2);
  });
});

describe('moving level around a step', () => {
  it('is a centered mean of observed values, shortened at the ends', () => {
    assert.deepEqual([...centeredMean(Float64Array.of(1, 2, 6, 3, 8), 3)], [1.5, 3, 11 / 3, 17 / 3, 5.5]);
    assert.deepEqual([...centeredMean(Float64Array.of(1, NaN, 3, NaN, NaN), 3)].slice(0, 4), [1, 2, 3, 3]);
  });
});

describe('switch covariate', () => {
  it('has at most two values', () => {
    assert.ok(isSwitch(Float64Array.of(3, -5, 3)) && isSwitch(Float64Array.of(2, 2)));
    assert.ok(!isSwitch(Float64Array.of(0, 1, 2)));
  });
});
