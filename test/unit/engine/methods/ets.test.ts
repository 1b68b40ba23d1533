import assert from 'node:assert/strict';
import { etsForecast, fitEts, readForm } from '../../../../src/engine/methods/ets.ts';
import { noise, series, wave } from '../series-helper.ts';

const near = (actual: ArrayLike<number>, expected: (i: number) => number, tolerance: number) => {
  for (let i = 0; i < actual.length; i++) {
    assert.ok(Math.abs(actual[i] - expected(i)) <= tolerance, `step ${i + 1}: ${actual[i]} is not ${expected(i)}`);
  }
};

/** The mean squared error of a form with additive errors and so many parameters, from its corrected AIC. */
const meanSquare = (aicc: number, n: number, k: number) =>
  Math.exp((aicc - 2 * k - (2 * k * (k + 1)) / (n - k - 1)) / n);

describe('exponential smoothing', () => {
  it('with a trend fits the NIST handbook’s example at least as well as its parameters', () => {
    // NIST/SEMATECH e-Handbook of Statistical Methods, 6.4.3.3 and 6.4.3.4: double exponential smoothing.
    const values = Float64Array.of(6.4, 5.6, 7.8, 8.8, 11, 11.6, 16.7, 15.3, 21.6, 22.4);
    const fit = fitEts(values, 1, readForm('AAN'))!;
    assert.ok(meanSquare(fit.aicc, 10, 5) < 3.7024, `${meanSquare(fit.aicc, 10, 5)}`);
    const ahead = fit.forecast(5);
    const growth = ahead[1] - ahead[0];
    // There with a start that is not fitted: 25.8, and 2.95 more at each step.
    assert.ok(Math.abs(ahead[0] - 25.8) < 3 && growth > 1.5 && growth < 2.95, `${ahead}`);
    near(ahead, (i) => ahead[0] + growth * i, 1e-9);
  });

  it('has the AICc of the least squared error found by a search over weight and start', () => {
    const random = noise(4);
    let level = 30;
    const values = series(50, () => (level += 0.5 * random()) + random());
    let [least, last] = [Infinity, 0];
    for (let weight = 0.01; weight < 1; weight += 0.01) {
      for (let start = 28; start < 32; start += 0.05) {
        let [now, squares] = [start, 0];
        for (const value of values) {
          squares += (value - now) ** 2;
          now += weight * (value - now);
        }
        if (squares < least) [least, last] = [squares, now];
      }
    }
    const { aicc, forecast } = fitEts(values, 1, readForm('ANN'))!;
    assert.ok(Math.abs(meanSquare(aicc, 50, 3) * 50 - least) < 2e-3 * least);
    near(forecast(4), () => last, 0.05);
  });

  it('continues exact lines and exact seasons of both kinds without error', () => {
    const line = (i: number) => 20 + 3 * i;
    near(fitEts(series(30, line), 1, readForm('AAN'))!.forecast(8), (k) => line(30 + k), 1e-6);
    const falling = (i: number) => 40 - 3 * i;
    near(fitEts(series(30, falling), 1, readForm('AAN'))!.forecast(8), (k) => falling(30 + k), 1e-6);
    const added = (i: number) => 50 + [4, -7, 1, 2][i % 4];
    near(fitEts(series(41, added), 4, readForm('ANA'))!.forecast(9), (k) => added(41 + k), 1e-6);
    const multiplied = (i: number) => 50 * [1.4, 0.7, 0.9][i % 3];
    near(fitEts(series(40, multiplied), 3, readForm('MNM'))!.forecast(9), (k) => multiplied(40 + k), 1e-6);
  });

  it('damps each step of growth by the same factor between 0.8 and 0.98', () => {
    const random = noise(9);
    const values = series(60, (i) => 10 * Math.sqrt(i) + random());
    const ahead = fitEts(values, 1, readForm('AAdN'))!.forecast(30);
    const damping = (ahead[2] - ahead[1]) / (ahead[1] - ahead[0]);
    assert.ok(damping >= 0.8 && damping <= 0.98, `${damping}`);
    const first = ahead[1] - ahead[0];
    near(ahead, (i) => ahead[0] + (first * (1 - damping ** i)) / (1 - damping), 1e-6);
  });

  it('compares forms independently of the unit', () => {
    const random = noise(6);
    const euros = series(48, (i) => 100 + i + 10 * wave(i, 12) + 5 * random());
    const cents = euros.map((value) => 100 * value);
    for (const name of ['ANN', 'AAdN', 'MAdN', 'AAdA', 'MAdM']) {
      const [one, other] = [euros, cents].map((values) => fitEts(values, 12, readForm(name))!);
      assert.ok(Math.abs(other.aicc - one.aicc - 2 * 48 * Math.log(100)) < 1e-3, `${name}: ${other.aicc}, ${one.aicc}`);
      const expected = one.forecast(6);
      near(other.forecast(6), (i) => 100 * expected[i], 1e-2);
    }
  });

  it('updates the level equally in low and high seasons', () => {
    let miss = 0;
    for (let seed = 0; seed < 10; seed++) {
      const random = noise(40 + seed);
      let level = 100;
      const levels = series(61, () => (level *= 1 + 0.2 * random()));
      const factor = (i: number) => (i % 2 === 0 ? 0.2 : 1.8);
      const [next] = fitEts(
        levels.map((value, i) => value * factor(i)),
        2,
        readForm('MNM'),
      )!.forecast(1);
      miss += Math.abs(next / 1.8 / levels[60] - 1) / 10;
    }
    assert.ok(miss < 0.02, `${miss}`);
  });

  it('has no multiplicative season for a series that crosses zero', () => {
    const values = series(48, (i) => (i % 4 === 0 ? 1e-6 : 10));
    assert.equal(fitEts(values, 4, readForm('MNM')), undefined);
    assert.ok(fitEts(values, 4, readForm('ANA')));
  });
});

describe('form chosen by AICc', () => {
  it('is flat for noise and has a trend for growth', () => {
    const random = noise(12);
    const flat = etsForecast(
      series(60, () => 50 + random()),
      1,
      10,
    );
    near(flat, () => flat[0], 1e-9);
    assert.ok(Math.abs(flat[0] - 50) < 0.5);
    const growing = etsForecast(
      series(60, (i) => 50 + i + random()),
      1,
      10,
    );
    near(growing, (i) => 110 + i, 2);
  });

  it('is multiplicative if the season grows with the level, and additive otherwise', () => {
    const random = noise(15);
    const level = (i: number) => 20 + 2 * i;
    const grown = (i: number) => level(i) * (1 + 0.5 * wave(i, 4));
    near(
      etsForecast(
        series(48, (i) => grown(i) + 0.5 * random()),
        4,
        8,
      ),
      (k) => grown(48 + k),
      5,
    );
    const steady = (i: number) => level(i) + 10 * wave(i, 4);
    near(
      etsForecast(
        series(48, (i) => steady(i) + 0.5 * random()),
        4,
        8,
      ),
      (k) => steady(48 + k),
      5,
    );
  });

  it('is additive for negative values, and has no season with too few cycles', () => {
    const values = series(40, (i) => 5 * wave(i, 8));
    near(etsForecast(values, 8, 8), (k) => 5 * wave(40 + k, 8), 1);
    const short = etsForecast(values.slice(0, 16), 8, 16);
    assert.ok(short.every(Number.isFinite));
    assert.ok(Math.max(...short) - Math.min(...short) < 10);
  });

  it('is a level if there are too few values for the criterion', () => {
    for (const values of [Float64Array.of(3, 8), Float64Array.of(3, 5, 9, 8)]) {
      const ahead = etsForecast(values, 1, 3);
      near(ahead, () => ahead[0], 0);
      assert.ok(ahead[0] > 3 && ahead[0] < 9, `${ahead[0]}`);
    }
  });
});
