import { atLevels, mapRows, medianRow, movedTo, type Quantiles, uncrossed } from '../quantiles.ts';
import { restoreSeasons } from '../prepare/seasons.ts';
import { oneCountOf, type Series } from '../prepare/series.ts';
import { along, clamp, mapped, mean, meanAbsolute } from '../statistics.ts';
import type { EngineInput } from '../types.ts';
import { limitsOf, restrained } from './plausible.ts';

interface Context {
  readonly input: EngineInput;
  /** Whether the quantiles are those of observations, of counts or of a series that stands still. */
  readonly isObserved: boolean;
  /** Whether the model repeats what was, which cannot leave it. */
  readonly isRepeated: boolean;
  readonly restraint: number;
}

type Adjustment = (quantiles: Quantiles, series: Series, context: Context) => Quantiles;

const restraint: Adjustment = (quantiles, series, { isObserved, isRepeated, restraint: share }) => {
  if (isObserved || isRepeated || share === 0) return quantiles;
  const median = medianRow(quantiles);
  const drawn = restrained(median, series);
  if (drawn === median) return quantiles;
  return movedTo(quantiles, share === 1 ? drawn : mapped(drawn, (value, i) => median[i] + share * (value - median[i])));
};

/** Without a drift, the outer quantiles reach a tenth of the way to those of the history. */
const tails: Adjustment = (quantiles, { seasons, values }, { isObserved, isRepeated }) => {
  if (isObserved || isRepeated || values.length < 100) return quantiles;
  const near = seasons.adjusted.subarray(-500);
  const half = near.length >> 1;
  const [before, after, center] = [near.subarray(0, half), near.subarray(half), near].map(mean);
  const drift = Math.abs(after - before) / meanAbsolute(mapped(near, (value) => value - center));
  const share = 0.1 * Math.max(0, 1 - 3 * drift);
  if (!(share > 0)) return quantiles;
  const sorted = near.slice().sort();
  return mapRows(quantiles, (row, k) => {
    const level = quantiles.levels[k];
    const side = level < 0.06 ? -1 : level > 0.94 ? 1 : 0;
    if (side === 0) return row;
    const flat = new Float64Array(row.length).fill(sorted[Math.round(level * (sorted.length - 1))]);
    const past = restoreSeasons(flat, seasons.list, values.length);
    return row.map((value, i) => value + side * share * Math.max(0, side * (past[i] - value)));
  });
};

const limits: Adjustment = (quantiles, series, { isObserved, isRepeated }) => {
  if (isObserved && series.intermittent) return quantiles;
  const median = medianRow(quantiles);
  const { low, high, reach, outer } = limitsOf(series.values, series.observedValues, median.length);
  const [lowest, highest] = outer;
  const kept = isObserved || isRepeated ? median : mapped(median, (value, i) => clamp(value, low[i], high[i]));
  return mapRows(quantiles, (row) =>
    mapped(row, (value, i) => clamp(kept[i] + clamp(value - median[i], -reach[i], reach[i]), lowest, highest)),
  );
};

const wholeCounts: Adjustment = (quantiles, series, { isObserved }) => {
  const one = isObserved ? 0 : oneCountOf(series);
  return one > 0 ? mapRows(quantiles, (row) => row.map((value) => Math.round(value / one) * one)) : quantiles;
};

const structuralZeros: Adjustment = (quantiles, { missingAtEnd, intermittent }, { input, isObserved }) => {
  if (isObserved && intermittent) return quantiles;
  const closed = closedSteps(input.values, input.periods, input.horizon);
  if (!closed) return quantiles;
  return mapRows(quantiles, (row) => row.map((value, i) => (closed[i - missingAtEnd] === 1 ? 0 : value)));
};

const insideBounds: Adjustment = (quantiles, series, { input, isObserved }) =>
  bounded(uncrossed(quantiles), input, isObserved, series);

/** In this order, the same for a forecast and its backtest. */
const adjustments = [restraint, tails, limits, wholeCounts, structuralZeros, insideBounds];

export function adjusted(quantiles: Quantiles, series: Series, context: Context): Quantiles {
  return adjustments.reduce((before, adjust) => adjust(before, series, context), quantiles);
}

/** Structural zeros: places in a cycle that were 0 the last six to ten times, while most others were not; 1 for each. */
export function closedSteps(values: Float64Array, periods: readonly number[], horizon: number): Uint8Array | undefined {
  if (!values.includes(0) || values.some((value) => value < 0)) return undefined;
  const cycles = periods.filter(
    (period) => Number.isInteger(period) && period >= 2 && period <= 400 && values.length >= 6 * period,
  );
  const closed = cycles.map((period) => closedPlaces(values, period));
  const isClosed = (step: number): boolean => closed.some((places, k) => places[step % cycles[k]] === 1);
  const recent = values.subarray(-10 * (cycles.at(-1) ?? 0) || values.length);
  const others = recent.filter((value, i) => Number.isFinite(value) && !isClosed(values.length - recent.length + i));
  const zeros = others.filter((value) => value === 0).length;
  if (others.length === 0 || zeros > 0.1 * others.length) return undefined;
  const steps = Uint8Array.from({ length: horizon }, (_, i) => (isClosed(values.length + i) ? 1 : 0));
  return steps.includes(1) ? steps : undefined;
}

function closedPlaces(values: Float64Array, period: number): Uint8Array {
  const n = values.length;
  return Uint8Array.from({ length: period }, (_, place) => {
    let times = 0;
    for (let at = n - 1 - ((n - 1 - place) % period); at >= 0 && times < 10; at -= period) {
      if (!Number.isFinite(values[at])) continue;
      if (values[at] !== 0) return 0;
      times++;
    }
    return times >= 6 ? 1 : 0;
  });
}

export const wideLevels: readonly number[] = [0.1, 0.9];

/**
 * Within bounds or, without any, on the side of zero of all observations. A bound is soft: what comes near it is drawn
 * before it, in order; but where one of twenty values lies on a bound, or values are counts, so may the forecast.
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
    along(horizon, (i) => (of?.[first + i] ?? without) / unit);
  const sides = [
    side(bounds?.floor, isNegative ? -Infinity : 0),
    side(bounds?.capacity, isNegative && !values.some((value) => value > 0) ? -0 : Infinity),
  ];
  const [floor, capacity] = unit < 0 ? sides.reverse() : sides;
  const clipped = mapRows(quantiles, (row) => mapped(row, (value, i) => clamp(value, floor[i], capacity[i])));
  if (!bounds) return clipped;
  const onBound = values.filter((value, i) => value === bounds.floor[i] || value === bounds.capacity[i]).length;
  const mayLieOnBound = isCounts || onBound > Math.max(1, values.length / 20);
  const inside = mayLieOnBound ? clipped : drawnInside(quantiles, floor, capacity);
  if (!bounds.whole) return inside;
  return mapRows(inside, (row) =>
    row.map((value, i) => {
      const [least, most] = [Math.ceil(bounds.floor[first + i]), Math.floor(bounds.capacity[first + i])];
      return least > most ? value : clamp(Math.round(value * unit), least, most) / unit;
    }),
  );
}

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
