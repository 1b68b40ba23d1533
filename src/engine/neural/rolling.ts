import { median } from '../statistics.ts';
import { candidateCount, fitBank, type FittedBank } from '../bank/bank.ts';
import type { View } from '../bank/view.ts';

/** How the candidate forecasts did on the last parts of a view. */
export interface CandidateErrors {
  /**
   * For each candidate the logarithm of its error on the last part over the median one of all candidates, then the same
   * over several parts; zeros where the view is too short to hold anything out.
   */
  readonly relative: Float32Array;
  /** Of the mean of the three best candidates over several parts, in the scale of the window; 0 without any. */
  readonly near: number;
  readonly far: number;
  /** Mean signed error: positive where the values came out higher. */
  readonly bias: number;
  /** Mean of the largest tenth of the errors. */
  readonly tail: number;
  /** Parts that were held out. */
  readonly parts: number;
}

/** Limits of what a runaway candidate counts. */
const errorLimit = 1e4;
const relativeLimit = 4;
const smallest = 1e-3;
/** Where the held out parts start, in parts before the end. */
const starts = [1, 2, 3.3, 5, 8, 12];
/** A view up to so many points gives two parts, then three; a longer one all. */
const shortView = 60;
const usualView = 200;
const bestCount = 3;

/**
 * Holds out parts of about a period and forecasts them by the candidates. Candidates are fitted anew for short views;
 * for longer ones what they learned from the whole view is next to the same. The seasonal patterns are those of the
 * whole series, which is cheap and flatters all candidates alike.
 *
 * @param scale of the window
 */
export function candidateErrors(view: View, fitted: FittedBank, scale: number): CandidateErrors {
  const { values, period } = view;
  const n = values.length;
  const held = Math.min(Math.max(period > 1 ? period : 6, n >> 4), 48, n >> 2);
  const relative = new Float32Array(2 * candidateCount);
  const none = { relative, near: 0, far: 0, bias: 0, tail: 0, parts: 0 };
  if (held < 2 || n - held < 5) return none;
  const most = n <= shortView ? 2 : n <= usualView ? 3 : starts.length;
  const backs = starts
    .slice(0, most)
    .map((start) => Math.round(start * held))
    .filter((back, k) => k === 0 || n - back >= Math.max(5, n / 3));

  const sums = new Float64Array(candidateCount);
  const signed: Float64Array[] = [];
  backs.forEach((back, k) => {
    const earlier = view.earlier(back);
    const anew = n <= shortView || (k === 0 && n <= usualView);
    const forecasts = (anew ? fitBank(earlier) : fitted).forecasts(earlier, held);
    const misses = forecasts.map((forecast) => forecast.map((value, i) => (values[n - back + i] - value) / scale));
    const errors = misses.map((row) => row.reduce((sum, miss) => sum + Math.min(Math.abs(miss), errorLimit) / held, 0));
    errors.forEach((error, c) => (sums[c] += error / backs.length));
    signed.push(...misses);
    if (k === 0) compare(errors, relative, 0);
  });
  compare(sums, relative, candidateCount);

  // Rounded, so that the last digit, which goes by the unit, does not decide between candidates that err alike.
  const rounded = sums.map((sum) => Math.round(sum * 1e9));
  const best = Array.from(sums.keys())
    .sort((a, b) => rounded[a] - rounded[b])
    .slice(0, bestCount);
  const misses = new Float64Array(backs.length * held);
  backs.forEach((_, k) => {
    for (const c of best) {
      for (let i = 0; i < held; i++) misses[k * held + i] += signed[k * candidateCount + c][i] / bestCount;
    }
  });
  return { relative, parts: backs.length, ...summary(misses, held) };
}

function compare(errors: ArrayLike<number>, target: Float32Array, at: number): void {
  const middle = median(errors) + smallest;
  for (let c = 0; c < errors.length; c++) {
    const ratio = Math.log((errors[c] + smallest) / middle);
    target[at + c] = Math.max(-relativeLimit, Math.min(relativeLimit, ratio));
  }
}

/** @param misses of one part after the other */
function summary(misses: Float64Array, held: number): Pick<CandidateErrors, 'near' | 'far' | 'bias' | 'tail'> {
  const half = held >> 1;
  const count = misses.length;
  let near = 0;
  let far = 0;
  let bias = 0;
  misses.forEach((miss, i) => {
    if (i % held < half) near += Math.abs(miss) / half;
    else far += Math.abs(miss) / (held - half);
    bias += miss / count;
  });
  const sizes = misses.map(Math.abs).sort();
  const largest = sizes.subarray(Math.floor(0.9 * count));
  const tail = largest.reduce((sum, size) => sum + size, 0) / largest.length;
  const parts = count / held;
  return { near: near / parts, far: far / parts, bias, tail };
}
