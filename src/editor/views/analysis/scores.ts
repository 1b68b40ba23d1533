import type { Backtest, BacktestFold } from '../../../contract/analysis.ts';
import type { Scores } from './protocol.ts';

/** The origins that all of these backtests have, as instants. */
export function commonOrigins(backtests: readonly Backtest[]): ReadonlySet<string> {
  const [first, ...others] = backtests.map(({ folds }) => new Set(folds.map(keyOf)));
  return new Set([...(first ?? [])].filter((origin) => others.every((one) => one.has(origin))));
}

/** An origin with what follows it: of two horizons only the shorter one could be compared. */
const keyOf = ({ origin, points }: BacktestFold): string => `${origin} ${points.length}`;

/**
 * The scores of some folds: sMAPE in per cent (0 to 200) and MASE as the M4 competition has them (Makridakis, Spiliotis and
 * Assimakopoulos 2018), and the share inside the 80 % band. Steps without an observation are not scored.
 * @param origins as {@link commonOrigins} gives them; all where absent
 */
export function scoresOf(
  { folds }: Backtest,
  origins?: ReadonlySet<string>,
  value: 'value' | 'seasonal_naive' = 'value',
): Scores {
  const smape = new Mean();
  const mase = new Mean();
  const inside = new Mean();
  for (const fold of folds) {
    if (origins && !origins.has(keyOf(fold))) continue;
    for (const point of fold.points) {
      const { actual, quantiles } = point;
      if (actual === undefined) continue;
      const error = Math.abs(actual - point[value]);
      smape.add(error === 0 ? 0 : (200 * error) / (Math.abs(actual) + Math.abs(point[value])));
      if (fold.scale !== undefined) mase.add(error / fold.scale);
      const { '0.1': low, '0.9': high } = quantiles ?? {};
      if (low !== undefined && high !== undefined) inside.add(actual >= low && actual <= high ? 1 : 0);
    }
  }
  return {
    ...(mase.known === undefined ? {} : { mase: mase.known }),
    ...(smape.known === undefined ? {} : { smape: smape.known }),
    ...(inside.known === undefined || value !== 'value' ? {} : { coverage80: inside.known }),
  };
}

/** A running mean. */
export class Mean {
  #sum = 0;
  #count = 0;

  add(value: number): void {
    this.#sum += value;
    this.#count++;
  }

  /** `undefined` of nothing, and where it is not finite. */
  get known(): number | undefined {
    const mean = this.#sum / this.#count;
    return Number.isFinite(mean) ? mean : undefined;
  }

  get count(): number {
    return this.#count;
  }
}

/** Which of some scores is the best: the lowest MASE, else the lowest sMAPE; none of fewer than two. */
export function bestOf(scores: readonly (Scores | undefined)[]): number {
  for (const measure of ['mase', 'smape'] as const) {
    const known = scores.map((one) => one?.[measure]);
    if (known.filter((value) => value !== undefined).length < 2) continue;
    const least = Math.min(...known.map((value) => value ?? Infinity));
    return known.indexOf(least);
  }
  return -1;
}
