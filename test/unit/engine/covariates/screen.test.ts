import assert from 'node:assert/strict';
import { covariateScores } from '../../../../src/engine/covariates/forecast.ts';
import { Random } from '../../../bench/training/random.ts';

const length = 210;
/** A history with a week, and what three covariates are said to do to it; the last one is 0 on nearly all days. */
function scores(effects: readonly [number, number, number], unit = 1): number[] {
  const random = new Random(11);
  const rows = [
    Float64Array.from({ length }, () => (random.chance(0.3) ? 1 : 0)),
    Float64Array.from({ length }, () => random.normal()),
    Float64Array.from({ length }, (_, i) => (i % 31 === 4 ? 1 : 0)),
  ];
  const values = Float64Array.from(
    { length },
    (_, i) =>
      unit *
      (100 + 5 * Math.sin((2 * Math.PI * i) / 7) + random.normal() + rows.reduce((sum, row, k) => sum + effects[k] * row[i], 0)), // prettier-ignore
  );
  values[40] = NaN;
  const covariates = rows.map((row, k) => ({ name: `c${k}`, values: row }));
  return covariateScores({ values, covariates, periods: [7], length });
}

describe('covariate screening', () => {
  const nothing = scores([0, 0, 0]);

  it('selects none that has no effect', () => {
    for (const score of nothing) assert.ok(score < 2.5, nothing.join(' '));
  });

  it('selects each that has an effect alone: a switch, a number and a rare event', () => {
    (
      [
        [8, 0, 0],
        [0, 3, 0],
        [0, 0, 30],
      ] as const
    ).forEach((effects, k) => {
      // prettier-ignore
      const found = scores(effects);
      found.forEach((score, l) => {
        if (l === k) assert.ok(score > 2.5 && score > nothing[l] + 1, `${k}: ${found.join(' ')}`);
        else assert.ok(score < 2.5, `${k}: ${found.join(' ')}`);
      });
    });
  });

  it('does not depend on the unit of the series', () => {
    const [plain, large] = [scores([8, 3, 0]), scores([8, 3, 0], 2 ** 20)];
    plain.forEach((score, k) => assert.ok(Math.abs(score - large[k]) < 1e-3 * (1 + Math.abs(score)), large.join(' ')));
  });

  it('ignores a constant covariate', () => {
    const values = Float64Array.from({ length }, (_, i) => i % 9);
    const still = { name: 'still', values: new Float64Array(length).fill(3) };
    assert.deepEqual(covariateScores({ values, covariates: [still], periods: [7], length }), [0]);
  });
});
