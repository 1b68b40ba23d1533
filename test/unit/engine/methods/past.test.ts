import assert from 'node:assert/strict';
import { analogues, meanCycle } from '../../../../src/engine/methods/past.ts';
import { plateauForecast } from '../../../../src/engine/methods/plateaus.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { noise, series, wave } from '../series-helper.ts';

const near = (actual: Float64Array, expected: (i: number) => number, tolerance = 1e-6) => {
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - expected(i)) <= tolerance, `step ${i + 1}: ${value} is not ${expected(i)}`);
  });
};

describe('the mean of the last cycles', () => {
  it('is that of each phase over five of the shorter and four of the longer period, again and again', () => {
    const random = noise(4);
    const values = series(300, (i) => 10 * wave(i, 6) + 20 * wave(i, 30) + 30 * random());
    const prepared = prepareSeries(values, [6, 30]);
    for (const [index, period, count] of [
      [0, 6, 5],
      [1, 30, 4],
    ]) {
      const mean = (i: number) => {
        let sum = 0;
        for (let k = 1; k <= count; k++) sum += prepared.values[300 - k * period + (i % period)] / count;
        return sum;
      };
      near(meanCycle(index)(prepared, 2 * period)!, mean);
    }
  });

  it('is not there with less than two cycles, or without a period', () => {
    const values = series(20, (i) => i + wave(i, 12));
    assert.equal(meanCycle(0)(prepareSeries(values, [12]), 3), undefined);
    assert.equal(meanCycle(0)(prepareSeries(values, []), 3), undefined);
  });
});

describe('analogues', () => {
  it('go on as after the most similar stretches, on the level of now', () => {
    const values = series(480, (i) => 100 + 20 * wave(i, 24) + (i >= 240 ? 70 : 0));
    const prepared = prepareSeries(values, [24]);
    const expected = (i: number) => (170 + 20 * wave(i, 24)) / prepared.unit;
    for (const whole of [false, true]) near(analogues(whole)(prepared, 30)!, expected, 0.02);
  });

  it('need as many stretches as they average', () => {
    const prepared = prepareSeries(
      series(100, (i) => 100 + wave(i, 24)),
      [24],
    );
    assert.equal(analogues(true)(prepared, 24), undefined);
    assert.equal(analogues(true)(prepareSeries(prepared.values, []), 24), undefined);
  });
});

describe('plateaus', () => {
  const rises = [7, 19, 33, 58, 74, 91];
  /** Stands still, and goes up by 5 six times. */
  const stairs = series(100, (i) => 100 + 5 * rises.filter((at) => at <= i).length);

  it('go on at the last value, with the quantiles of their own changes over as many steps', () => {
    const prepared = prepareSeries(stairs, []);
    const { point, quantile } = plateauForecast(prepared, 20)!;
    const { unit } = prepared;
    near(point, () => 130 / unit);
    // Of 99 changes over one step 6 are a rise, of 90 over ten steps 56.
    near(Float64Array.of(quantile(0.9, 0), quantile(0.95, 0)), (i) => [130, 135][i] / unit);
    near(Float64Array.of(quantile(0.1, 9), quantile(0.6, 9), quantile(0.9, 9)), (i) => [130, 135, 135][i] / unit);
    assert.equal(quantile(0.3, 9), point[9]);
  });

  it('are not what moves at each step, never changes, has a season, or is too short', () => {
    const random = noise(2);
    const others = [
      series(100, () => 50 + random()),
      new Float64Array(100).fill(5),
      stairs.slice(0, 15),
      series(120, (i) => (i % 12 < 10 ? 10 : 30)),
    ];
    others.forEach((values, k) => {
      const periods = k === 3 ? [12] : [];
      assert.equal(plateauForecast(prepareSeries(values, periods), 6), undefined, `series ${k}`);
    });
  });
});
