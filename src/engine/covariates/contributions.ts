import type { TunedParameters } from '../tuning/tuned.ts';
import type { EngineInput } from '../types.ts';
import { examine } from './forecast.ts';
import type { Covariate, Effect } from './types.ts';
import { learn, type Way } from './ways.ts';

/** Of more covariates the further ones are told as one. */
const mostApart = 8;

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
  const examined = examine(modelId, { ...input, levels: [] }, covariates, tuned);
  if (!examined || examined.trial.weights[0] === 1) return [];
  const { ways, lesson, trial } = examined;
  const series = new Float64Array(lesson.length);
  let last = lesson.values.find(Number.isFinite) ?? 0;
  for (let i = 0; i < series.length; i++) {
    const value = i < lesson.values.length ? lesson.values[i] : point[i - lesson.values.length];
    series[i] = last = Number.isFinite(value) ? value : last;
  }
  const groups = groupsOf(lesson.covariates, sourceOf);
  const total = groups.map(() => new Float64Array(lesson.length));
  ways.forEach((way, k) => {
    const weight = trial.weights[k + 1];
    if (!(weight > 0)) return;
    const effect = learn(way, lesson);
    for (const order of [[...groups.keys()], [...groups.keys()].reverse()]) {
      putBack(way, effect, series, lesson.covariates, groups, order, (group, i, change) => {
        total[group][i] += (weight * change) / 2;
      });
    }
  });
  return groups.map(({ names }, group) => ({ names, values: total[group] }));
}

interface Group {
  readonly names: readonly string[];
  /** Places of its covariates. */
  readonly places: readonly number[];
}

function groupsOf(covariates: readonly Covariate[], sourceOf: (name: string) => string): Group[] {
  const bySource = Map.groupBy(covariates.keys(), (place) => sourceOf(covariates[place].name));
  const all = [...bySource].map(([name, places]) => ({ names: [name], places }));
  if (all.length <= mostApart) return all;
  const others = all.slice(mostApart - 1);
  return [
    ...all.slice(0, mostApart - 1),
    { names: others.flatMap(({ names }) => names), places: others.flatMap(({ places }) => places) },
  ];
}

/** Puts one group after another back to its usual values, and tells what each step loses by that. */
function putBack(
  { scale }: Way,
  effect: Effect,
  series: Float64Array,
  covariates: readonly Covariate[],
  groups: readonly Group[],
  order: readonly number[],
  tell: (group: number, i: number, change: number) => void,
): void {
  const rest = series.map((value, i) => scale.to(value) - effect.values[i]);
  let state = covariates;
  let before = effect.values;
  for (const group of order) {
    const { places } = groups[group];
    state = state.map((each, place) => (places.includes(place) ? asUsual(each) : each));
    const after = effect.of(state, 0);
    for (let i = 0; i < series.length; i++) {
      tell(group, i, scale.from(rest[i] + before[i]) - scale.from(rest[i] + after[i]));
    }
    before = after;
  }
}

function asUsual({ name, values }: Covariate): Covariate {
  const sorted = values.slice().sort();
  const middle = sorted[sorted.length >> 1];
  return { name, values: values.map(() => middle) };
}
