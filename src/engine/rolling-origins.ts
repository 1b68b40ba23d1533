interface RollingOrigins {
  readonly length: number;
  /** Steps between two origins; the last origin lies so many before the end. */
  readonly stride: number;
  readonly leastHistory: number;
  readonly most: number;
  /** How many strides each origin lies before the end, where they are not evenly spaced. */
  readonly spacing?: readonly number[];
}

/** The origins in a series of `length` points, newest first: each is how many points lie before it (Tashman 2000). */
export function rollingOrigins({ length, stride, leastHistory, most, spacing }: RollingOrigins): number[] {
  const ends: number[] = [];
  while (ends.length < most) {
    const end = length - Math.round(stride * (spacing?.[ends.length] ?? ends.length + 1));
    if (!(end >= leastHistory)) break;
    ends.push(end);
  }
  return ends;
}

/** The shortest period that was seen more than twice, in whole steps; 1 where none was. */
export function seasonOf(periods: readonly number[], length: number): number {
  return Math.max(1, Math.round(periods.find((period) => 2 * period < length) ?? 1));
}

export function meanChange(values: Float64Array, lag: number): number {
  // `NaN` where there are none
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

export function largestChange(values: Float64Array, lag: number): number {
  let most = 0;
  for (let i = lag; i < values.length; i++) most = Math.max(most, Math.abs(values[i] - values[i - lag]));
  return most;
}
