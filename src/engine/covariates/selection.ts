import { forecast } from '../forecast.ts';
import { mapRows, medianRow, type Quantiles } from '../quantiles.ts';
import { rollingOrigins } from '../rolling-origins.ts';
import { clamp, mean, meanAbsolute, normalQuantile } from '../statistics.ts';
import type { EngineInput, TunedParameters } from '../types.ts';
import { complete, type Completed, type Covariate } from './covariate.ts';
import { blocksOf, centeredMean, effectOf, plain, scalesOf, type Effect, type TrainingPart } from './effect.ts';

interface Model {
  readonly id: string;
  readonly tuned: TunedParameters | undefined;
}

export interface CovariateScores {
  readonly origins: number;
  readonly horizon: number;
  /** Mean absolute errors, in units of the series; the same where no covariate helped. */
  readonly errorWith: number;
  readonly errorWithout: number;
}

/**
 * Fits the effects to what lies before the last origins, in the last third of the series, and forecasts from each. The
 * first weight is that of the forecast without covariates, and all where these did not help.
 */
function trialOf(input: EngineInput, completed: readonly Completed[], model: Model) {
  const { values } = input;
  const n = values.length;
  const horizon = Math.min(input.horizon, Math.floor(n / 9));
  if (horizon < 1) return undefined;
  const most = Math.min(10, Math.floor(n / 3 / horizon));
  const stride = Math.min(2 * horizon, Math.floor(n / 3 / most));
  const ends = rollingOrigins({ length: n, stride, leastHistory: 1, most }).reverse();
  const { forecasts } = forecastsFrom(input, { horizon, levels: [0.1, 0.5, 0.9], ends }, completed, model);
  const actual = Float64Array.from(
    { length: ends.length * horizon },
    (_, i) => values[ends[Math.floor(i / horizon)] + (i % horizon)],
  );
  const at = (k: number, row: number): Float64Array =>
    actual.map((_, i) => forecasts[Math.floor(i / horizon)][k].rows[row][i % horizon]);
  const errors = forecasts[0].map((_, k) => at(k, 1).map((value, i) => actual[i] - value));
  const known = Array.from(actual.keys()).filter((i) => Number.isFinite(actual[i]));
  if (known.length === 0) return undefined;
  const alone = new Float64Array(errors.length).fill(1, 0, 1);
  const stacked = stackingWeights(errors);
  const errorWithout = meanError(errors, alone, known);
  const errorStacked = meanError(errors, stacked, known);
  const gains = ends.map((_, origin) => {
    const own = known.filter((i) => Math.floor(i / horizon) === origin);
    return own.length > 0 ? own.length * (meanError(errors, alone, own) - meanError(errors, stacked, own)) : 0;
  });
  const helps = errorStacked < 0.98 * errorWithout && isSteady(gains);
  const weights = helps ? stacked : alone;
  const rowsAt = (row: number): Float64Array[] => errors.map((_, k) => at(k, row));
  const [low, middle, high] = [0, 1, 2].map((row) => weightedMean(rowsAt(row), weights));
  const ratios = known.map((i) => {
    const error = actual[i] - middle[i];
    return error / ((error < 0 ? low : high)[i] - middle[i]);
  });
  const errorWith = helps ? errorStacked : errorWithout;
  return { origins: ends.length, horizon, weights, width: widthFor(ratios), errorWith, errorWithout };
}

/** By how much 80 % intervals would have had to be wider, half way there. @param ratios of errors to half widths */
function widthFor(ratios: readonly number[]): number {
  const sorted = ratios.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted.length < 8 ? 1 : Math.sqrt(clamp(sorted[Math.floor(0.8 * sorted.length)], 0.5, 2));
}

/**
 * Forecasts from the origins `ends`, ascending: without covariates, then by the remainder of each effect, which is put
 * back. Effects are fitted to what lies before the first; what was forecast of a covariate is so from each origin.
 */
export function forecastsFrom(
  input: EngineInput,
  { ends, horizon, levels }: Pick<EngineInput, 'horizon' | 'levels'> & { readonly ends: readonly number[] },
  completed: readonly Completed[],
  { id, tuned }: Model,
): { readonly effects: readonly Effect[]; readonly forecasts: readonly (readonly Quantiles[])[] } {
  const { values, periods } = input;
  const length = Math.max(values.length, ends[ends.length - 1] + horizon);
  const covariates = completed.map(({ covariate: { name, values: own } }) => ({
    name,
    values: own.subarray(0, length),
  }));
  const part = { values: values.subarray(0, ends[0]), covariates, periods, length };
  const effects = scalesOf(values).map((scale) => effectOf(part, scale));
  const question = { ...input, horizon, levels, samples: undefined };
  const isOpen = completed.some((each) => each.forecast > 0);
  const forecasts = ends.map((end) => {
    const known =
      isOpen && end < values.length
        ? covariates.map((each, k) => asKnownAt(completed[k], each, end, input))
        : undefined;
    const alone = forecast(id, { ...question, values: values.subarray(0, end) }, tuned);
    const around = effects.map(({ scale, values: fitted, of }): Quantiles => {
      const ahead = known ? of(known, end) : fitted;
      const remainder = values.subarray(0, end).map((value, i) => scale.to(value) - fitted[i]);
      const { quantiles } = forecast(id, { ...question, values: remainder, bounds: undefined }, tuned);
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
  const median = medianRow({ levels, rows });
  return mapRows({ levels, rows }, (row, l) =>
    row.map((value, i) => {
      const half = Math.hypot(
        width * (value - median[i]),
        ((open?.[i] ?? 0) * normalQuantile(levels[l])) / normalQuantile(0.9),
      );
      return median[i] + Math.sign(levels[l] - 0.5) * half;
    }),
  );
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

function isSteady(gains: readonly number[]): boolean {
  const all = Float64Array.from(gains);
  const center = mean(all);
  return center > Math.sqrt(mean(all.map((gain) => (gain - center) ** 2)) / (gains.length - 1));
}

/** A quick test, without a forecast. @returns undefined where the series is too short, or no covariate tells anything */
export function helpOf(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  tuned?: TunedParameters,
): (CovariateScores & { readonly names: readonly string[] }) | undefined {
  const examined = examine(modelId, input, covariates, tuned);
  if (!examined) return undefined;
  const { weights, width: _, ...errors } = examined.trial;
  return { names: weights[0] === 1 ? [] : examined.completed.map(({ covariate }) => covariate.name), ...errors };
}

/** On the last 9,000 steps. One must stand out by 2.5 standard errors, of many by more; beside it others need .7. */
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
  const model: Model = { id: modelId, tuned };
  const recent: EngineInput = {
    ...input,
    values,
    bounds: bounds && { ...bounds, floor: bounds.floor.subarray(from), capacity: bounds.capacity.subarray(from) },
  };
  const trial = trialOf(recent, completed, model);
  return trial && { completed, model, recent, trial, length };
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
  // By whole blocks, so that the place in the week stays.
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
