import assert from 'node:assert/strict';
import { effectSizes, openness, type Study } from '../../../../src/engine/covariates/forecast.ts';
import { type Covariate, type Scale, scalesOf } from '../../../../src/engine/covariates/effect.ts';

const [history, horizon] = [40, 4];
const length = history + horizon;
const covariate = (name: string, of: (i: number) => number): Covariate => ({
  name,
  values: Float64Array.from({ length }, (_, i) => of(i)),
});
const promo = covariate('promo', (i) => (i % 5 === 0 ? 1 : 0));
const warmth = covariate('warmth', (i) => (i * 7) % 11);
const [plain, root] = scalesOf(Float64Array.of(1));
/** An effect that is known: so much for each unit of each covariate. */
function studyOf(
  scale: Scale,
  covariates: readonly Covariate[],
  slopes: readonly number[],
  values: Float64Array,
): Study {
  const of = (others: readonly Covariate[], from: number): Float64Array =>
    Float64Array.from({ length }, (_, i) =>
      i < from ? 0 : others.reduce((sum, each, k) => sum + slopes[k] * each.values[i], 0),
    );
  return { covariates, values, effect: { scale, values: of(covariates, 0), of } };
}
const near = (value: number, expected: number): void => {
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);
};

describe('size of an effect', () => {
  it('is the step of a switch, or the change from a low to a high value with the others fixed', () => {
    const values = promo.values.subarray(0, history).map((value, i) => (i === 3 ? NaN : 100 + 20 * value));
    const [ofPromo, ofWarmth] = effectSizes(studyOf(plain, [promo, warmth], [20, -3], values));
    assert.deepEqual([ofPromo.low, ofPromo.high], [0, 1]);
    near(ofPromo.effect, 20);
    assert.deepEqual([ofWarmth.name, ofWarmth.low, ofWarmth.high], ['warmth', 1, 9]);
    near(ofWarmth.effect, -24);
  });

  it('is in the unit of the series, also for effects on square roots', () => {
    // the root is 10, and 11 where there is a promotion
    const values = promo.values.subarray(0, history).map((value) => (10 + value) ** 2);
    const [ofPromo] = effectSizes(studyOf(root, [promo], [1], values));
    near(ofPromo.effect, 121 - 100);
  });

  it('is 0 without observations', () => {
    const values = new Float64Array(history).fill(NaN);
    assert.equal(effectSizes(studyOf(plain, [promo], [20], values))[0].effect, 0);
  });
});

describe('spread from unknown covariates', () => {
  const values = new Float64Array(history).fill(100);
  const completed = (each: Covariate, half: number) => {
    const around = (sign: number) => each.values.map((value, i) => (i < history ? value : value + sign * half));
    return { covariate: each, forecast: half > 0 ? horizon : 0, low: around(-1), high: around(1) };
  };

  it('adds up as independent errors', () => {
    const study = studyOf(plain, [promo, warmth], [20, -3], values);
    assert.deepEqual([...openness(study, [completed(promo, 0), completed(warmth, 0)])], [0, 0, 0, 0]);
    openness(study, [completed(promo, 0.2), completed(warmth, 0)]).forEach((value) => near(value, 4));
    openness(study, [completed(promo, 0.2), completed(warmth, 1)]).forEach((value) => near(value, 5));
  });

  it('is that of a typical value for effects on square roots', () => {
    const still = { ...promo, values: new Float64Array(length) };
    openness(studyOf(root, [still], [1], values), [completed(still, 1)]).forEach((value) => near(value, (121 - 81) / 2)); // prettier-ignore
  });
});
