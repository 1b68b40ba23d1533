/**
 * Whether values of 0 or more are intermittent demand: a quarter of zeros, in no order that a calendar or a change of
 * regime explains. These lie together in a few runs, of which chance gives seven times as many, or come at certain phases
 * of a season, which then leave less than half of the variance of "zero or not".
 */
export function isIntermittent(values: Float64Array, candidates: readonly number[]): boolean {
  const n = values.length;
  if (n < 8 || values.some((value) => value < 0)) return false;
  let zeros = 0;
  let changes = 0;
  for (let i = 0; i < n; i++) {
    if (values[i] === 0) zeros++;
    if (i > 0 && (values[i] === 0) !== (values[i - 1] === 0)) changes++;
  }
  const share = zeros / n;
  if (share < 0.25 || zeros === n) return false;
  if (changes < 0.15 * 2 * n * share * (1 - share) - 1) return false;
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
  return unexplained < 0.5 * share * (1 - share);
}
