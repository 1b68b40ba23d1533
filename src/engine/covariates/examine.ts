import type { EngineInput, TunedParameters } from '../types.ts';
import type { Covariate } from './covariate.ts';
import { complete } from './missing.ts';
import { blocksOf, centredMean, effectOf, plain, type TrainingPart } from './effect.ts';
import { type CovariateScores, type Model, trialOf } from './trial.ts';

/** Which covariates help, all of them together, and what the backtest was with them and without. */
export interface CovariateHelp extends CovariateScores {
  readonly names: readonly string[];
}

/** A quick test, without a forecast. @returns undefined where the series is too short, or no covariate tells anything */
export function helpOf(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned?: TunedParameters,
): CovariateHelp | undefined {
  const examined = examine(modelId, input, covariates, tuned);
  if (!examined) return undefined;
  const { weights, width: _, ...errors } = examined.trial;
  return { names: weights[0] === 1 ? [] : examined.completed.map(({ covariate }) => covariate.name), ...errors };
}

/**
 * The covariates that tell something, and what they would have been worth; steps older than 9,000 are not looked at. One
 * must stand out by two and a half standard errors, of many by more, as some stands out by chance; beside it others need .7.
 */
export function examine(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned: TunedParameters | undefined,
) {
  const { periods, horizon, bounds } = input;
  const from = Math.max(0, input.values.length - 9000);
  const values = input.values.map((value) => (Number.isFinite(value) ? value : Number.NaN)).subarray(from);
  const length = values.length + horizon;
  const moving = covariates
    .map(({ name, values: all }) => complete({ name, values: resized(all.subarray(from), length) }, periods))
    .filter(({ covariate }) => covariate.values.some((value, i, [first]) => i < values.length && value !== first));
  const everything = moving.map(({ covariate }) => covariate);
  const scores = moving.length > 1 ? scoresOf({ values, covariates: everything, periods, length }) : [Infinity];
  if (!scores.some((score) => score > Math.max(2.5, 1.6 + 0.8 * Math.log(scores.length)))) return undefined;
  const completed = moving.filter((_, k) => scores[k] > 0.7);
  if (completed.length === 0) return undefined;
  const model: Model = { id: modelId, tuned };
  const recent: EngineInput = {
    ...input,
    values,
    bounds: bounds && { ...bounds, floor: bounds.floor.subarray(from), capacity: bounds.capacity.subarray(from) },
  };
  const trial = trialOf(recent, completed, model);
  return trial && { completed, model, recent, trial, length };
}

/** What lies further ahead than the forecast is cut off, what is not given is missing. */
function resized(values: Float64Array, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => (i < values.length ? values[i] : Number.NaN));
}

/**
 * Which covariates tell something: how much worse the history is predicted when a covariate is that of another time, and
 * the others are as they were (permutation importance, Breiman 2001). A covariate is moved as a whole, so that it keeps its
 * own pattern.
 *
 * @returns for each covariate by how many standard errors, over the blocks, the error grows; 0 where it grows by too little
 */
export function scoresOf(part: TrainingPart): number[] {
  const n = part.values.length;
  const start = Math.max(0, n - 4000);
  const values = part.values.slice(start);
  const covariates = part.covariates.map(({ name, values: all }) => ({ name, values: all.slice(start, n) }));
  const { width, block } = blocksOf(part.periods, values.length);
  const level = centredMean(values, width);
  const effect = effectOf({ values, covariates, periods: part.periods, length: values.length }, plain);
  const errorsOf = (predicted: Float64Array): Float64Array =>
    values.map((value, i) => Math.abs(value - level[i] - predicted[i]));
  const before = errorsOf(effect.values);
  const total = before.reduce((sum, error) => sum + (Number.isFinite(error) ? error : 0), 0);
  // By whole blocks, so that the place in the week stays.
  const away = block * Math.max(1, Math.round(values.length / (2.6 * block)));
  return covariates.map((covariate, k) => {
    const moved = covariate.values.map((_, i) => covariate.values[(i + away) % values.length]);
    const after = errorsOf(
      effect.of(
        covariates.map((each, l) => (l === k ? { ...each, values: moved } : each)),
        0,
      ),
    );
    const gains = new Float64Array(Math.ceil(after.length / block));
    after.forEach((error, i) => {
      const gain = error - before[i];
      if (Number.isFinite(gain)) gains[Math.floor(i / block)] += gain;
    });
    const gain = gains.reduce((sum, each) => sum + each, 0);
    const deviation = Math.sqrt(gains.reduce((sum, each) => sum + (each - gain / gains.length) ** 2, 0));
    return deviation > 0 && gain > 0.02 * total ? gain / deviation : 0;
  });
}
