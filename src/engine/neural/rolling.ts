import { rollingOrigins } from '../rolling-origins.ts';
import { clamp, mean, median } from '../statistics.ts';
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

/**
 * Holds out parts of about a period and forecasts them by the candidates: two of up to 60 points, three of up to 200, then
 * six. Candidates are fitted anew for short views; for longer ones what they learned from the whole view is next to the same. The seasonal patterns are those of the
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
  const spacing = [1, 2, 3.3, 5, 8, 12].slice(0, n <= 60 ? 2 : n <= 200 ? 3 : 6);
  const leastHistory = Math.max(5, n / 3);
  const ends = rollingOrigins({ length: n, stride: held, leastHistory, most: spacing.length, spacing });

  const sums = new Float64Array(candidateCount);
  const signed: Float64Array[] = [];
  ends.forEach((end, k) => {
    const earlier = view.earlier(n - end);
    const anew = n <= 60 || (k === 0 && n <= 200);
    const forecasts = (anew ? fitBank(earlier) : fitted)(earlier, held);
    const misses = forecasts.map((forecast) => forecast.map((value, i) => (values[end + i] - value) / scale));
    const errors = misses.map((row) => row.reduce((sum, miss) => sum + Math.min(Math.abs(miss), 1e4) / held, 0));
    errors.forEach((error, c) => (sums[c] += error / ends.length));
    signed.push(...misses);
    if (k === 0) compare(errors, relative, 0);
  });
  compare(sums, relative, candidateCount);

  // Rounded, so that the last digit, which goes by the unit, does not decide between candidates that err alike.
  const rounded = sums.map((sum) => Math.round(sum * 1e9));
  const best = Array.from(sums.keys())
    .sort((a, b) => rounded[a] - rounded[b])
    .slice(0, 3);
  const misses = new Float64Array(ends.length * held);
  ends.forEach((_, k) => {
    for (const c of best) {
      for (let i = 0; i < held; i++) misses[k * held + i] += signed[k * candidateCount + c][i] / 3;
    }
  });
  return { relative, parts: ends.length, ...summary(misses, held) };
}

function compare(errors: ArrayLike<number>, target: Float32Array, at: number): void {
  const middle = median(errors) + 1e-3;
  for (let c = 0; c < errors.length; c++) {
    const ratio = Math.log((errors[c] + 1e-3) / middle);
    target[at + c] = clamp(ratio, -4, 4);
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
  const tail = mean(sizes.subarray(Math.floor(0.9 * count)));
  const parts = count / held;
  return { near: near / parts, far: far / parts, bias, tail };
}
