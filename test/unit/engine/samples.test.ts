import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { EngineError } from '../../../src/engine/types.ts';
import {
  atLevels,
  type Quantiles,
  correlationOf,
  denseLevels,
  mostSampledSteps,
  sampledQuantiles,
  samplePaths,
} from '../../../src/engine/quantiles.ts';
import { normalQuantile } from '../../../src/engine/statistics.ts';
import { noise, series, wave } from './series-helper.ts';

const levels = denseLevels([0.05, 0.1, 0.5, 0.9, 0.95]);
/** Normal, wider from step to step. */
const normal: Quantiles = {
  levels,
  rows: levels.map((level) => Float64Array.from({ length: 6 }, (_, step) => 10 + (step + 1) * normalQuantile(level))),
};
const sums = (paths: readonly Float64Array[]): Float64Array =>
  Float64Array.from(paths[0], (_, path) => paths.reduce((sum, row) => sum + row[path], 0));
const spread = (values: Float64Array): number => {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
};

describe('sample paths', () => {
  it('have the quantiles of the forecast at each step, and are reproducible', () => {
    const paths = samplePaths(normal, 2000, 0.7);
    assert.deepEqual(samplePaths(normal, 2000, 0.7), paths);
    for (const level of [0.05, 0.5, 0.9]) {
      const [row] = atLevels(normal, [level]).rows;
      paths.forEach((values, step) => {
        const found = values.toSorted()[Math.floor(level * 2000)];
        assert.ok(Math.abs(found - row[step]) < 0.02 * (step + 1), `level ${level}, step ${step}: ${found}`);
      });
    }
  });

  it('are correlated over steps, so that sums spread as past errors did', () => {
    const alike = spread(sums(samplePaths(normal, 2000, 0.99)));
    const alone = spread(sums(samplePaths(normal, 2000, 0)));
    // Normal with deviations of 1 to 6: perfectly tied they add up, independent ones add their squares.
    assert.ok(Math.abs(alike - 21) < 1.5, `${alike}`);
    assert.ok(Math.abs(alone - Math.sqrt(91)) < 0.7, `${alone}`);
  });

  it('have ties if the errors of the history have', () => {
    const next = noise(4);
    let level = 0;
    assert.ok(
      correlationOf(
        series(400, () => (level += next())),
        [],
        12,
      ) > 0.7,
    );
    assert.ok(
      Math.abs(
        correlationOf(
          series(400, () => next()),
          [],
          12,
        ),
      ) < 0.6,
    );
    const seasonal = series(400, (i) => 10 * wave(i, 12) + next());
    assert.ok(correlationOf(seasonal, [12], 12) < 0.3);
  });

  it('do not change the quantiles and the median of a request', () => {
    const next = noise(6);
    const values = series(96, (i) => 100 + i + 20 * wave(i, 12) + 4 * next());
    const asked = { values, periods: [12], horizon: 18, levels: [0.1, 0.5, 0.9] };
    const exact = forecast('hybrid', asked);
    const sampled = forecast('hybrid', { ...asked, samples: 1000 });
    assert.deepEqual(sampled.point, exact.point);
    sampled.quantiles.forEach((row, k) => {
      row.forEach((value, i) => {
        const width = exact.quantiles[2][i] - exact.quantiles[0][i];
        assert.ok(Math.abs(value - exact.quantiles[k][i]) < 0.02 * width, `step ${i + 1}: ${value}`);
      });
    });
  });

  it('have quantiles that never cross', () => {
    const rows = sampledQuantiles(normal, [0.05, 0.1, 0.5, 0.9], 100, 0.5);
    for (let k = 1; k < rows.length; k++) assert.ok(rows[k].every((value, step) => value >= rows[k - 1][step]));
  });

  it('are refused with a message if too many for the horizon', () => {
    const asked = { values: Float64Array.of(1, 2, 3), periods: [], horizon: 10_000, levels: [0.5] };
    assert.throws(
      () => forecast('hybrid', { ...asked, samples: mostSampledSteps / 10_000 + 1 }),
      (error: Error) => error instanceof EngineError && error.code === 'too_many_samples',
    );
    assert.throws(() => forecast('hybrid', { ...asked, samples: 0 }), RangeError);
  });
});
