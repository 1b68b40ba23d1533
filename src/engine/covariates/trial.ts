import { forecast } from '../forecast.ts';
import type { EngineForecast, EngineInput } from '../types.ts';
import { complete, type Completed } from './missing.ts';
import { meanError, stackingWeights } from './stack.ts';
import type { Covariate, Effect } from './types.ts';
import { forecastAround, learn, type Model, type Way } from './ways.ts';

const mostOrigins = 10;
const fewestOrigins = 3;
/** Origins lie so many horizons apart at most. */
const mostApart = 2;
/** The last origins of a series take up no more than this share of it. */
const mostOfHistory = 1 / 3;
/** The combination must err less than the forecast without covariates by this share at least. */
const leastGain = 0.02;
/** How far the bands follow the errors at the last origins. */
const ownWidth = 0.5;
const levels = [0.1, 0.9];

/** What covariates would have been worth at the last origins of a series. */
export interface Trial {
  readonly origins: number;
  readonly horizon: number;
  /** Of the forecast without covariates, then of each way; all on the first where covariates did not help. */
  readonly weights: Float64Array;
  /** Factor on the widths of the bands of the combination. */
  readonly width: number;
  /** Mean absolute errors, in units of the series. */
  readonly errorWith: number;
  readonly errorWithout: number;
}

/**
 * Learns the effects from what lies before the last origins, and forecasts from each of them.
 *
 * @param completed of which what was forecast at the end is forecast from each origin as well
 * @returns undefined where the series is too short
 */
export function trialOf(
  input: EngineInput,
  completed: readonly Completed[],
  ways: readonly Way[],
  model: Model,
): Trial | undefined {
  const { values } = input;
  const n = values.length;
  const horizon = Math.min(input.horizon, Math.floor((n * mostOfHistory) / fewestOrigins));
  if (horizon < 1) return undefined;
  const origins = Math.min(mostOrigins, Math.floor((n * mostOfHistory) / horizon));
  const stride = Math.max(horizon, Math.min(mostApart * horizon, Math.floor((n * mostOfHistory) / origins)));
  const first = n - horizon - (origins - 1) * stride;
  const ends = Array.from({ length: origins }, (_, origin) => first + origin * stride);
  const forecasts = rehearse(input, { horizon, levels, ends }, completed, ways, model);
  const actual = Float64Array.from(
    { length: origins * horizon },
    (_, i) => values[first + Math.floor(i / horizon) * stride + (i % horizon)],
  );
  const errors = [undefined, ...ways].map((_, k) =>
    actual.map((value, i) => value - forecasts[Math.floor(i / horizon)][k].point[i % horizon]),
  );
  const rows = [...actual.keys()].filter((i) => Number.isFinite(actual[i]));
  if (rows.length === 0) return undefined;
  const alone = Float64Array.from(errors, (_, k) => (k === 0 ? 1 : 0));
  const stacked = stackingWeights(errors);
  const errorWithout = meanError(errors, alone, rows);
  const errorStacked = meanError(errors, stacked, rows);
  const better = errorStacked < (1 - leastGain) * errorWithout;
  const helps = better && isSteady(gainsByOrigin(errors, stacked, origins));
  const weights = helps ? stacked : alone;
  const errorWith = helps ? errorStacked : errorWithout;
  return { origins, horizon, weights, width: widthOf(forecasts, weights, actual, rows), errorWith, errorWithout };
}

/**
 * What would have been forecast from some times of the past: at each of them without covariates, then in each way. Effects
 * are learned from what lies before the first one.
 *
 * @param input of the forecast itself
 * @param asked at each time; `ends` are how many values each sees, ascending
 */
export function rehearse(
  input: EngineInput,
  { ends, ...asked }: Pick<EngineInput, 'horizon' | 'levels'> & { readonly ends: readonly number[] },
  completed: readonly Completed[],
  ways: readonly Way[],
  model: Model,
): EngineForecast[][] {
  const { values, periods } = input;
  const known = completed.map(({ covariate }) => upTo(covariate, values.length));
  const lesson = { values: values.subarray(0, ends[0]), covariates: known, periods, length: values.length };
  const effects = ways.map((way) => learn(way, lesson));
  const question = { ...input, ...asked };
  const isOpen = completed.some((each) => each.forecast > 0);
  return ends.map((end) => {
    const asFarAsKnown = isOpen ? completed.map((each, k) => forgotten(each, known[k], end, input)) : undefined;
    return [
      forecast(model.id, { ...question, values: values.subarray(0, end) }, model.tuned),
      ...ways.map((way, k) => {
        const effect = asFarAsKnown ? joined(effects[k], asFarAsKnown, end) : effects[k].values;
        return forecastAround(way, effect, question, end, model);
      }),
    ];
  });
}

/** How much less the combination errs than the forecast without covariates, at each origin. */
function gainsByOrigin(errors: readonly Float64Array[], weights: Float64Array, origins: number): number[] {
  const horizon = errors[0].length / origins;
  return Array.from({ length: origins }, (_, origin) => {
    let gain = 0;
    for (let i = origin * horizon; i < (origin + 1) * horizon; i++) {
      if (!Number.isFinite(errors[0][i])) continue;
      const mixed = errors.reduce((sum, each, k) => sum + weights[k] * each[i], 0);
      gain += Math.abs(errors[0][i]) - Math.abs(mixed);
    }
    return gain;
  });
}

/** Whether the mean stands out from 0 by a standard error. */
function isSteady(gains: readonly number[]): boolean {
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  return mean > Math.sqrt(squares / (gains.length * (gains.length - 1)));
}

const upTo = ({ name, values }: Covariate, length: number): Covariate => ({ name, values: values.subarray(0, length) });

/** The covariate as it would have been known at an origin. */
function forgotten({ forecast: missing }: Completed, covariate: Covariate, end: number, input: EngineInput): Covariate {
  const ahead = Math.min(covariate.values.length, end + Math.max(0, input.horizon - missing));
  if (missing === 0 || ahead >= covariate.values.length) return covariate;
  const values = covariate.values.slice();
  values.fill(Number.NaN, ahead);
  return complete({ name: covariate.name, values }, input.periods).covariate;
}

function joined(effect: Effect, covariates: readonly Covariate[], end: number): Float64Array {
  const result = effect.of(covariates, end);
  result.set(effect.values.subarray(0, end));
  return result;
}

/** By how much the 80 % band would have had to be wider, half way there. */
function widthOf(
  forecasts: readonly (readonly EngineForecast[])[],
  weights: Float64Array,
  actual: Float64Array,
  rows: readonly number[],
): number {
  const horizon = forecasts[0][0].point.length;
  const ratios = rows.map((row) => {
    const at = forecasts[Math.floor(row / horizon)];
    const step = row % horizon;
    const mixed = (of: (forecast: EngineForecast) => Float64Array): number =>
      at.reduce((sum, each, k) => sum + weights[k] * of(each)[step], 0);
    const middle = mixed(({ point }) => point);
    const error = actual[row] - middle;
    const half = mixed(({ quantiles }) => quantiles[error < 0 ? 0 : 1]) - middle;
    return error / half;
  });
  const sorted = ratios.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length < 8) return 1;
  return Math.max(0.5, Math.min(2, sorted[Math.floor(0.8 * sorted.length)])) ** ownWidth;
}
