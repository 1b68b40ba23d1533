import type { Scene } from './scene.ts';
import { seriesTraces } from './trace.ts';

type Values = readonly (number | null)[];
type Sketch = Readonly<Partial<Record<'past' | 'ahead' | 'lower' | 'upper', Values | undefined>>>;

/** The end of a series and the fan of its forecast, step by step. */
export function sparklineOf({ past = [], ahead = [], lower, upper }: Sketch): Scene {
  const valuesOf = (values: Values) => Float64Array.from(values, (value) => value ?? NaN);
  const points = (values: Values, start: number) => ({
    times: Float64Array.from(values, (_, index) => start + index),
    values: valuesOf(values),
  });
  const last = past.at(-1);
  const traces = seriesTraces({
    history: points(past, 0),
    forecast: ahead.length > 0 ? points(ahead, past.length) : undefined,
    // from the last observation on, so that no hole is between the two
    join: last == null ? undefined : { time: past.length - 1, value: last },
    intervals: lower && upper ? [{ lower: valuesOf(lower), upper: valuesOf(upper) }] : [],
    alpha: 0.28,
    widths: [1.2, 1.6],
  });
  return { traces, range: { min: 0, max: Math.max(1, past.length + ahead.length - 1) } };
}
