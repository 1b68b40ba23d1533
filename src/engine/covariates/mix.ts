import { normalQuantile } from '../statistics.ts';
import type { EngineForecast } from '../types.ts';

/** A standard normal deviate is beyond this in one of ten cases. */
const tenth = 1.2816;

/** How forecasts are put together. */
export interface Mixing {
  /** Factor on the distances of the quantiles from the point. */
  readonly width: number;
  readonly levels: readonly number[];
  /** Nothing is below it. */
  readonly floor: number;
  /** Further half widths of the 80 % band, one for each step. */
  readonly open?: Float64Array;
}

/** The weighted mean of some forecasts and of their quantiles, which rise with their levels. */
export function mix(
  forecasts: readonly Pick<EngineForecast, 'point' | 'quantiles'>[],
  weights: Float64Array,
  { width, levels, floor, open }: Mixing,
): { readonly point: Float64Array; readonly quantiles: Float64Array[] } {
  const mixed = (of: (forecast: Pick<EngineForecast, 'point' | 'quantiles'>) => Float64Array): Float64Array =>
    forecasts[0].point.map((_, i) =>
      forecasts.reduce((sum, each, k) => (weights[k] > 0 ? sum + weights[k] * of(each)[i] : sum), 0),
    );
  const point = mixed((each) => each.point);
  const rows = levels.map((level, l) =>
    mixed((each) => each.quantiles[l]).map((value, i) => {
      const half = Math.hypot(width * (value - point[i]), ((open?.[i] ?? 0) * normalQuantile(level)) / tenth);
      return Math.max(floor, point[i] + Math.sign(level - 0.5) * half);
    }),
  );
  const quantiles = rows.map((row, l) =>
    row.map((_, i) => rows.slice(0, l + 1).reduce((most, each) => Math.max(most, each[i]), -Infinity)),
  );
  return { point: point.map((value) => Math.max(floor, value)), quantiles };
}
