import type { Series } from '../prepare/series.ts';
import { atLevels, mapRows, uncrossed, type Quantiles } from '../quantiles.ts';
import { clamp } from '../statistics.ts';
import type { EngineInput } from '../types.ts';

/** The levels that say how wide a forecast is. */
export const wideLevels: readonly number[] = [0.1, 0.9];

/**
 * Quantiles within the bounds of their series; or, where none were asked for, on the side of zero on which all
 * observations are. Asked for, a bound is soft: what comes near it or would lie beyond is drawn before it, in order and
 * apart; but where one of twenty values, and more than one, lies on a bound, so may the forecast. Where nothing comes near
 * a bound, quantiles stay as they are.
 *
 * @param isCounts whether values beyond a bound lie on it, as they do without bounds that were asked for
 * @param prepared in whose unit the quantiles are, from the first step after its last observation
 */
export function bounded(
  quantiles: Quantiles,
  { values, bounds }: EngineInput,
  isCounts = false,
  { unit, missingAtEnd }: Pick<Series, 'unit' | 'missingAtEnd'> = { unit: 1, missingAtEnd: 0 },
): Quantiles {
  const first = values.length - missingAtEnd;
  const horizon = quantiles.rows[0].length;
  const isNegative = values.some((value) => value < 0);
  const side = (of: Float64Array | undefined, without: number): Float64Array =>
    Float64Array.from({ length: horizon }, (_, i) => (of?.[first + i] ?? without) / unit);
  const sides = [
    side(bounds?.floor, isNegative ? -Infinity : 0),
    side(bounds?.capacity, isNegative && !values.some((value) => value > 0) ? -0 : Infinity),
  ];
  const [floor, capacity] = unit < 0 ? sides.reverse() : sides;
  const clipped = mapRows(quantiles, (row) => row.map((value, i) => clamp(value, floor[i], capacity[i])));
  if (!bounds) return clipped;
  const onBound = values.filter((value, i) => value === bounds.floor[i] || value === bounds.capacity[i]).length;
  const held =
    isCounts || onBound > Math.max(1, values.length / 20) ? clipped : drawnInside(quantiles, floor, capacity);
  if (!bounds.whole) return held;
  return mapRows(held, (row) =>
    row.map((value, i) => {
      const [least, most] = [Math.ceil(bounds.floor[first + i]), Math.floor(bounds.capacity[first + i])];
      return least > most ? value : clamp(Math.round(value * unit), least, most) / unit;
    }),
  );
}

/** Within a fourth of the half width of the 80 % interval of a bound, values are drawn before it on a hyperbola. */
function drawnInside(quantiles: Quantiles, floor: Float64Array, capacity: Float64Array): Quantiles {
  const [low, high] = atLevels(quantiles, wideLevels).rows;
  const spread = high.map((value, i) => (value - low[i]) / 2);
  const isNear = quantiles.rows.some((row) =>
    row.some((value, i) => value <= floor[i] + spread[i] || value >= capacity[i] - spread[i]),
  );
  if (!isNear) return quantiles;
  const inside = mapRows(quantiles, (row) =>
    row.map((value, i) => {
      const softness = Math.min(spread[i] / 4, (capacity[i] - floor[i]) / 8);
      if (!(softness > 0)) return clamp(value, floor[i], capacity[i]);
      const drawn = value + softened(floor[i] - value, softness) - softened(value - capacity[i], softness);
      return clamp(drawn, floor[i], capacity[i]);
    }),
  );
  return uncrossed(inside);
}

/** A hyperbola: nearly the values that are well above 0, and of others ones that are still above. */
function softened(value: number, unit: number): number {
  const root = Math.hypot(value, unit);
  return value > 0 ? (value + root) / 2 : unit ** 2 / (2 * (root - value));
}
