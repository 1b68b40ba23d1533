/** What happens to any series: shifts, spikes, changes of regime; and from a latent scale to one that people observe. */
import type { Random } from './random.ts';

/** Shifts of the level that last, and spikes that do not. */
export function addEvents(z: Float64Array, size: number, random: Random): void {
  if (random.chance(0.18)) {
    for (let k = 1 + random.below(2); k > 0; k--) {
      const shift = random.normal() * random.logBetween(1, 12) * size;
      for (let i = random.below(z.length); i < z.length; i++) z[i] += shift;
    }
  }
  if (random.chance(0.08)) {
    const rate = random.logBetween(0.002, 0.04);
    const height = random.logBetween(3, 15) * size;
    for (let i = 0; i < z.length; i++) if (random.chance(rate)) z[i] += height * random.normal();
  }
}

/** Changes the height, the pace or the level of all that comes after some point. */
export function changeRegime(z: Float64Array, random: Random): void {
  const from = Math.floor(random.between(0.1, 0.98) * z.length);
  const factor = random.chance(0.5) ? random.logBetween(0.2, 4) : 1;
  const shift = random.chance(0.5) ? 2 * random.normal() * spreadOf(z) : 0;
  const level = z[from];
  for (let i = from; i < z.length; i++) z[i] = level + factor * (z[i] - level) + shift;
}

/** From the latent scale to one that people observe: growth rates, levels, amounts that cannot be negative, counts. */
export function toScale(z: Float64Array, random: Random, widest = 1.2): Float64Array {
  let average = 0;
  for (const value of z) average += value / z.length;
  const spread = spreadOf(z);
  let x: Float64Array;
  if (random.chance(0.5)) {
    const factor = random.logBetween(0.01, widest) / spread;
    x = z.map((value) => Math.exp(Math.min(7, Math.max(-7, factor * (value - average)))));
  } else {
    const factor = random.logBetween(0.01, 0.6) / spread;
    x = z.map((value) => 1 + factor * (value - average));
    if (random.chance(0.75)) {
      const lowest = x.reduce((a, b) => Math.min(a, b));
      if (lowest < 0.02) {
        const lift = random.chance(0.6) ? 0.05 * random.uniform() - lowest : 0;
        x = x.map((value) => Math.max(value + lift, 0));
      }
    } else if (random.chance(0.5)) x = x.map((value) => value - 1);
  }
  if (random.chance(0.12)) {
    const counts = random.logBetween(3, 1000);
    x = x.map((value) => Math.round(value * counts));
  }
  return x;
}

export function spreadOf(values: Float64Array): number {
  let average = 0;
  for (const value of values) average += value / values.length;
  let variance = 0;
  for (const value of values) variance += (value - average) ** 2 / values.length;
  return Math.sqrt(variance) + 1e-9;
}
