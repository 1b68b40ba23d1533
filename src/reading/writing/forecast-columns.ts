export type ColumnNames = 'limits' | 'quantiles';

export interface WritingOptions {
  readonly names: ColumnNames;
  readonly withHistory: boolean;
}

export const FORECAST = 'forecast';

/** `lower_95, lower_80, forecast, upper_80, upper_95`, or quantiles after the forecast. @param levels such as `0.025` */
export function forecastColumns(
  levels: readonly string[],
  names: ColumnNames,
): readonly { readonly name: string; readonly level: string | undefined }[] {
  const rising = levels.toSorted((a, b) => Number(a) - Number(b));
  const median = { name: FORECAST, level: undefined };
  if (names === 'quantiles') return [median, ...rising.map((level) => ({ name: level, level }))];
  const named = rising.map((level) => {
    const tail = Math.min(Number(level), 1 - Number(level));
    const isPaired = rising.some((other) => Math.abs(Number(other) + Number(level) - 1) < 1e-9);
    const percent = Number(((1 - 2 * tail) * 100).toPrecision(6));
    const name = isPaired ? `${Number(level) < 0.5 ? 'lower' : 'upper'}_${percent}` : `quantile_${level}`;
    return { name, level };
  });
  const at = named.findIndex(({ level }) => Number(level) > 0.5);
  return at < 0 ? [...named, median] : [...named.slice(0, at), median, ...named.slice(at)];
}

interface Intervals {
  readonly values: ArrayLike<number>;
  readonly intervals: readonly {
    readonly level: number;
    readonly lower: ArrayLike<number>;
    readonly upper: ArrayLike<number>;
  }[];
}

export function writtenForecast(
  { values, intervals }: Intervals,
  decimals: number,
): { readonly values: number[]; readonly quantiles: Record<string, number[]> } {
  const limits = intervals.flatMap(({ level, lower, upper }) => {
    const tail = (1 - level / 100) / 2;
    return [
      [tail, rounded(lower, decimals)],
      [1 - tail, rounded(upper, decimals)],
    ] as const;
  });
  const rising = limits.toSorted(([a], [b]) => a - b).map(([level, all]) => [shortest(level), all] as const);
  return { values: rounded(values, decimals), quantiles: Object.fromEntries(rising) };
}

const shortest = (level: number): string => String(Number(level.toPrecision(6)));

/** A list, as thousands of typed arrays of a few numbers take several times its memory. */
export const rounded = (values: ArrayLike<number>, decimals: number): number[] =>
  Array.from(values, (value) => (Math.abs(value) < 1e15 ? Number(value.toFixed(decimals)) : value));
