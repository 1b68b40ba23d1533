import type { Bounds, Make } from '../../../../src/engine/bounds/bounds.ts';
import { normalQuantile } from '../../../../src/engine/statistics.ts';
import type { EngineForecast, EngineInput } from '../../../../src/engine/types.ts';

/** The same bounds at every step. */
export const constant = (length: number, floor: number, capacity: number, whole = false): Bounds => ({
  floor: new Float64Array(length).fill(floor),
  capacity: new Float64Array(length).fill(capacity),
  whole,
});

export const question = (values: Float64Array, horizon = 4): EngineInput => ({
  values,
  periods: [],
  horizon,
  levels: [],
});
/** A forecast that is the same at every step: a normal distribution around the mean of what it sees. */
export const around =
  (spread: number, asked: EngineInput[] = []): Make<EngineForecast> =>
  (input) => {
    asked.push(input);
    const mean = input.values.reduce((sum, value) => sum + value / input.values.length, 0);
    const row = (value: number): Float64Array => new Float64Array(input.horizon).fill(value);
    const quantiles = input.levels.map((level) => row(mean + spread * normalQuantile(level)));
    return { point: row(mean), quantiles, periods: [] };
  };
