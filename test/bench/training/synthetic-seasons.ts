import type { Random } from './random.ts';

/** Adds a seasonal pattern for each period that there is. @param size of the noise */
export function addSeasons(z: Float64Array, periods: readonly number[], size: number, random: Random): void {
  const [first, second] = periods;
  const steps = Math.round(first);
  const pattern = seasonalPattern(steps, random);
  const height = random.logBetween(0.15, 25) * size;
  const evolution = random.chance(0.5) ? random.logBetween(0.003, 0.15) : 0;
  const swelling = random.chance(0.25) ? random.between(-0.6, 0.8) : 0;
  const offset = random.below(steps);
  const swing = random.chance(steps >= 24 ? 0.6 : 0.15) ? random.logBetween(0.02, 0.3) : 0;
  const keep = 1 - random.logBetween(0.02, 0.5) / steps;
  let breath = 0;
  for (let i = 0; i < z.length; i++) {
    const phase = Math.floor(((i % first) * steps) / first + offset) % steps;
    if (swing > 0) breath = keep * breath + swing * Math.sqrt(1 - keep * keep) * random.normal();
    z[i] += height * (1 + (swelling * i) / z.length) * Math.exp(breath) * pattern[phase];
    if (evolution > 0) pattern[phase] += evolution * random.normal();
  }
  if (second === undefined) return;
  if (second > 50 * first) addYear(z, second, height, random);
  else addWeek(z, steps, Math.round(second / first), pattern, height, random);
}

/** A smooth pattern over the year in daily data. */
function addYear(z: Float64Array, period: number, height: number, random: Random): void {
  if (random.chance(0.4)) return;
  for (let k = 1; k <= 1 + random.below(3); k++) {
    const size = (height * random.logBetween(0.2, 5) * random.normal()) / k;
    const phase = random.between(0, 2 * Math.PI);
    for (let i = 0; i < z.length; i++) z[i] += size * Math.sin((2 * Math.PI * k * i) / period + phase);
  }
}

/** How the days of a week differ: in level, in the height of the day's pattern, or in the shape of the weekend. */
function addWeek(
  z: Float64Array,
  day: number,
  days: number,
  pattern: Float64Array,
  height: number,
  random: Random,
): void {
  const week = new Float64Array(day * days);
  if (random.chance(0.6)) {
    const levels = seasonalPattern(days, random);
    const size = random.logBetween(0.05, 1) * height;
    const stretch = random.chance(0.5) ? 0.5 : 0;
    for (let i = 0; i < week.length; i++) {
      week[i] = size * levels[Math.floor(i / day)] * (1 + stretch * pattern[i % day]);
    }
  } else {
    const shape = seasonalPattern(day, random);
    const size = random.logBetween(0.1, 1) * height;
    for (let i = (days - 2) * day; i < week.length; i++) week[i] = size * shape[i % day];
  }
  const offset = random.below(days) * day;
  for (let i = 0; i < z.length; i++) z[i] += week[(i + offset) % week.length];
}

/** A pattern of mean 0 and variance 1: Fourier terms, independent values, bumps, or on and off. */
export function seasonalPattern(steps: number, random: Random): Float64Array {
  const pattern = new Float64Array(steps);
  const kind = random.uniform();
  if (kind < 0.5) {
    const terms = Math.min(Math.max(1, steps >> 1), 1 + Math.floor(-2.5 * Math.log(1 - random.uniform())));
    const decay = random.between(0, 1.5);
    for (let k = 1; k <= terms; k++) {
      const cosine = random.normal() / k ** decay;
      const sine = random.normal() / k ** decay;
      for (let i = 0; i < steps; i++) {
        const angle = (2 * Math.PI * k * i) / steps;
        pattern[i] += cosine * Math.cos(angle) + sine * Math.sin(angle);
      }
    }
  } else if (kind < 0.75) {
    for (let i = 0; i < steps; i++) pattern[i] = random.normal();
  } else if (kind < 0.88) {
    for (let k = 1 + random.below(3); k > 0; k--) {
      const centre = random.between(0, steps);
      const width = Math.max(0.4, random.logBetween(0.03, 0.25) * steps);
      const size = random.normal();
      for (let i = 0; i < steps; i++) {
        const distance = Math.min(Math.abs(i - centre), steps - Math.abs(i - centre));
        pattern[i] += size * Math.exp(-0.5 * (distance / width) ** 2);
      }
    }
  } else {
    const start = random.below(steps);
    const length = 1 + random.below(Math.max(1, steps >> 1));
    for (let i = 0; i < steps; i++) {
      pattern[i] = ((i - start + steps) % steps < length ? 1 : 0) + 0.15 * random.normal();
    }
  }
  let average = 0;
  for (const value of pattern) average += value / steps;
  let variance = 0;
  for (const value of pattern) variance += (value - average) ** 2 / steps;
  const spread = Math.sqrt(variance) + 1e-9;
  return pattern.map((value) => (value - average) / spread);
}
