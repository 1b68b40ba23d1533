import { backtestFolds, type Folds } from '../backtest.ts';
import type { TunedParameters } from '../tuning/tuned.ts';
import type { EngineInput } from '../types.ts';
import { examine } from './forecast.ts';
import { mix } from './mix.ts';
import { rehearse } from './trial.ts';
import type { Covariate } from './types.ts';

/** Effects are learned from this share of the history at least; earlier folds are forecast without. */
const leastLesson = 1 / 2;

/**
 * The folds of `backtestFolds` of a forecast with covariates. Effects are learned from what lies before the first fold;
 * the ways of learning them are mixed as in the forecast itself. What of a covariate had to be forecast, is forecast from
 * each origin as well.
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
  const { completed, ways, model, recent, trial } = examined;
  const { values } = recent;
  const unseen = input.values.length - values.length;
  const { levels } = input;
  const { horizon } = alone;
  const ends = alone.folds
    .map(({ end }) => end - unseen)
    .filter((end) => end >= values.length * leastLesson)
    .reverse();
  if (ends.length === 0) return alone;
  const made = rehearse(recent, { ends, horizon, levels }, completed, ways, model);
  const floor = input.acrossZero || values.some((value) => value < 0) ? -Infinity : 0;
  return {
    horizon,
    folds: alone.folds.map((fold) => {
      const forecasts = made[ends.indexOf(fold.end - unseen)];
      return forecasts ? { ...fold, ...mix(forecasts, trial.weights, { ...trial, levels, floor }) } : fold;
    }),
  };
}
