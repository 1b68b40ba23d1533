import { memberForecasts, trimmedMean, weighedExperts } from './ensemble.ts';
import { limitsOf, withinLimits, type Limits } from './plausible.ts';
import { ets, logTheta, naive, probeForecasts, seasonalNaive, type Method } from '../methods/methods.ts';
import { UnknownModelError } from '../models.ts';
import { confirmSeasons } from '../prepare/seasons.ts';
import type { Series } from '../prepare/series.ts';
import type { Settings } from '../settings.ts';
import { allFinite } from '../statistics.ts';

/** The point forecast of a model, and forecasts of several methods, whose spread tells its uncertainty. */
export interface Estimate {
  readonly point: Float64Array;
  readonly forecasts: readonly Float64Array[];
  /** Errors of the same forecast at origins in the past, where they are known; see `Weighed`. */
  readonly errors?: readonly Float64Array[] | undefined;
}

/** @param limits of the series, on its scale; none where it was transformed */
type Estimator = (series: Series, horizon: number, settings: Settings, limits: Limits | undefined) => Estimate;

function ofOneMethod(method: Method): Estimator {
  return (series, horizon) => {
    const forecasts = probeForecasts(series, horizon);
    const point = method(series, horizon);
    const usable = point && allFinite(point) ? point : trimmedMean(forecasts);
    return { point: usable, forecasts: [...forecasts, usable] };
  };
}

/** What computes each model in `baseModels`. */
const estimators: Readonly<Record<string, Estimator | undefined>> = {
  'seasonal-naive': ofOneMethod(seasonalNaive),
  theta: ofOneMethod(logTheta),
  ets: ofOneMethod(ets),
  ensemble(series, horizon, { member, memberWeight }, limits) {
    const weighed = limits && weighedExperts(series, horizon, limits);
    const members = weighed?.forecasts ?? memberForecasts(series, horizon, limits);
    const forecasts = members.map(({ forecast }) => forecast);
    const mean = weighed?.point ?? trimmedMean(forecasts);
    const chosen = members.find(({ name }) => name === member)?.forecast;
    const point = chosen ? mean.map((value, i) => value + memberWeight * (chosen[i] - value)) : mean;
    return { point, forecasts, errors: weighed?.errors };
  },
};

/**
 * The forecast of a model in the units of the prepared series.
 *
 * @throws UnknownModelError
 */
export function estimate(
  modelId: string,
  series: Series,
  horizon: number,
  settings: Settings,
  limits = limitsOf(series.values, series.observedValues, horizon),
): Estimate {
  const estimator = Object.hasOwn(estimators, modelId) ? estimators[modelId] : undefined;
  if (!estimator) throw new UnknownModelError(modelId);
  const { transform, damping } = settings;
  const straight =
    transform === 'none' || !series.positive
      ? estimator(series, horizon, settings, limits)
      : onScale(transform, estimator, series, horizon, settings);
  const start = damping === 1 ? undefined : naive(series, horizon);
  const damped = (forecast: Float64Array): Float64Array =>
    start ? forecast.map((value, i) => start[i] + damping ** (i + 1) * (value - start[i])) : forecast;
  const plausible = (forecast: Float64Array): Float64Array => withinLimits(damped(forecast), limits);
  // A repeated season cannot leave them, but for a spike that was cut elsewhere.
  const point = modelId === 'seasonal-naive' ? damped(straight.point) : plausible(straight.point);
  return { ...straight, point, forecasts: straight.forecasts.map(plausible) };
}

function onScale(
  transform: 'sqrt' | 'log',
  estimator: Estimator,
  series: Series,
  horizon: number,
  settings: Settings,
): Estimate {
  const values = series.values.map(transform === 'log' ? Math.log : Math.sqrt);
  const { seasonalStrength } = settings;
  const scaled: Series = {
    ...series,
    values,
    observedValues: values,
    positive: values.every((value) => value > 0),
    seasons: confirmSeasons(values, series.candidates, seasonalStrength),
  };
  const back = (value: number): number =>
    transform === 'log' ? Math.exp(Math.min(value, 230)) : Math.max(value, 0) ** 2;
  const { point, forecasts } = estimator(scaled, horizon, settings, undefined);
  return { point: point.map(back), forecasts: forecasts.map((forecast) => forecast.map(back)) };
}
