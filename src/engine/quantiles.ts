import { normalQuantile } from './statistics.ts';

/** Quantiles of the steps ahead: for each level, rising and with the median among them, one row of a value a step. */
export interface Quantiles {
  readonly levels: readonly number[];
  readonly rows: readonly Float64Array[];
}

/** How far beyond the outermost levels that are known a level may be read, in their distance. */
const farthest = 20;

export function medianRow({ levels, rows }: Quantiles): Float64Array {
  return rows[levels.indexOf(0.5)];
}

export function mapRows(
  { levels, rows }: Quantiles,
  change: (row: Float64Array, k: number) => Float64Array,
): Quantiles {
  return { levels, rows: rows.map(change) };
}

/** The same quantiles around another median. */
export function movedTo(quantiles: Quantiles, median: Float64Array): Quantiles {
  const old = medianRow(quantiles);
  return mapRows(quantiles, (row) => row.map((value, i) => median[i] + (value - old[i])));
}

/** The same median with every other quantile so many times as far from it. */
export function widened(quantiles: Quantiles, factor: number): Quantiles {
  const median = medianRow(quantiles);
  return mapRows(quantiles, (row) => row.map((value, i) => median[i] + factor * (value - median[i])));
}

/** The quantiles at other levels: linear in the normal quantile between those that are known, and beyond them. */
export function atLevels({ levels, rows }: Quantiles, wanted: readonly number[]): Quantiles {
  const scores = levels.map(normalQuantile);
  return {
    levels: wanted,
    rows: wanted.map((level) => {
      const same = levels.indexOf(level);
      if (same >= 0) return rows[same].slice();
      const score = normalQuantile(level);
      let k = 1;
      while (k < scores.length - 1 && score > scores[k]) k++;
      const share = (score - scores[k - 1]) / (scores[k] - scores[k - 1]);
      const within = Math.max(-farthest, Math.min(farthest, share));
      return rows[k - 1].map((low, i) => low + within * (rows[k][i] - low));
    }),
  };
}

/** Rows that rise with the level and hold the median between them: sums of the same terms may cross by a last digit. */
export function uncrossed(quantiles: Quantiles): Quantiles {
  const { levels } = quantiles;
  const median = medianRow(quantiles);
  let before: Float64Array | undefined;
  return mapRows(quantiles, (row, k) => {
    const below = before;
    before = row.map((value, i) => {
      const sided = levels[k] < 0.5 ? Math.min(value, median[i]) : Math.max(value, median[i]);
      return below ? Math.max(sided, below[i]) : sided;
    });
    return before;
  });
}
