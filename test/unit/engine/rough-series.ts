import { Random } from '../../bench/training/random.ts';

/** A series of a rough kind, its calendar, and what comes after it. */
export interface RoughSeries {
  readonly kind: string;
  readonly history: Float64Array;
  readonly future: Float64Array;
  readonly periods: readonly number[];
  readonly season: number;
}

/** A jump is not placed right before the origin, where nobody can tell it from a typing error. */
type Make = (random: Random, n: number, origin: number) => Float64Array;

const noise = (random: Random, n: number, scale: number): Float64Array =>
  Float64Array.from({ length: n }, () => scale * random.normal());

/** What happens to people's data; each is `n` values long and goes on over the horizon as it must. */
const kinds: Readonly<Record<string, Make>> = {
  steps(random, n, origin) {
    let level = 100;
    return Float64Array.from({ length: n }, (_, i) => {
      if (random.chance(8 / n) && i !== origin - 1) level *= random.logBetween(0.3, 3);
      return level * (1 + 0.02 * random.normal());
    });
  },
  spikes(random, n) {
    return noise(random, n, 1).map((value) => 50 + value + (random.chance(0.03) ? random.logBetween(10, 3000) : 0));
  },
  floods(random, n) {
    let flow = 20;
    const fall = random.between(0.8, 0.97);
    return Float64Array.from({ length: n }, () => {
      flow = 2 + fall * (flow - 2) + (random.chance(0.03) ? random.logBetween(5, 800) : 0);
      return flow * random.logBetween(0.95, 1.05);
    });
  },
  zeros(random, n) {
    const busy = random.between(0.05, 0.6);
    return Float64Array.from({ length: n }, () => (random.chance(busy) ? Math.round(random.logBetween(1, 40)) : 0));
  },
  exponential(random, n) {
    const start = n * random.between(0.3, 0.8);
    const growth = Math.min(0.12, random.between(1, 8) / (n - start));
    return Float64Array.from(
      { length: n },
      (_, i) => 10 * Math.exp(growth * Math.max(0, i - start)) * random.logBetween(0.93, 1.07),
    );
  },
  units(random, n, origin) {
    const change = Math.min(origin - 2, Math.floor(n * random.between(0.3, 0.97)));
    const factor = random.chance(0.5) ? 1000 : 0.001;
    return Float64Array.from(
      { length: n },
      (_, i) => (i < change ? 1 : factor) * (40 + 8 * Math.sin(i / 2)) * random.logBetween(0.95, 1.05),
    );
  },
  shifts(random, n, origin) {
    const change = origin - 2 - random.below(Math.min(40, origin - 2));
    const step = random.between(-80, 400);
    return noise(random, n, 3).map((value, i) => 100 + value + (i < change ? 0 : step));
  },
  bursts(random, n) {
    let busy = false;
    return Float64Array.from({ length: n }, () => {
      if (random.chance(0.04)) busy = !busy;
      return Math.max(0, busy ? 60 + 30 * random.normal() : 1 + 0.2 * random.normal());
    });
  },
  plateaus(random, n) {
    let level = 10;
    return Float64Array.from({ length: n }, () => {
      if (random.chance(0.05)) level = Math.max(0, level + 5 * random.normal());
      return Math.round(level * 10) / 10;
    });
  },
  walk(random, n) {
    let level = 0;
    return Float64Array.from({ length: n }, () => (level += random.normal()));
  },
  heavy(random, n) {
    return Float64Array.from({ length: n }, () => Math.exp(1.6 * random.normal()));
  },
  nearZero(random, n) {
    return Float64Array.from(
      { length: n },
      (_, i) => Math.abs(5 * Math.sin(i / 3)) * random.logBetween(0.001, 1) + 1e-6,
    );
  },
  rivers(random, n) {
    const base = random.logBetween(5, 500);
    const year = random.logBetween(0.2, 2);
    let storm = 0;
    return Float64Array.from({ length: n }, (_, i) => {
      storm = 0.9 * storm + (random.chance(0.02) ? random.logBetween(0.3, 4) : 0);
      return base * Math.exp(year * Math.sin((2 * Math.PI * i) / 365.25) + storm + 0.1 * random.normal());
    });
  },
  lateGrowth(random, n, origin) {
    const start = origin - 1 - random.below(Math.min(12, origin - 1));
    const growth = random.between(0.02, 0.3);
    const most = 100 * Math.exp(growth * (origin - start));
    return Float64Array.from(
      { length: n },
      (_, i) => Math.min(most, 100 * Math.exp(growth * Math.max(0, i - start))) * random.logBetween(0.97, 1.03),
    );
  },
  fading(random, n) {
    return Float64Array.from({ length: n }, (_, i) => 1000 * Math.exp((-8 * i) / n) * random.logBetween(0.8, 1.25));
  },
};

const calendars: readonly { readonly periods: readonly number[]; readonly season: number }[] = [
  { periods: [], season: 1 },
  { periods: [4], season: 4 },
  { periods: [12], season: 12 },
  { periods: [12], season: 1 },
  { periods: [7, 365.25], season: 7 },
  { periods: [7, 365.25], season: 1 },
  { periods: [52.18], season: 1 },
  { periods: [24, 168], season: 24 },
];

export const roughKinds = Object.keys(kinds);

/** How long a rough series may be, and how far it is forecast. */
export interface Lengths {
  readonly shortest: number;
  /** Without and with several seasons. */
  readonly longest: readonly [number, number];
  readonly farthest: number;
}
const usual: Lengths = { shortest: 12, longest: [200, 900], farthest: 30 };
/** A few points only, which is what many people have. */
export const few: Lengths = { shortest: 2, longest: [12, 20], farthest: 12 };
/** A thousand steps ahead of a short history. */
export const far: Lengths = { shortest: 20, longest: [120, 400], farthest: 1000 };
/** Days of decades. */
export const long: Lengths = { shortest: 8000, longest: [24_000, 24_000], farthest: 60 };

/** The rough series of a kind and a seed, 12 to 900 points long where nothing else is said. */
export function roughSeries(kind: string, seed: number, lengths = usual): RoughSeries {
  const random = new Random(seed * 31 + kind.length);
  const calendar = calendars[lengths === long ? 4 + random.below(2) : random.below(calendars.length)];
  const longest = lengths.longest[calendar.periods.length > 1 ? 1 : 0];
  const horizon = lengths === far ? far.farthest : 1 + random.below(lengths.farthest);
  const seasons = lengths === few ? calendar.season : 2 * calendar.season;
  const length = Math.round(
    random.logBetween(lengths.shortest + seasons, Math.max(longest, lengths.shortest + seasons)),
  );
  const values = kinds[kind](random, length + horizon, length);
  return { kind, history: values.slice(0, length), future: values.slice(length), ...calendar };
}

/** How many times the error of a forecast is that of the seasonal naive one, or of its usual error in the history. */
export function badness({ history, future, season }: RoughSeries, point: Float64Array): number {
  const n = history.length;
  let usual = 0;
  for (let i = season; i < n; i++) usual += Math.abs(history[i] - history[i - season]) / (n - season);
  let error = 0;
  let naive = 0;
  for (let i = 0; i < future.length; i++) {
    error += Math.abs(future[i] - point[i]) / future.length;
    naive += Math.abs(future[i] - history[n - season + (i % season)]) / future.length;
  }
  const largest = history.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return error === 0 ? 0 : error / Math.max(naive, usual, 1e-9 * largest);
}
