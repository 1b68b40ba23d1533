import { UnusableDatasetError } from '../errors.ts';
import { forecast } from '../forecast.ts';
import { type Extremes, extremesOf } from './extremes.ts';
import { leastHistory } from './parameters.ts';
import { meanChange } from '../rolling-origins.ts';
import { baseSettings, type Settings } from '../settings.ts';
import type { TunedParameters } from './tuned.ts';
import { mean } from '../statistics.ts';
import type { TrainingSeries } from './training-series.ts';

/** A series of a dataset, cut before its last horizon. */
interface HoldOut {
  /** Of the series in the dataset. */
  readonly index: number;
  /** What the model sees before the cut, as its context length says. */
  readonly history: Float64Array;
  /** All that is known before the cut. */
  readonly whole: Float64Array;
  readonly periods: readonly number[];
  readonly future: Float64Array;
  /** The mean absolute difference between values one season apart, over all that is known before the cut. */
  readonly scale: number;
}

/** The grid is searched on so many series, evenly spaced; the outcome is checked on all. */
const mostSearched = 200;
/** A setting must beat what there is by so many standard errors of the gain, or else it may well be chance. */
const standardErrors = 2;
/** In a dataset of fewer series, which has no standard error to speak of, it must be better by this share. */
const fewestForErrors = 5;
const leastGain = 0.1;

type Change = Partial<Settings>;

/** The grid: what is tried, one group after the other, on top of what has proved itself so far. */
const grid: readonly (readonly Change[])[] = [
  [{ seasonalStrength: 0 }, { seasonalStrength: 2 }, { seasonalStrength: 1e9 }],
  [{ damping: 0.98 }, { damping: 0.95 }, { damping: 0.9 }, { damping: 0.8 }],
];

const widths: readonly number[] = [0.7, 0.85, 1, 1.2, 1.4, 1.7];
const widthLevels: readonly number[] = [0.1, 0.9];

/**
 * Chooses the settings of a model that suit a dataset: holds the last horizon of every series back, and picks from
 * a small grid what forecasts it with the least mean MASE. In turn these are tried: how strong a season must be (taken
 * always, later, never), and a damped trend; then a width of the intervals, by the interval score at 80 % (Gneiting and Raftery 2007). A global
 * choice in the sense of Montero-Manso and Hyndman (2021).
 *
 * A setting is taken only if it is better by two standard errors of the mean gain over the series (by 10 % for fewer than
 * five series). The base settings are
 * among those tried, and the outcome is checked on all series of the dataset, so it is never worse there than the base with
 * the same context length. Series too short or too constant to be scored are left out. Deterministic.
 *
 * @param options.horizon steps held back, and the horizon that is tuned for
 * @param options.contextLength how many of the last values before the cut the model sees; all where it is missing
 * @param options.onProgress called with 0 to 1
 * @returns the settings, the mean MASE over the hold-outs with the base settings and all points and with the chosen ones
 *   and the context length, how many series were scored, and which of them gained most and least
 * @throws UnusableDatasetError where no series can be scored
 * @throws EngineError for an unknown model, RangeError for a horizon below 1
 */
export function tune(
  modelId: string,
  dataset: readonly TrainingSeries[],
  options: {
    readonly horizon: number;
    readonly contextLength?: number | undefined;
    readonly onProgress?: (fraction: number) => void;
  },
): { parameters: TunedParameters; baseMase: number; mase: number; series: number } & Extremes {
  const { horizon, contextLength, onProgress } = options;
  if (!Number.isInteger(horizon) || horizon < 1) {
    throw new RangeError('The horizon must be a whole number of 1 or more.');
  }
  const cuts = dataset.map((series, index) => holdOut(series, index, horizon, contextLength));
  const all = cuts.filter((cut) => typeof cut !== 'string');
  if (all.length === 0) throw unusable(cuts.includes('constant'), horizon);
  const searched = thin(all, mostSearched);
  const trials = grid.reduce((sum, group) => sum + group.length, 0) + widths.length;
  // The first and the last pass go over all series, the others over those searched.
  const total = Math.max(1, trials * searched.length + 3 * all.length);
  let done = 0;
  const scoresOf = (holdOuts: readonly HoldOut[], settings: Settings, score: Score): Float64Array =>
    Float64Array.from(holdOuts, (one) => {
      onProgress?.(Math.min(1, ++done / total));
      return score(modelId, one, settings);
    });

  const startScores = scoresOf(all, baseSettings, maseOf);
  const startMase = mean(startScores);
  const isCut = all.some(({ history, whole }) => history.length < whole.length);
  const baseScores = isCut ? scoresOf(all.map(withWhole), baseSettings, maseOf) : startScores;
  let settings = baseSettings;
  let best = thin(Array.from(startScores), mostSearched);
  for (const group of grid) {
    const before = settings;
    for (const change of group) {
      const tried = { ...before, ...change };
      const scores = scoresOf(searched, tried, maseOf);
      if (!isBetter(scores, best)) continue;
      best = Array.from(scores);
      settings = tried;
    }
  }
  let tunedScores = settings === baseSettings ? startScores : scoresOf(all, settings, maseOf);
  if (!(mean(tunedScores) < startMase)) {
    settings = baseSettings;
    tunedScores = startScores;
  }
  const width = bestWidth((tried) => scoresOf(searched, { ...settings, width: tried }, intervalScoreOf));
  onProgress?.(1);
  return {
    parameters: { version: 1, settings: { ...settings, width } },
    baseMase: mean(baseScores),
    mase: mean(tunedScores),
    series: all.length,
    ...extremesOf(
      all.map(({ index }) => index),
      baseScores,
      tunedScores,
    ),
  };
}

type Score = (modelId: string, holdOut: HoldOut, settings: Settings) => number;

function unusable(isConstant: boolean, horizon: number): UnusableDatasetError {
  return isConstant
    ? new UnusableDatasetError('constant_training', horizon)
    : new UnusableDatasetError('short_training', leastHistory, horizon);
}

/** Cuts a series, or says why it cannot be scored. */
function holdOut(
  { values, periods }: TrainingSeries,
  index: number,
  horizon: number,
  contextLength = Infinity,
): HoldOut | 'short' | 'constant' {
  const cut = values.length - horizon;
  const whole = values.slice(0, Math.max(0, cut));
  const history = whole.slice(Math.max(0, whole.length - contextLength));
  const future = values.slice(Math.max(0, cut));
  const season = Math.max(1, Math.round(periods.find((period) => 2 * period < whole.length) ?? 1));
  const scale = meanChange(whole, season);
  const observed = history.filter(Number.isFinite).length;
  if (observed < leastHistory || !future.some(Number.isFinite) || !Number.isFinite(scale)) return 'short';
  return scale > 0 ? { index, history, whole, periods, future, scale } : 'constant';
}

const withWhole = (one: HoldOut): HoldOut => ({ ...one, history: one.whole });

function maseOf(modelId: string, { history, periods, future, scale }: HoldOut, settings: Settings): number {
  const input = { values: history, periods, horizon: future.length, levels: [] };
  const { point } = forecast(modelId, input, { version: 1, settings });
  return meanOverObserved(future, (actual, i) => Math.abs(actual - point[i])) / scale;
}

function intervalScoreOf(modelId: string, { history, periods, future, scale }: HoldOut, settings: Settings): number {
  const input = { values: history, periods, horizon: future.length, levels: widthLevels };
  const [low, high] = forecast(modelId, input, { version: 1, settings }).quantiles;
  const penalty = 2 / (1 - (widthLevels[1] - widthLevels[0]));
  const score = (actual: number, i: number): number =>
    high[i] - low[i] + penalty * (Math.max(0, low[i] - actual) + Math.max(0, actual - high[i]));
  return meanOverObserved(future, score) / scale;
}

function meanOverObserved(values: Float64Array, score: (value: number, index: number) => number): number {
  let sum = 0;
  let count = 0;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    sum += score(value, i);
    count++;
  });
  return sum / count;
}

/** The width with the lowest score; the ordinary one unless another is clearly better. */
function bestWidth(scoresOf: (width: number) => Float64Array): number {
  let best = 1;
  let bestScores = scoresOf(1);
  for (const width of widths) {
    const scores = width === 1 ? bestScores : scoresOf(width);
    if (!isBetter(scores, bestScores)) continue;
    bestScores = scores;
    best = width;
  }
  return best;
}

/** Whether the first scores are lower than the second, series by series, beyond what chance would give. */
function isBetter(scores: ArrayLike<number>, others: ArrayLike<number>): boolean {
  const gains = Float64Array.from(scores, (score, i) => others[i] - score);
  const gain = mean(gains);
  if (gains.length < fewestForErrors) return gain > leastGain * mean(Float64Array.from(others));
  let squares = 0;
  for (const value of gains) squares += (value - gain) ** 2;
  return gain > 0 && gain > (standardErrors * Math.sqrt(squares)) / gains.length;
}

function thin<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, i) => values[Math.floor((i * values.length) / most)]);
}
