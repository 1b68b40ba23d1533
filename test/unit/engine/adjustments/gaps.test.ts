import assert from 'node:assert/strict';
import { forecast } from '../../../../src/engine/forecast.ts';
import { widthForGaps } from '../../../../src/engine/adjustments/gaps.ts';
import { baseModels } from '../../../../src/engine/models.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series } from '../series-helper.ts';

/** 240 days of noise around 100, with the days of a gap missing. */
const days = (isMissing: (day: number) => boolean): Float64Array => {
  const next = noise(8);
  return series(240, (day) => {
    const value = 100 + 4 * next();
    return isMissing(day) ? Number.NaN : value;
  });
};
const widthOf = (isMissing: (day: number) => boolean): number => widthForGaps(prepareSeries(days(isMissing), [7]));

describe('the factor for gaps', () => {
  it('is 1 without a gap, and near it for single days and a gap of long ago', () => {
    assert.equal(
      widthOf(() => false),
      1,
    );
    assert.ok(widthOf((day) => day % 20 === 7) < 1.1);
    assert.ok(widthOf((day) => day > 20 && day < 60) < 1.25);
  });

  it('is large where most of what is near the end was filled in', () => {
    assert.ok(widthOf((day) => day > 170 && day < 237) > 1.7);
    assert.ok(widthOf((day) => day > 60 && day < 237) > 2.5);
    assert.ok(widthOf((day) => day % 10 !== 9) > 1.5);
  });

  it('is 1 where the same days of each week are missing, and not where most days are', () => {
    assert.equal(widthOf((day) => day % 7 > 4), 1); // prettier-ignore
    assert.equal(
      widthOf((day) => day % 7 > 4 || day % 50 === 0),
      1,
    );
    assert.ok(widthOf((day) => (day * 17) % 23 > 2) > 1.5);
  });

  it('is 1 where nothing ever moved', () => {
    const flat = series(60, (i) => (i % 3 === 1 ? Number.NaN : 5));
    assert.equal(widthForGaps(prepareSeries(flat, [])), 1);
  });
});

describe('bands after a gap', () => {
  for (const { id } of baseModels) {
    it(`of ${id} are of the size that they have without it`, () => {
      const width = (values: Float64Array): number => {
        const [low, high] = forecast(id, { values, periods: [7], horizon: 7, levels: [0.1, 0.9] }).quantiles;
        return high.reduce((sum, value, i) => sum + value - low[i], 0);
      };
      const whole = width(days(() => false));
      const broken = width(days((day) => day > 120 && day < 237));
      assert.ok(broken > 0.4 * whole, `${broken} of ${whole}`);
      assert.ok(broken < 2 * whole, `${broken} of ${whole}`);
    });
  }
});
