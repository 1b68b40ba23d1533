/** A central prediction interval by the keys of its limits among quantiles. */
export interface QuantilePair {
  /** In per cent, such as 80. */
  readonly level: number;
  readonly low: string;
  readonly high: string;
}

/** The central intervals that quantiles of these levels, 0 to 1 as texts, are limits of; narrowest first. */
export const quantilePairs = (levels: readonly string[]): QuantilePair[] =>
  levels
    .flatMap((low): QuantilePair[] => {
      const high = levels.find((level) => Math.abs(Number(level) + Number(low) - 1) < 1e-9);
      const level = Number(((1 - 2 * Number(low)) * 100).toPrecision(6));
      return Number(low) < 0.5 && high !== undefined ? [{ level, low, high }] : [];
    })
    .sort((a, b) => a.level - b.level);
