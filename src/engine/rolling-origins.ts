/** Where in a series its past is forecast again. */
export interface RollingOrigins {
  readonly length: number;
  /** Steps between two origins; the last origin lies so many before the end. */
  readonly stride: number;
  /** Fewest points before an origin. */
  readonly leastHistory: number;
  readonly most: number;
}

/** The origins in a series of `length` points, newest first: each is how many points lie before it (Tashman 2000). */
export function rollingOrigins({ length, stride, leastHistory, most }: RollingOrigins): number[] {
  const ends: number[] = [];
  for (let end = length - stride; end >= leastHistory && ends.length < most; end -= stride) ends.push(end);
  return ends;
}

/** The mean absolute difference between observations so many steps apart; `NaN` where there are none. */
export function meanChange(values: Float64Array, lag: number): number {
  let sum = 0;
  let count = 0;
  for (let i = lag; i < values.length; i++) {
    const difference = Math.abs(values[i] - values[i - lag]);
    if (!Number.isFinite(difference)) continue;
    sum += difference;
    count++;
  }
  return count > 0 ? sum / count : Number.NaN;
}
