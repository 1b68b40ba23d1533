import { adjusted } from '../adjustments/adjustments.ts';
import { besideObserved, isNeural, observed } from '../models.ts';
import { describeSteps, type NeuralModel } from '../neural/model.ts';
import { trainingWindow, type Windows } from '../neural/training.ts';
import { prepareSeries, type Series } from '../prepare/series.ts';
import type { Random } from '../random.ts';
import { meanChange, rollingOrigins, seasonOf } from '../rolling-origins.ts';
import { meanAbsolute } from '../statistics.ts';

export interface TrainingSeries {
  readonly values: Float64Array;
  readonly periods: readonly number[];
}

export type HoldOut = ReturnType<typeof holdOuts>[number];

/** Fewest values before the hold-out, of which also a context length must leave as many. */
export const leastContext = (modelId: string): number => (isNeural(modelId) ? 6 : 4);

/**
 * Cuts each series `origin` horizons before its last one; leaves out those too short or too constant for a score. All
 * that is known is `before`, and `whole` as a series; what the model sees of it is `seen`, and `series`; `after` is what
 * followed, and `future` the same in the units of `series`, after its last observation.
 */
export function holdOuts(
  dataset: readonly TrainingSeries[],
  horizon: number,
  contextLength = Infinity,
  origin = 0,
  least = leastContext('hybrid'),
) {
  return dataset.flatMap(({ values, periods }, index) => {
    const asked = { length: values.length, stride: horizon, leastHistory: least, most: origin + 1 };
    const cut = rollingOrigins(asked).at(origin);
    if (cut === undefined) return [];
    const before = values.slice(0, cut);
    const seen = before.slice(Math.max(0, cut - contextLength));
    const after = values.slice(cut, cut + horizon);
    if (seen.filter(Number.isFinite).length < least || !after.some(Number.isFinite)) return [];
    const series = prepareSeries(seen, periods);
    const whole = seen.length === cut ? series : prepareSeries(before, periods);
    const season = seasonOf(periods, whole.values.length);
    const scale = meanChange(whole.values, season) * Math.abs(whole.unit / series.unit);
    if (!(scale > 0)) return [];
    // Values missing before the cut are forecast like the future.
    const future = new Float64Array(series.missingAtEnd + horizon).fill(Number.NaN);
    future.set(
      after.map((value) => value / series.unit),
      series.missingAtEnd,
    );
    return [{ index, origin, before, seen, after, periods, series, whole, future, scale }];
  });
}

/** Two horizons: what happens to a dataset at one time, such as a crisis, passes for a pattern on one hold-out alone. */
export function originsOf(dataset: readonly TrainingSeries[], horizon: number): number {
  const long = dataset.filter(({ values }) => {
    const before = values.slice(0, Math.max(0, values.length - 2 * horizon));
    return before.filter(Number.isFinite).length >= 12;
  });
  return long.length >= 0.8 * dataset.length ? 2 : 1;
}

export function countWindows(dataset: readonly Series[]): number {
  return dataset.reduce((sum, series) => sum + Math.max(0, series.values.length - firstCut(series)), 0);
}

/** After two periods of the longest cycle that half of the series shows so often; of the shortest where there is none. */
function firstCut({ values, candidates }: Series): number {
  const beforeCut = (period: number): number => 2 * Math.round(period) + 2;
  const cycle = candidates.findLast((period) => beforeCut(period) <= values.length / 2) ?? candidates.at(0);
  const wanted = Math.max(8, cycle === undefined ? 0 : beforeCut(cycle));
  return Math.max(3, Math.min(wanted, Math.max(8, values.length >> 1), values.length - 2));
}

/**
 * Windows to train on: longer series are drawn more often, by the root of how many windows they have, and late cuts more
 * often than early ones, as they are more like what is to be forecast.
 *
 * @param earlier windows drawn without so many of the last points, which are taken over where they end early enough, as
 *   describing them takes long
 */
export function drawWindows(
  dataset: readonly Series[],
  { count, steps, horizon, contextLength }: Record<'count' | 'steps' | 'horizon' | 'contextLength', number>,
  random: Random,
  onWindow: () => void,
  earlier?: { readonly drawn: readonly Windows[]; readonly withoutLast: number },
): Windows[] {
  const chances = dataset.map((series) => Math.sqrt(countWindows([series])));
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  let taken = 0;
  return Array.from({ length: count }, () => {
    let left = random.uniform() * total;
    let at = 0;
    while (at < dataset.length - 1 && left >= chances[at]) left -= chances[at++];
    const series = dataset[at];
    const n = series.values.length;
    const first = firstCut(series);
    const cut = Math.min(n - 1, Math.floor(first + (n - first) * (1 - random.uniform() ** 1.5)));
    if (earlier && cut < n - earlier.withoutLast) return earlier.drawn[taken++];
    const from = Math.max(0, cut - contextLength);
    const reach = Math.min(horizon, n - cut);
    const ahead = Int32Array.from({ length: steps }, () => 1 + random.below(reach));
    const window = trainingWindow(series.slice(from, cut), cut - from, ahead, series.values.subarray(cut));
    onWindow();
    return window;
  });
}

/** What does not change from net to net is computed once. `onErrors` gets the last errors, 0 where nothing was observed. */
export function scorer(
  heldOut: readonly HoldOut[],
  horizon: number,
  seenOf: (one: HoldOut) => Series = ({ series }) => series,
): (model: NeuralModel, restraint: number, onErrors?: (errors: Float64Array) => void) => Float64Array {
  const ready = heldOut.map((one) => {
    const seen = seenOf(one);
    const { length } = one.future;
    return { ...one, seen, window: describeSteps(seen, length), complete: completionOf(one, seen, length) };
  });
  return (model, restraint, onErrors) =>
    Float64Array.from(ready, ({ future, series, scale, seen, window, complete }) => {
      const point = complete(model.point(window), restraint);
      const errors = future.map((actual, i) => actual - (seen.unit / series.unit) * point[i]);
      const known = errors.filter(Number.isFinite);
      const inChanges = errors.map((error) => (Number.isFinite(error) ? (Math.sign(series.unit) * error) / scale : 0));
      onErrors?.(inChanges.subarray(-horizon));
      return meanAbsolute(known) / scale;
    });
}

function completionOf(
  { seen, periods }: HoldOut,
  series: Series,
  horizon: number,
): (net: Float64Array, restraint: number) => Float64Array {
  const levels = [0.5];
  const input = { values: seen, periods, horizon, levels };
  const past = observed(series, horizon, levels);
  return (net, restraint) => {
    const { quantiles, isObserved = false } = besideObserved(past, restraint < 1, () => ({ levels, rows: [net] }));
    return adjusted(quantiles, series, { input, isObserved, isRepeated: false, restraint }).rows[0];
  };
}
