/** Trends, cycles and noise as business and economy have them. */
import type { Random } from './random.ts';
import { addEvents } from './synthetic-events.ts';
import { addSeasons } from './synthetic-seasons.ts';

/** What is usual on a calendar: the coarser the steps, the more a series wanders and grows, and the less it is noisy. */
interface Habits {
  /** Probability that the level wanders, and by how much in a step, in units of the noise. */
  readonly walks: number;
  readonly shock: readonly [number, number];
  /** Largest ratio of a lasting growth to the wandering. */
  readonly growth: number;
  /** Probability that a falling trend is turned into a rising one. */
  readonly rises: number;
  /** Probability that the noise keeps some of its last value. */
  readonly memory: number;
  /** Probability that a level that does not wander returns to its mean, rather than following a curve. */
  readonly returns: number;
}

function habitsOf(periods: readonly number[]): Habits {
  const shortest = periods.length > 0 ? periods[0] : 1;
  if (shortest === 1) return { walks: 0.88, shock: [1, 30], growth: 2.2, rises: 0.75, memory: 0.3, returns: 0.45 };
  if (shortest === 4) return { walks: 0.82, shock: [0.5, 15], growth: 1.6, rises: 0.78, memory: 0.3, returns: 0.45 };
  if (shortest === 12) return { walks: 0.72, shock: [0.1, 4], growth: 0.8, rises: 0.5, memory: 0.3, returns: 0.45 };
  if (shortest >= 24 && shortest < 300 && shortest !== 52.18)
    return { walks: 0.35, shock: [0.02, 1], growth: 0.2, rises: 0.2, memory: 0.9, returns: 0.75 };
  if (shortest === 5 || shortest === 7) {
    return { walks: 0.6, shock: [0.03, 4], growth: 0.4, rises: 0.3, memory: 0.6, returns: 0.6 };
  }
  return { walks: 0.65, shock: [0.03, 4], growth: 0.5, rises: 0.3, memory: 0.4, returns: 0.5 };
}

/** Trends, cycles, seasons, noise and events, as the competitions' series have them; on a latent scale. */
export function trendSeries(count: number, periods: readonly number[], random: Random): Float64Array {
  const habits = habitsOf(periods);
  const z = new Float64Array(count);
  if (periods.length > 0 && random.chance(0.03)) {
    // As a counter or a plan runs: a curve with hardly any noise and no season.
    addCurve(z, random);
    addNoise(z, random.logBetween(1e-4, 0.03), habits, random);
    return z;
  }
  addTrend(z, habits, random);
  if (z[count - 1] < z[0] && random.chance(habits.rises)) for (let i = 0; i < count; i++) z[i] = -z[i];
  // Some seasons are next to perfect: hardly any noise, and a level that hardly moves.
  const still = random.chance(0.05);
  const quiet = still ? random.logBetween(1e-4, 0.03) : random.chance(0.25) ? random.logBetween(0.02, 0.5) : 1;
  if (still) {
    const calm = random.logBetween(1e-3, 0.1);
    for (let i = 0; i < count; i++) z[i] *= calm;
  }
  addNoise(z, quiet, habits, random);
  if (random.chance(0.2)) addCycles(z, random);
  if (periods.length > 0 && random.chance(0.88)) addSeasons(z, periods, Math.max(quiet, 0.1), random);
  addEvents(z, Math.max(quiet, 0.2), random);
  return z;
}

function addNoise(z: Float64Array, size: number, { memory }: Habits, random: Random): void {
  const correlation = random.chance(memory) ? random.between(memory - 0.7, 0.97) : 0;
  const heavy = random.chance(0.15);
  const breathing = random.chance(0.1);
  const cycle = random.between(0.5, 3) * z.length;
  const depth = random.between(0.2, 0.9);
  const phase = random.between(0, 2 * Math.PI);
  const fresh = Math.sqrt(1 - correlation * correlation);
  let noise = 0;
  for (let i = 0; i < z.length; i++) {
    let shock = heavy ? random.heavy() : random.normal();
    if (breathing) shock *= 1 + depth * Math.sin((2 * Math.PI * i) / cycle + phase);
    noise = correlation * noise + fresh * shock;
    z[i] += size * noise;
  }
}

function addTrend(z: Float64Array, habits: Habits, random: Random): void {
  if (random.chance(habits.walks)) addWalk(z, habits, random);
  else if (!random.chance(habits.returns)) addCurve(z, random);
  else {
    const keep = 1 - random.logBetween(0.003, 0.5);
    const shock = random.logBetween(0.3, 8) * Math.sqrt(1 - keep * keep);
    let level = random.normal();
    for (let i = 0; i < z.length; i++) {
      level = keep * level + shock * random.normal();
      z[i] += level;
    }
  }
}

/** A local linear trend, its slope damped towards a lasting drift. */
function addWalk(z: Float64Array, habits: Habits, random: Random): void {
  const [least, most] = habits.shock;
  const shock = random.chance(0.9) ? random.logBetween(least, most) : 0.3 * least;
  const wild = random.chance(0.35);
  const slopeShock = random.chance(0.45) ? random.logBetween(0.002, 0.6) * shock : 0;
  let drift = random.chance(0.85)
    ? random.normal() * random.logBetween(0.04 * habits.growth, habits.growth) * shock
    : 0;
  let slope = drift + (random.chance(0.4) ? random.normal() * random.logBetween(0.01, 1) * shock : 0);
  const damping = random.chance(0.3) ? 1 : random.between(0.8, 0.995);
  const momentum = random.chance(0.35) ? random.between(-0.3, 0.7) : 0;
  // Growth often tires, be it that of a market or of a town.
  const tiring = random.chance(0.45) ? 1 / (random.logBetween(0.15, 2) * z.length) : 0;
  const settles = random.between(-0.3, 0.6);
  const first = drift;
  let growth = 0;
  let level = 0;
  for (let i = 0; i < z.length; i++) {
    if (tiring > 0) drift = first * (settles + (1 - settles) * Math.exp(-i * tiring));
    slope = drift + damping * (slope - drift) + slopeShock * random.normal();
    growth = momentum * growth + shock * (wild ? 1.4 * random.heavy() : random.normal());
    level += slope + growth;
    z[i] += level;
  }
}

/** A trend without chance: in pieces, an S curve or a power of time. */
function addCurve(z: Float64Array, random: Random): void {
  const count = z.length;
  const total = random.normal() * random.logBetween(0.5, 40);
  const kind = random.uniform();
  if (kind < 0.5) {
    const breaks = new Set(Array.from({ length: random.below(4) }, () => random.below(count)));
    let slope = total / count;
    let level = 0;
    for (let i = 0; i < count; i++) {
      if (breaks.has(i)) {
        slope = random.chance(0.7)
          ? slope * random.between(-0.5, 1.5)
          : (random.normal() * random.logBetween(0.5, 40)) / count;
      }
      level += slope;
      z[i] += level;
    }
  } else if (kind < 0.75) {
    const centre = random.between(0, 1.3 * count);
    const width = random.logBetween(0.05, 0.4) * count;
    for (let i = 0; i < count; i++) z[i] += total / (1 + Math.exp(-(i - centre) / width));
  } else {
    const power = random.between(0.3, 2);
    for (let i = 0; i < count; i++) z[i] += total * ((i + 1) / count) ** power;
  }
}

function addCycles(z: Float64Array, random: Random): void {
  for (let k = 1 + random.below(4); k > 0; k--) {
    const cycle = random.logBetween(5, 2 * z.length + 10);
    const size = random.normal() * random.logBetween(0.3, 8);
    const phase = random.between(0, 2 * Math.PI);
    for (let i = 0; i < z.length; i++) z[i] += size * Math.sin((2 * Math.PI * i) / cycle + phase);
  }
}
