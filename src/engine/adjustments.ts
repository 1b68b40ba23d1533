import { around, atLevels, mapRows, medianRow, type Quantiles, uncrossed } from './quantiles.ts';
import { restoreSeasons } from './prepare/seasons.ts';
import { oneCountOf, type Series } from './prepare/series.ts';
import {
  along,
  centered,
  clamp,
  mapped,
  mean,
  meanAbsolute,
  allPositive,
  differences,
  median,
  rangeOf,
  scratch,
} from './statistics.ts';
import type { EngineInput } from './types.ts';
import { largestChange, meanChange } from './rolling-origins.ts';

interface Context {
  readonly input: EngineInput;
  readonly isObserved: boolean;
  readonly isRepeated: boolean;
  readonly restraint: number;
}

type Adjustment = (quantiles: Quantiles, series: Series, context: Context) => Quantiles;

const restraint: Adjustment = (quantiles, series, { isObserved, isRepeated, restraint: share }) => {
  if (isObserved || isRepeated || share === 0) return quantiles;
  const median = medianRow(quantiles);
  const drawn = restrained(median, series);
  if (drawn === median) return quantiles;
  const center = share === 1 ? drawn : mapped(drawn, (value, i) => median[i] + share * (value - median[i]));
  return around(quantiles, (distance) => distance, center);
};

/** Without a drift, the outer quantiles reach a tenth of the way to those of the history. */
const tails: Adjustment = (quantiles, { seasons, values }, { isObserved, isRepeated }) => {
  if (isObserved || isRepeated || values.length < 100) return quantiles;
  const near = seasons.adjusted.subarray(-500);
  const half = near.length >> 1;
  const drift = Math.abs(mean(near.subarray(half)) - mean(near.subarray(0, half))) / meanAbsolute(centered(near));
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
  const near = around(quantiles, (distance, i) => clamp(distance, -reach[i], reach[i]), kept);
  return mapRows(near, (row) => mapped(row, (value) => clamp(value, lowest, highest)));
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

/** Within soft bounds, or on the side of zero of all observations; counts, and one value of twenty on a bound, may reach it. */
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

/** Restrains a forecast over five mean changes from the last season, as departures faded and went in the past. */
export function restrained(
  point: Float64Array,
  { candidates, observedValues: values }: Pick<Series, 'candidates' | 'observedValues'>,
): Float64Array {
  const n = values.length;
  const shortest = candidates[0] ?? 1;
  const season = Number.isInteger(shortest) && 2 * shortest <= n ? shortest : 1;
  const repeated = along(point.length, (i) => values[n - season + (i % season)]);
  let distance = 0;
  for (let i = 0; i < point.length; i++) distance += Math.abs(point[i] - repeated[i]) / point.length;
  const usual = 5 * meanChange(values, season);
  if (!(distance > usual)) return point;
  if (season > 1) {
    if (!isExtraordinary(values, repeated)) return point;
    const stays = staying(values, season, point.length);
    return point.map((value, i) => repeated[i] + stays[i] * (value - repeated[i]));
  }
  const { low, high } = rangeOf(values);
  const isKnown = candidates.some((period) => n >= 2 * period) || point.every((value) => value >= low && value <= high);
  const most = Math.max(usual, usualMove(values, point.length), steadyGrowth(values, point.length));
  if (isKnown || distance <= most) return point;
  return point.map((value, i) => repeated[i] + (most / distance) * (value - repeated[i]));
}

function isExtraordinary(values: Float64Array, repeated: Float64Array): boolean {
  const usual = median(values);
  const last = median(values.slice(-3));
  return Math.abs(last - usual) > 2 * meanAbsolute(repeated.map((value) => value - usual));
}

/** The share of a departure from the last season that is left at each step ahead: as past ones went that lasted so long. */
function staying(values: Float64Array, season: number, horizon: number): Float64Array {
  const away = differences(values, season);
  const now = median(away.slice(-3));
  const runs = new Uint32Array(away.length);
  away.forEach((value, i) => (runs[i] = value * Math.sign(now) > Math.abs(now) / 2 ? (runs[i - 1] ?? 0) + 1 : 0));
  const lasted = Math.max(1, runs[runs.length - 1]);
  const past = Array.from(runs.keys()).filter(
    (i) => i < runs.length - lasted && runs[i] >= lasted / 2 && runs[i] <= 2 * lasted,
  );
  return Float64Array.from({ length: horizon }, (_, i) => {
    let sum = 3 * Math.min(1, (1.5 * lasted) / (i + 1));
    let count = 3;
    for (const at of past) {
      if (at + i + 1 >= away.length) break;
      sum += clamp(away[at + i + 1] / away[at], 0, 1);
      count++;
    }
    return sum / count;
  });
}

function usualMove(values: Float64Array, horizon: number): number {
  const n = values.length;
  const steps = Math.max(1, Math.min(horizon, n >> 1));
  const stride = Math.max(1, Math.floor(n / 60));
  const from = (first: number): number => {
    let sum = 0;
    let count = 0;
    for (let origin = n - steps; origin >= first; origin -= stride) {
      for (let i = 0; i < steps; i++) sum += Math.abs(values[origin + i] - values[origin - 1]) / steps;
      count++;
    }
    return count > 0 ? sum / count : 0;
  };
  return (Math.max(from(1), from(Math.max(1, Math.floor((2 * (n - steps)) / 3)))) * horizon) / steps;
}

function steadyGrowth(values: Float64Array, horizon: number): number {
  if (!allPositive(values)) return 0;
  const rates = differences(values.map(Math.log), 1).sort();
  const rate = Math.max(0, rates[rates.length >> 2]);
  const last = values[values.length - 1];
  return meanAbsolute(Float64Array.from({ length: horizon }, (_, i) => last * Math.expm1(rate * (i + 1))));
}

/**
 * The limits of a point forecast at each step, how far from it a quantile may lie, and the limits of a quantile: the
 * extremes of the history, and three times what they moved over so many steps in its second half. A quantile lies up to
 * four times as far away as the series ever moved. Of fewer than ten points, what comes stays within one range of theirs.
 * @param observed the history that the forecast starts from, with its spikes, which quantiles may reach
 */
export function limitsOf(values: Float64Array, observed: Float64Array, horizon: number) {
  const n = values.length;
  const { low: lowest, high: highest } = rangeOf(values);
  const before = rangeOf(observed.subarray(0, n - Math.min(horizon, n >> 1)));
  const isBack = observed[n - 1] >= before.low && observed[n - 1] <= before.high;
  const usual = isBack ? median(observed.slice(-horizon)) : lowest;
  const [least, largest] = [Math.min(lowest, usual), Math.max(highest, usual)];
  const range = largest - least;
  if (n < 10 && range > 0) {
    const row = (value: number): Float64Array => new Float64Array(horizon).fill(value);
    const outer = [least - range, largest + range] as const;
    return { low: row(outer[0]), high: row(outer[1]), reach: row(Infinity), outer };
  }
  const longest = Math.min(Math.max(1, n >> 1), horizon);
  const lags: number[] = [];
  for (let lag = 1; lag < longest; lag *= 2) lags.push(lag);
  lags.push(longest);
  const alongSteps = (of: (lag: number) => number): Float64Array => {
    const knots = lags.map(of);
    return along(horizon, (i) => between(lags, knots, i + 1, n));
  };
  const [falls, rises] = [-1, 1].map((sign) => alongSteps((lag) => recordGrowth(values, lag, sign)));
  // Where nothing ever moved, or next to nothing is known, no movement shows the largest possible.
  const reach = alongSteps((lag) => largestChange(observed, lag) * 4 * (1 + 20 / n));
  return {
    low: mapped(falls, (fall) => least - 3 * fall),
    high: mapped(rises, (rise) => largest + 3 * rise),
    reach: mapped(reach, (change) => (n < 6 || change === 0 ? Infinity : change)),
    outer: [-Infinity, Infinity] as const,
  };
}

/** How much the record rose at most over `lag` steps in the second half; with sign −1, how much the low record fell. */
function recordGrowth(values: Float64Array, lag: number, sign: number): number {
  const n = values.length;
  const half = Math.max(0, Math.min(n >> 1, n - 1 - lag));
  const records = scratch(n);
  let record = -Infinity;
  let growth = 0;
  for (let i = 0; i < n; i++) {
    record = Math.max(record, sign * values[i]);
    records[i] = record;
    if (i - lag >= half) growth = Math.max(growth, record - records[i - lag]);
  }
  return growth;
}

function between(lags: readonly number[], knots: readonly number[], step: number, points: number): number {
  const last = lags.length - 1;
  if (step >= lags[last]) {
    const supported = Math.min(step, points) / lags[last];
    return knots[last] * Math.max(1, supported) * Math.sqrt(Math.max(1, step / points));
  }
  let k = 0;
  while (lags[k + 1] < step) k++;
  return knots[k] + ((step - lags[k]) / (lags[k + 1] - lags[k])) * (knots[k + 1] - knots[k]);
}
