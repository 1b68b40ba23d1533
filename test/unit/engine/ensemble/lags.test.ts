import assert from 'node:assert/strict';
import * as lags from '../../../../src/engine/ensemble/lags.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series } from '../series-helper.ts';

const random = noise(19);
const values = series(400, () => 10 + random());
const of = (periods: number[]) => prepareSeries(values, periods);

describe('the lags of autoregressions', () => {
  it('rise, are whole and none is there twice, for every calendar', () => {
    for (const periods of [
      [],
      [2],
      [4],
      [7],
      [12],
      [52.18],
      [7, 365.25],
      [24, 168],
      [48, 336],
      [96, 672],
      [60, 1440],
    ]) {
      for (const [name, lagsOf] of Object.entries(lags)) {
        if (periods.length === 0 && /daily|weekly/i.test(name)) continue;
        const found = lagsOf(of(periods));
        assert.ok(found.length >= 3 && found[0] === 1, `${name} of ${periods}: ${found}`);
        found.forEach((lag, i) => {
          assert.ok(Number.isInteger(lag) && (i === 0 || lag > found[i - 1]), `${name} of ${periods}: ${found}`);
        });
      }
    }
  });

  it('reach over a season and the step beyond it', () => {
    assert.deepEqual(lags.shortLags(of([4])), [1, 2, 3, 4, 5]);
    assert.deepEqual(lags.shortLags(of([])), [1, 2, 3]);
    assert.deepEqual(lags.seasonalLags(of([12])), [1, 2, 3, 4, 12, 13, 24]);
    assert.deepEqual(lags.longLags(of([7, 365.25])), [1, 2, 3, 4, 6, 7, 8, 14]);
    assert.deepEqual(lags.adjustedLags(of([24, 168])), [1, 2, 3, 4, 5, 6, 24]);
  });

  it('of hours reach around the day, the days after it and the week', () => {
    const hours = of([24, 168]);
    assert.deepEqual(lags.sparseDailyLags(hours), [1, 2, 3, 23, 24, 25, 48, 72, 96, 120, 144, 167, 168, 169]);
    assert.ok([47, 49, 166, 170].every((lag) => lags.dailyLags(hours).includes(lag)));
    assert.ok([22, 26, 50, 165, 171, 192, 335, 336, 337].every((lag) => lags.weeklyLags(hours).includes(lag)));
    // Of minutes not every step of a day: a regression on 1440 lags would take minutes itself.
    assert.ok(lags.dailyLags(of([60, 1440])).length < 60);
  });
});
