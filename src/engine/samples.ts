import { Random } from './random.ts';

/** Correlation of neighbouring steps of a path, on the scale of the normal distribution. */
const correlation = 0.8;
const seed = 1;

/**
 * Quantiles of sample paths. A path follows the forecast's distribution at each step; a Gaussian copula with
 * autocorrelation (Nelsen 2006, "An Introduction to Copulas") ties the steps together.
 *
 * @param quantile the value at a level and a step from 0
 * @returns for each level, the empirical quantile at each step, between the order statistics linear
 */
export function sampledQuantiles(
  quantile: (level: number, step: number) => number,
  levels: readonly number[],
  horizon: number,
  count: number,
): Float64Array[] {
  const random = new Random(seed);
  const states = Float64Array.from({ length: count }, () => random.normal());
  const fresh = Math.sqrt(1 - correlation * correlation);
  const result = levels.map(() => new Float64Array(horizon));
  const values = new Float64Array(count);
  for (let step = 0; step < horizon; step++) {
    for (let i = 0; i < count; i++) {
      if (step > 0) states[i] = correlation * states[i] + fresh * random.normal();
      values[i] = quantile(normalProbability(states[i]), step);
    }
    const sorted = values.slice().sort();
    levels.forEach((level, k) => {
      const place = level * (count - 1);
      const below = Math.floor(place);
      const above = Math.min(count - 1, below + 1);
      result[k][step] = sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    });
  }
  return result;
}

/** The standard normal distribution function, to 1.5e-7 (Abramowitz and Stegun 1964, 7.1.26); within (0, 1). */
function normalProbability(score: number): number {
  const x = Math.abs(score) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    0.5 *
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-x * x);
  const probability = score > 0 ? 1 - tail : tail;
  return Math.min(1 - 1e-6, Math.max(1e-6, probability));
}
