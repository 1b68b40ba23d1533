import assert from 'node:assert/strict';
import { forecast } from '../../../../src/engine/forecast.ts';
import { withoutJumps, prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { meanAbsoluteError, noise, series, wave } from '../series-helper.ts';

const question = { periods: [12], horizon: 12, levels: [0.1, 0.9] };
const seasonal = (): Float64Array => {
  const random = noise(29);
  return series(96, (i) => 100 + 20 * wave(i, 12) + random());
};

describe('missing values', () => {
  it('are filled along the season', () => {
    const whole = seasonal();
    const holed = whole.map((value, i) => (i % 7 === 3 || (i > 40 && i < 47) ? Number.NaN : value));
    const { values, filledIn, unit } = prepareSeries(holed, [12]);
    assert.deepEqual(
      [...filledIn!],
      Array.from(holed, (value) => (Number.isNaN(value) ? 1 : 0)),
    );
    values.forEach((value, i) => assert.ok(Math.abs(value * unit - whole[i]) < 8, `index ${String(i)}`));
  });

  it('hardly change the forecast', () => {
    const whole = seasonal();
    const holed = whole.map((value, i) => (i % 5 === 2 ? Number.NaN : value));
    const a = forecast('ensemble', { ...question, values: whole }).point;
    const b = forecast('ensemble', { ...question, values: holed }).point;
    assert.ok(meanAbsoluteError(a, b) < 2);
  });

  it('include infinite values', () => {
    const values = seasonal();
    const nan = values.map((value, i) => (i === 50 ? Number.NaN : value));
    const infinite = values.map((value, i) => (i === 50 ? -Infinity : value));
    assert.deepEqual(
      forecast('ensemble', { ...question, values: nan }),
      forecast('ensemble', { ...question, values: infinite }),
    );
  });

  it('at the start do not count, and at the end are forecast', () => {
    const values = seasonal();
    const before = Float64Array.of(Number.NaN, Number.NaN, ...values);
    const after = Float64Array.of(...values, Number.NaN, Number.NaN, Number.NaN);
    const plain = forecast('theta', { ...question, values });
    assert.deepEqual(forecast('theta', { ...question, values: before }).point, plain.point);
    assert.deepEqual(forecast('theta', { ...question, values: after }).point.slice(0, 9), plain.point.slice(3));
  });
});

describe('spikes and shifts', () => {
  const random = noise(31);
  const calm = series(60, () => 10 + 0.2 * random());

  it('leave an ordinary series unchanged', () => {
    assert.equal(withoutJumps(calm, []), calm);
    const counts = series(60, (i) => (i % 6 === 0 ? 3 : 0));
    assert.equal(withoutJumps(counts, []), counts);
  });

  for (const last of [1e6, 100, 0.001]) {
    it(`a last value of ${String(last)} does not dominate the forecast`, () => {
      for (const id of ['ensemble', 'theta', 'ets']) {
        const values = calm.map((value, i) => (i === 59 ? last : value));
        const { point } = forecast(id, { ...question, values });
        for (const value of point) assert.ok(Math.abs(value - 10) < 1, `${id}: ${String(value)}`);
      }
    });
  }

  it('a past spike does not matter', () => {
    const values = calm.map((value, i) => (i === 40 ? 1000 : value));
    const { point, quantiles } = forecast('ensemble', { ...question, values });
    for (const value of point) assert.ok(Math.abs(value - 10) < 0.5);
    assert.ok(quantiles[1][0] < 12);
  });

  it('a level shift is followed and is no trend', () => {
    for (const place of [35, 50, 58]) {
      const values = calm.map((value, i) => (i >= place ? value + 20 : value));
      const { point } = forecast('ensemble', { ...question, values });
      for (const value of point) assert.ok(Math.abs(value - 30) < 2, `shift at ${String(place)}: ${String(value)}`);
    }
  });
});

describe('a burst that went back in smaller steps', () => {
  const random = noise(47);
  const burst = [12, 10.6, 9.2, 7.8, 6.4, 5, 3.6, 2.2, 0.8, 0.1, 0, 0.1];
  const idle = series(300, (i) => burst[i - 288] ?? random());

  it('is no shift: what was before is not moved to its height', () => {
    assert.deepEqual(withoutJumps(idle, []).slice(0, 288), idle.slice(0, 288));
    for (const id of ['ensemble', 'theta', 'hybrid']) {
      const { point } = forecast(id, { periods: [], horizon: 24, levels: [], values: idle });
      assert.ok(Math.abs(point.at(-1)!) < 2, `${id}: ${String(point.at(-1))}`);
    }
  });
});

describe('odd series', () => {
  const ask = (...values: number[]) =>
    forecast('ensemble', { values: Float64Array.from(values), periods: [], horizon: 6, levels: [0.1, 0.9] });

  it('of one point repeat it with a wide interval', () => {
    const { point, quantiles } = ask(30);
    assert.deepEqual([...point], new Array<number>(6).fill(30));
    assert.ok(quantiles[0][0] < 24 && quantiles[1][0] > 36);
    assert.ok(quantiles[1][5] > quantiles[1][0]);
  });

  it('of two and three points stay near the last without a wild trend', () => {
    for (const values of [
      [1, 2],
      [1, 2, 3],
    ]) {
      const { point } = ask(...values);
      for (const value of point) assert.ok(value >= values[values.length - 1] && value < 7);
    }
  });

  it('that are constant repeat it with a positive interval', () => {
    const { point, quantiles } = ask(...new Array<number>(50).fill(5));
    assert.deepEqual([...point], new Array<number>(6).fill(5));
    assert.ok(quantiles[0][0] < 5 && quantiles[1][0] > 5 && quantiles[1][5] < 6);
  });

  it('of zeros are forecast as zero and never below', () => {
    const { point, quantiles } = ask(...new Array<number>(40).fill(0));
    for (const row of [point, quantiles[0]]) assert.deepEqual([...row], new Array<number>(6).fill(0));
    assert.ok(quantiles[1][0] > 0);
  });

  it('of mostly zero counts stay between zero and their maximum', () => {
    const random = noise(43);
    const { point, quantiles } = ask(...Array.from({ length: 60 }, () => Math.max(0, Math.round(4 * random() - 1))));
    for (const value of point) assert.ok(value >= 0 && value < 2);
    for (const value of quantiles[0]) assert.equal(value, 0);
  });

  it('with small changes at a high level keep their precision', () => {
    const random = noise(37);
    const { point, quantiles } = ask(...Array.from({ length: 60 }, () => 1e6 + random()));
    for (const value of point) assert.ok(Math.abs(value - 1e6) < 2);
    assert.ok(quantiles[1][0] - quantiles[0][0] < 5);
  });

  it('with exponential growth continue it', () => {
    const { point } = ask(...Array.from({ length: 30 }, (_, i) => Math.exp(0.1 * i)));
    assert.ok(point[5] > Math.exp(0.1 * 32) && point[5] < Math.exp(0.1 * 37));
  });

  it('with growth over a few points do not explode', () => {
    const values = Float64Array.of(10, 11, 13, 16, 20, 26, 34, 45);
    for (const id of ['ensemble', 'theta', 'ets']) {
      const { point } = forecast(id, { values, periods: [], horizon: 8, levels: [] });
      for (const value of point) assert.ok(value <= (45 * 45) / 10 + 1e-9, `${id}: ${String(value)}`);
    }
  });
});
