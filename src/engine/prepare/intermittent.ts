/** From this share of zeros on, a series may be intermittent … */
const leastZeros = 0.25;
/** … unless its zeros lie together in a few runs: so many times fewer than chance would give … */
const fewestRuns = 0.15;
/** … or come at certain phases of a season, which then leave less than this of the variance of "zero or not". */
const mostUnexplained = 0.5;
const fewestPoints = 8;

/**
 * Whether values of 0 or more are intermittent demand: many zeros, in no order that a calendar or a change of regime
 * explains.
 */
export function isIntermittent(values: Float64Array, candidates: readonly number[]): boolean {
  const n = values.length;
  if (n < fewestPoints || values.some((value) => value < 0)) return false;
  let zeros = 0;
  let changes = 0;
  for (let i = 0; i < n; i++) {
    if (values[i] === 0) zeros++;
    if (i > 0 && (values[i] === 0) !== (values[i - 1] === 0)) changes++;
  }
  const share = zeros / n;
  if (share < leastZeros || zeros === n) return false;
  if (changes < fewestRuns * 2 * n * share * (1 - share) - 1) return false;
  return !candidates.some((period) => zerosFollow(values, Math.round(period), share));
}

/** Whether the zeros come at certain phases of a period that was seen at least three times. */
function zerosFollow(values: Float64Array, period: number, share: number): boolean {
  const n = values.length;
  if (period < 2 || n < 3 * period) return false;
  const zeros = new Float64Array(period);
  const counts = new Float64Array(period);
  for (let i = 0; i < n; i++) {
    counts[i % period]++;
    if (values[i] === 0) zeros[i % period]++;
  }
  let unexplained = 0;
  for (let k = 0; k < period; k++) unexplained += (zeros[k] * (1 - zeros[k] / counts[k])) / (n - period);
  return unexplained < mostUnexplained * share * (1 - share);
}
