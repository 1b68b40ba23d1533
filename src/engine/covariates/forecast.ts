import { forecast, backtestFolds, type Folds } from '../forecast.ts';
import { around, mapRows, type Quantiles, uncrossed } from '../quantiles.ts';
import { rollingOrigins } from '../rolling-origins.ts';
import { clamp, mean, meanAbsolute, normalQuantile, allFinite } from '../statistics.ts';
import type { EngineInput, TunedParameters, EngineForecast } from '../types.ts';
import type { Completed, Covariate, Effect, TrainingPart } from './effect.ts';
import { complete, blocksOf, centeredMean, effectOf, plain, scalesOf, isSwitch } from './effect.ts';
import { bounded, wideLevels } from '../adjustments.ts';

type Ask = (input: EngineInput) => EngineForecast;

export interface CovariateScores {
  readonly origins: number;
  readonly horizon: number;
  /** Mean absolute errors, in units of the series; the same where no covariate helped. */
  readonly errorWith: number;
  readonly errorWithout: number;
}

/** Fits effects before the last origins, in the last third, and forecasts from each; `weights[0]` is of the forecast without. */
function trialOf(input: EngineInput, completed: readonly Completed[], ask: Ask) {
  const { values } = input;
  const n = values.length;
  const horizon = Math.min(input.horizon, Math.floor(n / 9));
  if (horizon < 1) return undefined;
  const most = Math.min(10, Math.floor(n / 3 / horizon));
  const stride = Math.min(2 * horizon, Math.floor(n / 3 / most));
  const ends = rollingOrigins({ length: n, stride, leastHistory: 1, most }).reverse();
  const { forecasts } = forecastsFrom(input, { horizon, levels: [0.1, 0.5, 0.9], ends }, completed, ask);
  const actual = Float64Array.from(ends.flatMap((end) => [...values.subarray(end, end + horizon)]));
  const [low, middle, high] = [0, 1, 2].map((row) =>
    forecasts[0].map((_, k) => Float64Array.from(forecasts.flatMap((made) => [...made[k].rows[row]]))),
  );
  const errors = middle.map((each) => each.map((value, i) => actual[i] - value));
  const known = Array.from(actual.keys()).filter((i) => Number.isFinite(actual[i]));
  if (known.length === 0) return undefined;
  const alone = new Float64Array(errors.length).fill(1, 0, 1);
  const stacked = stackingWeights(errors);
  const errorWithout = meanError(errors, alone, known);
  const errorStacked = meanError(errors, stacked, known);
  const gains = Float64Array.from(ends, (_, origin) => {
    const own = known.filter((i) => Math.floor(i / horizon) === origin);
    return own.length > 0 ? own.length * (meanError(errors, alone, own) - meanError(errors, stacked, own)) : 0;
  });
  const gain = mean(gains);
  const deviation = Math.sqrt(mean(gains.map((each) => (each - gain) ** 2)) / (gains.length - 1));
  const helps = errorStacked < 0.98 * errorWithout && gain > deviation;
  const weights = helps ? stacked : alone;
  const [below, center, above] = [low, middle, high].map((rows) => weightedMean(rows, weights));
  const ratios = known.map((i) => {
    const error = actual[i] - center[i];
    return error / ((error < 0 ? below : above)[i] - center[i]);
  });
  const errorWith = helps ? errorStacked : errorWithout;
  return { origins: ends.length, horizon, weights, width: widthFor(ratios), errorWith, errorWithout };
}

/** By how much 80 % intervals would have had to be wider, half way there. @param ratios of errors to half widths */
function widthFor(ratios: readonly number[]): number {
  const sorted = ratios.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted.length < 8 ? 1 : Math.sqrt(clamp(sorted[Math.floor(0.8 * sorted.length)], 0.5, 2));
}

/** From the origins `ends`, ascending: without covariates, then by what each effect, fitted before the first, leaves over. */
export function forecastsFrom(
  input: EngineInput,
  { ends, horizon, levels }: Pick<EngineInput, 'horizon' | 'levels'> & { readonly ends: readonly number[] },
  completed: readonly Completed[],
  ask: Ask,
) {
  const { values, periods } = input;
  const length = Math.max(values.length, ends[ends.length - 1] + horizon);
  const covariates = completed.map(({ covariate }) => ({ ...covariate, values: covariate.values.subarray(0, length) }));
  const part = { values: values.subarray(0, ends[0]), covariates, periods, length };
  const effects = scalesOf(values).map((scale) => effectOf(part, scale));
  const question = { ...input, horizon, levels, samples: undefined };
  const isOpen = completed.some((each) => each.forecast > 0);
  const forecasts = ends.map((end) => {
    const known =
      isOpen && end < values.length
        ? covariates.map((each, k) => asKnownAt(completed[k], each, end, input))
        : undefined;
    const alone = ask({ ...question, values: values.subarray(0, end) });
    const around = effects.map(({ scale, values: fitted, of }): Quantiles => {
      const ahead = known ? of(known, end) : fitted;
      const remainder = values.subarray(0, end).map((value, i) => scale.to(value) - fitted[i]);
      const { quantiles } = ask({ ...question, values: remainder, bounds: undefined });
      return mapRows({ levels, rows: quantiles }, (row) => row.map((value, i) => scale.from(value + ahead[end + i])));
    });
    return [{ levels, rows: alone.quantiles }, ...around];
  });
  return { effects, forecasts };
}

function asKnownAt({ forecast: missing }: Completed, covariate: Covariate, end: number, input: EngineInput): Covariate {
  const ahead = Math.min(covariate.values.length, end + Math.max(0, input.horizon - missing));
  if (missing === 0 || ahead >= covariate.values.length) return covariate;
  const values = covariate.values.slice().fill(Number.NaN, ahead);
  return complete({ name: covariate.name, values }, input.periods).covariate;
}

/** The weighted mean of forecasts, level by level; wider by a factor, and by `open` half widths. */
export function mixOf(
  forecasts: readonly Quantiles[],
  weights: Float64Array,
  width: number,
  open?: Float64Array,
): Quantiles {
  const { levels } = forecasts[0];
  const rowsOf = (l: number): Float64Array[] => forecasts.map(({ rows }) => rows[l]);
  const rows = levels.map((_, l) => weightedMean(rowsOf(l), weights));
  return around({ levels, rows }, (distance, i, l) => {
    const opened = ((open?.[i] ?? 0) * normalQuantile(levels[l])) / normalQuantile(0.9);
    return Math.sign(levels[l] - 0.5) * Math.hypot(width * distance, opened);
  });
}

function weightedMean(rows: readonly Float64Array[], weights: Float64Array): Float64Array {
  return rows[0].map((_, i) => rows.reduce((sum, row, k) => (weights[k] > 0 ? sum + weights[k] * row[i] : sum), 0));
}

/** Tenths with which forecasts erred least, drawn to equal ones by 6% of the error. `NaN`: nothing was observed. */
export function stackingWeights(errors: readonly Float64Array[]): Float64Array {
  const count = errors.length;
  const known = Array.from(errors[0].keys()).filter((i) => Number.isFinite(errors[0][i]));
  let best = new Float64Array(count).fill(1 / count);
  let least = Infinity;
  const scale = meanError(errors, best, known);
  const place = (taken: readonly number[], left: number): void => {
    if (taken.length < count - 1) {
      for (let next = 0; next <= left; next++) place([...taken, next], left - next);
      return;
    }
    const weights = Float64Array.from([...taken, left], (share) => share / 10);
    const distance = weights.reduce((sum, weight) => sum + (weight - 1 / count) ** 2, 0);
    const error = meanError(errors, weights, known) + 0.06 * scale * distance;
    if (error < least) [least, best] = [error, weights];
  };
  place([], 10);
  return best;
}

function meanError(errors: readonly Float64Array[], weights: Float64Array, rows: readonly number[]): number {
  const mixed = weightedMean(errors, weights);
  return meanAbsolute(rows.map((row) => mixed[row]));
}

/** A quick test, without a forecast. @returns undefined where the series is too short, or no covariate tells anything */
export function helpOf(modelId: string, input: EngineInput, covariates: readonly Covariate[], tuned?: TunedParameters) {
  const examined = examine(modelId, input, covariates, tuned);
  if (!examined) return undefined;
  const { weights, width: _, ...errors } = examined.trial;
  return { names: weights[0] === 1 ? [] : examined.completed.map(({ covariate }) => covariate.name), ...errors };
}

/** On the last 9,000 steps. One must stand out by 2.5 standard errors, of many by more; beside it others need .7. */
function examine(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned: TunedParameters | undefined,
) {
  const { periods, horizon, bounds } = input;
  const from = Math.max(0, input.values.length - 9000);
  const values = input.values.map((value) => (Number.isFinite(value) ? value : Number.NaN)).subarray(from);
  const length = values.length + horizon;
  const asLong = (given: Float64Array): Float64Array =>
    Float64Array.from({ length }, (_, i) => given[from + i] ?? Number.NaN);
  const moving = covariates
    .map(({ name, values: all }) => complete({ name, values: asLong(all) }, periods))
    .filter(({ covariate }) => covariate.values.some((value, i, [first]) => i < values.length && value !== first));
  const everything = moving.map(({ covariate }) => covariate);
  const scores = moving.length > 1 ? covariateScores({ values, covariates: everything, periods, length }) : [Infinity];
  if (!scores.some((score) => score > Math.max(2.5, 1.6 + 0.8 * Math.log(scores.length)))) return undefined;
  const completed = moving.filter((_, k) => scores[k] > 0.7);
  if (completed.length === 0) return undefined;
  const ask: Ask = (question) => forecast(modelId, question, tuned);
  const recent: EngineInput = {
    ...input,
    values,
    bounds: bounds && { ...bounds, floor: bounds.floor.subarray(from), capacity: bounds.capacity.subarray(from) },
  };
  const trial = trialOf(recent, completed, ask);
  return trial && { completed, ask, recent, trial, length };
}

/** Standard errors by which the history is predicted worse with a covariate of another time (permutation, Breiman 2001). */
export function covariateScores(part: TrainingPart): number[] {
  const n = part.values.length;
  const start = Math.max(0, n - 4000);
  const values = part.values.slice(start);
  const covariates = part.covariates.map(({ name, values: all }) => ({ name, values: all.slice(start, n) }));
  const { width, block } = blocksOf(part.periods, values.length);
  const level = centeredMean(values, width);
  const effect = effectOf({ values, covariates, periods: part.periods, length: values.length }, plain);
  const errorsOf = (predicted: Float64Array): Float64Array =>
    values.map((value, i) => Math.abs(value - level[i] - predicted[i]));
  const before = errorsOf(effect.values);
  const total = before.reduce((sum, error) => sum + (Number.isFinite(error) ? error : 0), 0);
  const away = block * Math.max(1, Math.round(values.length / (2.6 * block)));
  return covariates.map((covariate, k) => {
    const moved = covariate.values.map((_, i) => covariate.values[(i + away) % values.length]);
    const others = covariates.with(k, { ...covariate, values: moved });
    const after = errorsOf(effect.of(others, 0));
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

export interface CovariateForecast extends EngineForecast {
  /** With those that it makes use of, which helped; undefined where the series is too short to find anything out. */
  readonly covariates?: (CovariateScores & { readonly used: readonly EffectSize[] }) | undefined;
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
  const { completed, ask, recent, trial } = examined;
  const { weights, width, ...errors } = trial;
  if (weights[0] === 1) return { ...alone, covariates: { used: [], ...errors } };
  const { values } = recent;
  const asked = { horizon: input.horizon, levels: withWide(input.levels), ends: [values.length] };
  const { effects, forecasts } = forecastsFrom(recent, asked, completed, ask);
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
  const { completed, ask, recent, trial } = examined;
  const unseen = input.values.length - recent.values.length;
  const ends = alone.folds
    .map(({ end }) => end - unseen)
    .filter((end) => end >= recent.values.length / 2)
    .reverse();
  if (ends.length === 0) return alone;
  const asked = { horizon: alone.horizon, levels: withWide(input.levels), ends };
  const { forecasts } = forecastsFrom(recent, asked, completed, ask);
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

interface EffectSize {
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

/** What covariates add beside their median, put back in both orders (Shapley 1953), by source; none where none is used. */
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
        state = state.map((each, place) => {
          if (!groups[group].places.includes(place)) return each;
          const usual = each.values.toSorted()[each.values.length >> 1];
          return { ...each, values: each.values.slice().fill(usual) };
        });
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
