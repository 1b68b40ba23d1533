import { UnusableDatasetError, baseSettings, checkHorizon, type Settings } from '../types.ts';
import { forecast } from '../forecast.ts';
import { mean } from '../statistics.ts';
import {
  evidenceOf,
  extremesOf,
  hasHistory,
  subsample,
  type Tuning,
  holdOuts,
  leastContext,
  originsOf,
  type HoldOut,
  type TrainingSeries,
} from './hold-outs.ts';

type Change = Partial<Settings>;

const grid: readonly (readonly Change[])[] = [
  [{ seasonalStrength: 0 }, { seasonalStrength: 2 }, { seasonalStrength: 1e9 }],
  [{ damping: 0.98 }, { damping: 0.95 }, { damping: 0.9 }, { damping: 0.8 }],
];
const widths = [0.7, 0.85, 1.2, 1.4, 1.7].map((width): Change => ({ width }));

interface TuneOptions {
  readonly horizon: number;
  readonly contextLength?: number | undefined;
  readonly onProgress?: (fraction: number) => void;
}

/**
 * Chooses the settings that suit a dataset (a global choice in the sense of Montero-Manso and Hyndman 2021): holds back
 * the last horizons as `tuneNeural` does, and tries in turn how strong a season must be, a damped trend, and by the
 * interval score at 80% (Gneiting and Raftery 2007) a width of the intervals. A setting is taken only if it is better
 * by more than chance explains, so on the hold-outs the outcome is never worse than the base. Deterministic.
 *
 * @throws UnusableDatasetError where no series can be scored
 */
export function tune(
  modelId: string,
  dataset: readonly TrainingSeries[],
  { horizon, contextLength, onProgress }: TuneOptions,
): Tuning {
  checkHorizon(horizon);
  const leastHistory = leastContext(modelId);
  const heldOut = Array.from({ length: originsOf(dataset, horizon) }, (_, origin) =>
    holdOuts(dataset, horizon, contextLength, origin, leastHistory),
  );
  const all = heldOut.flat();
  if (heldOut[0].length === 0) {
    throw hasHistory(dataset, horizon, leastHistory)
      ? new UnusableDatasetError('constant_training', horizon)
      : new UnusableDatasetError('short_training', leastHistory, horizon);
  }
  const searched = subsample(all);
  const trials = grid.flat().length + widths.length + 1;
  const total = trials * searched.length + 3 * all.length;
  let done = 0;
  const scoresOf = (holdOuts: readonly HoldOut[], settings: Settings, score: Score): Float64Array =>
    Float64Array.from(holdOuts, (one) => {
      onProgress?.(Math.min(1, ++done / total));
      return score(modelId, one, settings);
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

  const startScores = scoresOf(all, baseSettings, maseOf);
  const isCut = all.some(({ seen, before }) => seen.length < before.length);
  const wholes = all.map((one) => ({ ...one, seen: one.before }));
  const baseScores = isCut ? scoresOf(wholes, baseSettings, maseOf) : startScores;
  let settings = grid.reduce((from, changes) => best(from, changes, maseOf), baseSettings);
  let scores = settings === baseSettings ? startScores : scoresOf(all, settings, maseOf);
  if (!(mean(scores) < mean(startScores))) [settings, scores] = [baseSettings, startScores];
  const indices = all.map(({ index }) => index);
  const parameters = { version: 2, settings: best(settings, widths, intervalScoreOf) } as const;
  onProgress?.(1);
  return {
    parameters,
    baseMase: mean(baseScores),
    mase: mean(scores),
    series: heldOut[0].length,
    ...extremesOf(indices, baseScores, scores),
  };
}

type Score = (modelId: string, holdOut: HoldOut, settings: Settings) => number;

const maseOf: Score = (modelId, one, settings) =>
  scoreOf(modelId, one, settings, [0.5], (actual, [point]) => Math.abs(actual - point));

const intervalScoreOf: Score = (modelId, one, settings) =>
  scoreOf(modelId, one, settings, [0.1, 0.9], (actual, [low, high]) => {
    const outside = Math.max(0, low - actual) + Math.max(0, actual - high);
    return high - low + (2 / 0.2) * outside;
  });

function scoreOf(
  modelId: string,
  { seen, periods, series, after, scale }: HoldOut,
  settings: Settings,
  levels: readonly number[],
  of: (actual: number, quantiles: readonly number[]) => number,
): number {
  const asked = { values: seen, periods, horizon: after.length, levels };
  const { quantiles } = forecast(modelId, asked, { version: 2, settings });
  const scores = Float64Array.from(after, (actual, i) => of(actual, quantiles.map((row) => row[i]))); // prettier-ignore
  return mean(scores.filter(Number.isFinite)) / (scale * Math.abs(series.unit));
}
