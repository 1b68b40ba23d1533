import assert from 'node:assert/strict';
import { describeWindow } from '../../../../src/engine/neural/features.ts';
import { prepareSeries } from '../../../../src/engine/prepare/series.ts';
import { Random } from '../../../../src/engine/random.ts';

describe('describeWindow', () => {
  it('does not depend on the unit of the series', () => {
    const random = new Random(3);
    const ahead = Int32Array.from([1, 7, 30]);
    for (const periods of [[], [12], [24, 168]]) {
      const values = Float64Array.from(
        { length: 90 },
        (_, i) => 50 + 10 * Math.sin((i * Math.PI) / 12) + random.normal(),
      );
      const seen = describeWindow(prepareSeries(values, periods), ahead);
      const inGrams = describeWindow(
        prepareSeries(
          values.map((value) => 1000 * value),
          periods,
        ),
        ahead,
      );
      seen.window.forEach((feature, i) => {
        assert.ok(Math.abs(feature - inGrams.window[i]) < 1e-3, `feature ${i}: ${feature}, ${inGrams.window[i]}`);
      });
    }
  });
});
