import { checkHorizon, UnusableDatasetError, type TunedParameters, baseSettings, type Settings } from '../types.ts';
import { adjusted } from '../adjustments.ts';
import { besideObserved, isNeural, observed } from '../models.ts';
import { describeSteps, type NeuralModel } from '../neural/model.ts';
import { trainingWindow } from '../neural/training.ts';
import { prepareSeries, type Series } from '../prepare/series.ts';
import type { Random } from '../random.ts';
import { meanChange, rollingOrigins, seasonOf } from '../rolling-origins.ts';
import { meanAbsolute, clamp, mean, median } from '../statistics.ts';
import { forecast } from '../forecast.ts';

export interface TrainingSeries {
  readonly values: Float64Array;
  readonly periods: readonly number[];
}

export type HoldOut = ReturnType<typeof holdOuts>[number];

/** Fewest values before the hold-out, of which also a context length must leave as many. */
export const leastContext = (modelId: string): number => (isNeural(modelId) ? 6 : 4);

/**
 * Cuts each series `origin` horizons before its last one, but those too short or too constant for a score. The model sees `seen`
 * of `before`, and `series` of `whole`; `future` is what followed (`after`) in the units of `series`.
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

/** What is held out of each horizon that is. @throws UnusableDatasetError where nothing is */
export function allHoldOuts(
  dataset: readonly TrainingSeries[],
  horizon: number,
  contextLength: number | undefined,
  least = leastContext('hybrid'),
): HoldOut[][] {
  checkHorizon(horizon);
  const heldOut = Array.from({ length: originsOf(dataset, horizon) }, (_, origin) =>
    holdOuts(dataset, horizon, contextLength, origin, least),
  );
  if (heldOut[0].length > 0) return heldOut;
  if (contextLength !== undefined && contextLength < least) {
    throw new UnusableDatasetError('short_context', contextLength, least);
  }
  const isLong = dataset.some(({ values }) => values.slice(0, -horizon).filter(Number.isFinite).length >= least);
  throw isLong
    ? new UnusableDatasetError('no_change', horizon)
    : new UnusableDatasetError('few_observations', horizon, least);
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
 * @param earlier windows drawn without so many of the last points, which are taken over where they end early enough, as
 *   describing them takes long
 */
export function drawWindows(
  dataset: readonly Series[],
  { count, steps, horizon, contextLength }: Record<'count' | 'steps' | 'horizon' | 'contextLength', number>,
  random: Random,
  onWindow: () => void,
  earlier?: { readonly drawn: readonly Float32Array[]; readonly withoutLast: number },
): Float32Array[] {
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

export const fewSeries = 5; // a dataset of so many series or fewer teaches little for certain

export function subsample(heldOut: readonly HoldOut[]): HoldOut[] {
  const stride = Math.max(1, heldOut.length / 500);
  return Array.from({ length: Math.min(heldOut.length, 500) }, (_, i) => heldOut[Math.floor(i * stride)]);
}

/** Winsorizing: caps scores as wild as ten times the median of these, of those that are no perfect zero. */
export function winsorizer(scores: Float64Array): (scores: Float64Array) => Float64Array {
  const positive = scores.filter((score) => score > 0);
  const most = positive.length > 0 ? 10 * median(positive) : Infinity;
  return (wild) => wild.map((score) => Math.min(score, most));
}

/** Kish's design effect (1965): routes of one airline, which a strike hits all at once, are one case rather than many. */
export function independentSeries(errors: readonly Float64Array[], origins: readonly number[]): number {
  let alike = 0;
  let pairs = 0;
  let most = 0;
  for (const time of new Set(origins)) {
    const directions = errors.flatMap((error, i) => {
      const length = Math.hypot(...error);
      return origins[i] === time && length > 0 ? [error.map((one) => one / length)] : [];
    });
    const count = directions.length;
    const sum = new Float64Array(errors[0].length);
    for (const direction of directions) direction.forEach((one, step) => (sum[step] += one));
    alike += sum.reduce((total, one) => total + one * one, 0) - count;
    pairs += count * (count - 1);
    most = Math.max(most, count);
  }
  return most / (1 + (most - 1) * Math.max(0, pairs > 0 ? alike / pairs : 0));
}

/**
 * By how many standard errors scores (by hold-out) are better than those of the base, as shares of the mean at their
 * time. Series differ, and of those that err alike only so many are `independent`; times differ too, which a single one
 * cannot tell: it counts half. Of few series the error is uncertain itself. The twentieth of the gains at either end
 * counts as the next ones do, lest one wild series decide for all.
 */
export function evidenceOf(
  scores: Float64Array,
  base: Float64Array,
  origins: readonly number[],
  independent = Infinity,
): number {
  const places = [...Map.groupBy(base.keys(), (i) => origins[i]).values()];
  const gains = new Float64Array(base.length);
  for (const own of places) {
    const size = mean(Float64Array.from(own, (i) => base[i]));
    for (const i of own) gains[i] = (base[i] - scores[i]) / size;
  }
  const sorted = gains.toSorted();
  const ends = Math.floor(0.05 * gains.length);
  const limited = gains.map((gain) => clamp(gain, sorted[ends], sorted[gains.length - 1 - ends]));
  const byTime = places.map((own) => Float64Array.from(own, (i) => limited[i]));
  const times = places.length;
  const means = Float64Array.from(byTime, mean);
  const series = gains.length / times;
  const worth = Math.min(series, independent);
  // How series differ at one time alone does not show what they share; all of it is that where they err alike.
  const shown = times > 1 ? 1 : (series * Math.max(0, worth - 1)) / (worth * (series - 1));
  const rest = Math.max(1, gains.length - times) * worth * times * shown;
  const within = byTime.reduce((sum, own) => sum + squaresOf(own), 0) / rest;
  const between = times > 1 ? squaresOf(means) / (times - 1) / times : 3 * within;
  const evidence = mean(means) / ((1 + fewSeries / series) * Math.sqrt(within + between));
  return evidence > 0 ? evidence : 0;
}

function squaresOf(values: Float64Array): number {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0);
}

/** How much of what was learned is kept: what is left of a gain where its chance part is taken off (James and Stein 1961). */
export const shareOf = (evidence: number): number => Math.max(0, 1 - evidence ** -2);

/** What is trained anew on all has seen the hold-outs too, and they tell less apart than four fifths of the best gain. */
export function nearlyBest<T extends { readonly validation: number }>(choices: readonly T[], base: number): T[] {
  const least = Math.min(...choices.map(({ validation }) => validation));
  return choices.filter(({ validation }) => base - validation >= 0.8 * (base - least));
}

export interface SeriesGain {
  readonly index: number;
  readonly baseMase: number;
  readonly mase: number;
}

export type Extremes = Readonly<Partial<Record<'best' | 'worst', SeriesGain>>>;

/** As shares of their own error. @param indices the series that each score is of, one for each of its hold-outs */
export function extremesOf(indices: readonly number[], base: Float64Array, tuned: Float64Array): Extremes {
  const meanAt = (scores: Float64Array, places: readonly number[]): number =>
    places.reduce((sum, place) => sum + scores[place], 0) / places.length;
  const gains = [...Map.groupBy(indices.keys(), (place) => indices[place])].flatMap(([index, places]) => {
    const [baseMase, mase] = [meanAt(base, places), meanAt(tuned, places)];
    return baseMase > 0 ? [{ index, baseMase, mase }] : [];
  });
  const gainOf = ({ baseMase, mase }: SeriesGain): number => 1 - mase / baseMase;
  if (gains.length < 2) return {};
  const best = gains.reduce((a, b) => (gainOf(b) > gainOf(a) ? b : a));
  const worst = gains.reduce((a, b) => (gainOf(b) < gainOf(a) ? b : a));
  return gainOf(best) === gainOf(worst) ? {} : { best, worst };
}

type Change = Partial<Settings>;

const grid: readonly (readonly Change[])[] = [
  [{ seasonalStrength: 0 }, { seasonalStrength: 2 }, { seasonalStrength: 1e9 }],
  [{ damping: 0.98 }, { damping: 0.95 }, { damping: 0.9 }, { damping: 0.8 }],
];
const widths = [0.7, 0.85, 1.2, 1.4, 1.7].map((width): Change => ({ width }));

/**
 * Chooses the settings that suit a dataset (a global choice in the sense of Montero-Manso and Hyndman 2021): holds back
 * the last horizons as `tuneNeural` does, and tries in turn how strong a season must be, a damped trend, and by the
 * interval score at 80% (Gneiting and Raftery 2007) a width of the intervals. A setting is taken only if it is better
 * by more than chance explains, so on the hold-outs the outcome is never worse than the base. Deterministic.
 * `baseMase` is the mean on the hold-outs of the base model, which sees all points.
 * @throws UnusableDatasetError where no series can be scored
 */
export function tune(
  modelId: string,
  dataset: readonly TrainingSeries[],
  {
    horizon,
    contextLength,
    onProgress,
  }: {
    readonly horizon: number;
    readonly contextLength?: number | undefined;
    readonly onProgress?: (fraction: number) => void;
  },
) {
  const heldOut = allHoldOuts(dataset, horizon, contextLength, leastContext(modelId));
  const all = heldOut.flat();
  const searched = subsample(all);
  const trials = grid.flat().length + widths.length + 1;
  const total = trials * searched.length + 3 * all.length;
  let done = 0;
  const scoresOf = (holdOuts: readonly HoldOut[], settings: Settings, score: Score): Float64Array =>
    Float64Array.from(holdOuts, (one) => {
      onProgress?.(Math.min(1, ++done / total));
      return scoreOf(modelId, one, settings, score);
    });
  const times = searched.map(({ origin }) => origin);
  const best = (from: Settings, changes: readonly Change[], score: Score): Settings => {
    let chosen = from;
    let least = scoresOf(searched, from, score);
    for (const change of changes) {
      const scores = scoresOf(searched, { ...from, ...change }, score);
      if (evidenceOf(scores, least, times) > 2) [chosen, least] = [{ ...from, ...change }, scores];
    }
    return chosen;
  };

  const startScores = scoresOf(all, baseSettings, mase);
  const isCut = all.some(({ seen, before }) => seen.length < before.length);
  const wholes = all.map((one) => ({ ...one, seen: one.before }));
  const baseScores = isCut ? scoresOf(wholes, baseSettings, mase) : startScores;
  let settings = grid.reduce((from, changes) => best(from, changes, mase), baseSettings);
  let scores = settings === baseSettings ? startScores : scoresOf(all, settings, mase);
  if (!(mean(scores) < mean(startScores))) [settings, scores] = [baseSettings, startScores];
  const indices = all.map(({ index }) => index);
  const parameters: TunedParameters = { version: 2, settings: best(settings, widths, intervalScore) };
  onProgress?.(1);
  return {
    parameters,
    baseMase: mean(baseScores),
    mase: mean(scores),
    series: heldOut[0].length,
    ...extremesOf(indices, baseScores, scores),
  };
}

interface Score {
  readonly levels: readonly number[];
  readonly of: (actual: number, quantiles: readonly number[]) => number;
}

const mase: Score = { levels: [0.5], of: (actual, [point]) => Math.abs(actual - point) };

const intervalScore: Score = {
  levels: [0.1, 0.9],
  of: (actual, [low, high]) => high - low + (2 / 0.2) * (Math.max(0, low - actual) + Math.max(0, actual - high)),
};

function scoreOf(
  modelId: string,
  { seen, periods, series, after, scale }: HoldOut,
  settings: Settings,
  { levels, of }: Score,
): number {
  const asked = { values: seen, periods, horizon: after.length, levels };
  const { quantiles } = forecast(modelId, asked, { version: 2, settings });
  const scores = Float64Array.from(after, (actual, i) => of(actual, quantiles.map((row) => row[i]))); // prettier-ignore
  return mean(scores.filter(Number.isFinite)) / (scale * Math.abs(series.unit));
}
