import { familyOf, type Family } from './ensemble/ensemble.ts';
import { estimate } from './ensemble/estimate.ts';
import { fineStructure, smoothed } from './ensemble/fine-structure.ts';
import { restrained, sharedByDistance, yardstickOf } from './ensemble/restraint.ts';
import { limitsOf, withinLimits, type Limits } from './ensemble/plausible.ts';
import { calibrated, type Evidence } from './intervals/calibration.ts';
import { widthForGaps } from './intervals/gaps.ts';
import { spreadOf, type Spread } from './intervals/intervals.ts';
import { isNeural } from './models.ts';
import { baseModel, tunedModel } from './neural/model.ts';
import type { Series } from './prepare/series.ts';
import { baseSettings } from './settings.ts';
import { plateauForecast } from './methods/plateaus.ts';
import { countForecast } from './methods/counts.ts';
import { clamp } from './statistics.ts';
import type { TunedParameters } from './tuning/tuned.ts';

/** What a model says about the steps after a prepared series, in the units of that series. */
export interface Distribution {
  readonly point: Float64Array;
  /** The value at a level in (0, 1) for a step from 0; rises with the level, and is the point forecast at 0.5. */
  readonly quantile: (level: number, step: number) => number;
  /** For counts, whose median tells little: the mean of a step, and the quantiles of the sum over so many steps. */
  readonly counts?: { readonly mean: number; readonly total: (level: number, steps: number) => number } | undefined;
  /** The point forecast is one of the observations, and so within their range, whatever was evened out of it. */
  readonly isObserved?: boolean;
}

/**
 * How much of the hybrid is the net, the rest being the ensemble, where both depart alike from the last season. Chosen on
 * public series, of which none is shipped.
 */
const netShares: Readonly<Record<Family, number>> = { plain: 0.5, quarter: 0.4, month: 0.5, long: 0.5, intraday: 0.45 };
/**
 * The hybrid errs less than its parts, so its intervals are narrower than their mean: by these factors where it is half
 * of each. Fitted on the same series.
 */
const hybridWidths: Readonly<Record<Family, number>> = {
  plain: 0.96,
  quarter: 0.962,
  month: 0.967,
  long: 0.92,
  intraday: 0.92,
};
/** Of a series with fewer points the net has next to nothing to read. */
const fewestForNet = 6;
/**
 * Cycles of the shortest calendar period up to which the net forecasts alone, and from which on it has its usual share:
 * it knows what seasons are like, while the ensemble must have seen some to find one.
 */
const youngCycles = 2;
const grownCycles = 4;
/** Of a longer cycle, such as the year in weeks, the ensemble alone makes as good a guess. */
const longestYoungPeriod = 24;

/** Of so many levels the quantiles of all steps are kept. */
const mostRows = 64;
/** Models that read many cycles, so that none of them must be repeated as it was. */
const combined = new Set(['hybrid', 'ensemble', 'neural']);

/** @throws UnknownModelError, and WeightsError where tuned weights are of another format */
export function distributionOf(
  modelId: string,
  series: Series,
  horizon: number,
  tuned: TunedParameters | undefined,
): Distribution {
  const limits = limitsOf(series.values, series.observedValues, horizon);
  const gaps = widthForGaps(series);
  // The others go by errors at observations in part.
  const width = isNeural(modelId) ? gaps : Math.sqrt(gaps);
  const drawn = widened(anyDistribution(modelId, series, horizon, tuned, limits), width);
  return plausible(modelId, combined.has(modelId) ? withoutNoise(drawn, series) : drawn, limits);
}

/** The same with wider bands; those of counts and plateaus come from what was observed. */
function widened(distribution: Distribution, factor: number): Distribution {
  const { point, quantile, counts, isObserved } = distribution;
  if (factor === 1 || counts || isObserved) return distribution;
  return { ...distribution, quantile: (level, step) => point[step] + factor * (quantile(level, step) - point[step]) };
}

/** A forecast without the noise that it has copied from the last cycles, where these are many steps long. */
function withoutNoise(distribution: Distribution, series: Series): Distribution {
  const { point, quantile, counts, isObserved } = distribution;
  const fine = counts || isObserved || point.length < 3 ? undefined : fineStructure(series);
  if (!fine) return distribution;
  const smooth = (row: Float64Array): Float64Array => smoothed(row, fine);
  const rows = new Map<number, Float64Array>();
  /** Of sample paths each asks for a level of its own at each step. */
  const smoothAt = (level: number, step: number): number => {
    const side = Math.min(fine.reach, step, point.length - 1 - step);
    let sum = 0;
    for (let i = step - side; i <= step + side; i++) sum += quantile(level, i) / (2 * side + 1);
    return sum + fine.keep * (quantile(level, step) - sum);
  };
  const smoothPoint = smooth(point);
  return {
    point: smoothPoint,
    quantile(level, step) {
      if (level === 0.5) return smoothPoint[step];
      let row = rows.get(level);
      if (row) return row[step];
      if (rows.size >= mostRows) return smoothAt(level, step);
      rows.set(level, (row = smooth(point.map((_, i) => quantile(level, i)))));
      return row[step];
    },
  };
}

/** A forecast that stays where the history of the series allows it; repeating a season cannot leave it. */
function plausible(modelId: string, distribution: Distribution, limits: Limits): Distribution {
  const { quantile, counts } = distribution;
  if (counts) return distribution;
  const repeats = modelId === 'seasonal-naive' || distribution.isObserved;
  const point = repeats ? distribution.point : withinLimits(distribution.point, limits);
  const { reach } = limits;
  return {
    point,
    quantile(level, step) {
      if (level === 0.5) return point[step];
      return point[step] + clamp(quantile(level, step) - distribution.point[step], -reach[step], reach[step]);
    },
  };
}

function anyDistribution(
  modelId: string,
  series: Series,
  horizon: number,
  tuned: TunedParameters | undefined,
  limits: Limits,
): Distribution {
  if (modelId === 'neural') {
    const net = netDistribution(series, horizon, tuned);
    if (series.values.length >= fewestForNet) return net;
    // What so few points leave open, the net has not learned.
    const { point, quantile } = statisticalDistribution('ensemble', series, horizon, tuned, limits);
    return { point: net.point, quantile: (level, step) => net.point[step] + quantile(level, step) - point[step] };
  }
  const counts = modelId === 'hybrid' || modelId === 'ensemble' ? countForecast(series, horizon) : undefined;
  if (counts) {
    const plain = { ...counts, counts };
    if (tuned?.weights === undefined) return plain;
    return { ...mixed(plain, netDistribution(series, horizon, tuned), 0.5, 1), counts };
  }
  const still = modelId === 'hybrid' || modelId === 'ensemble' ? plateauForecast(series, horizon) : undefined;
  if (still && tuned?.weights === undefined) return { ...still, isObserved: true };
  if (modelId !== 'hybrid') return statisticalDistribution(modelId, series, horizon, tuned, limits);
  const { bands, evidence } = hybridBands(series, horizon, tuned, limits);
  return calibrated(bands, series, evidence);
}

/** The hybrid before its bands are calibrated, and what they are calibrated by. */
export function hybridBands(
  series: Series,
  horizon: number,
  tuned: TunedParameters | undefined,
  limits: Limits,
): { bands: Distribution; evidence: Evidence } {
  const share = netShareOf(series, tuned?.netOdds);
  const yardstick = yardstickOf(series, horizon);
  const { repeated } = yardstick;
  if (share === 1) {
    const bands = netDistribution(series, horizon, tuned);
    return { bands, evidence: { apart: new Float64Array(horizon), repeated, pastErrors: () => [] } };
  }
  const ensemble = statisticalDistribution('ensemble', series, horizon, tuned, limits);
  const { pastErrors } = ensemble;
  if (share === 0) return { bands: ensemble, evidence: { apart: new Float64Array(horizon), repeated, pastErrors } };
  const net = netDistribution(series, horizon, tuned);
  const own = sharedByDistance(share, ensemble.point, net.point, yardstick);
  const width = 1 - 4 * own * (1 - own) * (1 - hybridWidths[familyOf(series)]);
  const both = mixed(ensemble, net, own, width);
  const apart = ensemble.point.map((value, i) => Math.abs(value - net.point[i]));
  return { bands: moved(both, restrained(both.point, series, yardstick)), evidence: { apart, repeated, pastErrors } };
}

/** Whether a series is forecast by the distribution of its past or of its changes, as counts and plateaus are. */
export function isSpecial(series: Series, horizon: number): boolean {
  return (countForecast(series, horizon) ?? plateauForecast(series, horizon)) !== undefined;
}

/**
 * The share of the net in the hybrid for a series, 0 to 1.
 *
 * @param odds factor on the odds of the share, as in `TunedParameters`
 */
export function netShareOf(series: Series, odds = 1): number {
  const { values, candidates } = series;
  const base = netShares[familyOf(series)];
  const usual = (base * odds) / (base * odds + 1 - base);
  if (values.length < fewestForNet) return 0;
  if (candidates.length === 0) return usual;
  if (candidates[0] > longestYoungPeriod) return usual;
  const cycles = values.length / candidates[0];
  const youth = clamp((grownCycles - cycles) / (grownCycles - youngCycles), 0, 1);
  return usual + youth * (1 - usual);
}

function netDistribution(series: Series, horizon: number, tuned: TunedParameters | undefined): Distribution {
  const model = tuned?.weights === undefined ? baseModel() : tunedModel(tuned.weights);
  return model.forecast(series, horizon);
}

function statisticalDistribution(
  modelId: string,
  series: Series,
  horizon: number,
  tuned: TunedParameters | undefined,
  limits: Limits,
): Distribution & Pick<Evidence, 'pastErrors'> {
  const settings = tuned?.settings ?? baseSettings;
  const { point, forecasts, errors } = estimate(modelId, series, horizon, settings, limits);
  let spread: Spread | undefined;
  const spreadNow = (): Spread => (spread ??= spreadOf(modelId, series, point, forecasts, limits, errors));
  return {
    point,
    quantile(level, step) {
      if (level === 0.5) return point[step];
      const half = settings.width * spreadNow().halfWidth(Math.abs(2 * level - 1), step);
      return level < 0.5 ? point[step] - half : point[step] + half;
    },
    pastErrors: () => spreadNow().pastErrors,
  };
}

/** The same spread around another point forecast. */
function moved({ point, quantile }: Distribution, to: Float64Array): Distribution {
  if (to === point) return { point, quantile };
  return { point: to, quantile: (level, step) => to[step] + quantile(level, step) - point[step] };
}

/** The mean of two forecasts, level by level (Vincent 1912), with the share of the second; then `width` times as wide. */
function mixed(first: Distribution, second: Distribution, share: number, width: number): Distribution {
  const mix = (a: number, b: number): number => (1 - share) * a + share * b;
  const point = first.point.map((value, i) => mix(value, second.point[i]));
  return {
    point,
    quantile: (level, step) =>
      point[step] + width * (mix(first.quantile(level, step), second.quantile(level, step)) - point[step]),
  };
}
