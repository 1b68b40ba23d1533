import { along, clamp, mapped, normalQuantile } from './statistics.ts';

export interface Quantiles {
  readonly levels: readonly number[];
  readonly rows: readonly Float64Array[];
}

export function medianRow({ levels, rows }: Quantiles): Float64Array {
  return rows[levels.indexOf(0.5)];
}

export function mapRows(
  { levels, rows }: Quantiles,
  change: (row: Float64Array, k: number) => Float64Array,
): Quantiles {
  return { levels, rows: rows.map(change) };
}

export function movedTo(quantiles: Quantiles, median: Float64Array): Quantiles {
  const old = medianRow(quantiles);
  return mapRows(quantiles, (row) => mapped(row, (value, i) => median[i] + (value - old[i])));
}

export function widened(quantiles: Quantiles, factor: number): Quantiles {
  const median = medianRow(quantiles);
  return mapRows(quantiles, (row) => row.map((value, i) => median[i] + factor * (value - median[i])));
}

/** A standard normal score as a place among those of levels: after which, and how far to the next. */
export interface Place {
  readonly knot: number;
  readonly share: number;
}

export function placeOf(score: number, knots: readonly number[]): Place {
  let knot = 0;
  while (knot < knots.length - 2 && score > knots[knot + 1]) knot++;
  return { knot, share: (score - knots[knot]) / (knots[knot + 1] - knots[knot]) };
}

export function valueAt(rows: readonly Float64Array[], step: number, { knot, share }: Place): number {
  const low = rows[knot][step];
  return low + share * (rows[knot + 1][step] - low);
}

/** The quantiles at other levels: linear in the normal quantile, beyond the outermost ones up to 20 times their distance. */
export function atLevels({ levels, rows }: Quantiles, wanted: readonly number[]): Quantiles {
  const knots = levels.map(normalQuantile);
  return {
    levels: wanted,
    rows: wanted.map((level) => {
      const same = levels.indexOf(level);
      if (same >= 0) return rows[same].slice();
      const { knot, share } = placeOf(normalQuantile(level), knots);
      const place = { knot, share: clamp(share, -20, 20) };
      return along(rows[0].length, (step) => valueAt(rows, step, place));
    }),
  };
}

export function quantileOf(sorted: Float64Array, level: number): number {
  const place = level * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/** Sums of the same terms may cross by a last digit. */
export function uncrossed(quantiles: Quantiles): Quantiles {
  const { levels } = quantiles;
  const median = medianRow(quantiles);
  let before: Float64Array | undefined;
  return mapRows(quantiles, (row, k) => {
    const below = before;
    before = mapped(row, (value, i) => {
      const sided = levels[k] < 0.5 ? Math.min(value, median[i]) : Math.max(value, median[i]);
      return below ? Math.max(sided, below[i]) : sided;
    });
    return before;
  });
}
