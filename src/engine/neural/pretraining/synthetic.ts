import type { Random } from '../random.ts';
import { addSeasons } from './synthetic-seasons.ts';

/** A made-up series: what the net may see, then what comes. */
export interface SyntheticSeries {
  readonly values: Float64Array;
  /** How many of the values are the history. */
  readonly history: number;
  readonly periods: readonly number[];
}

interface Plan {
  readonly history: number;
  readonly horizon: number;
  readonly periods: readonly number[];
}

const longestHistory = 1000;

/**
 * The prior that the base model learns from: state space models, piecewise and saturating trends, cycles, fixed and
 * evolving seasons, shifts, spikes, counts and intermittent demand, on calendars as people have them. No observed series
 * takes part.
 */
export function syntheticSeries(random: Random): SyntheticSeries {
  for (;;) {
    const { history, horizon, periods } = plan(random);
    const count = history + horizon;
    let values = random.chance(0.035) ? intermittent(count, random) : smoothSeries(count, periods, random);
    if (random.chance(0.1)) {
      const other = smoothSeries(count, periods, random);
      const share = random.uniform();
      const [a, b] = [share / spreadOf(values), (1 - share) / spreadOf(other)];
      values = values.map((value, i) => a * value + b * other[i]);
    }
    const size = 10 ** random.between(-1, 4);
    const first = values[0];
    if (values.subarray(0, history).some((value) => value !== first)) {
      return { values: values.map((value) => value * size), history, periods };
    }
  }
}

function plan(random: Random): Plan {
  const kind = random.uniform();
  const length = (low: number, high: number): number => Math.floor(random.logBetween(low, high));
  // Some series with a season are young: they have seen less than a few cycles.
  const young = random.chance(youngShare);
  const history = (period: number, low: number, high: number): number =>
    young ? length(Math.max(4, 0.4 * period), 2.4 * period + 2) : length(low, high);
  if (kind < 0.28) {
    const points = random.chance(0.9) ? length(5, 90) : length(60, longestHistory);
    return { periods: [], history: points, horizon: random.chance(0.85) ? 6 + random.below(9) : 32 };
  }
  if (kind < 0.46) return { periods: [4], history: history(4, 8, 200), horizon: 8 + random.below(5) };
  if (kind < 0.72) return { periods: [12], history: history(12, 16, 400), horizon: 18 + random.below(7) };
  if (kind < 0.83) {
    const week = young || random.chance(0.8);
    return { periods: week ? [24, 168] : [24], history: history(24, week ? 180 : 60, longestHistory), horizon: 48 };
  }
  if (kind < 0.89) {
    const year = random.chance(0.5);
    return {
      periods: year ? [7, 365.25] : [7],
      history: history(7, 21, longestHistory),
      horizon: 14 + random.below(43),
    };
  }
  if (kind < 0.95)
    return { periods: [52.18], history: history(52, 60, longestHistory), horizon: 13 + random.below(14) };
  const period = 2 + random.below(60);
  const points = Math.floor(random.logBetween(2 * period + 4, Math.min(longestHistory, 16 * period + 20)));
  return { periods: [period], history: points, horizon: Math.min(farthest, 2 * period + 4) };
}

const youngShare = 0.15;
const farthest = 64;

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
  if (shortest === 24) return { walks: 0.35, shock: [0.02, 1], growth: 0.2, rises: 0.2, memory: 0.9, returns: 0.75 };
  return { walks: 0.65, shock: [0.03, 4], growth: 0.5, rises: 0.3, memory: 0.4, returns: 0.5 };
}

function smoothSeries(count: number, periods: readonly number[], random: Random): Float64Array {
  const habits = habitsOf(periods);
  const z = new Float64Array(count);
  if (periods.length > 0 && random.chance(0.03)) {
    // As a counter or a plan runs: a curve with hardly any noise and no season.
    addCurve(z, random);
    addNoise(z, random.logBetween(1e-4, 0.03), habits, random);
    return toScale(z, random);
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
  return toScale(z, random);
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

/** Shifts of the level that last, and spikes that do not. */
function addEvents(z: Float64Array, size: number, random: Random): void {
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

/** From the latent scale to one that people observe: growth rates, levels, amounts that cannot be negative, counts. */
function toScale(z: Float64Array, random: Random): Float64Array {
  let average = 0;
  for (const value of z) average += value / z.length;
  const spread = spreadOf(z);
  let x: Float64Array;
  if (random.chance(0.5)) {
    const factor = random.logBetween(0.01, 1.2) / spread;
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

function intermittent(count: number, random: Random): Float64Array {
  const rate = random.between(0.05, 0.7);
  const mean = random.between(0, 2);
  const spread = random.between(0.1, 0.9);
  const trend = random.between(-0.5, 0.5);
  return Float64Array.from({ length: count }, (_, i) => {
    const now = Math.min(0.98, Math.max(0.02, rate * (1 + trend * (i / count - 0.5))));
    return random.chance(now) ? Math.round(Math.exp(mean + spread * random.normal())) : 0;
  });
}

function spreadOf(values: Float64Array): number {
  let average = 0;
  for (const value of values) average += value / values.length;
  let variance = 0;
  for (const value of values) variance += (value - average) ** 2 / values.length;
  return Math.sqrt(variance) + 1e-9;
}
