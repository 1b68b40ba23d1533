import { clamp, mean, median } from '../statistics.ts';
import type { TunedParameters } from '../types.ts';
import type { HoldOut, TrainingSeries } from './hold-outs.ts';

/** A dataset of so many series or fewer teaches little for certain. */
export const fewSeries = 5;

export function hasHistory(dataset: readonly TrainingSeries[], horizon: number, least: number): boolean {
  return dataset.some(({ values }) => values.slice(0, -horizon).filter(Number.isFinite).length >= least);
}

/** The hold-outs that are scored: 500 of more, evenly spaced. */
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

/**
 * How many independent series these are worth, by Kish's design effect (1965): routes of one airline, which a strike
 * hits all at once, are one case rather than many. Errors are by hold-out; those of one origin are compared.
 */
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
 * Whether scores (by hold-out) are better than those of the base by more than chance explains, and not worse at any
 * origin. The gain must be a two-hundredth and two standard errors, twice as many of `fewSeries`. Of fewer, and of so
 * many that err alike (`independent`), it must be a tenth; of a single origin also four standard errors. The twentieth
 * of the gains at either end counts as the next ones do, lest one wild series decide for all.
 */
export function isBetter(
  scores: Float64Array,
  base: Float64Array,
  origins: readonly number[],
  independent = Infinity,
): boolean {
  const times = [...new Set(origins)];
  const gainAt = (time: number): number =>
    origins.reduce((sum, origin, i) => sum + (origin === time ? base[i] - scores[i] : 0), 0);
  const often = times.length > 1;
  if (often && times.some((time) => !(gainAt(time) > 0))) return false;
  const gains = base.map((score, i) => score - scores[i]).sort();
  const count = gains.length;
  const ends = Math.floor(0.05 * count);
  const winsorized = gains.map((gain) => clamp(gain, gains[ends], gains[count - 1 - ends]));
  const gain = mean(winsorized);
  const least = often && Math.min(count, independent) >= fewSeries ? 0.005 : 0.1;
  if (!(Math.min(gain, mean(gains)) > least * mean(base))) return false;
  if (count < fewSeries) return true;
  const variance = winsorized.reduce((sum, one) => sum + (one - gain) ** 2, 0) / (count - 1);
  return gain > (often ? 2 : 4) * (1 + fewSeries / count) * Math.sqrt(variance / count);
}

export interface Choice {
  readonly epoch: number;
  readonly validation: number;
  readonly scores: Float64Array;
  readonly learned: Float32Array;
}

/** What is trained anew on all has seen the hold-outs too, and they tell less apart than four fifths of the best gain. */
export function nearlyBest(choices: readonly Choice[], base: number): Choice[] {
  const least = Math.min(...choices.map(({ validation }) => validation));
  return choices.filter(({ validation }) => base - validation >= 0.8 * (base - least));
}

export interface SeriesGain {
  readonly index: number;
  readonly baseMase: number;
  readonly mase: number;
}

export interface Extremes {
  readonly best?: SeriesGain;
  readonly worst?: SeriesGain;
}

export interface Tuning extends Extremes {
  readonly parameters: TunedParameters;
  /** Mean MASE on the hold-outs before, with the base model, which sees all points, and after. */
  readonly baseMase: number;
  readonly mase: number;
  readonly series: number;
}

/**
 * Compares the gains of series as shares of their own error, so that one that is hard to forecast is not first for that
 * alone.
 *
 * @param indices the series that each score is of; one that is held out several times has as many
 */
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
