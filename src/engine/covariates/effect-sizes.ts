import type { Completed } from './missing.ts';
import { isSwitch } from './features.ts';
import type { Covariate, Effect } from './types.ts';
import type { Way } from './ways.ts';

/** What a covariate does to a series. */
export interface EffectSize {
  readonly name: string;
  /** A low and a high value of it: 0 and 1 of a switch, else its 10 % and 90 % quantiles. */
  readonly low: number;
  readonly high: number;
  /** By how much the series is higher at the high value than at the low one, in its units, all else being as it was. */
  readonly effect: number;
}

/** Effects as one way has learned them. */
export interface Study {
  readonly way: Way;
  readonly effect: Effect;
  readonly values: Float64Array;
  readonly covariates: readonly Covariate[];
}

/** So many of the last steps are looked at. */
const mostSteps = 1000;

/** The partial dependence (Friedman 2001) at two values of each covariate, over the last steps of the history. */
export function effectSizes({ way, effect, values, covariates }: Study): EffectSize[] {
  const n = values.length;
  const from = Math.max(0, n - mostSteps);
  return covariates.map(({ name, values: own }, k) => {
    const sorted = own.slice().sort();
    const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
    const [low, high] = isSwitch(own) ? [at(0), at(1)] : [at(0.1), at(0.9)];
    const [below, above] = [low, high].map((value) =>
      effect.of(
        covariates.map((each, l) => (l === k ? { name, values: own.map(() => value) } : each)),
        from,
      ),
    );
    let sum = 0;
    let count = 0;
    for (let i = from; i < n; i++) {
      if (!Number.isFinite(values[i])) continue;
      const rest = way.scale.to(values[i]) - effect.values[i];
      sum += way.scale.from(rest + above[i]) - way.scale.from(rest + below[i]);
      count++;
    }
    return { name, low, high, effect: count > 0 ? sum / count : 0 };
  });
}

/** By how much the future may differ because covariates had to be forecast: half of what lies between their 10 % and 90 %. */
export function openness({ way, effect, values, covariates }: Study, completed: readonly Completed[]): Float64Array {
  const n = values.length;
  const horizon = effect.values.length - n;
  const result = new Float64Array(horizon);
  const typical = values.filter(Number.isFinite).reduce((sum, value, _, { length }) => sum + value / length, 0);
  completed.forEach(({ covariate, forecast, low, high }, k) => {
    if (forecast === 0) return;
    const [below, above] = [low, high].map((row) =>
      effect.of(
        covariates.map((each, l) => (l === k ? { name: covariate.name, values: row } : each)),
        n,
      ),
    );
    for (let i = 0; i < horizon; i++) {
      const base = way.scale.to(typical);
      const half = (way.scale.from(base + above[n + i]) - way.scale.from(base + below[n + i])) / 2;
      result[i] = Math.hypot(result[i], half);
    }
  });
  return result;
}
