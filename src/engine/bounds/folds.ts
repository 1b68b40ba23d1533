import type { Folds } from '../backtest.ts';
import { type Bounds, squashAt, withWide } from './bounds.ts';
import { usual } from './trial.ts';
import { squashed, wholeWithin } from './squash.ts';

/**
 * Folds within bounds, as a forecast mostly is.
 * @param folds made across zero, with the levels of {@link withWide}
 * @param levels those that are kept
 */
export function foldsWithin(folds: Folds, levels: readonly number[], { floor, capacity, whole }: Bounds): Folds {
  const all = withWide(levels);
  return {
    ...folds,
    folds: folds.folds.map((fold) => {
      const inside = (row: Float64Array): Float64Array =>
        row.map((value, step) => {
          const edges = { floor: floor[fold.end + step], capacity: capacity[fold.end + step] };
          const held = squashed(value, squashAt(fold, all, step, edges, usual.sharpness));
          return whole ? wholeWithin(held, edges) : held;
        });
      const quantiles = levels.map((level) => inside(fold.quantiles[all.indexOf(level)]));
      return { ...fold, point: inside(fold.point), quantiles };
    }),
  };
}
