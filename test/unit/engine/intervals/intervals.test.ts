import assert from 'node:assert/strict';
import { limitsOf } from '../../../../src/engine/ensemble/plausible.ts';
import { forecast } from '../../../../src/engine/forecast.ts';
import { errorScales, normalQuantile, spreadOf } from '../../../../src/engine/intervals/intervals.ts';
import { Random } from '../../../../src/engine/random.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { series, wave } from '../series-helper.ts';

const close = (actual: number, expected: number, tolerance = 1e-9) => {
  assert.ok(Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected)), `${actual} is not ${expected}`);
};

const walk = (n: number, seed: number) => {
  const random = new Random(seed);
  let level = 100;
  return series(n, () => (level += random.normal()));
};

/** The widths around the last value, as of a model, in the units of the values. */
function widthsOf(values: Float64Array, periods: number[], model = 'ensemble', horizon = 12) {
  const prepared = prepareSeries(values, periods);
  const point = new Float64Array(horizon).fill(prepared.values[prepared.values.length - 1]);
  const { halfWidth, pastErrors } = spreadOf(
    model,
    prepared,
    point,
    [point],
    limitsOf(prepared.values, prepared.observedValues, horizon),
  );
  const { unit } = prepared;
  return { pastErrors, width: (probability: number, step: number) => halfWidth(probability, step) * Math.abs(unit) };
}

describe('the quantiles of the normal distribution', () => {
  it('are those of the tables, on both sides and far out', () => {
    // Of any table of the standard normal distribution.
    const table = [
      [0.9, 1.2815515655],
      [0.95, 1.644853627],
      [0.975, 1.9599639845],
      [0.99, 2.326347874],
      [0.995, 2.5758293035],
      [0.9999, 3.7190164855],
    ];
    for (const [probability, value] of table) {
      close(normalQuantile(probability), value, 2e-9);
      close(normalQuantile(1 - probability), -value, 2e-9);
    }
    // Where one approximation takes over from the other, they meet.
    close(normalQuantile(0.02425 - 1e-12), normalQuantile(0.02425 + 1e-12), 1e-8);
  });
});

describe('the widths of intervals', () => {
  const probabilities = [0.01, 0.3, 0.5, 0.65, 0.8, 0.9, 0.93, 0.95, 0.98, 0.99, 0.999, 1];

  it('rise with the probability at each step, and end', () => {
    for (const [periods, n] of [
      [[], 20],
      [[4], 30],
      [[12], 60],
      [[7, 365.25], 150],
      [[24, 168], 400],
    ] as const) {
      const { width } = widthsOf(walk(n, 3), [...periods]);
      for (const step of [0, 3, 11]) {
        let before = 0;
        for (const probability of probabilities) {
          const now = width(probability, step);
          assert.ok(now > before && now < 1000, `${periods}: ${now} for ${probability}, after ${before}`);
          before = now;
        }
      }
    }
  });

  it('grow with the step as the errors of a random walk do, by about the square root', () => {
    let growth = 0;
    for (let seed = 0; seed < 10; seed++) {
      const { width } = widthsOf(walk(120, seed), []);
      growth += Math.log(width(0.8, 8) / width(0.8, 0)) / Math.log(9) / 10;
    }
    assert.ok(growth > 0.3 && growth < 0.65, `${growth}`);
  });

  it('are in the units of the values, and do not know their sign', () => {
    const values = walk(60, 5);
    const { width } = widthsOf(values, [12]);
    const large = widthsOf(
      values.map((value) => -1024 * value),
      [12],
    );
    for (const step of [0, 5]) close(large.width(0.8, step), 1024 * width(0.8, step));
  });

  it('are wider for methods that are further off, each by its own factor', () => {
    const values = walk(60, 6);
    const { width } = widthsOf(values, [12]);
    for (const model of ['theta', 'ets', 'seasonal-naive']) {
      const other = widthsOf(values, [12], model);
      const ratio = other.width(0.8, 0) / width(0.8, 0);
      assert.ok(ratio > 1 && ratio < 1.5, `${model}: ${ratio}`);
      close(other.width(0.95, 7) / width(0.95, 7), ratio);
    }
  });

  it('tell how far off forecasts were in the past, but not where a value was filled in', () => {
    const values = walk(100, 8);
    const { pastErrors } = widthsOf(values, [], 'ensemble', 5);
    assert.equal(pastErrors.length, 6);
    assert.ok(pastErrors.every((row) => row.length === 5 && row.every((error) => error >= 0)));
    const holed = values.map((value, i) => (i >= 95 && i < 99 ? Number.NaN : value));
    const [latest, ...earlier] = widthsOf(holed, [], 'ensemble', 5).pastErrors;
    assert.deepEqual(Array.from(latest, Number.isNaN), [true, true, true, true, false]);
    assert.ok(earlier.every((row) => row.every(Number.isFinite)));
  });
});

describe('the scale of errors', () => {
  const prepared = prepareSeries(walk(60, 9), []);
  const point = new Float64Array(6).fill(prepared.values[59]);
  const apart = (by: number) => [point.map((value) => value - by), point.map((value) => value + by)];

  it('grows with how far the methods are from each other', () => {
    let before = errorScales(prepared, point, apart(0));
    for (const by of [0.01, 0.1, 1]) {
      const now = errorScales(prepared, point, apart(by));
      now.forEach((scale, i) => {
        assert.ok(scale > before[i], `step ${i + 1}`);
      });
      before = now;
    }
  });

  it('goes by the errors of the forecast itself where they are known', () => {
    const rows = (by: number) => Array.from({ length: 4 }, () => new Float64Array(6).fill(by));
    const scales = (by: number) => errorScales(prepared, point, apart(0), undefined, rows(by));
    scales(0.3).forEach((scale, i) => {
      close(scale, 3 * scales(0.1)[i]);
    });
    // Errors that are the same at each step grow by half of the usual exponent.
    const [first, , , fourth] = scales(0.1);
    close(fourth / first, 4 ** 0.2, 1e-6);
    const unknown = rows(0.1);
    unknown[2].fill(Number.NaN);
    errorScales(prepared, point, apart(0), undefined, unknown).forEach((scale, i) => {
      close(scale, scales(0.1)[i]);
    });
  });

  it('of a few points is a share of their level, and of a constant less the longer it has been one', () => {
    const of = (values: Float64Array) => {
      const few = prepareSeries(values, []);
      const last = new Float64Array(1).fill(few.values[few.values.length - 1]);
      return errorScales(few, last, [last])[0] * few.unit;
    };
    close(of(Float64Array.of(64)), 2 * of(Float64Array.of(32)));
    const constants = [20, 100, 500].map((n) => of(new Float64Array(n).fill(8)));
    assert.ok(constants[0] > constants[1] && constants[1] > constants[2] && constants[2] > 0, `${constants}`);
    assert.ok(of(new Float64Array(30)) > 0);
  });
});

describe('the intervals of series that were simulated', () => {
  const levels = [0.025, 0.1, 0.9, 0.975];
  const count = 100;
  const kinds: Record<string, { n: number; periods: number[]; value: (random: Random) => (i: number) => number }> = {
    noise: { n: 40, periods: [], value: (random) => () => 50 + 5 * random.normal() },
    'random walks': {
      n: 40,
      periods: [],
      value: (random) => {
        let level = 100;
        return () => (level += random.normal());
      },
    },
    'quarters on a trend': {
      n: 48,
      periods: [4],
      value: (random) => (i) => 200 + 2 * i + [10, -5, 8, -13][i % 4] + 4 * random.normal(),
    },
    'months that grow': {
      n: 72,
      periods: [12],
      value: (random) => (i) => 100 * 1.004 ** i * (1 + 0.2 * wave(i, 12)) * Math.exp(0.04 * random.normal()),
    },
  };
  for (const [name, { n, periods, value }] of Object.entries(kinds)) {
    it(`hold ${name} about as often as they say`, () => {
      const horizon = 6;
      let [inside80, inside95, below, above] = [0, 0, 0, 0];
      for (let seed = 0; seed < count; seed++) {
        const values = series(n + horizon, value(new Random(100 + seed)));
        const { quantiles } = forecast('ensemble', { values: values.subarray(0, n), periods, horizon, levels });
        for (let i = 0; i < horizon; i++) {
          const actual = values[n + i];
          if (actual >= quantiles[1][i] && actual <= quantiles[2][i]) inside80++;
          if (actual >= quantiles[0][i] && actual <= quantiles[3][i]) inside95++;
          if (actual < quantiles[1][i]) below++;
          if (actual > quantiles[2][i]) above++;
        }
      }
      const share = (k: number) => k / count / horizon;
      const found = `${share(inside80)} in 80 %, ${share(inside95)} in 95 %, ${share(below)} below, ${share(above)} above`;
      assert.ok(share(inside80) > 0.68 && share(inside80) < 0.96, found);
      assert.ok(share(inside95) > 0.9, found);
      assert.ok(share(below) < 0.22 && share(above) < 0.22, found);
    });
  }
});
