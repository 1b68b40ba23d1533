import { familyOf, type Family } from '../ensemble/ensemble.ts';
import { limitsOf, type Limits } from '../ensemble/plausible.ts';
import { knots, probabilities, spreadExponents, widths, widthFactors } from './interval-table.ts';
import { probeForecasts } from '../methods/methods.ts';
import { truncate, type Series } from '../prepare/series.ts';
import { clamp, mean, meanAbsolute } from '../statistics.ts';

/** At most so many origins in the past are looked at. */
const mostOrigins = 6;
/** The exponent with which errors usually grow with the step ahead. */
const usualGrowth = 0.4;
/** The share of the series' own growth of errors in the exponent; the rest is the usual one. */
const ownShare = 0.5;
/**
 * Where errors are small beside the movement of the series, as with a strong daily pattern, they stay as they were; where
 * they are nearly as large, the next days surprise. A factor on the bands of series below a day: this where there is
 * hardly an error, and so much more where it is as large as the movement. Measured on public series.
 */
const steady = 0.82;
const surprise = 0.5;
const mostSurprising = 0.8;
/** How much the whole history counts beside the last origins in how large errors are. */
const usualShare = 0.5;
/** The error of a forecast from a single value, as a share of that value. */
const priorShare = 0.5;
/** How much the prior counts, in observed errors, for a series with next to no past. */
const priorWeight = 2;

/** The error that a constant series may still make, as a share of the prior error, over its length. */
const constantShare = 0.2;

/** Beyond this probability an interval grows no more. */
const mostProbable = 1 - 1e-9;

/** How far a point forecast may be wrong. */
export interface Spread {
  /** Half the width of a central interval around it. */
  readonly halfWidth: (probability: number, step: number) => number;
  /** How far forecasts were wrong at origins in the past, one row each; `NaN` where nothing was observed. */
  readonly pastErrors: readonly Float64Array[];
}

/** How far the cheap methods were wrong at origins in the past. */
interface Misses {
  /** Sums and counts over origins and methods, for each step. */
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** For each origin the mean over the methods at each step. */
  readonly rows: readonly Float64Array[];
}

/**
 * Widths for each step and probability: a scale of the series, times a table. The scale is a geometric mean of the error
 * that cheap methods made at up to six origins in the series' own past, and of the spread of the given forecasts at this
 * step; the table holds quantiles of |error| / scale over many series (see `interval-table.ts`).
 *
 * @param forecasts of several methods, from which the point forecast was made
 */
export function spreadOf(
  modelId: string,
  series: Series,
  point: Float64Array,
  forecasts: readonly Float64Array[],
  limits: Limits,
  errors?: readonly Float64Array[],
): Spread {
  const family = familyOf(series);
  const misses = errors ? undefined : missesOf(series, point.length, limits);
  const scales = errorScales(series, point, forecasts, limits, errors, misses);
  const factor = widthFactors[modelId]?.[family] ?? 1;
  return {
    halfWidth: (probability, step) => factor * scales[step] * tableWidth(family, probability, step),
    pastErrors: errors ?? misses?.rows ?? [],
  };
}

/** The scale for each step; the table is fitted to errors divided by it. */
export function errorScales(
  series: Series,
  point: Float64Array,
  forecasts: readonly Float64Array[],
  limits = limitsOf(series.values, series.observedValues, point.length),
  errors?: readonly Float64Array[],
  misses = errors ? undefined : missesOf(series, point.length, limits),
): Float64Array {
  const past = misses ? pastError(misses, series) : growthOf(errors ?? [], series, point.length);
  const exponent = spreadExponents[familyOf(series)];
  return point.map((value, i) => {
    let spread = 0;
    for (const forecast of forecasts) spread += Math.abs(forecast[i] - value) / forecasts.length;
    const error = past.size * (i + 1) ** past.growth;
    return error ** (1 - exponent) * (spread + 0.1 * error) ** exponent;
  });
}

/**
 * The mean of the errors at origins in the past, as of one step ahead, and how they grow with the step. A few origins tell
 * of recent days only, so what was usual before counts as well: by how much the series changed then and now.
 */
function growthOf(errors: readonly Float64Array[], series: Series, horizon: number): { size: number; growth: number } {
  const sums = new Float64Array(horizon);
  const counts = new Float64Array(horizon);
  for (const row of errors) {
    row.forEach((error, i) => {
      if (!Number.isFinite(error)) return;
      sums[i] += Math.abs(error);
      counts[i]++;
    });
  }
  const growth = ownGrowth(sums, counts);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < horizon; i++) {
    sum += sums[i] / (i + 1) ** growth;
    count += counts[i];
  }
  const recent = errors.reduce((total, row) => total + row.length, 0);
  const lag = Math.max(1, Math.round(series.candidates[0] ?? 1));
  const usual = meanChange(series.values, lag, lag) / meanChange(series.values, lag, series.values.length - recent);
  const calm = Number.isFinite(usual) && usual > 0 ? clamp(usual, 0.25, 4) ** usualShare : 1;
  const size = count > 0 ? sum / count : 0;
  return { size: trustOf(errors, series) * calm * size, growth };
}

function trustOf(errors: readonly Float64Array[], series: Series): number {
  if (familyOf(series) !== 'intraday') return 1;
  const known = errors.flatMap((row) => Array.from(row).filter(Number.isFinite).map(Math.abs));
  const { values } = series;
  const level = mean(values);
  const movement = meanAbsolute(values.map((value) => value - level));
  const share = movement > 0 ? mean(Float64Array.from(known)) / movement : 0;
  return steady + surprise * clamp(share, 0, mostSurprising);
}

/** The mean absolute change over a lag from an index on. */
function meanChange(values: Float64Array, lag: number, from: number): number {
  let sum = 0;
  for (let i = Math.max(lag, from); i < values.length; i++) sum += Math.abs(values[i] - values[i - lag]);
  return sum / (values.length - Math.max(lag, from));
}

/** The errors of the cheap methods at the last origins of the series' own past. */
function missesOf(series: Series, horizon: number, limits: Limits): Misses {
  const { values, candidates, filledIn } = series;
  const n = values.length;
  const long = familyOf(series) === 'long' || familyOf(series) === 'intraday';
  const shortest = Math.round(candidates[0] ?? 1);
  const longest = Math.max(1, ...candidates.filter((period) => n > 3 * period));
  const leastHistory = Math.min(
    long ? Math.max(2 * longest, 40) : shortest > 1 ? Math.max(2 * shortest + 2, 6) : 6,
    Math.max(1, n - 2),
  );
  const stride = Math.max(1, Math.min(horizon, Math.floor((n - leastHistory) / mostOrigins)));

  const sums = new Float64Array(horizon);
  const counts = new Float64Array(horizon);
  const rows: Float64Array[] = [];
  for (let end = n - stride; end >= leastHistory && rows.length < mostOrigins; end -= stride) {
    const steps = Math.min(horizon, n - end);
    const forecasts = probeForecasts(truncate(series, end), steps);
    const row = new Float64Array(steps);
    for (const forecast of forecasts) {
      for (let i = 0; i < steps; i++) {
        // What cannot be is not forecast either.
        const miss = filledIn?.[end + i]
          ? Number.NaN
          : Math.abs(values[end + i] - clamp(forecast[i], limits.low[i], limits.high[i]));
        row[i] += miss / forecasts.length;
        if (!Number.isFinite(miss)) continue;
        sums[i] += miss;
        counts[i]++;
      }
    }
    rows.push(row);
  }
  return { sums, counts, rows };
}

/** The mean error of the cheap methods in the series' own past, as of one step ahead; above 0. */
function pastError({ sums, counts, rows }: Misses, { values }: Series): { size: number; growth: number } {
  const n = values.length;
  const level = meanAbsolute(values);
  const origins = rows.length;
  const growth = origins < 3 ? usualGrowth : ownGrowth(sums, counts);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < sums.length; i++) {
    sum += sums[i] / (i + 1) ** growth;
    count += counts[i];
  }
  const prior = priorShare * (level || 1);
  if (origins < 3 || count === 0) return { size: (sum + priorWeight * prior) / (count + priorWeight), growth };
  const mean = sum / count;
  // A constant series has told nothing of its errors, but that they are rare.
  return { size: mean > 1e-9 * level ? mean : (constantShare * prior) / n, growth };
}

/** The exponent with which the error grows with the step: between the usual one and the series' own. */
function ownGrowth(sums: Float64Array, counts: Float64Array): number {
  let weights = 0;
  let x = 0;
  let y = 0;
  let xx = 0;
  let xy = 0;
  for (let i = 0; i < sums.length; i++) {
    if (!(sums[i] > 0)) continue;
    const step = Math.log(i + 1);
    const error = Math.log(sums[i] / counts[i]);
    const weight = counts[i] / (i + 1);
    weights += weight;
    x += weight * step;
    y += weight * error;
    xx += weight * step * step;
    xy += weight * step * error;
  }
  const spread = xx - (x * x) / weights;
  // Also where nothing could be scored at all.
  if (!(spread > 1e-9)) return usualGrowth;
  const own = (xy - (x * y) / weights) / spread;
  return clamp(usualGrowth + ownShare * (own - usualGrowth), 0, 1);
}

function tableWidth(family: Family, probability: number, step: number): number {
  const { row, share } = knotAt(family, step + 1);
  const z = normalQuantile(0.5 + Math.min(probability, mostProbable) / 2);
  const width = (k: number): number => {
    const at = widths[family][row][k];
    const next = widths[family][Math.min(row + 1, widths[family].length - 1)][k];
    return at + share * (next - at);
  };
  let k = 0;
  while (k < probabilities.length - 1 && probability > probabilities[k]) k++;
  const z1 = normalQuantile(0.5 + probabilities[k] / 2);
  const z0 = k > 0 ? normalQuantile(0.5 + probabilities[k - 1] / 2) : 0;
  const before = k > 0 ? width(k - 1) : 0;
  return before + ((z - z0) / (z1 - z0)) * (width(k) - before);
}

/** Between which rows of the table a step lies. */
function knotAt(family: Family, step: number): { row: number; share: number } {
  const steps = knots[family];
  const last = steps.length - 1;
  if (step >= steps[last]) return { row: last, share: 0 };
  let row = 0;
  while (steps[row + 1] <= step) row++;
  return { row, share: (step - steps[row]) / (steps[row + 1] - steps[row]) };
}

/** The standard normal quantile (Acklam's rational approximation, relative error below 1.2e-9). */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  if (probability < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(probability));
    return (
      polynomial(
        q,
        [
          -7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
          2.938163982698783,
        ],
      ) / polynomial(q, [7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1])
    );
  }
  const q = probability - 0.5;
  const r = q * q;
  return (
    (q *
      polynomial(
        r,
        [
          -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
          2.506628277459239,
        ],
      )) /
    polynomial(r, [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1])
  );
}

function polynomial(x: number, coefficients: readonly number[]): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}
