import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { baseModels, UnknownModelError } from '../../../src/engine/models.ts';
import { UnusableSeriesError } from '../../../src/engine/errors.ts';

const levels = [0.025, 0.1, 0.5, 0.9, 0.975];

describe('forecast', () => {
  for (const { id } of baseModels) {
    it(`${id} continues a seasonal series`, () => {
      const values = Float64Array.from({ length: 96 }, (_, i) => 100 + 20 * Math.sin((2 * Math.PI * i) / 12));
      const { point, quantiles, periods } = forecast(id, { values, periods: [12], horizon: 12, levels });
      assert.deepEqual(periods, [12]);
      point.forEach((value, i) => {
        assert.ok(Math.abs(value - values[i + 84]) < 2, `step ${i}: ${value}`);
      });
      assert.equal(quantiles.length, levels.length);
    });
  }

  it('refuses a series without a value', () => {
    const values = Float64Array.from([Number.NaN, Infinity]);
    assert.throws(() => forecast('theta', { values, periods: [], horizon: 1, levels }), UnusableSeriesError);
  });

  it('refuses a model it does not have', () => {
    const values = Float64Array.of(1, 2, 3);
    assert.throws(() => forecast('oracle', { values, periods: [], horizon: 1, levels }), UnknownModelError);
  });
});
