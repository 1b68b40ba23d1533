import type { EngineInput, TunedParameters } from '../types.ts';
import { mean } from '../statistics.ts';
import { type Covariate, isSwitch } from './covariate.ts';
import { type Effect, effectOf, scalesOf } from './effect.ts';
import { examine } from './examine.ts';
import type { Completed } from './missing.ts';

/** What a covariate does to a series. */
export interface EffectSize {
  readonly name: string;
  /** A low and a high value of it: 0 and 1 of a switch, else its 10 % and 90 % quantiles. */
  readonly low: number;
  readonly high: number;
  /** By how much the series is higher at the high value than at the low one, in its units, all else being as it was. */
  readonly effect: number;
}

/** An effect, and what it was fitted to. */
export interface Study {
  readonly effect: Effect;
  readonly values: Float64Array;
  readonly covariates: readonly Covariate[];
}

/** The effect with other values of one covariate. */
function withValues({ effect, covariates }: Study, place: number, values: Float64Array, from: number): Float64Array {
  return effect.of(
    covariates.map((each, k) => (k === place ? { ...each, values } : each)),
    from,
  );
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

/** What a covariate, or several, add to each step. */
export interface Contribution {
  readonly names: readonly string[];
  /** Over the last steps of the history and the forecast, in units of the series. */
  readonly values: Float64Array;
}

/**
 * What covariates add to a series and to its forecast, beside what they usually are: the median of each, of a switch the
 * more frequent state. Together they are what the series would lose if all of them were as usual; each has its share of
 * that by being put back to its usual values in both orders (as Shapley values over two orders, Shapley 1953).
 *
 * @param point the forecast
 * @param sourceOf covariates of one source are told as one
 * @returns none where the forecast makes use of no covariate
 */
export function contributionsOf(
  modelId: string,
  input: EngineInput,
  covariates: readonly Covariate[],
  point: Float64Array,
  sourceOf: (name: string) => string,
  tuned?: TunedParameters,
): Contribution[] {
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

/** By source; of more than eight sources the further ones are told as one. */
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
