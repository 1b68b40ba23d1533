import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { prepareSeries } from '../../../src/engine/prepare/series.ts';
import { medianRow, residualQuantiles, studentQuantile } from '../../../src/engine/quantiles.ts';
import { Random } from '../../../src/engine/random.ts';
import { normalQuantile } from '../../../src/engine/statistics.ts';
import { series, wave } from './series-helper.ts';

const close = (actual: number, expected: number, tolerance = 1e-9) => {
  assert.ok(Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected)), `${actual} is not ${expected}`);
};

const walk = (n: number, seed: number) => {
  const random = new Random(seed);
  let level = 100;
  return series(n, () => (level += random.normal()));
};

describe('quantiles of the normal distribution', () => {
  it('match tables on both sides and in the tails', () => {
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

describe('quantiles of Student’s t with four degrees of freedom', () => {
  it('match tables', () => {
    for (const [level, value] of [
      [0.75, 0.740697],
      [0.9, 1.533206],
      [0.95, 2.131847],
      [0.975, 2.776445],
      [0.995, 4.604095],
    ]) {
      close(studentQuantile(level), value, 1e-6);
      close(studentQuantile(1 - level), -value, 1e-6);
    }
    assert.equal(studentQuantile(0.5), 0);
  });
});

describe('quantiles from residuals', () => {
  const levels = [0.025, 0.1, 0.5, 0.9, 0.975];
  const of = (values: Float64Array, horizon = 12) => {
    const prepared = prepareSeries(values, []);
    const last = (seen: { readonly values: Float64Array }, steps: number) =>
      new Float64Array(steps).fill(seen.values[seen.values.length - 1]);
    const { rows } = residualQuantiles(prepared, horizon, levels, last);
    return rows.map((row) => row.map((value) => value * Math.abs(prepared.unit)));
  };

  it('rise with the level around the point forecast', () => {
    const rows = of(walk(60, 3));
    for (let k = 1; k < rows.length; k++) rows[k].forEach((value, i) => assert.ok(value > rows[k - 1][i]));
    assert.deepEqual(medianRow({ levels, rows }), rows[2]);
  });

  it('grow with about the square root of the step for a random walk', () => {
    let growth = 0;
    for (let seed = 0; seed < 10; seed++) {
      const rows = of(walk(120, seed));
      growth += Math.log((rows[3][8] - rows[1][8]) / (rows[3][0] - rows[1][0])) / Math.log(9) / 10;
    }
    assert.ok(growth > 0.3 && growth < 0.65, `${growth}`);
  });

  it('of a few points are a share of their level, and narrow the longer a series is constant', () => {
    const width = (values: Float64Array) => {
      const rows = of(values, 1);
      return rows[3][0] - rows[1][0];
    };
    close(width(Float64Array.of(64)), 2 * width(Float64Array.of(32)));
    const constants = [20, 100, 500].map((n) => width(new Float64Array(n).fill(8)));
    assert.ok(constants[0] > constants[1] && constants[1] > constants[2] && constants[2] > 0, `${constants}`);
    assert.ok(width(new Float64Array(30)) > 0);
  });
});

describe('intervals of simulated series', () => {
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
    it(`cover ${name} about as often as stated`, () => {
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
      const found = `${share(inside80)} in 80%, ${share(inside95)} in 95%, ${share(below)} below, ${share(above)} above`;
      assert.ok(share(inside80) > 0.68 && share(inside80) < 0.96, found);
      assert.ok(share(inside95) > 0.9, found);
      assert.ok(share(below) < 0.22 && share(above) < 0.22, found);
    });
  }
});
