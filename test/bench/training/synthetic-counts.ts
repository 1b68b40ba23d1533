/** Counts: from goods that are hardly ever asked for to busy shops. */
import type { Random } from './random.ts';

/**
 * Counts whose mean follows a latent series: Poisson, or more spread (negative binomial), or only on days on which
 * there is any demand at all.
 *
 * @param z the latent series, of about unit size
 */
export function countsOf(z: Float64Array, random: Random): Float64Array {
  const mean = random.logBetween(0.02, 30);
  const reach = random.chance(0.25) ? 0 : random.logBetween(0.1, 2);
  const dispersion = random.chance(0.5) ? random.logBetween(0.2, 10) : Infinity;
  let average = 0;
  for (const value of z) average += Math.exp(Math.min(6, reach * value)) / z.length;
  return z.map((value) => {
    const rate = (mean * Math.exp(Math.min(6, reach * value))) / average;
    return poisson(dispersion < Infinity ? rate * gamma(dispersion, random) : rate, random);
  });
}

/** Demand that comes now and then, in lots of some size; it may die, and come in clusters. */
export function intermittent(count: number, random: Random): Float64Array {
  const rate = random.logBetween(0.02, 0.7);
  const mean = random.between(0, 2.5);
  const spread = random.chance(0.25) ? 0 : random.between(0.1, 1);
  const trend = random.between(-1, 0.7);
  const clusters = random.chance(0.3) ? random.between(0.1, 0.6) : 0;
  const dies = random.chance(0.12) ? random.below(count) : count;
  let before = false;
  return Float64Array.from({ length: count }, (_, i) => {
    const usual = rate * (1 + trend * (i / count - 0.5));
    const now = Math.min(0.98, Math.max(0.005, usual + (before ? clusters : 0)));
    before = i < dies && random.chance(now);
    return before ? Math.max(1, Math.round(Math.exp(mean + spread * random.normal()))) : 0;
  });
}

/** Knuth's method for small means, a normal one rounded for large ones. */
function poisson(mean: number, random: Random): number {
  if (mean > 40) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  const limit = Math.exp(-mean);
  let product = random.uniform();
  let count = 0;
  while (product > limit) {
    product *= random.uniform();
    count++;
  }
  return count;
}

/** Of mean 1 (Marsaglia and Tsang 2000). */
function gamma(shape: number, random: Random): number {
  if (shape < 1) return (gamma(shape + 1, random) * (shape + 1) * (1 - random.uniform()) ** (1 / shape)) / shape;
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = random.normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return (d * v) / shape;
  }
}
