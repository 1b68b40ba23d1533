import { bounded, wideLevels } from '../adjustments/adjustments.ts';
import { backtestFolds, type Folds } from '../backtest.ts';
import { forecast } from '../forecast.ts';
import { uncrossed } from '../quantiles.ts';
import { allFinite } from '../statistics.ts';
import type { EngineForecast, EngineInput, TunedParameters } from '../types.ts';
import { type EffectSize, effectSizes, openness } from './contributions.ts';
import type { Covariate } from './covariate.ts';
import { examine } from './examine.ts';
import { type CovariateScores, forecastsFrom, mixOf } from './trial.ts';

export interface CovariateReport extends CovariateScores {
  /** Those that the forecast makes use of; none where they did not help on the backtest. */
  readonly used: readonly EffectSize[];
}

export interface CovariateForecast extends EngineForecast {
  /** Undefined where there are none, or the series is too short to find anything out. */
  readonly covariates?: CovariateReport | undefined;
}

/**
 * A forecast that makes use of what is known of the past and the future besides the series itself: a regression with
 * errors that are a time series (Harvey and Phillips 1979). Effects are fitted as they add up and as roots, the remainder is
 * forecast by the model, and a backtest on the last origins decides how much each and the forecast without covariates
 * count. Where covariates do not help there, the forecast is the one without them.
 *
 * @param covariates over history and future; missing values at their end are forecast, and widen the interval
 * @throws as `forecast`
 */
export function forecastWithCovariates(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned?: TunedParameters,
): CovariateForecast {
  const alone = forecast(modelId, input, tuned);
  const examined = examine(modelId, input, covariates, tuned);
  if (!examined) return alone;
  const { completed, model, recent, trial } = examined;
  const { weights, width, ...errors } = trial;
  if (weights[0] === 1) return { ...alone, covariates: { used: [], ...errors } };
  const { values } = recent;
  const asked = { horizon: input.horizon, levels: withWide(input.levels), ends: [values.length] };
  const { effects, forecasts } = forecastsFrom(recent, asked, completed, model);
  const heaviest = effects.reduce((best, _, k) => (weights[k + 1] > weights[best + 1] ? k : best), 0);
  const study = { effect: effects[heaviest], values, covariates: completed.map(({ covariate }) => covariate) };
  const mixed = mixOf(forecasts[0], weights, width, openness(study, completed));
  const { rows, levels } = bounded(uncrossed(mixed), recent);
  // Numbers near the largest ones leave nothing to fit.
  if (!rows.every(allFinite)) return alone;
  const rowOf = (level: number): Float64Array => rows[levels.indexOf(level)];
  return {
    ...alone,
    point: rowOf(0.5),
    quantiles: input.levels.map(rowOf),
    demand: undefined,
    covariates: { used: effectSizes(study), ...errors },
  };
}

/** These levels, and those that say where a forecast is and how wide. */
const withWide = (levels: readonly number[]): number[] =>
  [...new Set([...levels, ...wideLevels, 0.5])].sort((a, b) => a - b);

/**
 * The folds of `backtestFolds` of a forecast with covariates; those that see less than half of the history are forecast
 * without. Effects are fitted to what lies before the first fold, and mixed as in the forecast itself. What of a covariate had to be forecast, is forecast from each origin as well.
 */
export function backtestWithCovariates(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  options: { readonly origins?: number | undefined } = {},
  tuned?: TunedParameters,
): Folds | undefined {
  const alone = backtestFolds(modelId, input, options, tuned);
  const examined = alone && examine(modelId, input, covariates, tuned);
  if (!examined || examined.trial.weights[0] === 1) return alone;
  const { completed, model, recent, trial } = examined;
  const unseen = input.values.length - recent.values.length;
  const ends = alone.folds
    .map(({ end }) => end - unseen)
    .filter((end) => end >= recent.values.length / 2)
    .reverse();
  if (ends.length === 0) return alone;
  const asked = { horizon: alone.horizon, levels: withWide(input.levels), ends };
  const { forecasts } = forecastsFrom(recent, asked, completed, model);
  return {
    horizon: alone.horizon,
    folds: alone.folds.map((fold) => {
      const made = forecasts[ends.indexOf(fold.end - unseen)];
      if (!made) return fold;
      const seen = { ...recent, values: recent.values.subarray(0, fold.end - unseen) };
      const { rows, levels } = bounded(uncrossed(mixOf(made, trial.weights, trial.width)), seen);
      const rowOf = (level: number): Float64Array => rows[levels.indexOf(level)];
      return { ...fold, point: rowOf(0.5), quantiles: input.levels.map(rowOf) };
    }),
  };
}
