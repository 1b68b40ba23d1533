import { bounded, wideLevels } from '../adjustments/adjustments.ts';
import { backtestFolds, type Folds } from '../backtest.ts';
import { forecast } from '../forecast.ts';
import { type Quantiles, uncrossed } from '../quantiles.ts';
import { allFinite, mean } from '../statistics.ts';
import type { EngineForecast, EngineInput, TunedParameters } from '../types.ts';
import { isSwitch, type Completed, type Covariate } from './covariate.ts';
import { effectOf, scalesOf, type Effect } from './effect.ts';
import { examine, forecastsFrom, mixOf, type CovariateScores } from './selection.ts';

export interface CovariateReport extends CovariateScores {
  /** Those that the forecast makes use of; none where they did not help on the backtest. */
  readonly used: readonly EffectSize[];
}

export interface CovariateForecast extends EngineForecast {
  /** Undefined where there are none, or the series is too short to find anything out. */
  readonly covariates?: CovariateReport | undefined;
}

/**
 * A regression on covariates whose errors are a time series (Harvey and Phillips 1979): the model forecasts what effects
 * leave over, and a backtest decides how much each effect counts, and the forecast without covariates.
 * @param covariates over history and future; missing values at their end are forecast, and widen the interval
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
  const made = settled(mixOf(forecasts[0], weights, width, openness(study, completed)), recent);
  return made ? { ...alone, ...made, demand: undefined, covariates: { used: effectSizes(study), ...errors } } : alone;
}

/** Nothing where numbers near the largest ones left nothing to fit. */
function settled(mixed: Quantiles, input: EngineInput) {
  const { rows, levels } = bounded(uncrossed(mixed), input);
  const rowOf = (level: number): Float64Array => rows[levels.indexOf(level)];
  return rows.every(allFinite) ? { point: rowOf(0.5), quantiles: input.levels.map(rowOf) } : undefined;
}

const withWide = (levels: readonly number[]): number[] =>
  [...new Set([...levels, ...wideLevels, 0.5])].sort((a, b) => a - b);

/** As `backtestFolds`, with effects of what lies before the first fold; folds of less than half of the history have none. */
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
      return { ...fold, ...settled(mixOf(made, trial.weights, trial.width), seen) };
    }),
  };
}

export interface EffectSize {
  readonly name: string;
  /** A low and a high value of it: 0 and 1 of a switch, else its 10 % and 90 % quantiles. */
  readonly low: number;
  readonly high: number;
  readonly effect: number;
}

export interface Study {
  readonly effect: Effect;
  readonly values: Float64Array;
  readonly covariates: readonly Covariate[];
}

function withValues({ effect, covariates }: Study, place: number, values: Float64Array, from: number): Float64Array {
  return effect.of(covariates.with(place, { ...covariates[place], values }), from);
}

/** The partial dependence (Friedman 2001) at two values of each covariate, over the last 1,000 steps of the history. */
export function effectSizes(study: Study): EffectSize[] {
  const { values, covariates, effect } = study;
  const { scale } = effect;
  const from = Math.max(0, values.length - 1000);
  const known = Array.from(values.keys()).filter((i) => i >= from && Number.isFinite(values[i]));
  return covariates.map(({ name, values: own }, k) => {
    const sorted = own.slice().sort();
    const [first, last] = isSwitch(own) ? [0, 1] : [0.1, 0.9];
    const [low, high] = [first, last].map((share) => sorted[Math.round(share * (own.length - 1))]);
    const [below, above] = [low, high].map((value) => withValues(study, k, own.slice().fill(value), from));
    const changes = Float64Array.from(known, (i) => {
      const rest = scale.to(values[i]) - effect.values[i];
      return scale.from(rest + above[i]) - scale.from(rest + below[i]);
    });
    return { name, low, high, effect: known.length > 0 ? mean(changes) : 0 };
  });
}

/** By how much the future may differ because covariates had to be forecast: half of what lies between their 10 % and 90 %. */
export function openness(study: Study, completed: readonly Completed[]): Float64Array {
  const { values, effect } = study;
  const { scale } = effect;
  const n = values.length;
  const result = new Float64Array(effect.values.length - n);
  const typical = scale.to(mean(values.filter(Number.isFinite)));
  completed.forEach(({ forecast, low, high }, k) => {
    if (forecast === 0) return;
    const [below, above] = [low, high].map((row) => withValues(study, k, row, n));
    result.forEach((before, i) => {
      const half = (scale.from(typical + above[n + i]) - scale.from(typical + below[n + i])) / 2;
      result[i] = Math.hypot(before, half);
    });
  });
  return result;
}

/**
 * What covariates add beside what they usually are (their median), shared by putting each back to that in both orders
 * (Shapley 1953). Covariates of one source count as one. None where the forecast makes use of no covariate.
 */
export function contributionsOf(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  point: Float64Array,
  sourceOf: (name: string) => string,
  tuned?: TunedParameters,
): { readonly names: readonly string[]; readonly values: Float64Array }[] {
  const examined = examine(modelId, input, covariates, tuned);
  if (!examined || examined.trial.weights[0] === 1) return [];
  const { completed, length, recent, trial } = examined;
  const { values, periods } = recent;
  const used = completed.map(({ covariate }) => covariate);
  let last = values.find(Number.isFinite) ?? 0;
  const series = Float64Array.from({ length }, (_, i) => {
    const value = i < values.length ? values[i] : point[i - values.length];
    return (last = Number.isFinite(value) ? value : last);
  });
  const groups = groupsOf(used, sourceOf);
  const total = groups.map(() => new Float64Array(length));
  scalesOf(values).forEach((scale, k) => {
    const weight = trial.weights[k + 1];
    if (!(weight > 0)) return;
    const effect = effectOf({ values, covariates: used, periods, length }, scale);
    const rest = series.map((value, i) => scale.to(value) - effect.values[i]);
    for (const order of [[...groups.keys()], [...groups.keys()].reverse()]) {
      let state = used;
      let before = effect.values;
      for (const group of order) {
        state = state.map((each, place) => (groups[group].places.includes(place) ? asUsual(each) : each));
        const after = effect.of(state, 0);
        for (let i = 0; i < length; i++) {
          total[group][i] += (weight / 2) * (scale.from(rest[i] + before[i]) - scale.from(rest[i] + after[i]));
        }
        before = after;
      }
    }
  });
  return groups.map(({ names }, group) => ({ names, values: total[group] }));
}

function groupsOf(covariates: readonly Covariate[], sourceOf: (name: string) => string) {
  const bySource = Map.groupBy(covariates.keys(), (place) => sourceOf(covariates[place].name));
  const all = [...bySource].map(([name, places]) => ({ names: [name], places }));
  if (all.length <= 8) return all;
  const others = all.slice(7);
  const rest = { names: others.flatMap(({ names }) => names), places: others.flatMap(({ places }) => places) };
  return [...all.slice(0, 7), rest];
}

function asUsual({ name, values }: Covariate): Covariate {
  const sorted = values.slice().sort();
  return { name, values: values.slice().fill(sorted[sorted.length >> 1]) };
}
