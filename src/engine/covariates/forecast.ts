import { forecast } from '../forecast.ts';
import { allFinite } from '../statistics.ts';
import type { TunedParameters } from '../tuning/tuned.ts';
import type { EngineForecast, EngineInput } from '../types.ts';
import { effectSizes, openness, type EffectSize, type Study } from './effect-sizes.ts';
import { complete, type Completed } from './missing.ts';
import { mix } from './mix.ts';
import { scoresOf } from './screen.ts';
import { trialOf } from './trial.ts';
import type { Covariate, Lesson } from './types.ts';
import { forecastAround, learn, waysOf, type Model } from './ways.ts';

/** Older steps tell nothing more of effects, and cost time. */
const longestMemory = 9000;
/** One covariate must stand out by so many standard errors, of many by more: some stands out by chance. Beside it others need less. */
const certain = (count: number): number => Math.max(2, 1.3 + 0.7 * Math.log(count));
const likely = 0.7;

/** What covariates were worth. */
export interface CovariateReport {
  /** Those that the forecast makes use of; none where they did not help on the backtest. */
  readonly used: readonly EffectSize[];
  readonly origins: number;
  readonly horizon: number;
  /** Mean absolute errors on the backtest, in units of the series; the same where none is used. */
  readonly errorWith: number;
  readonly errorWithout: number;
}

export interface CovariateForecast extends EngineForecast {
  /** Undefined where the series is too short to find anything out. */
  readonly covariates: CovariateReport | undefined;
}

/**
 * A forecast that makes use of what is known of the past and the future besides the series itself: a regression with
 * errors that are a time series (Harvey and Phillips 1979). Effects are learned in several ways, the remainder is forecast
 * by the model, and a backtest on the last origins decides how much each way and the forecast without covariates count.
 * Where covariates do not help there, the forecast is the one without them.
 *
 * @param covariates over history and future; missing values at their end are forecast, and widen the band
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
  if (!examined) return { ...alone, covariates: undefined };
  const { completed, ways, model, lesson, recent, trial } = examined;
  const { weights, width, ...errors } = trial;
  if (weights[0] === 1) return { ...alone, covariates: { used: [], ...errors } };

  const { values } = lesson;
  const learned = ways.map((way, k) => (weights[k + 1] > 0 ? learn(way, lesson) : undefined));
  const forecasts = [
    alone,
    ...learned.map((effect, k) =>
      effect ? forecastAround(ways[k], effect.values, recent, values.length, model) : alone,
    ),
  ];
  const heaviest =
    weights.indexOf(
      weights.subarray(1).reduce((a, b) => Math.max(a, b)),
      1,
    ) - 1;
  const known = lesson.covariates;
  const study: Study = { way: ways[heaviest], effect: learned[heaviest]!, values, covariates: known };
  const open = openness(study, completed);
  const floor = input.acrossZero || values.some((value) => value < 0) ? -Infinity : 0;
  const { point, quantiles } = mix(forecasts, weights, { width, levels: input.levels, floor, open });
  // numbers near the largest ones leave nothing to learn from
  if (![point, ...quantiles].every(allFinite)) return { ...alone, covariates: undefined };
  return {
    ...alone,
    point,
    quantiles,
    demand: undefined,
    covariates: { used: effectSizes(study), ...errors },
  };
}

/** Which covariates help, all of them together, and what the backtest was with them and without. */
export interface CovariateHelp extends Omit<CovariateReport, 'used'> {
  readonly names: readonly string[];
}

/** A quick test, without a forecast. @returns undefined where the series is too short, or no covariate tells anything */
export function helpOf(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned?: TunedParameters,
): CovariateHelp | undefined {
  const examined = examine(modelId, { ...input, levels: [] }, covariates, tuned);
  if (!examined) return undefined;
  const { weights, width: _, ...errors } = examined.trial;
  return { names: weights[0] === 1 ? [] : examined.lesson.covariates.map(({ name }) => name), ...errors };
}

/** The covariates that tell something, and what they would have been worth. */
export function examine(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned: TunedParameters | undefined,
) {
  const { periods, horizon } = input;
  const from = Math.max(0, input.values.length - longestMemory);
  const values = input.values.map((value) => (Number.isFinite(value) ? value : Number.NaN)).subarray(from);
  const length = values.length + horizon;
  const moving = covariates
    .map(({ name, values: all }) => complete({ name, values: resized(all.subarray(from), length) }, periods))
    .filter(({ covariate }) => isMoving(covariate.values.subarray(0, values.length)));
  const everything = moving.map(({ covariate }) => covariate);
  const completed = telling(moving, { values, covariates: everything, periods, length });
  if (completed.length === 0) return undefined;
  const ways = waysOf(values);
  const model: Model = { id: modelId, tuned };
  const recent = { ...input, values };
  const trial = trialOf(recent, completed, ways, model);
  const lesson: Lesson = { values, covariates: completed.map(({ covariate }) => covariate), periods, length };
  return trial && { completed, ways, model, lesson, recent, trial };
}

/** The covariates that tell something of the series, by a quick look at its history. */
function telling(completed: readonly Completed[], lesson: Lesson): readonly Completed[] {
  if (completed.length < 2) return completed;
  const scores = scoresOf(lesson);
  return scores.some((score) => score > certain(scores.length)) ? completed.filter((_, k) => scores[k] > likely) : [];
}

const isMoving = (values: Float64Array): boolean => values.some((value) => value !== values[0]);

/** What lies further ahead than the forecast is cut off, what is not given is missing. */
function resized(values: Float64Array, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => (i < values.length ? values[i] : Number.NaN));
}
