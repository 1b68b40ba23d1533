import assert from 'node:assert/strict';
import { forecast } from '../../../src/engine/forecast.ts';
import { baseModels } from '../../../src/engine/models.ts';

const levels = [0.025, 0.1, 0.5, 0.9, 0.975];

describe('forecast of fewer than ten points', () => {
  const histories: Readonly<Record<string, readonly number[]>> = {
    'two points that rise': [900, 2700],
    'a last point that jumps': [9.5, 9, 10_000],
    'two points that differ in the last digits': [1e15 - 0.3, 1e15],
    growth: [1, 2, 4, 8, 16, 32, 64],
    'the ends of what numbers hold': [1e-300, 1e300],
    'negative values': [-3, -9],
    'missing values at the end': [5, 7, Number.NaN, Number.NaN],
  };
  for (const [name, history] of Object.entries(histories)) {
    it(`stays within the range and one range beyond it: ${name}`, () => {
      const known = history.filter(Number.isFinite);
      const [low, high] = [Math.min(...known), Math.max(...known)];
      const range = (high - low) * (1 + 1e-9);
      for (const { id } of baseModels) {
        for (const periods of [[], [12], [7, 365.25]]) {
          const asked = { values: Float64Array.from(history), periods, horizon: 383, levels };
          const { point, quantiles } = forecast(id, asked);
          for (const row of [point, ...quantiles]) {
            row.forEach((value, i) => {
              assert.ok(value >= low - range && value <= high + range, `${id}, step ${i + 1}: ${value}`);
            });
          }
        }
      }
    });
  }
});
