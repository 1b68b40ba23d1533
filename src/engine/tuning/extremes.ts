/** What tuning came to on one series of a dataset: the mean MASE of its hold-outs before and after. */
export interface SeriesGain {
  /** Of the series in the dataset. */
  readonly index: number;
  readonly baseMase: number;
  readonly mase: number;
}

/** The series that gained most, and the one that gained least or lost; neither where all gained alike. */
export interface Extremes {
  readonly best?: SeriesGain;
  readonly worst?: SeriesGain;
}

/**
 * Compares the gains of series as shares of their own error before, so that a series that is hard to forecast is not first
 * for that alone.
 * @param indices the series of the dataset that each score is of; one that is held out several times has as many
 * @param base MASE by hold-out before, and `tuned` after
 */
export function extremesOf(indices: readonly number[], base: Float64Array, tuned: Float64Array): Extremes {
  const sums = new Map<number, { count: number; base: number; tuned: number }>();
  indices.forEach((index, i) => {
    const sum = sums.get(index) ?? { count: 0, base: 0, tuned: 0 };
    sums.set(index, { count: sum.count + 1, base: sum.base + base[i], tuned: sum.tuned + tuned[i] });
  });
  const gains = [...sums].flatMap(([index, { count, base: before, tuned: after }]) =>
    before > 0 ? [{ index, baseMase: before / count, mase: after / count, gain: 1 - after / before }] : [],
  );
  if (gains.length < 2) return {};
  const first = gains.reduce((a, b) => (b.gain > a.gain ? b : a));
  const last = gains.reduce((a, b) => (b.gain < a.gain ? b : a));
  if (first.gain === last.gain) return {};
  const [best, worst] = [first, last].map(({ gain: _, ...one }) => one);
  return { best, worst };
}
